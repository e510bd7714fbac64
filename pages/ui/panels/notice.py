"""Why what is on screen is not what was asked for."""

from __future__ import annotations

import streamlit as st

from dpcp_core.presentation.wording.numbers import level, short
from dpcp_core.presentation.wording.terms import option_title
from pages.ui import state
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
    result, shown = answer.result, answer.result.settings
    table = state.title_of(result.dataset_name)
    return (
        f"It shows {result.target.title} in {table}: ε = {short(shown.epsilon)}, "
        f"target coverage {level(shown.confidence_level)}, method {option_title('method', shown.method)}."
    )
