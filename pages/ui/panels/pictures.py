"""Figures with their sentence above and the same numbers as a table below."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dpcp_core.experiments.result import SimulationResult
from dpcp_core.presentation.figures import PLOTLY_CONFIG, Picture, mechanism, spread, strip
from pages.ui.text import escaped

Draw = Callable[..., Picture]


def show_strip(result: SimulationResult) -> None:
    """Draw a hundred held-out rows with their intervals."""
    _show(strip, result, "strip")


def show_mechanism(result: SimulationResult) -> None:
    """Draw what the private threshold could have been."""
    _show(mechanism, result, "mechanism")


def show_spread(result: SimulationResult) -> None:
    """Draw how coverage and width vary between repetitions, once somebody unfolds it."""
    fold = st.expander(
        "How much repetitions differ", key="fold_spread", on_change="rerun", icon=":material/scatter_plot:"
    )
    if fold.open:
        with fold:
            _show(spread, result, "spread", height=380)


def _show(draw: Draw, result: SimulationResult, key: str, height: int = 360) -> None:
    picture = draw(result, dark=st.context.theme.type == "dark")
    st.markdown(f"**{escaped(picture.title)}**")
    st.plotly_chart(
        picture.figure, theme=None, height=height, key=f"chart_{key}", config=PLOTLY_CONFIG, alt=picture.alt
    )
    fold = st.expander("The same as a table", key=f"fold_table_{key}", on_change="rerun", type="compact")
    if fold.open:
        short = {name: st.column_config.NumberColumn(format="%.4g") for name in picture.table.select_dtypes("float")}
        fold.dataframe(picture.table, hide_index=True, height=240, column_config=short, alt=picture.alt)
