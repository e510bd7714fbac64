"""One widget for each kind of setting: lists, numbers that may stay empty, shares, switches.

A control that changes nothing just now cannot be moved, and says why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import streamlit as st

from dpcp_core.conformal.choices import AUTO
from dpcp_core.conformal.methods import METHODS
from dpcp_core.conformal.scores import DEFAULT_SCORES
from dpcp_core.presentation.wording.controls import BIN_RULE
from dpcp_core.presentation.wording.numbers import one_in
from dpcp_core.presentation.wording.terms import OPTIONS, option_title
from dpcp_core.training.registry import default_trainer
from pages.ui import state
from pages.ui.choices import BIN_COUNTS, DELTAS, EPSILONS, REPETITIONS
from pages.ui.controls import keys
from pages.ui.controls.reading import Reasons, suiting

_URL = "query-params"
_EMPTY = "default"


class Draw(Protocol):
    """Draws the control of one setting."""

    def __call__(self, field: str, off: Reasons) -> None:
        """Draw it, given what changes nothing just now."""


@dataclass(frozen=True)
class _Number:
    """A number that may stay empty: the smallest and largest that a person can type, and one click's step."""

    low: float = 0.0
    high: float | None = None
    step: float = 0.1

    @property
    def format(self) -> str:
        """How the number is written."""
        return "%d" if isinstance(self.step, int) else "%.6g"


_ABOVE_0 = 1e-9
_NUMBERS: Mapping[str, _Number] = {
    "steps": _Number(1, 1_000_000, 10),
    "step_size": _Number(_ABOVE_0, None, 0.1),
    "max_grad_norm": _Number(_ABOVE_0, None, 0.1),
    # Linear classifiers take the more steps the larger it is; at 1 it leaves hardly anything of the weights already.
    "penalty": _Number(0.0, 100.0, 0.001),
    "noise_multiplier": _Number(0.0, None, 1.0),
    "batch_size": _Number(1, None, 64),
    "sampling_rate": _Number(_ABOVE_0, 1.0, 0.01),
    "epochs": _Number(_ABOVE_0, None, 1.0),
    "smallest_width": _Number(_ABOVE_0, None, 0.1),
}
_SHARES: Mapping[str, range] = {
    "row_share": range(10, 91, 5),
    "test_share": range(5, 51, 5),
    "bound_share": range(0, 91, 5),
    "warmup_share": range(0, 91, 5),
}


def drawer(field: str) -> Draw:
    """Return what draws the control of a setting."""
    if field in _SPECIAL:
        return _SPECIAL[field]
    if field in _NUMBERS:
        return _number
    if field in _SHARES:
        return _percent
    default = getattr(keys.DEFAULTS, field)
    return _switch if isinstance(default, bool) else _number if isinstance(default, int | float) else _list


def _words(field: str, off: Reasons, more: str = "") -> dict[str, Any]:
    """Return state and help of a field's widget."""
    parts = [keys.words(field).help, f"**It changes nothing now. {off[field]}**" if field in off else "", more]
    return {"disabled": field in off, "help": "\n\n".join(part for part in parts if part) or None}


def _with(options: tuple[Any, ...], key: str) -> tuple[Any, ...]:
    # One click of the doctor may set a value between the steps; it must be among the options.
    chosen = st.session_state.get(key, options[0])
    return options if chosen in options else tuple(sorted({*options, chosen}))


def _stretched(steps: range, key: str) -> tuple[int, int, int]:
    """Return lowest, highest and step of a slider that also holds what one click of the doctor has set."""
    chosen = st.session_state.get(key, steps[0])
    return min(steps[0], chosen), max(steps[-1], chosen), steps.step if chosen in steps else 1


def _epsilon(field: str, off: Reasons) -> None:
    words = keys.words(field)
    with st.container(gap="xxsmall"):
        st.select_slider(
            words.label,
            _with(EPSILONS, keys.EPSILON),
            keys.DEFAULTS.epsilon,
            key=keys.EPSILON,
            bind=_URL,
            format_func=lambda step: f"{step:g}",
            **_words(field, off),
        )
        with st.container(horizontal=True, horizontal_alignment="distribute", gap=None):
            st.caption(words.low_end, width="content", wrap=False)
            st.caption(words.high_end, width="content", wrap=False)


def _in_url(steps: range, field: str, off: Reasons) -> None:
    key, default = keys.key(field), keys.percent(getattr(keys.DEFAULTS, field))
    low, high, step = _stretched(steps, key)
    label = keys.words(field).label
    st.slider(label, low, high, default, step, format="%d %%", key=key, bind=_URL, **_words(field, off))


def _bins(field: str, off: Reasons) -> None:
    words = _words(field, off)
    words["disabled"] |= st.session_state.get(keys.BIN_RULE, keys.AS_SLIDER) != keys.AS_SLIDER
    options = _with(BIN_COUNTS, keys.BINS)
    st.select_slider(keys.words(field).label, options, keys.DEFAULTS.bins, key=keys.BINS, bind=_URL, **words)


def _percent(field: str, off: Reasons) -> None:
    draw_percent(field, keys.key(field), off)


def draw_percent(field: str, key: str, off: Reasons) -> None:
    """Draw a share; a page with settings of its own has a key of its own."""
    default = keys.percent(getattr(keys.DEFAULTS, field))
    low, high, step = _stretched(_SHARES[field], key)
    words = _words(field, off)
    label = keys.words(field).label
    st.slider(label, low, high, default, step, format="%d %%", key=key, persist_state="session", **words)


def _list(field: str, off: Reasons) -> None:
    key, names = keys.key(field), offered(field)
    if st.session_state.get(key, names[0]) not in names:
        # Chosen for another kind of target, or for a method that splits rows.
        st.session_state[key] = names[0]
    terms = {name: OPTIONS[field][name] for name in names}
    titles = {name: _automatic(field) if name == AUTO else term.title for name, term in terms.items()}
    if AUTO in titles:
        _say_anew(key, titles[AUTO])
    meanings = "\n".join(f"- **{term.title}**: {term.sentence}" for term in terms.values())
    st.selectbox(
        keys.words(field).label,
        names,
        names.index(getattr(keys.DEFAULTS, field)),
        format_func=titles.__getitem__,
        key=key,
        persist_state="session",
        **_words(field, off, meanings),
    )


def _say_anew(key: str, title: str) -> None:
    """Have the browser write the choice anew if another table has changed what "auto" is called.

    A browser goes on showing the words that it has, whatever a list's options are called by now, unless it is told.
    """
    said = f"{key}_auto"
    if st.session_state.get(said, title) != title:
        st.session_state[key] = st.session_state.get(key, AUTO)
    st.session_state[said] = title


def _automatic(field: str) -> str:
    """Return what the automatic choice comes to for the table in use."""
    chosen = default_trainer(state.task(), state.n_classes()) if field == "trainer" else DEFAULT_SCORES[state.task()]
    return f"{option_title(field, chosen)} (auto)"


def offered(field: str) -> tuple[str, ...]:
    """Return the values in the list of a setting."""
    if field in ("trainer", "score"):
        return suiting(field, state.task())
    halves = METHODS[keys.chosen("method")].splits_rows
    # Only where a method always splits rows is it a choice of its own; elsewhere it follows.
    return tuple(name for name in OPTIONS[field] if halves or (field, name) != ("composition", "parallel"))


def _bin_rule(field: str, off: Reasons) -> None:
    st.selectbox(
        BIN_RULE.label,
        (keys.AS_SLIDER, *OPTIONS["bins"]),
        format_func=lambda rule: option_title("bins", rule),
        key=f"set_{field}",
        persist_state="session",
        disabled="bins" in off,
        help=BIN_RULE.help,
    )


def _delta(field: str, off: Reasons) -> None:
    key = keys.key(field)
    options = _with(DELTAS, key)
    st.selectbox(
        keys.words(field).label,
        options,
        options.index(keys.DEFAULTS.delta),
        format_func=one_in,
        key=key,
        persist_state="session",
        **_words(field, off),
    )


def _number(field: str, off: Reasons) -> None:
    draw_number(field, keys.key(field), off)


def draw_number(field: str, key: str, off: Reasons) -> None:
    """Draw a number that may stay empty; a page with settings of its own has a key of its own."""
    number = _NUMBERS.get(field, _Number())
    st.number_input(
        keys.words(field).label,
        number.low,
        number.high,
        getattr(keys.DEFAULTS, field),
        number.step,
        number.format,
        key=key,
        placeholder=_EMPTY,
        persist_state="session",
        **_words(field, off),
    )


def _switch(field: str, off: Reasons) -> None:
    key, label, words = keys.key(field), keys.words(field).label, _words(field, off)
    st.toggle(label, getattr(keys.DEFAULTS, field), key=key, persist_state="session", **words)


def _repetitions(field: str, off: Reasons) -> None:
    key = keys.key(field)
    options, words = _with(REPETITIONS, key), _words(field, off)
    default = keys.DEFAULTS.repetitions
    st.select_slider(keys.words(field).label, options, default, key=key, persist_state="session", **words)


def _seed(field: str, off: Reasons) -> None:
    key, words = keys.key(field), _words(field, off)
    st.number_input(
        keys.words(field).label, 0, 2**31 - 1, keys.DEFAULTS.seed, key=key, persist_state="session", **words
    )


_SPECIAL: Mapping[str, Draw] = {
    "epsilon": _epsilon,
    "confidence_level": partial(_in_url, keys.COVERAGES),
    "training_share": partial(_in_url, keys.SHARES),
    "bins": _bins,
    "bin_rule": _bin_rule,
    "delta": _delta,
    "repetitions": _repetitions,
    "seed": _seed,
}
