"""Which classes stand in the sets of whom, and how large sets are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpcp_core.errors import InputError
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.set_strip import class_names
from dpcp_core.presentation.figures.theme import (
    Theme,
    axis,
    base_layout,
    figure_of,
    ink_on,
    mixed,
    plotly_text,
    theme_of,
    wrapped,
)
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.nouns import shortened
from dpcp_core.presentation.wording.plain import axis_title
from dpcp_core.presentation.wording.titles import sets_sentence

if TYPE_CHECKING:
    from dpcp_core.evaluation.sets import SetSummary
    from dpcp_core.experiments.result import SimulationResult

MOST_TEXTS = 10
"""With more classes than this, cells carry no numbers."""

MOST_BARS = 10
"""Sets of this size and larger ones share a bar."""


def sets(result: SimulationResult, *, dark: bool = False) -> Picture:
    """Draw how often the sets of each true class hold each class, and how large sets are.

    On the diagonal stands the coverage of each class; beside it what a set holds for nothing.

    Parameters
    ----------
    result
        A finished simulation of classes.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has one line per pair of classes, and one per set size.

    Raises
    ------
    InputError
        The target is a number.

    Privacy
    -------
    Measured on real rows: the curator's view, never part of a release.
    """
    summary = _summary(result)
    theme, names = theme_of(dark), class_names(result)
    sizes = _sizes(result, summary)
    layout = base_layout(
        theme,
        height=min(640, 300 + 28 * len(names)),
        showlegend=False,
        margin={"l": 8, "r": 12, "t": 44, "b": 8, "pad": 0},
        **_axes(result, theme, names, sizes),
    )
    traces = [_cells(summary, names, theme), *_numbers(summary, theme), _bars(sizes, theme)]
    figure = figure_of(traces, layout)
    return Picture(figure, sets_sentence(result), _alt(result, summary), _table(result, summary, sizes))


def _summary(result: SimulationResult) -> SetSummary:
    if result.sets is None:
        raise InputError("There are no sets to draw, because the target is a number; draw intervals instead.")
    return result.sets


def _axes(result: SimulationResult, theme: Theme, names: list[str], sizes: pd.Series) -> dict[str, Any]:
    n, places = len(names), list(range(len(names)))
    many = n > 2 * MOST_TEXTS  # then every name would stand on the next
    shown = places[:: max(1, n // MOST_TEXTS)] if many else places
    labels = [plotly_text(names[place]) for place in shown]
    rows = result.sets.class_counts / len(result.coverage) if result.sets is not None else np.zeros(n)
    counted = [f"{label}<br>{say.whole(rows[place])} rows" for label, place in zip(labels, shown, strict=True)]
    ends = [-0.5, n - 0.5]
    ticks = {"showgrid": False, "range": ends, "tickvals": shown}
    return {
        "xaxis": axis(theme, "", ticktext=labels, side="top", anchor="y", **ticks),
        "yaxis": axis(
            theme,
            wrapped(f"True class: {axis_title(result.target)}"),
            domain=[0.42, 1.0],
            ticktext=labels if many else counted,
            **{**ticks, "tickvals": [n - 1 - place for place in shown]},
        ),
        "xaxis2": axis(
            theme, "Classes in a set", anchor="y2", range=[-0.5, len(sizes) - 0.5], showgrid=False,
            tickvals=list(range(len(sizes))), ticktext=list(sizes.index),
        ),
        "yaxis2": axis(
            theme, "Sets", domain=[0.0, 0.22], anchor="x2", range=[0, 102], nticks=3, ticksuffix=f"{say.NARROW}%"
        ),
        "annotations": [_heading(theme)],
    }  # fmt: skip


def _heading(theme: Theme) -> dict[str, Any]:
    return {
        "xref": "paper", "yref": "paper", "x": 0, "y": 0.36, "xanchor": "left", "yanchor": "top", "showarrow": False,
        "text": "Share of sets that hold the class above", "font": {"size": 13, "color": theme.muted},
    }  # fmt: skip


def _cells(summary: SetSummary, names: list[str], theme: Theme) -> dict[str, Any]:
    shares = 100 * summary.holds
    heights = np.arange(len(names))[::-1]
    few = len(names) <= MOST_TEXTS
    return {
        "type": "heatmap",
        "x": np.arange(len(names)),
        "y": heights,
        "z": shares,
        "zmin": 0,
        "zmax": 100,
        "colorscale": [[0, theme.grid], [1, theme.result]],
        "showscale": False,
        "xgap": 2 if few else 0,
        "ygap": 2 if few else 0,
        "hovertext": _hover(summary, names) if few else None,
        "hovertemplate": "%{hovertext}<extra></extra>" if few else "%{z:.0f} %<extra></extra>",
        "hoverongaps": False,
    }


def _numbers(summary: SetSummary, theme: Theme) -> list[dict[str, Any]]:
    """Write the share into each cell, in the ink that stands out from it; of many classes none."""
    n = len(summary.holds)
    if n > MOST_TEXTS:
        return []
    shares = [(column, n - 1 - row, float(summary.holds[row, column])) for row in range(n) for column in range(n)]
    known = [cell for cell in shares if not np.isnan(cell[2])]
    return [
        {
            "type": "scatter",
            "mode": "text",
            "x": [x for x, _, _ in known],
            "y": [y for _, y, _ in known],
            "text": [_short_percent(share) for _, _, share in known],
            "textfont": {"size": 14, "color": [ink_on(mixed(theme.grid, theme.result, s)) for _, _, s in known]},
            "hoverinfo": "skip",
        }
    ]


def _short_percent(share: float) -> str:
    """Write a share so that it fits into a cell."""
    return plotly_text(say.percent(share, 0).replace("under ", "<").replace("over ", ">"))


def _hover(summary: SetSummary, names: list[str]) -> list[list[str]]:
    return [
        [
            f"true class {plotly_text(true)}:<br>{plotly_text(held)} is in {say.percent(share)} of the sets"
            for held, share in zip(names, row, strict=True)
        ]
        for true, row in zip(names, np.nan_to_num(summary.holds), strict=True)
    ]


def _sizes(result: SimulationResult, summary: SetSummary) -> pd.Series:
    """Return the share of sets of each size; the empty ones only where they are allowed."""
    counts = summary.size_counts
    first = 0 if result.settings.allow_empty or counts[0] else 1
    shares = 100 * counts / counts.sum()
    last = len(shares) - 1
    if last <= MOST_BARS:
        return pd.Series(shares[first:], index=[str(size) for size in range(first, last + 1)])
    lumped = np.append(shares[first:MOST_BARS], shares[MOST_BARS:].sum())
    return pd.Series(lumped, index=[*map(str, range(first, MOST_BARS)), f"{MOST_BARS} or more"])


def _bars(sizes: pd.Series, theme: Theme) -> dict[str, Any]:
    return {
        "type": "bar",
        "x": np.arange(len(sizes)),
        "y": sizes.to_numpy(),
        "xaxis": "x2",
        "yaxis": "y2",
        "width": 0.7,
        "marker": {"color": theme.band, "line": {"width": 0}},
        "hovertext": [f"{size} in the set: {say.percent(share / 100)} of sets" for size, share in sizes.items()],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _alt(result: SimulationResult, summary: SetSummary) -> str:
    names = [shortened(name) for name in result.target.categories]
    coverage = summary.class_coverage
    lowest = int(np.nanargmin(coverage))
    least = say.percent(float(coverage[lowest]))
    words = f"{sets_sentence(result)}. Coverage is lowest for “{names[lowest]}”: {least}"
    if np.nanmax(coverage) == coverage[lowest]:
        words = f"{sets_sentence(result)}. Coverage is {least} for every class"
    off = _off_diagonal(summary)
    if not np.nanmax(off) > 0:
        return f"{words}. No set holds a wrong class."
    true, held = np.unravel_index(int(np.nanargmax(off)), off.shape)
    return (
        f"{words}. The wrong class that sets hold most often: “{names[held]}”, in "
        f"{say.percent(float(off[true, held]))} of the sets of rows that are “{names[true]}”."
    )


def _off_diagonal(summary: SetSummary) -> npt.NDArray[np.float64]:
    off = summary.holds.copy()
    np.fill_diagonal(off, -1.0)
    return off


def _table(result: SimulationResult, summary: SetSummary, sizes: pd.Series) -> pd.DataFrame:
    names = result.target.categories
    pairs = [
        ("true class", true, held, summary.holds[i, j], int(summary.class_counts[i]))
        for i, true in enumerate(names)
        for j, held in enumerate(names)
    ]
    total = int(summary.class_counts.sum())
    counted = [("set size", size, "", share / 100, total) for size, share in sizes.items()]
    return pd.DataFrame([*pairs, *counted], columns=["what", "value", "class_in_set", "share", "rows"])
