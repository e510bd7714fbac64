"""Scenarios for a class: a question, a link to the page with its settings, and what to notice."""

from __future__ import annotations

import streamlit as st

from dpcp_core.experiments.scenarios import SCENARIOS
from dpcp_core.presentation.wording import scenarios as words
from pages.ui.frame import PAGES
from pages.ui.scenario_links import address_of, script_of
from pages.ui.text import escaped

_NAMES = {script: (name, icon) for script, name, icon in PAGES}


def show_scenarios() -> None:
    """List the scenarios."""
    st.markdown(words.INTRODUCTION)
    places = st.grid(2, min_column_width=400, gap="medium")
    for number, name in enumerate(SCENARIOS):
        with places.cell():
            _show(number + 1, name)


def _show(number: int, name: str) -> None:
    scenario, said = SCENARIOS[name], words.SCENARIO_WORDS[name]
    page, icon = _NAMES[script_of(scenario)]
    with st.container(border=True, gap="small", height="stretch"):
        st.markdown(f"**{number}. {escaped(said.title)}**\n\n{escaped(said.question)}")
        # A link within the session would keep its table and settings; a new tab has those of the scenario alone.
        st.link_button(words.OPEN.format(number=number, page=page), address_of(scenario), icon=icon, key=f"open_{name}")
        with st.expander(words.NOTICE, key=f"notice_{name}", type="compact"):
            st.markdown(escaped(said.notice))
