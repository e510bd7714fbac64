"""A figure with its sentence and its table: nobody needs to see it to know what it says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    import plotly.graph_objects as go

PLOTLY_CONFIG = {"displayModeBar": False, "scrollZoom": False, "doubleClick": False, "responsive": True}
"""What to hand to plotly beside the figure: a picture to look at, not to drag."""


def picture_config(file_name: str) -> dict[str, Any]:
    """Return what to hand to plotly for a picture with a button that saves it as PNG.

    The browser draws the file by itself: nothing is installed, nothing is asked of a network.

    Parameters
    ----------
    file_name
        Without its ending.
    """
    return {
        **PLOTLY_CONFIG,
        "displayModeBar": True,
        "displaylogo": False,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "png", "filename": file_name, "scale": 3},
    }


@dataclass(frozen=True, eq=False)
class Picture:
    """What a figure shows, in three forms.

    Attributes
    ----------
    figure
        The plotly figure, without a title and without a paper of its own.
    title
        The sentence to write above it.
    alt
        What it shows, in a sentence with numbers, for people who cannot see it.
    table
        The same numbers as a small tidy table.
    """

    figure: go.Figure
    title: str
    alt: str
    table: pd.DataFrame
