"""Why what is on screen is not what was asked for."""

from __future__ import annotations

import streamlit as st

from pages.ui import controls, state
from pages.ui.answer import Answer
from pages.ui.text import escaped


def show_notice(answer: Answer) -> None:
    """Say in one sentence what went wrong, and what is shown instead."""
    if not answer.problem:
        return
    st.error(escaped(answer.problem), icon=":material/error:")
    if answer.result is not None:
        st.badge("Settings changed since: below is the previous result", icon=":material/history:", color="orange")
        st.caption(escaped(_shown_line(answer)))


def _shown_line(answer: Answer) -> str:
    shown = answer.result.settings
    return (
        f"It shows {answer.result.target.title} in {state.title_of(answer.result.dataset_name)} "
        f"at ε = {shown.epsilon:g}, target coverage {100 * shown.confidence_level:g} %, method {controls.method_label(shown.method)}."
    )
