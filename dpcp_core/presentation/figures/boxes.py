"""How repetitions of several methods spread at one epsilon, a box for each method."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from dpcp_core.experiments.comparison import Comparison
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.presentation.figures.axes import outward
from dpcp_core.presentation.figures.compare import size_scale
from dpcp_core.presentation.figures.methods import style_of, tinted
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.theme import Theme, axis, base_layout, figure_of, plotly_text, target_line, theme_of
from dpcp_core.presentation.wording import compare as words
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.crossings import is_of_sets
from dpcp_core.presentation.wording.terms import option_title

_LANE, _FRAME = 30, 100


def coverage_boxes(comparison: Comparison, epsilon: float, *, dark: bool = False) -> Picture:
    """Draw coverage of every repetition at one epsilon, a box for each method, the target as a dotted line.

    A box holds the middle half of the repetitions, its line is the median; dots are repetitions far from it.

    Parameters
    ----------
    comparison
        As far as it is finished.
    epsilon
        One of those compared.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has one line per method.

    Privacy
    -------
    Measured on real rows: the curator's view, never part of a release.
    """
    theme, cells = theme_of(dark), _cells(comparison, epsilon)
    target = comparison.result.plan.settings.confidence_level
    values = [100 * cell.coverage for cell in cells]
    seen = np.concatenate([*values, [100 * target - 2, min(100 * target + 2, 100)]])
    low, high = outward(float(seen.min()), float(seen.max()), 2)
    x = axis(theme, "Coverage", range=[low - 0.2, min(high, 100) + 0.4], ticksuffix=f"{say.NARROW}%", nticks=6)
    layout = _layout(theme, x, cells, shapes=[target_line(target, theme)])
    return _picture(comparison, epsilon, cells, values, layout, theme, of_size=False)


def size_boxes(comparison: Comparison, epsilon: float, *, dark: bool = False, close: bool = False) -> Picture:
    """Draw the mean width, or set size, of every repetition at one epsilon.

    Parameters
    ----------
    comparison, epsilon, dark
        See :func:`coverage_boxes`.
    close
        Show only the neighbourhood of the methods in front; others leave the picture at its right.
    """
    theme, cells = theme_of(dark), _cells(comparison, epsilon)
    values = [cell.size for cell in cells]
    seen = np.concatenate(values or [np.ones(1)])
    front = [cell.size.max() for cell in cells if cell.settings.method in comparison.standing(epsilon).front]
    if close and front:
        seen = seen[seen <= max(front)]
    layout = _layout(theme, size_scale(comparison, theme, (float(seen.min()), float(seen.max())), "x"), cells)
    return _picture(comparison, epsilon, cells, values, layout, theme, of_size=True)


def _cells(comparison: Comparison, epsilon: float) -> list[CellResult]:
    """Return the cells from the bottom lane up."""
    found = (comparison.cell(name, epsilon) for name in comparison.methods)
    return [cell for cell in found if cell is not None]


def _picture(
    comparison: Comparison,
    epsilon: float,
    cells: list[CellResult],
    values: list[Any],
    layout: dict[str, Any],
    theme: Theme,
    *,
    of_size: bool,
) -> Picture:
    traces = [_box(cell, value, theme) for cell, value in zip(cells, values, strict=True)]
    return Picture(
        figure_of(traces, layout),
        words.boxes_title(comparison, epsilon, of_size=of_size),
        words.boxes_alt(comparison, epsilon, of_size=of_size),
        _table(comparison, cells, of_size=of_size),
    )


def _box(cell: CellResult, values: Any, theme: Theme) -> dict[str, Any]:
    method = cell.settings.method
    colour = style_of(method).colour(theme)
    return {
        "type": "box",
        "orientation": "h",
        "x": values,
        "name": plotly_text(option_title("method", method)),
        "boxpoints": "outliers",
        "line": {"color": colour, "width": 1.5},
        "fillcolor": tinted(colour, 0.25),
        "marker": {"color": colour, "size": 5},
        "width": 0.6,
        "hoverinfo": "x",
    }


def _layout(theme: Theme, x: dict[str, Any], cells: list[CellResult], **more: Any) -> dict[str, Any]:
    return base_layout(
        theme,
        height=_FRAME + _LANE * max(len(cells), 1),
        margin={"l": 8, "r": 16, "t": 30, "b": 8, "pad": 4},
        paper_bgcolor=theme.paper,
        showlegend=False,
        xaxis=x,
        yaxis=axis(theme, "", showgrid=False),
        **more,
    )


def _table(comparison: Comparison, cells: list[CellResult], *, of_size: bool) -> pd.DataFrame:
    size = "set size" if is_of_sets(comparison) else "width"
    return pd.DataFrame([_row(cell, size if of_size else "coverage", of_size=of_size) for cell in reversed(cells)])


def _row(cell: CellResult, name: str, *, of_size: bool) -> dict[str, Any]:
    low, quarter, middle, three, high = np.quantile(cell.size if of_size else cell.coverage, [0, 0.25, 0.5, 0.75, 1])
    return {
        "method": option_title("method", cell.settings.method),
        f"smallest {name}": low,
        "lower quarter": quarter,
        "median": middle,
        "upper quarter": three,
        "largest": high,
    }
