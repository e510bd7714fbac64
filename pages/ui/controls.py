"""Widgets -> frozen settings. The URL carries epsilon, coverage, share and bins; the rest lasts for the session.

Nothing that comes from a person's table, not even a column's name, is bound to the URL: URLs land in logs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from dpcp_core.conformal.methods import METHODS
from dpcp_core.errors import InputError
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.presentation.wording.controls import CONTROLS
from dpcp_core.presentation.wording.numbers import level, one_in, short
from dpcp_core.presentation.wording.terms import OPTIONS, option_title
from pages.ui import state
from pages.ui.choices import BIN_COUNTS, DELTAS, EPSILONS, REPETITIONS
from pages.ui.layout import controls_row

EPSILON, COVERAGE, SHARE, BINS = "epsilon", "coverage", "share", "bins"
"""Keys of the widgets whose values the URL carries, and their names there."""

BIN_RULE = "set_bin_rule"
AS_SLIDER = "as the slider says"

_DEFAULTS = ConformalSettings()
_PERCENT = {"confidence_level": COVERAGE, "training_share": SHARE, "row_share": "set_row_share"}
_LISTS = ("trainer", "loss", "stability", "guarantee", "composition", "grid")
_SESSION = ("method", *_LISTS, "delta", "repetitions", "seed")
_URL = "query-params"
_OF_THRESHOLD = ("bins", "grid", "loss", "guarantee", "composition", "training_share")
_COVERAGES, _SHARES = range(50, 100), range(10, 91, 5)
_DECIDED = "**Decided by the method and the other choices: it changes nothing now.**"


def settings() -> ConformalSettings:
    """Return the settings that the widgets stand for, drawn or not.

    Raises
    ------
    InputError
        If a browser sent a value that no widget offers.
    """
    get = st.session_state.get
    rule = get(BIN_RULE, AS_SLIDER)
    shares = {field: get(key, _percent(getattr(_DEFAULTS, field))) / 100 for field, key in _PERCENT.items()}
    chosen = {field: get(_key(field), getattr(_DEFAULTS, field)) for field in _SESSION}
    bins = get(BINS, _DEFAULTS.bins) if rule == AS_SLIDER else rule
    return ConformalSettings(epsilon=get(EPSILON, _DEFAULTS.epsilon), bins=bins, **shares, **chosen)


def from_link() -> None:
    """Take over the settings in a link to a page without these widgets; what they do not offer is left alone."""
    offered = {EPSILON: EPSILONS, COVERAGE: _COVERAGES, SHARE: _SHARES, BINS: BIN_COUNTS}
    for key, values in offered.items():
        asked = st.query_params.get(key, "")
        chosen = next((value for value in values if f"{value:g}" == asked.removesuffix(".0")), None)
        if chosen is not None and key not in st.session_state:
            st.session_state[key] = chosen


def idle() -> frozenset[str]:
    """Return the settings that change nothing, because the method or another choice decides them."""
    try:
        recipe = settings().recipe
    except InputError:
        return frozenset()
    fields = set(METHODS[recipe.method].fixed)
    if not recipe.private_training:
        fields |= {"epsilon", "delta"}
    if not recipe.private_quantile:
        fields |= {*_OF_THRESHOLD}
    if recipe.composition == "parallel":
        fields |= {"composition", "training_share"}
    return frozenset(fields if recipe.splits_rows else {*fields, "row_share"})


def widget_values(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the widget values for changed settings, by key.

    Parameters
    ----------
    changes : mapping
        Fields of :class:`ConformalSettings` and their new values.

    >>> widget_values({"confidence_level": 0.8, "bins": 200, "loss": "bracket"})
    {'coverage': 80, 'set_bin_rule': 'as the slider says', 'bins': 200, 'set_loss': 'bracket'}
    """
    values: dict[str, Any] = {}
    for field, value in changes.items():
        if field == "bins":
            values[BIN_RULE] = value if isinstance(value, str) else AS_SLIDER
            if not isinstance(value, str):
                values[BINS] = value
        elif field in _PERCENT:
            values[_PERCENT[field]] = _percent(value)
        else:
            values[EPSILON if field == "epsilon" else _key(field)] = value
    return values


def apply(changes: Mapping[str, Any]) -> None:
    """Set the widgets to changed settings; for callbacks only."""
    state.put(widget_values(changes))


def change_label(changes: Mapping[str, Any]) -> str:
    """Return what a button that makes these changes is called.

    >>> change_label({"epsilon": 2.0}), change_label({"method": "dpcp", "guarantee": "certified"})
    ('Set privacy budget ε to 2', 'Set method to “DPCP, certified” and guarantee to “certified”')
    """
    return "Set " + " and ".join(_change(field, value) for field, value in changes.items())


def main_row() -> None:
    """Draw the five controls that matter most."""
    drawers = (_epsilon, _coverage, _share, _bins, partial(_list, "method"))
    for place, draw in zip(controls_row(len(drawers)), drawers, strict=True):
        with place:
            draw()


def more() -> None:
    """Draw the folded controls; their widgets exist only while the fold is open."""
    fold = st.expander("More controls", key="more_controls", on_change="rerun", icon=":material/tune:", type="compact")
    if not fold.open:
        return
    lists = [partial(_list, field) for field in _LISTS]
    drawers: list[Callable[[], None]] = [*lists, _bin_rule, _delta, _row_share, _repetitions, _seed]
    with fold:
        grid = st.grid(4, min_column_width=135, gap="medium")
        for draw in drawers:
            with grid.cell():
                draw()


def _key(field: str) -> str:
    return f"set_{field}"


def _percent(share: float) -> int:
    return round(100 * share)


def _change(field: str, value: Any) -> str:
    label = CONTROLS[field].label
    label = label if label.startswith("δ") else label[0].lower() + label[1:]
    if field in OPTIONS and isinstance(value, str):
        return f"{label} to “{option_title(field, value)}”"
    return f"{label} to {level(value) if field in _PERCENT else short(value)}"


def _with(options: tuple[Any, ...], key: str) -> tuple[Any, ...]:
    # One click of the doctor may set a value between the steps; it must be among the options.
    chosen = st.session_state.get(key, options[0])
    return options if chosen in options else tuple(sorted({*options, chosen}))


def _words(field: str) -> dict[str, Any]:
    """Return help and state of a field's widget: one that changes nothing cannot be moved, and says why."""
    off, words = field in idle(), CONTROLS[field].help
    return {"disabled": off, "help": f"{words}\n\n{_DECIDED}" if off else words}


def _epsilon() -> None:
    words = CONTROLS["epsilon"]
    with st.container(gap="xxsmall"):
        st.select_slider(
            words.label,
            _with(EPSILONS, EPSILON),
            _DEFAULTS.epsilon,
            key=EPSILON,
            bind=_URL,
            format_func=lambda step: f"{step:g}",
            **_words("epsilon"),
        )
        with st.container(horizontal=True, horizontal_alignment="distribute", gap=None):
            st.caption(words.low_end, width="content", wrap=False)
            st.caption(words.high_end, width="content", wrap=False)


def _coverage() -> None:
    field, default = "confidence_level", _percent(_DEFAULTS.confidence_level)
    low, high = _COVERAGES[0], _COVERAGES[-1]
    label = CONTROLS[field].label
    st.slider(label, low, high, default, format="%d %%", key=COVERAGE, bind=_URL, **_words(field))


def _share() -> None:
    field, default = "training_share", _percent(_DEFAULTS.training_share)
    low, high, step = _SHARES[0], _SHARES[-1], _SHARES.step
    label = CONTROLS[field].label
    st.slider(label, low, high, default, step, format="%d %%", key=SHARE, bind=_URL, **_words(field))


def _bins() -> None:
    state_and_help = _words("bins")
    state_and_help["disabled"] |= st.session_state.get(BIN_RULE, AS_SLIDER) != AS_SLIDER
    st.select_slider(
        CONTROLS["bins"].label, _with(BIN_COUNTS, BINS), _DEFAULTS.bins, key=BINS, bind=_URL, **state_and_help
    )


def _list(field: str) -> None:
    options, words = OPTIONS[field], _words(field)
    names = tuple(name for name in options if (field, name) != ("composition", "parallel"))
    meanings = "\n".join(f"- **{options[name].title}**: {options[name].sentence}" for name in names)
    st.selectbox(
        CONTROLS[field].label,
        names,
        names.index(getattr(_DEFAULTS, field)),
        format_func=lambda name: options[name].title,
        key=_key(field),
        persist_state="session",
        disabled=words["disabled"],
        help=f"{words['help']}\n\n{meanings}",
    )


def _bin_rule() -> None:
    rules = (AS_SLIDER, *OPTIONS["bins"])
    st.selectbox(
        "Number of bins",
        rules,
        format_func=lambda rule: option_title("bins", rule),
        key=BIN_RULE,
        persist_state="session",
        disabled="bins" in idle(),
        help="The slider's number, or a rule that follows the number of rows or the miss rate.",
    )


def _delta() -> None:
    options = _with(DELTAS, _key("delta"))
    st.selectbox(
        CONTROLS["delta"].label,
        options,
        options.index(_DEFAULTS.delta),
        format_func=one_in,
        key=_key("delta"),
        persist_state="session",
        **_words("delta"),
    )


def _row_share() -> None:
    field, key = "row_share", _PERCENT["row_share"]
    default, label = _percent(_DEFAULTS.row_share), CONTROLS[field].label
    st.slider(label, 10, 90, default, 5, format="%d %%", key=key, persist_state="session", **_words(field))


def _repetitions() -> None:
    words, key = CONTROLS["repetitions"], _key("repetitions")
    options = _with(REPETITIONS, key)
    st.select_slider(words.label, options, _DEFAULTS.repetitions, key=key, persist_state="session", help=words.help)


def _seed() -> None:
    words, key = CONTROLS["seed"], _key("seed")
    st.number_input(words.label, 0, 2**31 - 1, _DEFAULTS.seed, key=key, persist_state="session", help=words.help)
