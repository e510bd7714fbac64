"""Controls of the page about one person: those of all pages that matter most here, a limit, a difference."""

from __future__ import annotations

import math

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Column
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.presentation.figures.axes import nice_step, typical_window
from dpcp_core.presentation.wording import patient_page as words
from pages.ui import controls, state
from pages.ui.controls.reading import idle
from pages.ui.controls.widgets import drawer
from pages.ui.layout import controls_row
from pages.ui.text import escaped

DOTS, LARGE = "patient_dots", "patient_large"
"""Keys of the switches; they suit every table."""

_MAIN = ("epsilon", "confidence_level", "trainer")
_STEPS = 200


def settings() -> ConformalSettings:
    """Return the settings of all pages, for the one model that a person is asked of."""
    return controls.settings().replace(repetitions=1)


def key(data: Dataset, name: str) -> str:
    """Return the key of a widget that goes with a table."""
    return f"patient_of_{data.digest[:12]}_{name}"


def main_row() -> None:
    """Draw the controls that matter most, and the switches of this page."""
    off = idle()
    # The longest name of a model fits into two columns.
    *places, last = controls_row(len(_MAIN) + 1, wide=(0, 2))
    for place, field in zip(places, _MAIN, strict=True):
        with place:
            drawer(field)(field, off)
    classes = state.task() == "classification"
    with last:
        st.toggle(words.LARGE, key=LARGE, persist_state="session", help=words.LARGE_HELP)
        st.toggle(
            words.DOTS,
            True,
            key=DOTS,
            persist_state="session",
            disabled=classes,
            help=words.NO_DOTS_HELP if classes else words.DOTS_HELP,
        )


def wants_dots() -> bool:
    """Whether how the model errs may be counted."""
    return bool(st.session_state.get(DOTS, True))


def is_large() -> bool:
    """Whether letters are to be read from the back row."""
    return bool(st.session_state.get(LARGE, False))


def threshold(data: Dataset, target: Column) -> float:
    """Draw the limit above which dots are counted, and return it."""
    low, high, step = limits(target)
    given = target.typical[1] if target.typical else low + round((high - low) / (2 * step)) * step
    value = st.slider(
        escaped(words.threshold_label(target)),
        low,
        high,
        min(max(given, low), high),
        step,
        format_of(step, high),
        key=key(data, "threshold"),
        persist_state="session",
        help=words.THRESHOLD_HELP,
    )
    return float(value)


def difference(data: Dataset, target: Column) -> float:
    """Draw the difference that matters, and return it."""
    low, high, step = limits(target)
    value = st.number_input(
        escaped(f"{words.DIFFERENCE}{f', {target.unit}' if target.unit else ''}"),
        min(step, high - low),
        high - low,
        first_difference(target),
        step,
        format_of(step, high),
        key=key(data, "difference"),
        persist_state="session",
        help=words.DIFFERENCE_HELP,
    )
    return float(value)


def limits(target: Column) -> tuple[float, float, float]:
    """Return the smallest and largest limit that can be asked about, and the step between: public numbers.

    >>> limits(Column("sbp", "integer", bounds=(70, 230), typical=(110, 140)))
    (80.0, 170.0, 1.0)
    >>> limits(Column("score", "number", bounds=(0, 1)))
    (0.0, 1.0, 0.005)
    """
    bounds = target.bounds or (0.0, 1.0)
    low, high = typical_window(bounds, target.typical, *(target.typical or bounds))
    step = nice_step((high - low) / _STEPS)
    return low, high, max(step, 1.0) if target.kind == "integer" and high - low > 1 else step


def first_difference(target: Column) -> float:
    """Return the difference that stands there at first: about a third of the typical range, a round number.

    >>> first_difference(Column("sbp", "integer", bounds=(70, 230), typical=(110, 140)))
    10.0
    """
    low, high = target.scale_range
    return nice_step(0.5001 * (high - low) / 3)


def format_of(step: float, largest: float) -> str:
    """Return how numbers with such steps are written.

    >>> format_of(1.0, 170.0), format_of(0.005, 1.0), format_of(1e9, 1e12)
    ('%.0f', '%.3f', '%.3g')
    """
    if largest >= 1e9 or step < 1e-6:
        return "%.3g"
    return f"%.{max(0, -math.floor(math.log10(step)))}f"
