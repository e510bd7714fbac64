"""A hundred held-out rows with their intervals or sets: what coverage looks like as people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dpcp_core.presentation.figures.axes import typical_window
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.set_strip import set_strip
from dpcp_core.presentation.figures.theme import (
    Theme,
    axis,
    base_layout,
    figure_of,
    hit_marker,
    legend_above,
    miss_marker,
    plotly_text,
    theme_of,
    wrapped,
)
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.plain import axis_title, noun_of
from dpcp_core.presentation.wording.regions import is_of_classes
from dpcp_core.presentation.wording.titles import strip_sentence

if TYPE_CHECKING:
    from dpcp_core.experiments.result import HeldOutIntervals, SimulationResult


def strip(result: SimulationResult, *, dark: bool = False) -> Picture:
    """Draw held-out rows, sorted by prediction, each with its interval or set and the truth.

    Intervals are bars over a number's axis; sets are filled cells, one lane for each class.

    Parameters
    ----------
    result
        A finished simulation; its ``rows`` are shown.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has one line per row: rank, predicted, lower, upper, true value, inside; for classes rank, set, true
        class, its probability, inside.

    Privacy
    -------
    Shows true values of real rows: the curator's view, never part of a release.
    """
    if is_of_classes(result):
        return set_strip(result, dark=dark)
    table = _table(result)
    theme = theme_of(dark)
    hover = _hover(table, result)
    traces = [_intervals(table, theme, hover), *_values(table, theme, hover)]
    layout = base_layout(
        theme,
        height=360,
        xaxis=axis(
            theme,
            plotly_text(f"One bar for each {noun_of(result)}, by predicted value"),
            range=[0.2, len(table) + 0.8],
            showgrid=False,
            showticklabels=False,
        ),
        yaxis=axis(theme, wrapped(axis_title(result.target)), range=list(_range(result, table)), nticks=8),
        legend=legend_above(theme),
    )
    return Picture(figure_of(traces, layout), strip_sentence(result), _alt(result, table), table)


def _table(result: SimulationResult) -> pd.DataFrame:
    rows: HeldOutIntervals = result.rows  # type: ignore[assignment]  # what a number's result holds
    order = np.argsort(rows.predicted, kind="stable")
    return pd.DataFrame(
        {
            "rank": np.arange(1, len(order) + 1),
            "predicted": rows.predicted[order],
            "lower": rows.lower[order],
            "upper": rows.upper[order],
            "truth": rows.truth[order],
            "inside": np.asarray(rows.covered, dtype=bool)[order],
        }
    )


def _range(result: SimulationResult, table: pd.DataFrame) -> tuple[float, float]:
    low = float(min(table["lower"].min(), table["truth"].min()))
    high = float(max(table["upper"].max(), table["truth"].max()))
    start, end = typical_window(result.target.bounds or (low, high), result.target.typical, low, high)
    air = 0.02 * (end - start)
    return start - air, end + air


def _intervals(table: pd.DataFrame, theme: Theme, hover: list[str]) -> dict[str, Any]:
    inside = table["inside"].to_numpy()
    return {
        "type": "bar",
        "x": table["rank"].to_numpy(),
        "base": table["lower"].round(6).tolist(),
        "y": (table["upper"] - table["lower"]).round(6).to_numpy(),
        "width": 0.64,
        "marker": {"color": np.where(inside, theme.band, theme.miss_band).tolist(), "line": {"width": 0}},
        "name": "interval",
        "showlegend": False,
        "hovertext": hover,
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _values(table: pd.DataFrame, theme: Theme, hover: list[str]) -> list[dict[str, Any]]:
    inside = table["inside"].to_numpy()
    return [
        _points(table[inside], f"true value inside: {int(inside.sum())}", hit_marker(theme), hover),
        _points(table[~inside], f"outside: {int((~inside).sum())}", miss_marker(theme), hover),
    ]


def _points(part: pd.DataFrame, name: str, marker: dict[str, Any], hover: list[str]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": part["rank"].to_numpy(),
        "y": part["truth"].to_numpy(),
        "marker": marker,
        "name": name,
        "showlegend": True,
        "hovertext": [hover[row] for row in part.index],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _hover(part: pd.DataFrame, result: SimulationResult) -> list[str]:
    unit = plotly_text(result.target.unit)
    columns = (part[name].tolist() for name in ("truth", "inside", "lower", "upper", "predicted"))
    return [
        f"true value {say.quantity(truth, unit, 3)}, {'inside' if inside else 'outside'}"
        f"<br>interval {say.quantity(lower, '', 3)} to {say.quantity(upper, unit, 3)}"
        f"<br>predicted {say.quantity(predicted, unit, 3)}"
        for truth, inside, lower, upper, predicted in zip(*columns, strict=True)
    ]


def _alt(result: SimulationResult, table: pd.DataFrame) -> str:
    unit = result.target.unit
    above = int((table["truth"] > table["upper"]).sum())
    below = int((table["truth"] < table["lower"]).sum())
    middle = float((table["upper"] - table["lower"]).median())
    where = f" ({above} above, {below} below)" if above + below else ""
    low, high = table["predicted"].iloc[0], table["predicted"].iloc[-1]
    return (
        f"{strip_sentence(result)}{where}. Predictions run from {say.quantity(low, '', 3)} to "
        f"{say.quantity(high, unit, 3)}; the middle interval is {say.quantity(middle, unit)} wide."
    )
