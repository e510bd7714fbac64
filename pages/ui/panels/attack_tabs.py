"""The attacks of the page, each under its own heading; what is closed computes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from dpcp_core.presentation.wording.attack import READ_OFF, REMEDY, STORIES
from pages.ui import state
from pages.ui.errors import guarded
from pages.ui.panels.attack_audit import show_audit
from pages.ui.panels.attack_cells import show_cells
from pages.ui.panels.attack_member import show_member
from pages.ui.panels.attack_row import show_row
from pages.ui.text import escaped

TAB = "attack"
"""Key of the headings, and their name in the URL: a link can open any of them."""

ATTACKS: Mapping[str, tuple[str, Callable[[], None]]] = {
    "row": ("taking a row out", show_row),
    "subtract": ("subtracting the known rows", show_cells),
    "member": ("attacking the model", show_member),
    "audit": ("auditing", show_audit),
}
"""What is done under each heading, by the key of its story."""


def show_attacks() -> None:
    """Draw the headings, and under the open one its story, the attack, and what to do about it."""
    tabs = st.tabs([STORIES[name].name for name in ATTACKS], key=TAB, bind="query-params")
    for tab, (name, (doing, show)) in zip(tabs, ATTACKS.items(), strict=True):
        if tab.open:
            with tab:
                st.markdown(escaped(STORIES[name].plot))
                if name != "audit" and state.current().schema.from_file:
                    st.markdown(f":material/lock_open: :small[{escaped(READ_OFF)}]")
                with guarded(doing):
                    show()
                st.markdown(f":material/build: **{REMEDY}** {escaped(STORIES[name].remedy)}")
