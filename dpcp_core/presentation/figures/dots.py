"""Fifty dots for one person: how far the truth may be from the best guess, as people who can be counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpcp_core.data.target import Floats
from dpcp_core.presentation.figures.axes import nice_step, typical_window
from dpcp_core.presentation.figures.class_dots import class_dots
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
    wrapped,
)
from dpcp_core.presentation.wording.patient import above_sentence, amount, no_dots_sentence, reach
from dpcp_core.presentation.wording.plain import axis_title

if TYPE_CHECKING:
    from dpcp_core.experiments.person import NumberAnswer, PersonAnswer, PersonModel

Levels = npt.NDArray[np.int64]

COLUMNS = 40
_LOWEST, _LEAST_TOP = -2.6, 9.5
_INTERVAL, _HALF = -1.5, 0.42
# The room of all dots, in pixels: its height, and its width on a phone.
_DOT, _ROOM, _NARROW = 18.0, 290.0, 330.0


def dots(
    model: PersonModel, given: PersonAnswer, threshold: float = 0.0, *, dark: bool = False, large: bool = False
) -> Picture:
    """Draw what one person is told: fifty dots over the interval, or over the classes.

    Parameters
    ----------
    model, given
        Who answers, and what.
    threshold
        In target units; dots above it are told apart by colour and by shape. Classes have none.
    dark, large
        Colours for dark paper; larger letters.

    Returns
    -------
    Picture
        The table has one line per dot, or per class.
    """
    if given.classes is not None:
        return class_dots(model, given.classes, dark=dark, large=large)
    assert given.number is not None
    told, theme = given.number, theme_of(dark)
    start, end = window(model, told)
    layers = stacked(np.empty(0) if told.dots is None else told.dots, (end - start) / COLUMNS, start)
    top = max(_LEAST_TOP, float(max(layers[1], default=0)) + 2.0)
    traces = [*_interval(model, told, theme), *_points(model, told, threshold, layers, theme, _size(top, end - start))]
    layout = base_layout(
        theme,
        height=400,
        xaxis=axis(theme, plotly_text(axis_title(model.result.target)), range=[start, end], nticks=9),
        yaxis={"visible": False, "range": [_LOWEST, top], "fixedrange": True},
        legend=legend_above(theme),
        shapes=[_line(threshold, top, theme)],
        annotations=[_line_label(model, threshold, top, theme), _bar_label(told, threshold, start, end, theme)],
    )
    figure = figure_of(traces, layout)
    title = no_dots_sentence(model) if told.dots is None else above_sentence(model, told, threshold)
    return Picture(
        enlarged(figure) if large else figure, title, _alt(model, told, threshold), _table(model, told, threshold)
    )


def stacked(values: Floats, bin_width: float, start: float = -np.inf) -> tuple[Floats, Levels]:
    """Return where dots stand: the middle of their column, none before the start, and how high in it, from 1.

    >>> x, level = stacked(np.array([0.1, 0.9, 1.2]), 1.0)
    >>> x.tolist(), level.tolist()
    ([0.5, 0.5, 1.5], [1, 2, 1])
    """
    width = nice_step(bin_width) if bin_width > 0 else 1.0
    columns = np.maximum(np.ceil(values / width) - 1, np.floor(start / width + 1e-9))
    level = np.ones(len(values), dtype=np.int64)
    for place in range(1, len(values)):
        if columns[place] == columns[place - 1]:
            level[place] = level[place - 1] + 1
    return (columns + 0.5) * width, level


def _size(top: float, width: float) -> float:
    """Return the size of a dot in pixels, so that none hides another, on a phone either."""
    columns = width / nice_step(width / COLUMNS) if width > 0 else 1.0
    return min(_DOT, 0.92 * _ROOM / (top - _LOWEST), 0.95 * _NARROW / columns)


def window(model: PersonModel, told: NumberAnswer) -> tuple[float, float]:
    """Return the range of the axis: public, and wider only where something would not be seen."""
    target = model.result.target
    seen = [told.lower, told.upper, told.predicted]
    if told.dots is not None:
        seen += [float(told.dots[0]), float(told.dots[-1])]
    if told.truth is not None:
        seen.append(told.truth)
    return typical_window(target.bounds or (min(seen), max(seen)), target.typical, min(seen), max(seen))


def _interval(model: PersonModel, told: NumberAnswer, theme: Theme) -> list[dict[str, Any]]:
    target = model.result.target
    low, high = _INTERVAL - _HALF, _INTERVAL + _HALF
    bar = {
        "type": "scatter", "mode": "lines", "fill": "toself", "fillcolor": theme.band, "line": {"width": 0},
        "x": [told.lower, told.upper, told.upper, told.lower, told.lower], "y": [low, low, high, high, low],
        "name": "interval", "showlegend": False, "hoveron": "fills", "hoverinfo": "text",
        "text": f"interval: {plotly_text(reach(told.lower, told.upper, target))}",
    }  # fmt: skip
    marks = [bar, _mark(told.predicted, "best guess", "diamond", theme.ink, amount(told.predicted, target))]
    if told.truth is not None:
        colour = theme.result if told.covered else theme.miss
        marks.append(_mark(told.truth, "true value", "x", colour, amount(told.truth, target)))
    return marks


def _mark(x: float, name: str, symbol: str, colour: str, words: str) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "markers", "x": [x], "y": [_INTERVAL], "name": name,
        "marker": {"symbol": symbol, "size": 13, "color": colour, "line": {"width": 0}},
        "hovertext": [f"{name}: {plotly_text(words)}"], "hovertemplate": "%{hovertext}<extra></extra>",
    }  # fmt: skip


def _points(
    model: PersonModel,
    told: NumberAnswer,
    threshold: float,
    layers: tuple[Floats, Levels],
    theme: Theme,
    size: float,
) -> list[dict[str, Any]]:
    if told.dots is None:
        return []
    limit, over = plotly_text(amount(threshold, model.result.target)), told.dots > threshold
    looks = (
        (~over, f"up to {limit}: {int((~over).sum())}", "circle", theme.result, theme.result),
        (over, f"above: {int(over.sum())}", "square", theme.miss, theme.miss_edge),
    )
    return [
        {
            "type": "scatter", "mode": "markers", "x": layers[0][which], "y": layers[1][which] - 0.5, "name": name,
            "marker": {"symbol": symbol, "size": size if symbol == "circle" else 0.9 * size, "color": colour,
                       "line": {"width": 1, "color": edge}},
            "hovertext": [plotly_text(amount(value, model.result.target)) for value in told.dots[which]],
            "hovertemplate": "%{hovertext}<extra></extra>",
        }
        for which, name, symbol, colour, edge in looks
    ]  # fmt: skip


def _line(threshold: float, top: float, theme: Theme) -> dict[str, Any]:
    return {
        "type": "line", "x0": threshold, "x1": threshold, "y0": _INTERVAL - 0.8, "y1": top - 1.5,
        "line": {"color": theme.ink, "width": 1.5, "dash": "dash"},
    }  # fmt: skip


def _line_label(model: PersonModel, threshold: float, top: float, theme: Theme) -> dict[str, Any]:
    words = plotly_text(amount(threshold, model.result.target))
    return {
        "x": threshold, "y": top - 1.45, "yanchor": "bottom", "text": words, "showarrow": False,
        "font": {"size": 14, "color": theme.ink},
    }  # fmt: skip


def _bar_label(told: NumberAnswer, threshold: float, start: float, end: float, theme: Theme) -> dict[str, Any]:
    """Name the bar at its upper end, at its lower one where the limit would cross the word, or within it."""
    room = 0.2 * (end - start)
    crossed, fits = told.upper - room / 4 < threshold < told.upper + room, told.lower - start > room
    full = end - told.upper < room
    lower = fits and (crossed or full)
    return {
        "x": told.lower if lower or full else told.upper, "y": _INTERVAL, "xanchor": "right" if lower else "left",
        "text": " interval ", "showarrow": False,
        "font": {"size": 14, "color": theme.ink if full and not lower else theme.muted},
    }  # fmt: skip


def _alt(model: PersonModel, told: NumberAnswer, threshold: float) -> str:
    target = model.result.target
    held = f"interval from {reach(told.lower, told.upper, target)} around a best guess of"
    words = f"{wrapped(axis_title(target), 200)}: {held} {amount(told.predicted, target)}."
    if told.dots is not None:
        spread = reach(float(told.dots[0]), float(told.dots[-1]), target)
        words = f"{above_sentence(model, told, threshold)}. {words} 50 dots from {spread}, {told.inside} inside it."
    return words if told.truth is None else f"{words} The true value is {amount(told.truth, target)}."


def _table(model: PersonModel, told: NumberAnswer, threshold: float) -> pd.DataFrame:
    values = np.empty(0) if told.dots is None else told.dots
    return pd.DataFrame(
        {
            "dot": np.arange(1, len(values) + 1),
            model.result.target.title: values,
            "inside": (values >= told.lower) & (values <= told.upper),
            "above": values > threshold,
        }
    )
