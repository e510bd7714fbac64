"""Two columns together, in the synthetic table and in the real rows, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dpcp_core._arrays import Floats
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.synthesis_cells import cell_names, short_names
from dpcp_core.presentation.figures.theme import Theme, axis, base_layout, figure_of, plotly_text, theme_of
from dpcp_core.presentation.figures.tiles import deepest
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.nouns import shortened
from dpcp_core.presentation.wording.synthesis_page import pair_alt, pair_title

if TYPE_CHECKING:
    from dpcp_core.experiments.synthesis import ColumnShares, PairShares

_MOST_TICKS = 8
_ROOT = 0.5
"""Shares are drawn by this power, so that what is rare is seen beside what is common."""


def pair(pair_shares: PairShares, across: ColumnShares, up: ColumnShares, *, dark: bool = False) -> Picture:
    """Draw how often two values occur together, the darker the more often, on one scale for both tables.

    Parameters
    ----------
    pair_shares
        Of the two columns, ``across`` first.
    across, up
        The columns on the axes.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has a line for each two cells that some row is in.

    Privacy
    -------
    The real rows are counted exactly: the curator's view, never part of a release.
    """
    theme = theme_of(dark)
    x, y = _used(pair_shares, 0), _used(pair_shares, 1)
    tables = [np.asarray(of, dtype=np.float64)[np.ix_(x, y)].T for of in (pair_shares.synthetic, pair_shares.real)]
    most = max(float(of.max()) for of in tables) ** _ROOT or 1.0
    x_names, y_names = ([names[k] for k in used] for names, used in ((short_names(across), x), (short_names(up), y)))
    layout = base_layout(
        theme,
        height=340,
        margin={"l": 8, "r": 8, "t": 28, "b": 8, "pad": 2},
        showlegend=False,
        xaxis=_axis(theme, _title(across), x_names, domain=[0, 0.485]),
        xaxis2=_axis(theme, _title(across), x_names, domain=[0.515, 1], anchor="y2"),
        yaxis=_axis(theme, _title(up), y_names),
        yaxis2=_axis(theme, "", y_names, anchor="x2", matches="y", showticklabels=False),
        annotations=[_heading("synthetic table", 0.0, theme.ink), _heading("real rows", 0.515, theme.ink)],
    )
    traces = [_surface(of**_ROOT, most, place, theme) for place, of in enumerate(tables)]
    return Picture(
        figure_of(traces, layout),
        pair_title(pair_shares, across, up),
        pair_alt(pair_shares, across, up),
        _table(pair_shares, across, up),
    )


def _used(shares: PairShares, along: int) -> list[int]:
    """Return the cells of one column; those of empty and unknown ones only where some row is in them."""
    total = (shares.synthetic + shares.real).sum(axis=1 - along)
    n = len(total) - 2
    return [place for place in range(n + 2) if place < n or total[place] > 0]


def _title(shares: ColumnShares) -> str:
    return say.axis(shortened(shares.title, 30), shares.unit)


def _axis(theme: Theme, title: str, names: list[str], **more: Any) -> dict[str, Any]:
    step = -(-len(names) // _MOST_TICKS)
    ticks = list(range(0, len(names), step))
    return axis(
        theme,
        plotly_text(title),
        showgrid=False,
        tickvals=ticks,
        ticktext=[plotly_text(names[k]) for k in ticks],
        range=[-0.5, len(names) - 0.5],
        **more,
    )


def _surface(shares: Floats, most: float, place: int, theme: Theme) -> dict[str, Any]:
    end = "2" if place else ""
    return {
        "type": "heatmap",
        "z": shares,
        "zmin": 0,
        "zmax": most,
        "colorscale": [[0, theme.grid], [1, deepest(theme)]],
        "showscale": False,
        "xaxis": f"x{end}",
        "yaxis": f"y{end}",
        "xgap": 1,
        "ygap": 1,
        "hoverinfo": "skip",
    }


def _heading(text: str, x: float, colour: str) -> dict[str, Any]:
    return {
        "xref": "paper", "yref": "paper", "x": x, "y": 1.0, "xanchor": "left", "yanchor": "bottom", "text": text,
        "showarrow": False, "font": {"size": 14, "color": colour},
    }  # fmt: skip


def _table(shares: PairShares, across: ColumnShares, up: ColumnShares) -> pd.DataFrame:
    rows, columns = np.nonzero((shares.synthetic > 0) | (shares.real > 0))
    one, other = cell_names(across), cell_names(up)
    return pd.DataFrame(
        {
            across.name: [one[k] for k in rows],
            up.name if up.name != across.name else f"{up.name} ": [other[k] for k in columns],
            "synthetic": shares.synthetic[rows, columns].astype(np.float64),
            "real": shares.real[rows, columns].astype(np.float64),
        }
    )
