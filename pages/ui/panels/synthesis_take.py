"""A synthetic table to look at and to take along, with its receipt and what it does not protect."""

from __future__ import annotations

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.spreadsheet import harmless
from dpcp_core.experiments.synthesis import SynthesisResult
from dpcp_core.presentation.synthesis_files import archive, archive_name
from dpcp_core.presentation.synthesis_snippets import Repeated, synthesis_command, synthesis_python
from dpcp_core.presentation.wording import synthesis_run as words
from dpcp_core.presentation.wording.numbers import count
from dpcp_core.presentation.wording.release import budget_text
from dpcp_core.presentation.wording.synthesis_page import DOWNLOAD_WORDS, NOT_PRIVATE, SAMPLE_ONLY
from pages.ui.errors import guarded
from pages.ui.text import escaped, narrow

_ROWS = 8


def show_rows(result: SynthesisResult) -> None:
    """Show the first synthetic rows, and no real one."""
    st.markdown(f"**The first of {escaped(count(len(result.table), 'synthetic row'))}**")
    st.dataframe(
        harmless(result.table.head(_ROWS)),
        hide_index=True,
        key="synth_rows_shown",
        alt=words.rows_alt(_ROWS),
    )
    st.caption(SAMPLE_ONLY)


def show_receipt(result: SynthesisResult) -> None:
    """Fold away the receipt, its total in the fold's label, and what the table does not protect."""
    total = result.receipt.total
    label = budget_text(total) if total.is_finite else NOT_PRIVATE
    fold = st.expander(f"Receipt: {label}", key="fold_receipt", on_change="rerun", icon=":material/receipt_long:")
    if fold.open:
        fold.code(narrow(result.receipt.to_text()), language=None, wrap_lines=True)
    limits = st.expander("What it does not protect", key="fold_limits", on_change="rerun", icon=":material/gpp_maybe:")
    if limits.open:
        limits.markdown("\n".join(f"- {escaped(sentence)}" for sentence in result.receipt.not_protected))


def show_code(result: SynthesisResult, data: Dataset, public: Dataset | None) -> None:
    """Fold away the Python and the command line that repeat the run."""
    fold = st.expander(words.REPEAT, key="fold_code", on_change="rerun", icon=":material/code:")
    if not fold.open:
        return
    repeated = Repeated.of(result, data, public)
    fold.code(synthesis_python(repeated), language="python", wrap_lines=True)
    with fold, guarded("writing the command line"):
        st.code(synthesis_command(repeated), language="bash", wrap_lines=True)


def show_files(result: SynthesisResult) -> None:
    """Offer the table with its receipt and schema, made when it is asked for."""
    st.download_button(
        "Table, receipt and schema (ZIP)",
        lambda: archive(result),
        archive_name(result),
        "application/zip",
        key="download_synthetic",
        on_click="ignore",
        icon=":material/download:",
    )
    st.caption(DOWNLOAD_WORDS)
