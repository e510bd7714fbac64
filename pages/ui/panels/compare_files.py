"""A comparison to take along, and how to read it."""

from __future__ import annotations

import streamlit as st

from dpcp_core.presentation.sweep_report import comparison_downloads, comparison_snippet
from dpcp_core.presentation.wording.compare import CAMERA, HOW_TOLD_APART, KEEP
from pages.ui.errors import guarded
from pages.ui.panels.compare_run import Latest
from pages.ui.text import escaped


def show_files(latest: Latest, epsilon: float) -> None:
    """Offer the comparison as files, each made when it is asked for, and the code that repeats it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        for file in comparison_downloads(latest.result, epsilon, latest.asked.data):
            st.download_button(
                file.label,
                file.make,
                file.file_name,
                file.mime,
                key=f"download_{file.label}",
                on_click="ignore",
                icon=":material/download:",
            )
    st.caption(f"{CAMERA} {KEEP}")
    fold = st.expander("Repeat this in Python", key="fold_code", on_change="rerun", icon=":material/code:")
    if fold.open:
        with fold, guarded("writing the code"):
            st.code(comparison_snippet(latest.result, latest.asked.data), language="python", wrap_lines=True)


def show_how() -> None:
    """Say how methods are told apart, and what choosing by it costs."""
    st.caption(escaped(HOW_TOLD_APART))
