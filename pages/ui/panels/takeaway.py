"""What a person may take along: the receipt, code that gives the same result, files."""

from __future__ import annotations

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.experiments.result import SimulationResult
from dpcp_core.presentation.report import downloads
from dpcp_core.presentation.snippets import command_line, python_snippet, schema_file_name
from dpcp_core.presentation.wording import page as words
from dpcp_core.presentation.wording.release import budget_text
from pages.ui.errors import guarded
from pages.ui.text import narrow


def show_receipt(result: SimulationResult) -> None:
    """Fold away the receipt, its total in the fold's label."""
    fold = st.expander(
        f"Receipt: {_total(result)}", key="fold_receipt", on_change="rerun", icon=":material/receipt_long:"
    )
    if fold.open:
        fold.code(narrow(result.receipt.to_text()), language=None, wrap_lines=True)


def show_code(result: SimulationResult, data: Dataset) -> None:
    """Fold away the Python and the command line that repeat the run."""
    fold = st.expander(words.REPEAT, key="fold_code", on_change="rerun", icon=":material/code:")
    if fold.open:
        fold.code(python_snippet(result.settings, data), language="python", wrap_lines=True)
        with fold, guarded("writing the command line"):
            st.code(command_line(result.settings, data), language="bash", wrap_lines=True)


def show_files(result: SimulationResult, data: Dataset) -> None:
    """Offer the result as files; each is made when it is asked for."""
    with st.container(horizontal=True, vertical_alignment="center"):
        for file in downloads(result, data):
            st.download_button(
                file.label,
                file.make,
                file.file_name,
                file.mime,
                key=f"download_{file.mime}",
                on_click="ignore",
                icon=":material/download:",
            )
        st.download_button(
            "Schema (TOML)",
            data.schema.to_toml,
            schema_file_name(data),
            "application/toml",
            key="download_schema",
            on_click="ignore",
            icon=":material/download:",
        )
    st.caption(words.FILES_ARE_REAL)


def _total(result: SimulationResult) -> str:
    total = result.receipt.total
    promise = "coverage certified" if result.certificate.holds else "coverage not certified"
    if not total.is_finite:
        return f"not private (ε is infinite), {promise}"
    return f"{budget_text(total)}, {promise}"
