"""Chances and shares as dots that can be counted: fields side by side, the first dots of each filled."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcp_core.presentation.figures.theme import Theme, axis, base_layout, figure_of

IN_ROW = 10
"""Dots beside each other in a field."""

_GAP = 2


@dataclass(frozen=True)
class DotField:
    """So many dots, of which the first are filled.

    Attributes
    ----------
    heading : str
    n_dots : int
    filled : float
        Between 0 and ``n_dots``; only whole dots are filled, at least one where it is above 0, and all of them only
        where it is ``n_dots``.
    """

    heading: str
    n_dots: int
    filled: float

    @property
    def n_filled(self) -> int:
        """Dots that are filled.

        >>> [DotField("", 100, filled).n_filled for filled in (73.1, 0.3, 99.995, 100, 0)]
        [73, 1, 99, 100, 0]
        """
        if self.filled in (0, self.n_dots):
            return int(self.filled)
        return min(max(round(self.filled), 1), self.n_dots - 1)


def dot_fields(fields: tuple[DotField, ...], theme: Theme, *, is_risk: bool, dot: float = 13.0) -> Any:
    """Return a figure of fields side by side.

    Parameters
    ----------
    fields
        With a heading each.
    theme
    is_risk
        Whether a filled dot is something gone wrong, which has a colour of its own.
    dot
        Size of a dot, in pixels.
    """
    n_rows = math.ceil(max(field.n_dots for field in fields) / IN_ROW)
    width, looks = len(fields) * (IN_ROW + _GAP) - _GAP, _looks(theme, is_risk)
    traces = [
        trace for place, field in enumerate(fields) for trace in _field(field, place * (IN_ROW + _GAP), dot, looks)
    ]
    none = {"visible": False, "fixedrange": True}
    layout = base_layout(
        theme,
        height=round(70 + 1.8 * dot * n_rows),
        showlegend=False,
        xaxis=axis(theme, "", **none, range=[-0.7, width - 0.3]),
        yaxis=axis(theme, "", **none, range=[n_rows - 0.3, -0.7]),
        annotations=[_heading(field, place * (IN_ROW + _GAP), theme) for place, field in enumerate(fields)],
    )
    return figure_of(traces, layout)


def _looks(theme: Theme, is_risk: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the looks of filled and of empty dots, which differ by more than their colour."""
    inside, edge, empty = (theme.miss, theme.miss_edge, theme.muted) if is_risk else (theme.result,) * 3
    return (
        {"symbol": "circle", "color": inside, "line": {"width": 1.5, "color": edge}},
        {"symbol": "circle-open", "color": empty, "line": {"width": 1.5, "color": empty}},
    )


def _field(
    field: DotField, left: int, dot: float, looks: tuple[dict[str, Any], dict[str, Any]]
) -> list[dict[str, Any]]:
    places = np.arange(field.n_dots)
    x, y = left + places % IN_ROW, places // IN_ROW
    filled = places < field.n_filled
    return [
        {
            "type": "scatter", "mode": "markers", "x": x[which], "y": y[which], "marker": {"size": dot, **look},
            "hoverinfo": "skip",
        }
        for which, look in zip((filled, ~filled), looks, strict=True)
    ]  # fmt: skip


def _heading(field: DotField, left: int, theme: Theme) -> dict[str, Any]:
    return {
        "x": left - 0.5, "y": 1.0, "xref": "x", "yref": "paper", "xanchor": "left", "yanchor": "bottom", "yshift": 6,
        "text": field.heading, "showarrow": False, "font": {"size": 14, "color": theme.ink},
    }  # fmt: skip
