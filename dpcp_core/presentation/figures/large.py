"""Figures for the back row of a lecture hall: the same picture with larger letters and marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import plotly.graph_objects as go

LARGE = 1.5
"""How much larger letters are on a projector."""

_GROWTH = 1.35


def enlarged(figure: go.Figure, factor: float = LARGE) -> go.Figure:
    """Return a figure with larger letters, marks and height; the figure itself is changed."""
    layout = figure.layout
    parts: list[Any] = [layout.font, layout.legend.font, *(note.font for note in layout.annotations)]
    for axis in (*figure.select_xaxes(), *figure.select_yaxes()):
        parts += [axis.tickfont, axis.title.font]
    parts += [trace.textfont for trace in figure.data if trace.type == "scatter" and trace.text is not None]
    for part in parts:
        part.size = round(factor * (part.size or 14))
    for trace in figure.data:
        if trace.marker.size is not None:
            trace.marker.size = _GROWTH * trace.marker.size
    layout.height = round(_GROWTH * layout.height)
    return figure
