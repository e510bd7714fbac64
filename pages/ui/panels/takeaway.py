"""What a person may take along: the receipt, code that gives the same result, files."""

from __future__ import annotations

import math

import streamlit as st

from dpcp_core.experiments.result import SimulationResult
from dpcp_core.presentation.wording.numbers import one_in


def show_receipt(result: SimulationResult) -> None:
    """Fold away the receipt, its total in the fold's label."""
    fold = st.expander(f"Receipt: {_total(result)}", key="fold_receipt", on_change="rerun", icon=":material/receipt_long:")
    if fold.open:
        fold.code(result.receipt.to_text(), language=None, wrap_lines=True)


def show_snippet(result: SimulationResult) -> None:
    pass


def show_downloads(result: SimulationResult) -> None:
    pass


def _total(result: SimulationResult) -> str:
    total = result.receipt.total
    promise = "coverage certified" if result.certificate.holds else "coverage not certified"
    if not math.isfinite(total.epsilon):
        return f"not private (ε is infinite), {promise}"
    delta = f", δ = {one_in(total.delta)}" if total.delta > 0 else ""
    return f"ε = {total.epsilon:.3g}{delta}, {promise}"
