"""Lesson: noise hides one person. Epsilon and the draw can be moved."""

from __future__ import annotations

import streamlit as st

from dpcp_core.presentation.figures.lessons.counts import count_curves
from dpcp_core.presentation.wording.lessons import noise as words
from pages.ui import compute_lessons
from pages.ui.lessons.parts import epsilon_slider, show_seen
from pages.ui.panels.picture import is_dark

EPSILONS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
DRAW = "learn_noise_draw"
"""Key of the button that draws anew."""

_SEED = "learn_noise_seed"


def show() -> None:
    """Draw the controls and the count with one person and without."""
    epsilon = epsilon_slider("noise", EPSILONS, 0.5)
    st.button(words.DRAW_AGAIN, key=DRAW, icon=":material/casino:", on_click=_draw_again)
    hidden = compute_lessons.hidden(epsilon, st.session_state.get(_SEED, 0))
    show_seen(count_curves(hidden, dark=is_dark()), words.seen(hidden), "noise")


def _draw_again() -> None:
    st.session_state[_SEED] = st.session_state.get(_SEED, 0) + 1
