"""Lesson: synthetic is not automatically private. How columns are made, and epsilon, can be moved."""

from __future__ import annotations

import streamlit as st

from dpcp_core.presentation.figures.lessons.dots import trace_dots
from dpcp_core.presentation.wording.lessons import synthetic as words
from pages.ui import compute_lessons
from pages.ui.lessons.parts import epsilon_slider, show_seen
from pages.ui.panels.picture import is_dark

EPSILONS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
MAKER = "learn_synthetic_maker"
"""Key of how columns are made."""


def show() -> None:
    """Draw the controls, and tables made with one person and without."""
    maker = st.radio(
        words.MAKER_LABEL, tuple(words.MAKERS), format_func=words.MAKERS.__getitem__, key=MAKER, horizontal=True,
        persist_state="session",
    )  # fmt: skip
    # Shuffled columns have no noise for epsilon to set.
    epsilon = epsilon_slider("synthetic", EPSILONS, 1.0, disabled=maker == "shuffle")
    traces = compute_lessons.traces(maker, epsilon)
    show_seen(trace_dots(traces, dark=is_dark()), words.seen(traces), "synthetic")
