"""The three questions of the budget page, each under its own heading."""

from __future__ import annotations

import streamlit as st

from dpcp_core.presentation.wording.budget import settings_line
from pages.ui import controls, state
from pages.ui.answer import Question
from pages.ui.errors import guarded
from pages.ui.panels.budget_feasible import show_feasible
from pages.ui.panels.budget_goal import show_goal
from pages.ui.panels.budget_map import show_map
from pages.ui.panels.leaks import show_leaks
from pages.ui.text import escaped

TAB = "question"
"""Key of the headings, and their name in the URL: a link can open any of them."""

QUESTIONS = {
    "What do I need?": ("searching", show_goal),
    "How to split it?": ("drawing the map", show_map),
    "What is possible?": ("asking what can be certified", show_feasible),
}


def show_questions() -> None:
    """Draw the settings in use and the question that is open."""
    with guarded("reading the settings"), st.container(horizontal=True, vertical_alignment="center"):
        st.caption(escaped(settings_line(controls.settings(), state.current())), width="content")
        st.page_link("pages/coverage.py", label="Change them", icon=":material/tune:")
    with guarded("looking for leaks"):
        show_leaks(Question(state.current(), controls.settings()))
    tabs = st.tabs(list(QUESTIONS), key=TAB, bind="query-params")
    for tab, (doing, show) in zip(tabs, QUESTIONS.values(), strict=True):
        if tab.open:
            with tab, guarded(doing):
                show()
