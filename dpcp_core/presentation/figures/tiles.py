"""Tiles with a number in each: what maps share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from dpcp_core.presentation.figures.theme import Theme, ink_on, luminance, mixed

Place: TypeAlias = tuple[int, int]
"""Column and row of a tile, from the lower left."""

EDGE = 0.475
"""Half a tile, less the gap to the next."""

_STARTS = (-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75)
"""Where slanted lines begin, as shares of a tile to the right of its lower left corner."""


def deepest(theme: Theme) -> str:
    """Return the colour of a tile at its deepest: one that frames still stand out from."""
    return theme.result if luminance(theme.paper) > 0.5 else mixed(theme.grid, theme.result, 0.55)


def ticks(names: Sequence[str], bold: Iterable[int] = ()) -> dict[str, Any]:
    """Return an axis with a name at each column or row, some in bold."""
    marked = set(bold)
    return {
        "range": [-0.5, len(names) - 0.5],
        "tickvals": list(range(len(names))),
        "ticktext": [f"<b>{name}</b>" if place in marked else name for place, name in enumerate(names)],
        "showgrid": False,
    }


def surface(
    depth: Mapping[Place, float], words: Mapping[Place, str], shape: Place, colours: Sequence[str]
) -> dict[str, Any]:
    """Return coloured tiles.

    Parameters
    ----------
    depth
        By place, -1 to 1; tiles that are not named stay empty.
    words
        What a pointer finds, by place.
    shape
        Number of columns and rows.
    colours
        At -1, 0 and 1.
    """
    columns, rows = (range(n) for n in shape)
    return {
        "type": "heatmap",
        "x": list(columns),
        "y": list(rows),
        "z": [[depth.get((column, row)) for column in columns] for row in rows],
        "zmin": -1,
        "zmax": 1,
        "colorscale": [[place / 2, colour] for place, colour in enumerate(colours)],
        "showscale": False,
        "xgap": 3,
        "ygap": 3,
        "hovertext": [[words.get((column, row), "") for column in columns] for row in rows],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "hoverongaps": False,
    }


def numbers(texts: Mapping[Place, str], surfaces: Mapping[Place, str]) -> dict[str, Any]:
    """Return a number on each tile, in the ink that stands out from its surface."""
    return {
        "type": "scatter",
        "mode": "text",
        "x": [column for column, _ in texts],
        "y": [row for _, row in texts],
        "text": list(texts.values()),
        "textfont": {"size": 14, "color": [ink_on(surfaces[place]) for place in texts]},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def hatching(places: Sequence[Place], words: Mapping[Place, str], theme: Theme) -> list[dict[str, Any]]:
    """Return slanted lines across each of these tiles, and what a pointer finds there."""
    if not places:
        return []
    x: list[float | None] = []
    y: list[float | None] = []
    for column, row in places:
        for start in _STARTS:
            left, low, right, high = _slant(start)
            x += [column + left, column + right, None]
            y += [row + low, row + high, None]
    lines = {"type": "scatter", "mode": "lines", "x": x, "y": y, "line": {"color": theme.muted, "width": 1}}
    return [{**lines, "name": "hatched", "hoverinfo": "skip", "showlegend": False}, hidden(places, words)]


def _slant(start: float) -> tuple[float, float, float, float]:
    """Return a line at 45 degrees through a tile: its lower left and its upper right end, from the tile's middle.

    >>> _slant(0.0), _slant(0.5)
    ((-0.475, -0.475, 0.475, 0.475), (0.0, -0.475, 0.475, 0.0))
    """
    shift = 2 * EDGE * start
    return (
        round(max(-EDGE, -EDGE + shift), 3),
        round(max(-EDGE, -EDGE - shift), 3),
        round(min(EDGE, EDGE + shift), 3),
        round(min(EDGE, EDGE - shift), 3),
    )


def hidden(places: Sequence[Place], words: Mapping[Place, str]) -> dict[str, Any]:
    """Return what a pointer finds on tiles that carry no colour."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [column for column, _ in places],
        "y": [row for _, row in places],
        "marker": {"size": 24, "opacity": 0},
        "hovertext": [words[place] for place in places],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "showlegend": False,
    }


def frame(column: int, low: int, high: int, theme: Theme, width: float) -> dict[str, Any]:
    """Return a frame around the tiles of one column from one row to another."""
    return {
        "type": "rect", "x0": column - EDGE, "x1": column + EDGE, "y0": low - EDGE, "y1": high + EDGE,
        "line": {"color": theme.ink, "width": width},
    }  # fmt: skip
