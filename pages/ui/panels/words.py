"""What the result means, in plain words."""

from __future__ import annotations

import streamlit as st

from dpcp_core.experiments.result import SimulationResult
from dpcp_core.presentation.wording.hints import bins_hint, split_hint
from dpcp_core.presentation.wording.plain import certificate_sentence, plain_words
from pages.ui.text import escaped


def show_effects(result: SimulationResult) -> None:
    """Say what budget split and bins did in this run."""
    st.caption(f"{escaped(split_hint(result))}\n\n{escaped(bins_hint(result))}")


def show_words(result: SimulationResult) -> None:
    """Say what the intervals mean, and what is promised about a new row."""
    with st.container(border=True):
        st.markdown(
            f"**In plain words**\n\n{escaped(plain_words(result))}\n\n:small[{escaped(certificate_sentence(result))}]"
        )
