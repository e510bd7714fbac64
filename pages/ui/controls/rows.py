"""The row of controls that matter most, and the fold with all others under a few headings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import streamlit as st

from pages.ui.controls.reading import idle
from pages.ui.controls.widgets import drawer
from pages.ui.layout import controls_row

FOLD, HEADINGS = "more_controls", "more_heading"
"""Keys of the fold and of its headings."""

_MAIN = ("epsilon", "confidence_level", "training_share", "bins", "method")
MORE: Mapping[str, tuple[str, ...]] = {
    "Model": (
        "trainer",
        "score",
        "steps",
        "step_size",
        "max_grad_norm",
        "penalty",
        "noise_multiplier",
        "sampling_rate",
        "batch_size",
        "epochs",
        "warmup_share",
        "decay",
    ),
    "Threshold": ("loss", "guarantee", "grid", "bin_rule", "bound_share", "smallest_width", "by_group", "allow_empty"),
    "Rows and budget": ("stability", "composition", "row_share", "delta", "bounds_epsilon"),
    "Simulation": ("repetitions", "seed", "test_share"),
}
"""What stands under which heading."""


def main_row() -> None:
    """Draw the five controls that matter most."""
    off = idle()
    for place, field in zip(controls_row(len(_MAIN)), _MAIN, strict=True):
        with place:
            drawer(field)(field, off)


def more() -> None:
    """Draw the folded controls; widgets exist only under the heading that is open."""
    fold = st.expander("More controls", key=FOLD, on_change="rerun", icon=":material/tune:", type="compact")
    if not fold.open:
        return
    with fold:
        headings = st.tabs(list(MORE), key=HEADINGS, on_change="rerun")
        for heading, fields in zip(headings, MORE.values(), strict=True):
            if heading.open:
                with heading:
                    _grid(fields)


def _grid(fields: Iterable[str]) -> None:
    off, grid = idle(), st.grid(4, min_column_width=135, gap="medium")
    for field in fields:
        with grid.cell():
            drawer(field)(field, off)
