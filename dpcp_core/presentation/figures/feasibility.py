"""Where anything can be certified: over the number of rows and epsilon, from public numbers alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dpcp_core.presentation.figures import tiles
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.theme import (
    Theme,
    axis,
    base_layout,
    figure_of,
    legend_above,
    mixed,
    plotly_text,
    theme_of,
)
from dpcp_core.presentation.figures.tiles import Place
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.feasibility import feasible_alt, feasible_headline, rows_axis, table_mark

if TYPE_CHECKING:
    from dpcp_core.conformal.feasibility import Feasibility, FeasibilityMap

ROWS = (30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)
"""Numbers of rows across the picture."""

EPSILONS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Budgets up the picture."""


def feasibility(
    plane: FeasibilityMap,
    here: Feasibility,
    *,
    noun: str = "row",
    of_classes: bool = False,
    read_off: bool = False,
    dark: bool = False,
) -> Picture:
    """Draw for which rows and budgets something can be certified, and where the table in use lies.

    Each tile says which share of the ranked rows the threshold must aim to cover; the deeper the colour, the closer to
    the coverage that is wanted. Hatched is where nothing can be certified.

    Parameters
    ----------
    plane
        Over rows and budgets, both ascending; :data:`ROWS` and :data:`EPSILONS` are sensible ones.
    here
        The table in use at its epsilon.
    noun
        What one row stands for.
    of_classes
        Whether a class is predicted.
    read_off
        Whether bounds or categories were read off the rows and are taken as public here.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has one line per tile, and for each budget the fewest rows that do.

    Privacy
    -------
    No row was touched.
    """
    theme = theme_of(dark)
    layout = base_layout(
        theme,
        height=102 + 34 * len(plane.epsilons),
        legend=legend_above(theme),
        margin={"l": 8, "r": 8, "t": 30, "b": 8, "pad": 0},
        xaxis=axis(theme, rows_axis(noun), **tiles.ticks([_rows_text(n) for n in plane.n])),
        yaxis=axis(theme, "Privacy budget ε", **tiles.ticks([f"{epsilon:g}" for epsilon in plane.epsilons])),
    )
    traces = [*_tiles(plane, theme), *_ring(plane, here, noun, theme)]
    return Picture(
        figure_of(traces, layout),
        feasible_headline(here, noun, of_classes=of_classes, read_off=read_off),
        feasible_alt(here, noun, of_classes=of_classes, read_off=read_off),
        _table(plane),
    )


def _rows_text(n: int) -> str:
    """Write a round number shortly, as tiles are narrow on a phone.

    >>> _rows_text(500), _rows_text(20_000)
    ('500', '20k')
    """
    return say.whole(n) if n < 10_000 else f"{n // 1000}k"


def _tiles(plane: FeasibilityMap, theme: Theme) -> list[dict[str, Any]]:
    places = [(column, row) for column in range(len(plane.n)) for row in range(len(plane.epsilons))]
    words = {place: _words(plane, place) for place in places}
    depth = {place: _depth(plane, place) for place in places if plane.certified[place]}
    colours = (theme.miss, theme.grid, tiles.deepest(theme))
    surfaces = {place: mixed(*colours[1:], share) for place, share in depth.items()}
    texts = {place: _number(float(plane.aimed_coverage[place])) for place in depth}
    return [
        tiles.surface(depth, words, (len(plane.n), len(plane.epsilons)), colours),
        # Above the ring, which may cross it.
        {**tiles.numbers(texts, surfaces), "zorder": 1},
        *tiles.hatching([place for place in places if place not in depth], words, theme),
    ]


def _depth(plane: FeasibilityMap, place: Place) -> float:
    """Return 1 where noise and proof take nothing of the misses that are allowed, 0 where they take all."""
    taken = (float(plane.aimed_coverage[place]) - plane.choices.confidence_level) / plane.choices.alpha
    return 1 - math.sqrt(min(max(taken, 0.0), 1.0))


def _number(aimed: float) -> str:
    """Write a share in per cent, never as 100 where it is not."""
    text = say.fixed(100 * aimed, 1)
    return "99.9" if text == "100.0" and aimed < 1 else text


def _words(plane: FeasibilityMap, place: Place) -> str:
    where = f"n = {say.whole(plane.n[place[0]])}, ε = {say.short(plane.epsilons[place[1]], 3)}"
    if not plane.certified[place]:
        return f"{where}: nothing can be certified"
    return f"{where}: the threshold aims at {_number(float(plane.aimed_coverage[place]))} % of the ranked rows"


def _position(value: float, values: Sequence[float]) -> float:
    """Return where a value lies between columns or rows, in equal steps of its logarithm; kept inside the picture."""
    return float(np.interp(math.log(value), np.log(values), np.arange(len(values))))


def _ring(plane: FeasibilityMap, here: Feasibility, noun: str, theme: Theme) -> list[dict[str, Any]]:
    """Return a ring where this table stands, under the numbers; a wider one of paper makes it seen on any tile."""
    x, y = _position(here.n, plane.n), _position(here.choices.epsilon, plane.epsilons)
    words = f"n = {say.whole(here.n)}, ε = {say.short(here.choices.epsilon, 3)}"
    looks = ((theme.paper, 7, False), (theme.miss, 3, True))
    return [
        {
            "type": "scatter", "mode": "markers", "x": [x], "y": [y], "name": plotly_text(table_mark(here.n, noun)),
            "marker": {"symbol": "circle-open", "size": 44, "color": colour, "line": {"color": colour, "width": width}},
            "showlegend": named, "hovertext": [words], "hovertemplate": "%{hovertext}<extra></extra>",
        }
        for colour, width, named in looks
    ]  # fmt: skip


def _table(plane: FeasibilityMap) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "n": n,
                "epsilon": epsilon,
                "certified": bool(plane.certified[column, row]),
                "aimed_coverage": float(plane.aimed_coverage[column, row]),
                "smallest_n": plane.smallest_n[row],
            }
            for row, epsilon in enumerate(plane.epsilons)
            for column, n in enumerate(plane.n)
        ]
    ).astype({"smallest_n": "Int64"})
