"""Lesson: epsilon as odds. Epsilon and the belief before can be moved."""

from __future__ import annotations

import streamlit as st

from dpcp_core.presentation.figures.lessons.dots import belief_dots
from dpcp_core.presentation.wording.lessons import odds as words
from pages.ui import compute_lessons
from pages.ui.lessons.parts import epsilon_slider, show_seen
from pages.ui.panels.picture import is_dark

EPSILONS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)
PRIORS = (0.01, 0.1, 0.5, 0.9)
PRIOR = "learn_odds_prior"
"""Key of the belief before."""


def show() -> None:
    """Draw the controls and the belief before and after."""
    epsilon = epsilon_slider("odds", EPSILONS, 1.0)
    prior = st.select_slider(
        words.BEFORE_LABEL, PRIORS, 0.5, key=PRIOR, format_func=words.prior_words, persist_state="session"
    )
    hidden = compute_lessons.hidden(epsilon, 0)
    show_seen(belief_dots(hidden, prior, dark=is_dark()), words.seen(hidden, prior), "odds")
