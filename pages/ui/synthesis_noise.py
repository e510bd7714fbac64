"""Columns whose cells are randomised one by one before anything reads them; the choice goes with its table."""

from __future__ import annotations

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.presentation.wording.synthesis_page import CONTROLS, cell_sentence
from dpcp_core.presentation.wording.synthesis_run import NO_CATEGORIES
from pages.ui.text import escaped

_DEFAULT, _LEAST, _MOST = 2.0, 0.01, 20.0


def randomised(data: Dataset) -> tuple[tuple[str, float], ...]:
    """Return the columns that were chosen, each with the epsilon of its cells."""
    chosen = st.session_state.get(_columns_key(data), ())
    return tuple((name, float(st.session_state.get(_epsilon_key(data, name), _DEFAULT))) for name in chosen)


def draw(data: Dataset) -> None:
    """Draw the list of columns, and an epsilon for each that is chosen."""
    words = CONTROLS["randomised_response"]
    offered = [c.name for c in data.schema.columns if c.role != "ignore" and c.categories and not c.is_numeric]
    if not offered:
        st.caption(NO_CATEGORIES)
        return
    chosen = st.multiselect(
        words.label,
        offered,
        format_func=lambda name: data.schema.column(name).title,
        key=_columns_key(data),
        persist_state="session",
        placeholder="No column",
        help=words.help,
    )
    grid = st.grid(4, min_column_width=180, gap="medium")
    for name in chosen:
        with grid.cell():
            _epsilon(data, name)


def _epsilon(data: Dataset, name: str) -> None:
    column = data.schema.column(name)
    epsilon = st.number_input(
        f"ε of a cell: {column.title}",
        _LEAST,
        _MOST,
        _DEFAULT,
        0.5,
        key=_epsilon_key(data, name),
        persist_state="session",
    )
    st.caption(escaped(cell_sentence(column, epsilon)))


def _columns_key(data: Dataset) -> str:
    return f"synth_of_{data.digest[:12]}_randomised"


def _epsilon_key(data: Dataset, name: str) -> str:
    return f"{_columns_key(data)}_{name}"
