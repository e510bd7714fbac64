"""Rows that fold by themselves where a screen is narrow: on a projector, on a phone, at 200 % zoom."""

from __future__ import annotations

from typing import Any

import streamlit as st


def halves() -> tuple[Any, Any]:
    """Return two equal columns, one below the other where each would be narrower than a picture needs."""
    grid = st.grid(2, min_column_width=400, gap="medium")
    return grid.cell(), grid.cell()


def answer_box(**options: Any) -> Any:
    """Return a container for what a page is opened for: it must be seen whole without scrolling."""
    return st.container(key="answer", **options)


def cards(number: int) -> list[Any]:
    """Return bordered cards of one height in a row, fewer in a row where they would get too narrow."""
    grid = st.grid(number, min_column_width=165, gap="small")
    return [grid.container(border=True, height="stretch", gap="xsmall") for _ in range(number)]


def controls_row(number: int, wide: tuple[int, ...] = (0,)) -> list[Any]:
    """Return a place for each control; the first is twice as wide, or those at these places are."""
    grid = st.grid(number + len(wide), min_column_width=135, gap="medium")
    return [grid.cell(column_span=2 if place in wide else 1) for place in range(number)]
