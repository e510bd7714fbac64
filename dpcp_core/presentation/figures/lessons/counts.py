"""A published count with one person and without: two curves, and counts drawn by chance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from dpcp_core._arrays import Floats
from dpcp_core.experiments.lessons.counting import HiddenPerson
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.theme import Theme, axis, base_layout, figure_of, legend_above, theme_of
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.lessons import noise as words

REACH = 20
"""Counts on each side of the true one: the axis stays still while epsilon moves."""

_LANE = -0.09


def count_curves(hidden: HiddenPerson, *, dark: bool = False) -> Picture:
    """Draw how likely every published count is, with one person among those counted and without.

    Parameters
    ----------
    hidden
        With its drawn counts, which stand as dots under the curves.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has one line per count near the true one.

    Privacy
    -------
    True counts beside noisy ones: for a lesson on a sample, part of no release.
    """
    theme = theme_of(dark)
    shown = np.abs(hidden.answers - hidden.count) <= REACH
    answers = hidden.answers[shown]
    having, lacking = (100 * np.exp(logs[shown]) for logs in (hidden.with_person, hidden.without_person))
    top = _top(float(max(having.max(), lacking.max())))
    traces = [
        _curve(answers, lacking, words.LEGEND_WITHOUT, theme.reference, "dash"),
        _curve(answers, having, words.LEGEND_WITH, theme.result, "solid"),
        _dots(hidden, theme, top),
    ]
    middle = hidden.count
    layout = base_layout(
        theme,
        height=320,
        xaxis=axis(
            theme,
            words.AXIS,
            range=[middle - REACH - 0.6, middle + REACH + 0.6],
            showgrid=False,
            nticks=7,
            tickformat=",.0f",
        ),
        yaxis=axis(theme, words.CHANCE, range=[1.6 * _LANE * top, 1.03 * top]),
        legend=legend_above(theme),
    )
    ticks = [0.0, top / 2, top]
    layout["yaxis"] |= {"tickmode": "array", "tickvals": ticks, "ticktext": [f"{at:g}{say.NARROW}%" for at in ticks]}
    table = pd.DataFrame(dict(zip(words.TABLE_COLUMNS, (answers, having / 100, lacking / 100), strict=True)))
    return Picture(figure_of(traces, layout), words.title(hidden), words.alt(hidden), table)


def _top(highest: float) -> float:
    return next((top for top in (5.0, 10.0, 25.0, 50.0) if highest <= top), 100.0)


def _curve(x: Floats, y: Floats, name: str, colour: str, dash: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": y,
        "line": {"shape": "hvh", "color": colour, "width": 2.5, "dash": dash},
        "name": name,
        "hovertemplate": "%{x:,.0f}: %{y:.2g}" + f"{say.NARROW}%",
    }


def _dots(hidden: HiddenPerson, theme: Theme, top: float) -> dict[str, Any]:
    # What lies beyond the picture stands at its edge, so that no count is lost.
    x = np.clip(hidden.drawn, hidden.count - REACH, hidden.count + REACH)
    return {
        "type": "scatter",
        "mode": "markers",
        "x": x,
        "y": np.full(len(x), _LANE * top),
        "marker": {
            "symbol": "circle-open", "size": 9, "color": theme.miss, "line": {"width": 2, "color": theme.miss_edge}
        },
        "name": words.LEGEND_DRAWN,
        "hovertext": [say.whole(each) for each in hidden.drawn],
        "hoverinfo": "text",
    }  # fmt: skip
