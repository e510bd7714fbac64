"""Widgets -> frozen settings. The URL carries epsilon, coverage, share and bins; the rest lasts for the session.

Nothing that comes from a person's table, not even a column's name, is bound to the URL: URLs land in logs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from dpcp_core.evaluation.doctor import EPSILON_STEPS
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.presentation.wording.numbers import one_in
from pages.ui import state
from pages.ui.choices import BIN_COUNTS, BIN_RULES, CHOICES, DELTAS, METHODS, REPETITIONS, Choice

EPSILON, COVERAGE, SHARE, BINS = "epsilon", "coverage", "share", "bins"
BIN_RULE = "set_bin_rule"
NUMBER = "number"

_DEFAULTS = ConformalSettings()
_URL = "query-params"


def settings() -> ConformalSettings:
    """Return the settings that the widgets stand for, drawn or not.

    Raises
    ------
    InputError
        If a browser sent a value that no widget offers.
    """
    get = st.session_state.get
    rule = get(BIN_RULE, NUMBER)
    chosen = {field: get(_key(field), getattr(_DEFAULTS, field)) for field in _SESSION_FIELDS}
    return ConformalSettings(
        epsilon=get(EPSILON, _DEFAULTS.epsilon),
        confidence_level=get(COVERAGE, _percent(_DEFAULTS.confidence_level)) / 100,
        training_share=get(SHARE, _percent(_DEFAULTS.training_share)) / 100,
        bins=get(BINS, _DEFAULTS.bins) if rule == NUMBER else rule,
        **chosen,
    )


def widget_values(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the widget values for changed settings, by key.

    Parameters
    ----------
    changes : mapping
        Fields of :class:`ConformalSettings` and their new values.

    >>> widget_values({"confidence_level": 0.8, "bins": 200, "loss": "bracket"})
    {'coverage': 80, 'set_bin_rule': 'number', 'bins': 200, 'set_loss': 'bracket'}
    """
    values: dict[str, Any] = {}
    for field, value in changes.items():
        if field == "bins":
            values[BIN_RULE] = value if isinstance(value, str) else NUMBER
            if not isinstance(value, str):
                values[BINS] = value
        elif field in ("confidence_level", "training_share"):
            values[COVERAGE if field == "confidence_level" else SHARE] = _percent(value)
        else:
            values[EPSILON if field == "epsilon" else _key(field)] = value
    return values


def apply(changes: Mapping[str, Any]) -> None:
    """Set the widgets to changed settings; for callbacks only."""
    state.put(widget_values(changes))


def change_label(changes: Mapping[str, Any]) -> str:
    """Return what a button that makes these changes is called.

    >>> change_label({"epsilon": 2.0}), change_label({"method": "dpcp", "guarantee": "certified"})
    ('Set ε to 2', 'Set method to “DPCP, all rows twice” and promise to “Certified for every n”')
    """
    return "Set " + " and ".join(_change(field, value) for field, value in changes.items())


def method_label(method: str) -> str:
    """Return what a method is called on screen."""
    return METHODS.options[method]


def main_row() -> None:
    """Draw the five controls that matter most."""
    epsilon, coverage, share, bins, method = st.columns([1.45, 1, 1, 1, 1.25], gap="medium")
    with epsilon:
        _epsilon()
    with coverage:
        st.slider(
            "Target coverage",
            50,
            99,
            _percent(_DEFAULTS.confidence_level),
            format="%d %%",
            key=COVERAGE,
            bind=_URL,
            help="How often an interval should contain the true value.",
        )
    with share:
        st.slider(
            "Budget for training",
            10,
            90,
            _percent(_DEFAULTS.training_share),
            5,
            format="%d %%",
            key=SHARE,
            bind=_URL,
            help="Share of ε that pays for training the model; the rest pays for the width of the interval.",
        )
    with bins:
        _bins()
    with method:
        _select(METHODS)


def more() -> None:
    """Draw the folded controls; their widgets exist only while the fold is open."""
    fold = st.expander("More controls", key="more_controls", on_change="rerun", icon=":material/tune:", type="compact")
    if not fold.open:
        return
    drawers = [*(partial(_select, choice) for choice in CHOICES), _bin_rule, _delta, _repetitions, _seed]
    with fold:
        for first in range(0, len(drawers), 4):
            for column, draw in zip(st.columns(4, gap="medium"), drawers[first : first + 4], strict=False):
                with column:
                    draw()


_SESSION_FIELDS = ("method", *(choice.field for choice in CHOICES), "delta", "repetitions", "seed")


def _key(field: str) -> str:
    return f"set_{field}"


_NAMES = {"epsilon": "ε", "confidence_level": "target coverage", "training_share": "the budget for training"}


def _change(field: str, value: Any) -> str:
    choice = next((choice for choice in (METHODS, *CHOICES) if choice.field == field), None)
    if choice is not None:
        return f"{choice.label[0].lower()}{choice.label[1:]} to “{choice.options[value]}”"
    shown = (
        f"{100 * value:g} %" if field in ("confidence_level", "training_share") else BIN_RULES.get(value, f"{value}")
    )
    return (
        f"{_NAMES.get(field, field)} to {value:g}" if field == "epsilon" else f"{_NAMES.get(field, field)} to {shown}"
    )


def _percent(share: float) -> int:
    return round(100 * share)


def _with(options: tuple[Any, ...], field: str, key: str = "") -> tuple[Any, ...]:
    # One click of the doctor may set a value between the steps; it must be among the options.
    chosen = st.session_state.get(key or _key(field), options[0])
    return options if chosen in options else tuple(sorted({*options, chosen}))


def _epsilon() -> None:
    with st.container(gap="xxsmall"):
        st.select_slider(
            "Privacy budget ε",
            _with(EPSILON_STEPS, "", EPSILON),
            _DEFAULTS.epsilon,
            key=EPSILON,
            bind=_URL,
            format_func=lambda step: f"{step:g}",
            help="How far one row may move the odds of any conclusion: by a factor of at most e to the power of ε.",
        )
        with st.container(horizontal=True, horizontal_alignment="distribute", gap=None):
            st.caption("stronger privacy", width="content", wrap=False)
            st.caption("sharper answers", width="content", wrap=False)


def _bins() -> None:
    st.select_slider(
        "Bins",
        _with(BIN_COUNTS, "", BINS),
        _DEFAULTS.bins,
        key=BINS,
        bind=_URL,
        disabled=st.session_state.get(BIN_RULE, NUMBER) != NUMBER,
        help="Number of candidate widths. Few are coarse, many cost a little certainty each.",
    )


def _bin_rule() -> None:
    st.selectbox(
        "Number of bins",
        BIN_RULES,
        format_func=BIN_RULES.get,
        key=BIN_RULE,
        persist_state="session",
        help="The slider's number, or a rule that follows the number of rows or the miss rate.",
    )


def _delta() -> None:
    options = _with(DELTAS, "delta")
    st.selectbox(
        "δ, chance beyond ε",
        options,
        options.index(_DEFAULTS.delta),
        format_func=one_in,
        key=_key("delta"),
        persist_state="session",
        help="The small chance that the protection by ε does not hold. Keep it far below 1 in the number of rows.",
    )


def _repetitions() -> None:
    st.select_slider(
        "Repetitions",
        _with(REPETITIONS, "repetitions"),
        _DEFAULTS.repetitions,
        key=_key("repetitions"),
        persist_state="session",
        help="How often the split and the noise are drawn anew. More repetitions make coverage and width surer.",
    )


def _seed() -> None:
    st.number_input(
        "Seed",
        0,
        2**31 - 1,
        _DEFAULTS.seed,
        key=_key("seed"),
        persist_state="session",
        help="Of the simulation; another seed, another luck. A release takes none.",
    )


def _select(choice: Choice) -> None:
    names = tuple(choice.options)
    st.selectbox(
        choice.label,
        names,
        names.index(getattr(_DEFAULTS, choice.field)),
        format_func=choice.options.get,
        key=_key(choice.field),
        persist_state="session",
        help=choice.help,
    )
