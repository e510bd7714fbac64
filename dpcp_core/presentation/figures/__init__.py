"""Figures of a result: each one is a picture, a sentence and a table. One figure, one file.

Plotly itself is imported when the first figure is drawn.
"""

from dpcp_core.presentation.figures.examples import example_rows
from dpcp_core.presentation.figures.groups import groups
from dpcp_core.presentation.figures.mechanism import mechanism
from dpcp_core.presentation.figures.picture import PLOTLY_CONFIG, Picture
from dpcp_core.presentation.figures.sets import sets
from dpcp_core.presentation.figures.spread import spread
from dpcp_core.presentation.figures.strip import strip
from dpcp_core.presentation.figures.training import training

__all__ = [
    "PLOTLY_CONFIG",
    "Picture",
    "example_rows",
    "groups",
    "mechanism",
    "sets",
    "spread",
    "strip",
    "training",
]
