"""The three parts of the Learn page: lessons, scenarios for a class, the glossary."""

from __future__ import annotations

import streamlit as st

from dpcp_core.presentation.wording.learn import TABS
from pages.ui.errors import guarded
from pages.ui.panels.glossary import show_glossary
from pages.ui.panels.lesson import show_lessons
from pages.ui.panels.scenarios import show_scenarios

TAB = "part"
"""Key of the headings, and their name in the URL: a link can open any of them."""

_PARTS = (
    ("drawing the lesson", show_lessons),
    ("listing the scenarios", show_scenarios),
    ("listing the words", show_glossary),
)


def show_learning() -> None:
    """Draw the part that is open."""
    for tab, (doing, show) in zip(st.tabs(list(TABS), key=TAB, bind="query-params"), _PARTS, strict=True):
        if tab.open:
            with tab, guarded(doing):
                show()
