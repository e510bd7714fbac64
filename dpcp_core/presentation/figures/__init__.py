"""Figures of a result: each one is a picture, a sentence and a table. One figure, one file.

Plotly itself is imported when the first figure is drawn.
"""

from dpcp_core.presentation.figures.mechanism import mechanism
from dpcp_core.presentation.figures.picture import PLOTLY_CONFIG, Picture
from dpcp_core.presentation.figures.spread import spread
from dpcp_core.presentation.figures.strip import strip

__all__ = ["PLOTLY_CONFIG", "Picture", "mechanism", "spread", "strip"]
