"""What several lessons draw: a slider of epsilon with its ends, and a picture with what it says."""

from __future__ import annotations

import streamlit as st

from dpcp_core.presentation.figures import Picture
from dpcp_core.presentation.wording.controls import CONTROLS
from pages.ui.panels.picture import show_picture
from pages.ui.text import escaped


def epsilon_slider(lesson: str, steps: tuple[float, ...], first: float, *, disabled: bool = False) -> float:
    """Draw a lesson's own slider of epsilon; the settings of the other pages stay as they are."""
    words = CONTROLS["epsilon"]
    with st.container(gap="xxsmall"):
        chosen: float = st.select_slider(
            words.label,
            steps,
            first,
            key=f"learn_{lesson}_epsilon",
            format_func=lambda step: f"{step:g}",
            disabled=disabled,
            persist_state="session",
        )
        with st.container(horizontal=True, horizontal_alignment="distribute", gap=None):
            st.caption(words.low_end, width="content", wrap=False)
            st.caption(words.high_end, width="content", wrap=False)
    return chosen


def show_seen(picture: Picture, sentence: str, lesson: str) -> None:
    """Draw a lesson's picture and say what it shows."""
    show_picture(picture, f"learn_{lesson}")
    st.markdown(escaped(sentence))
