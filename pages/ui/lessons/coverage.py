"""Lesson: count the misses. The coverage can be moved."""

from __future__ import annotations

import streamlit as st

from dpcp_core.presentation.figures.strip import strip
from dpcp_core.presentation.wording.controls import CONTROLS
from dpcp_core.presentation.wording.lessons import coverage as words
from pages.ui import compute_lessons
from pages.ui.lessons.parts import show_seen
from pages.ui.panels.picture import is_dark

COVERAGE = "learn_coverage_level"
"""Key of the coverage."""


def show() -> None:
    """Draw the control and a hundred patients with their intervals."""
    level = st.slider(
        CONTROLS["confidence_level"].label, 50, 99, 90, format="%d %%", key=COVERAGE, persist_state="session"
    )
    result = compute_lessons.covered(level / 100)
    show_seen(strip(result, dark=is_dark()), words.seen(result), "coverage")
