"""Lesson: one budget, two uses. The share of the model can be moved."""

from __future__ import annotations

import streamlit as st

from dpcp_core.presentation.figures.lessons.shares import share_curve
from dpcp_core.presentation.wording.lessons import budget as words
from pages.ui import compute_lessons
from pages.ui.lessons.parts import show_seen
from pages.ui.panels.picture import is_dark

SHARE = "learn_budget_share"
"""Key of the share."""


def show() -> None:
    """Draw the control and the width for every share."""
    percents = [round(100 * share) for share in compute_lessons.SHARES]
    share = st.slider(
        words.SHARE_LABEL,
        percents[0],
        percents[-1],
        percents[-1],
        percents[1] - percents[0],
        format="%d %%",
        key=SHARE,
        persist_state="session",
    )
    with st.spinner(words.WAIT):
        curve = compute_lessons.share_curve()
    show_seen(share_curve(curve, share / 100, dark=is_dark()), words.seen(curve, share / 100), "budget")
