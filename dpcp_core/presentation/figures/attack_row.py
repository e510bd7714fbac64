"""One row taken out: the chance of every threshold with the row and without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcp_core.presentation.figures.mechanism import CHANCES
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.theme import (
    Theme,
    axis,
    base_layout,
    figure_of,
    legend_above,
    plotly_text,
    theme_of,
)
from dpcp_core.presentation.wording import attack as words
from dpcp_core.presentation.wording import numbers as say

if TYPE_CHECKING:
    from dpcp_core.experiments.row_out import RowOut, TwoWorlds

MOST_BARS = 12
"""Candidates that are drawn; the table has as many."""

_LEAST = 1e-3
_HEIGHT = 262

Places = NDArray[np.int64]


def on_grid(out: RowOut, *, dark: bool = False) -> Picture:
    """Draw the candidates of the public grid, with how far epsilon lets each bar move.

    Parameters
    ----------
    out
        One row taken out.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has the chance of each candidate drawn in both worlds, and by how much it changes.

    Privacy
    -------
    The chances are a function of private scores: the curator's view, never part of a release.
    """
    theme, worlds = theme_of(dark), out.on_grid
    shown = _shown(worlds)
    bars = _bars(out, worlds, shown, theme)
    bars[0]["error_y"] = _whiskers(worlds, shown, out.epsilon, theme)
    return _picture(out, worlds, shown, bars, theme, words.grid_title(out))


def among_scores(out: RowOut, *, dark: bool = False) -> Picture:
    """Draw the scores as candidates, with the one that is possible in one world only in a colour of its own.

    Parameters, result and privacy are those of :func:`on_grid`.
    """
    theme, worlds = theme_of(dark), out.among_scores
    own = int(np.searchsorted(worlds.candidates, out.score))
    shown = _shown(worlds, own)
    bars = _bars(out, worlds, shown, theme)
    if np.isneginf(worlds.without_row[own]):
        bars[0]["marker"]["color"] = [theme.miss if place == own else theme.result for place in shown]
        bars[0]["text"] = [words.ONLY_WITH if place == own else "" for place in shown]
    return _picture(out, worlds, shown, bars, theme, words.scores_title(out))


def _shown(worlds: TwoWorlds, own: int | None = None) -> Places:
    """Return the places of candidates worth a bar: the likely ones side by side, and the row's own score."""
    chances = np.exp(np.maximum(worlds.with_row, worlds.without_row))
    likely = np.flatnonzero(chances >= _LEAST * chances.max())
    top = int(chances.argmax())
    first = max(int(likely[0]), top - MOST_BARS // 2 + 1)
    # A single bar says little: its neighbours show that they are hardly possible.
    last = min(max(int(likely[-1]), top + 1), first + MOST_BARS - 1, len(chances) - 1)
    places = {*range(max(0, min(first, top - 1)), last + 1), *([] if own is None else [own])}
    return np.array(sorted(places))


def _bars(out: RowOut, worlds: TwoWorlds, shown: Places, theme: Theme) -> list[dict[str, Any]]:
    names = [say.number(float(value), 3) for value in worlds.candidates[shown]]
    looks = (
        ("with the row", worlds.with_row, {"color": theme.result}),
        (
            "without it",
            worlds.without_row,
            {"color": theme.reference, "pattern": {"shape": "/", "size": 6, "solidity": 0.35}},
        ),
    )
    return [
        {
            "type": "bar",
            "name": name,
            # Numbers that are written alike must not share a place.
            "x": list(range(len(shown))),
            "y": 100 * np.exp(logs[shown]),
            "marker": marker,
            "hovertext": [
                f"{plotly_text(words.score_text(out.ranked, float(at)))} {name}: chance {words.chance_text(chance)}"
                for at, chance in zip(worlds.candidates[shown], np.exp(logs[shown]).tolist(), strict=True)
            ],
            "hoverinfo": "text",
            "customdata": names,
            "textposition": "outside",
            "textangle": 0,
            "constraintext": "none",
            "textfont": {"size": 13, "color": theme.miss_text},
            "cliponaxis": False,
        }
        for name, logs, marker in looks
    ]


def _whiskers(worlds: TwoWorlds, shown: Places, epsilon: float, theme: Theme) -> dict[str, Any]:
    here, there = 100 * np.exp(worlds.with_row[shown]), 100 * np.exp(worlds.without_row[shown])
    return {
        "type": "data",
        "symmetric": False,
        "array": np.minimum(there * np.exp(epsilon), 100.0) - here,
        "arrayminus": here - there * np.exp(-epsilon),
        "color": theme.ink,
        "thickness": 1.2,
        "width": 5,
    }


def _whisker_key(theme: Theme) -> dict[str, Any]:
    """Return a line of the legend for the whiskers, which have none of their own."""
    return {
        "type": "scatter",
        "mode": "markers",
        "name": words.ALLOWED,
        "x": [None],
        "y": [None],
        "marker": {"symbol": "line-ns", "size": 14, "line": {"width": 1.5, "color": theme.ink}},
        "hoverinfo": "skip",
    }


def _picture(
    out: RowOut, worlds: TwoWorlds, shown: Places, bars: list[dict[str, Any]], theme: Theme, title: str
) -> Picture:
    highest = max(float(bar["y"].max()) for bar in bars)
    # Every other one, so that they stay apart on a phone.
    named = list(range(0, len(shown), 1 if len(shown) <= MOST_BARS // 2 else 2))
    top = next(top for top in CHANCES if top >= min(1.3 * highest, 100.0) - 1e-9)
    layout = base_layout(
        theme,
        height=_HEIGHT,
        barmode="group",
        legend={**legend_above(theme), "traceorder": "normal"},
        xaxis=axis(
            theme,
            plotly_text(words.score_axis(out.ranked)),
            showgrid=False,
            tickvals=named,
            ticktext=[bars[0]["customdata"][place] for place in named],
            tickangle=0,
            range=[-0.6, max(len(shown), 3) - 0.4],
        ),
        yaxis=axis(theme, "Chance", range=[0, 1.02 * top], nticks=5, ticksuffix=f"{say.NARROW}%"),
    )
    layout["bargap"] = 0.25
    traces = [*bars, _whisker_key(theme)] if "error_y" in bars[0] else bars
    return Picture(figure_of(traces, layout), title, words.row_alt(out, worlds, title), _table(worlds, shown))


def _table(worlds: TwoWorlds, shown: Places) -> pd.DataFrame:
    with np.errstate(over="ignore"):
        times = np.exp(worlds.log_ratios[shown])
    return pd.DataFrame(
        {
            "threshold": worlds.candidates[shown],
            "with_row": np.exp(worlds.with_row[shown]),
            "without_row": np.exp(worlds.without_row[shown]),
            "times": times,
        }
    )
