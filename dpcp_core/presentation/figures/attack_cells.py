"""The cells of one hidden row: what an attacker says of each, how sure, and whether it is right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

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
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.attack_cells import RIGHT, WITHOUT, WRONG, cells_alt, cells_title
from dpcp_core.presentation.wording.nouns import shortened

if TYPE_CHECKING:
    from dpcp_core.experiments.audit.guesses import ColumnGuess
    from dpcp_core.experiments.audit.subtraction import SubtractionResult

MOST_CELLS = 12
"""Columns that have a bar; the table has all of them."""

_BAR, _FRAME = 23, 84
# A legend that breaks into lines takes the room of three bars.
_LEAST_BARS = 7


def cells(result: SubtractionResult, *, dark: bool = False) -> Picture:
    """Draw how sure the attacker is of each cell.

    Parameters
    ----------
    result
        Of one release.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has a line per column: its true cell, the guess, and how sure it is with and without the release.

    Privacy
    -------
    Shows the cells of a real row: the curator's view, never part of a release.
    """
    theme, shown = theme_of(dark), result.columns[:MOST_CELLS]
    names = [shortened(guess.title, 22) for guess in shown]
    traces = [_bars(shown, right, theme) for right in (True, False)] + [_blind(shown, theme)]
    rows = {"showgrid": False, "range": [len(shown) - 0.5, -0.5], "tickvals": list(range(len(shown)))}
    said = [f"{'✓' if guess.is_right else '✗'} {shortened(guess.guess, 18)}" for guess in shown]
    layout = base_layout(
        theme,
        height=_FRAME + _BAR * max(len(shown), _LEAST_BARS),
        barmode="overlay",
        margin={"l": 8, "r": 8, "t": 40, "b": 8, "pad": 4},
        legend={**legend_above(theme), "traceorder": "normal"},
        xaxis=axis(theme, "How sure the attacker is, %", range=[0, 101], tickvals=[0, 50, 100]),
        yaxis=axis(theme, "", ticktext=[plotly_text(name) for name in names], **rows),
        yaxis2=axis(theme, "", ticktext=[plotly_text(text) for text in said], side="right", overlaying="y", **rows),
    )
    layout["yaxis2"]["tickfont"]["color"] = theme.ink
    layout["bargap"] = 0.3
    return Picture(figure_of(traces, layout), cells_title(result), cells_alt(result), _table(result))


def _bars(shown: tuple[ColumnGuess, ...], right: bool, theme: Theme) -> dict[str, Any]:
    places = [place for place, guess in enumerate(shown) if guess.is_right == right]
    return {
        "type": "bar",
        "orientation": "h",
        "name": RIGHT if right else WRONG,
        # A bar that is nowhere keeps its line in the legend, so that two pictures side by side stay level.
        "y": places or [None],
        "x": [100 * shown[place].chance for place in places] or [None],
        "marker": {"color": theme.miss if right else theme.band},
        "hovertext": [f"{say.percent(shown[place].chance)} sure" for place in places],
        "hoverinfo": "text",
    }


def _blind(shown: tuple[ColumnGuess, ...], theme: Theme) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": WITHOUT,
        "x": [100 * guess.blind for guess in shown],
        "y": list(range(len(shown))),
        "yaxis": "y2",
        "marker": {"symbol": "line-ns", "size": 15, "line": {"width": 2.5, "color": theme.reference}},
        "hovertext": [f"{say.percent(guess.blind)} sure {WITHOUT}" for guess in shown],
        "hoverinfo": "text",
    }


def _table(result: SubtractionResult) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "column": [guess.title for guess in result.columns],
            "true_cell": [guess.truth for guess in result.columns],
            "guess": [guess.guess for guess in result.columns],
            "is_right": [guess.is_right for guess in result.columns],
            "sure": [guess.chance for guess in result.columns],
            "sure_without": [guess.blind for guess in result.columns],
        }
    )
