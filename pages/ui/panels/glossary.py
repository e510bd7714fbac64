"""The glossary: every term of the field that a page uses, to look through or to search."""

from __future__ import annotations

import streamlit as st

from dpcp_core.presentation.wording import learn as words
from dpcp_core.presentation.wording.glossary import looked_up
from pages.ui.text import escaped, opening


def show_glossary() -> None:
    """List the words that hold what is searched for."""
    st.markdown(words.WORDS_INTRODUCTION)
    sought = st.text_input(words.FIND, key="learn_find", help=words.FIND_HELP, width=400)
    found = looked_up(sought)
    if not found:
        st.markdown(words.NOTHING_FOUND)
    with st.container(width=860):
        for term in found:
            st.markdown(f"**{escaped(opening(term.title))}:** {escaped(term.sentence)}")
