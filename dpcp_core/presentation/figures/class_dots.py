"""Fifty dots over classes: how a model spreads its guess, and which classes its set holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dpcp_core.presentation.figures.large import enlarged
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
from dpcp_core.presentation.wording.nouns import shortened
from dpcp_core.presentation.wording.patient import class_title, quoted_set
from dpcp_core.presentation.wording.plain import axis_title

if TYPE_CHECKING:
    from dpcp_core.experiments.person import ClassAnswer, PersonModel

MOST_CLASSES = 8
"""Classes with a row of their own; the likeliest come first."""

_LONGEST = 24
_A_ROW = 25


def class_dots(model: PersonModel, told: ClassAnswer, *, dark: bool = False, large: bool = False) -> Picture:
    """Draw a row of dots for each class, filled where the set holds it; see :func:`dots`."""
    theme, order = theme_of(dark), shown_classes(told)
    places = {code: place for place, code in enumerate(order)}
    traces = [
        _row(told, [c for c in order if told.members[c]], places, theme, held=True),
        _row(told, [c for c in order if not told.members[c]], places, theme, held=False),
    ]
    if told.truth is not None and told.truth in places:
        traces.append(_truth(places[told.truth], theme, held=bool(told.covered)))
    names = [plotly_text(shortened(told.classes[code], _LONGEST)) for code in order]
    layout = base_layout(
        theme,
        height=max(200, 110 + 60 * len(order)),
        xaxis={"visible": False, "range": [-1.8, _A_ROW + 0.8], "fixedrange": True},
        yaxis=axis(
            theme,
            "",
            range=[len(order) - 0.5, -0.5],
            tickvals=list(range(len(order))),
            ticktext=names,
            showgrid=False,
            tickfont={"size": 14, "color": theme.ink},
        ),
        legend=legend_above(theme),
    )
    figure = figure_of(traces, layout)
    return Picture(enlarged(figure) if large else figure, class_title(told), _alt(model, told), _table(told))


def shown_classes(told: ClassAnswer) -> list[int]:
    """Return the codes of the classes that get a row: those the model finds likeliest, at most eight."""
    return [int(code) for code in np.argsort(-told.probabilities, kind="stable")[:MOST_CLASSES]]


def dot_places(number: int) -> list[tuple[float, float]]:
    """Return where a class's dots stand in its row: two lines of up to 25 about the middle.

    >>> dot_places(2), dot_places(26)[-1]
    ([(0.0, 0.0), (1.0, 0.0)], (0.0, 0.16))
    """
    lifts = (-0.16, 0.16) if number > _A_ROW else (0.0, 0.0)
    return [(float(i % _A_ROW), lifts[i // _A_ROW]) for i in range(number)]


def _row(told: ClassAnswer, codes: list[int], places: dict[int, int], theme: Theme, *, held: bool) -> dict[str, Any]:
    points = [(x, places[code] + lift) for code in codes for x, lift in dot_places(int(told.dots[code]))]
    number = int(sum(told.dots[code] for code in codes))
    colour = theme.result if held else theme.muted
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [x for x, _ in points],
        "y": [y for _, y in points],
        "name": f"{'in the set' if held else 'not in the set'}: {number}",
        "showlegend": True,
        "marker": {"symbol": "circle" if held else "circle-open", "size": 13, "color": colour, "line": {"width": 2}},
        "hoverinfo": "skip",
    }


def _truth(place: int, theme: Theme, *, held: bool) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "markers", "x": [-1.1], "y": [place], "name": "true class", "cliponaxis": False,
        "marker": {"symbol": "x", "size": 12, "color": theme.result if held else theme.miss, "line": {"width": 0}},
        "hoverinfo": "skip",
    }  # fmt: skip


def _alt(model: PersonModel, told: ClassAnswer) -> str:
    spread = ", ".join(f"{shortened(told.classes[c], _LONGEST)} {int(told.dots[c])}" for c in shown_classes(told))
    words = f"{axis_title(model.result.target)}: the set holds {quoted_set(told)}. Of the model's 50 dots: {spread}."
    if told.truth is None:
        return words
    return f"{words} The true class is “{shortened(told.classes[told.truth], _LONGEST)}”."


def _table(told: ClassAnswer) -> pd.DataFrame:
    return pd.DataFrame(
        {"class": told.classes, "in the set": told.members, "dots": told.dots, "the model's guess": told.probabilities}
    )
