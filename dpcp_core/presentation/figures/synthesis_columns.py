"""One column of a synthetic table and of the real rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dpcp_core._arrays import Floats
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.synthesis_cells import cell_names
from dpcp_core.presentation.figures.theme import (
    Theme,
    axis,
    base_layout,
    figure_of,
    legend_above,
    plotly_text,
    theme_of,
)
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.nouns import shortened
from dpcp_core.presentation.wording.synthesis_page import column_alt, column_title

if TYPE_CHECKING:
    from dpcp_core.experiments.synthesis import ColumnShares

_MOST = 12
"""Categories that have a bar of their own; the rest are drawn together."""

_HEIGHT, _BAR, _FRAME = 300, 22, 90


def column(shares: ColumnShares, *, dark: bool = False) -> Picture:
    """Draw how often each value occurs: numbers as steps, categories as bars.

    Parameters
    ----------
    shares
        Of one column.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has a line per bin or category, then those of empty and unknown cells.

    Privacy
    -------
    The real rows are counted exactly: the curator's view, never part of a release.
    """
    theme = theme_of(dark)
    traces, layout = _numbers(shares, theme) if shares.edges else _categories(shares, theme)
    return Picture(figure_of(traces, layout), column_title(shares), column_alt(shares), _table(shares))


def _numbers(shares: ColumnShares, theme: Theme) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Draw densities, as bins are not equally wide."""
    edges = _outer(shares)
    widths = np.diff(edges)
    n = shares.n_cells
    traces = [
        _steps("synthetic table", edges, shares.synthetic[:n] / widths, theme.result, filled=True),
        _steps("real rows", edges, shares.real[:n] / widths, theme.reference, filled=False),
    ]
    title = plotly_text(say.axis(shortened(shares.title), shares.unit))
    return traces, base_layout(
        theme,
        height=_HEIGHT,
        margin={"l": 8, "r": 12, "t": 40, "b": 8, "pad": 4},
        legend=legend_above(theme),
        xaxis=axis(theme, title, showgrid=False, range=_seen(edges, shares), nticks=8),
        yaxis=axis(theme, "How common", showticklabels=False, rangemode="tozero"),
    )


def _outer(shares: ColumnShares) -> Floats:
    """Return the bins' ends; whole numbers lie in the middle of theirs, so that all are as wide as they look."""
    edges = np.array(shares.edges)
    if shares.kind == "integer":
        edges[0], edges[-1] = np.floor(edges[0]) - 0.5, np.ceil(edges[-1]) + 0.5
    return edges


def _seen(edges: Floats, shares: ColumnShares) -> list[float]:
    """Return the range of values that hardly anybody is outside of, in either table."""
    n = shares.n_cells
    present = np.flatnonzero(np.maximum(shares.synthetic[:n], shares.real[:n]) > 0.002)
    if not len(present):
        return [float(edges[0]), float(edges[-1])]
    return [float(edges[present[0]]), float(edges[present[-1] + 1])]


def _steps(name: str, edges: Floats, density: Floats, colour: str, *, filled: bool) -> dict[str, Any]:
    x = np.repeat(edges, 2)
    y = np.concatenate([[0.0], np.repeat(density, 2), [0.0]])
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": x,
        "y": y,
        "line": {"color": colour, "width": 2, "dash": "solid" if filled else "dash"},
        "fill": "tozeroy" if filled else None,
        "opacity": 1.0,
        "hoverinfo": "skip",
    }


def _categories(shares: ColumnShares, theme: Theme) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    names, synthetic, real = _largest(shares)
    bars = [("synthetic table", synthetic, theme.result), ("real rows", real, theme.reference)]
    traces = [
        {
            "type": "bar",
            "orientation": "h",
            "name": name,
            "y": [plotly_text(shortened(category, 26)) for category in names],
            "x": [100 * share for share in values],
            "marker": {"color": colour},
            "text": [say.percent(share) for share in values],
            "textposition": "outside",
            "textfont": {"size": 13, "color": theme.ink},
            "cliponaxis": False,
            "hoverinfo": "skip",
        }
        for name, values, colour in bars
    ]
    most = max([*synthetic, *real, 0.01])
    layout = base_layout(
        theme,
        height=max(_FRAME + 2 * _BAR * len(names), 200),
        barmode="group",
        margin={"l": 8, "r": 48, "t": 40, "b": 8, "pad": 4},
        legend={**legend_above(theme), "traceorder": "normal"},
        xaxis=axis(theme, "Share of the rows, %", range=[0, min(100.0, 115 * most)], nticks=6),
        yaxis=axis(theme, "", showgrid=False, autorange="reversed", type="category"),
    )
    layout["bargap"] = 0.25
    return traces, layout


def _largest(shares: ColumnShares) -> tuple[list[str], list[float], list[float]]:
    """Return the largest categories in their order, what is left of the others, and empty cells where there are any."""
    n, total = shares.n_cells, shares.synthetic + shares.real
    kept = sorted(np.argsort(-total[:n], kind="stable")[: _MOST if n > _MOST + 1 else n].tolist())
    rest = [place for place in range(n) if place not in set(kept)]
    lines = [(shares.categories[place], [place]) for place in kept]
    lines += [(f"{len(rest)} others", rest)] if rest else []
    lines += [(name, [place]) for name, place in (("empty", n), ("unknown", n + 1)) if total[place] > 0]
    synthetic, real = ([float(of[places].sum()) for _, places in lines] for of in (shares.synthetic, shares.real))
    return [name for name, _ in lines], synthetic, real


def _table(shares: ColumnShares) -> pd.DataFrame:
    return pd.DataFrame({"value": cell_names(shares), "synthetic": shares.synthetic, "real": shares.real})
