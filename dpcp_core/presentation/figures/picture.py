"""A figure with its sentence and its table: nobody needs to see it to know what it says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    import plotly.graph_objects as go

PLOTLY_CONFIG = {"displayModeBar": False, "scrollZoom": False, "doubleClick": False, "responsive": True}
"""What to hand to plotly beside the figure: a picture to look at, not to drag."""


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
