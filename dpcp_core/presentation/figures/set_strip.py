"""A hundred held-out rows with their sets of classes: a column for each row, a lane for each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpcp_core.experiments.result import HeldOutSets
from dpcp_core.presentation.figures.picture import Picture
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
from dpcp_core.presentation.wording.nouns import shortened
from dpcp_core.presentation.wording.plain import axis_title, noun_of
from dpcp_core.presentation.wording.titles import strip_sentence

if TYPE_CHECKING:
    from dpcp_core.experiments.result import SimulationResult

MOST_LANES = 10
"""With more classes than this, lanes are guesses: the likeliest class, the next, and so on."""

LONGEST_NAME = 18


@dataclass(frozen=True)
class _Lanes:
    """What the picture shows, rows in the order in which they stand.

    Attributes
    ----------
    names
        Of the lanes, the first one at the top.
    members
        (k, lanes), whether the set holds what the lane stands for.
    truth
        (k,), the lane of the true class.
    """

    names: list[str]
    members: npt.NDArray[np.bool_]
    truth: npt.NDArray[np.int64]

    @property
    def heights(self) -> npt.NDArray[np.int64]:
        """Where the lanes lie: the first one at the top."""
        return np.arange(len(self.names))[::-1]


def set_strip(result: SimulationResult, *, dark: bool = False) -> Picture:
    """Draw held-out rows, likely alike ones side by side, each with its set and its true class.

    Parameters
    ----------
    result
        A finished simulation of classes; its ``rows`` are shown.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has one line per row: rank, set, true class, its probability, inside.

    Privacy
    -------
    Shows true classes of real rows: the curator's view, never part of a release.
    """
    rows, theme = sorted_rows(result), theme_of(dark)
    lanes, covered = _lanes(result, rows), rows.covered
    table = _table(result, rows)
    hover = _hover(table)
    traces = [
        _cells(lanes, covered, theme),
        _points(lanes, covered, hover, f"true class in its set: {int(covered.sum())}", hit_marker(theme)),
        _points(lanes, ~covered, hover, f"not in it: {int((~covered).sum())}", miss_marker(theme)),
    ]
    layout = base_layout(
        theme,
        height=max(260, 110 + 30 * len(lanes.names)),
        xaxis=axis(
            theme,
            plotly_text(f"One column for each {noun_of(result)}, by prediction"),
            range=[0.2, len(table) + 0.8],
            showgrid=False,
            showticklabels=False,
        ),
        yaxis=axis(
            theme,
            wrapped(_lane_title(result)),
            range=[-0.6, len(lanes.names) - 0.4],
            tickvals=lanes.heights.tolist(),
            ticktext=[plotly_text(name) for name in lanes.names],
            showgrid=False,
        ),
        legend=legend_above(theme),
    )
    return Picture(figure_of(traces, layout), strip_sentence(result), _alt(result, table), table)


def sorted_rows(result: SimulationResult) -> HeldOutSets:
    """Return the rows shown: two classes by the first one's probability, more by the likeliest class."""
    rows = result.rows
    assert isinstance(rows, HeldOutSets)
    first = -rows.probabilities[:, 0]
    if rows.probabilities.shape[1] > 2:
        order = np.lexsort((-rows.probabilities.max(axis=1), rows.probabilities.argmax(axis=1)))
    else:
        order = np.argsort(first, kind="stable")
    return HeldOutSets(rows.probabilities[order], rows.members[order], rows.truth[order])


def class_names(result: SimulationResult) -> list[str]:
    """Return the classes' names, short enough for an axis."""
    return [shortened(name, LONGEST_NAME) for name in result.target.categories]


def _by_guess(result: SimulationResult) -> bool:
    return len(result.target.categories) > MOST_LANES


def _lane_title(result: SimulationResult) -> str:
    return "Guesses of the model" if _by_guess(result) else axis_title(result.target)


def _lanes(result: SimulationResult, rows: HeldOutSets) -> _Lanes:
    if not _by_guess(result):
        return _Lanes(class_names(result), rows.members, rows.truth)
    order = np.argsort(-rows.probabilities, axis=1, kind="stable")
    members = np.take_along_axis(rows.members, order, axis=1)
    rank = np.argmax(order == rows.truth[:, None], axis=1)
    names = ["likeliest", *(f"{place}." for place in range(2, MOST_LANES)), "later"]
    shown = np.column_stack([members[:, : MOST_LANES - 1], members[:, MOST_LANES - 1 :].any(axis=1)])
    return _Lanes(names, shown, np.minimum(rank, MOST_LANES - 1))


def _cells(lanes: _Lanes, covered: npt.NDArray[np.bool_], theme: Theme) -> dict[str, Any]:
    """Fill the cells of each set: one surface where it holds the true class, another where it misses it."""
    kinds = np.where(lanes.members, np.where(covered, 0.0, 1.0)[:, None], np.nan)
    return {
        "type": "heatmap",
        "x": np.arange(1, len(covered) + 1),
        "y": lanes.heights,
        "z": kinds.T,
        "zmin": 0,
        "zmax": 1,
        "colorscale": [[0, theme.band], [0.5, theme.band], [0.5, theme.miss_band], [1, theme.miss_band]],
        "showscale": False,
        "xgap": 0.5,
        "ygap": 5,
        "hoverinfo": "skip",
        "hoverongaps": False,
    }


def _points(
    lanes: _Lanes, chosen: npt.NDArray[np.bool_], hover: list[str], name: str, marker: dict[str, Any]
) -> dict[str, Any]:
    at = np.flatnonzero(chosen)
    return {
        "type": "scatter",
        "mode": "markers",
        "x": at + 1,
        "y": lanes.heights[lanes.truth[at]],
        "marker": marker,
        "name": name,
        "showlegend": True,
        "hovertext": [hover[i] for i in at],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _table(result: SimulationResult, rows: HeldOutSets) -> pd.DataFrame:
    names = np.asarray(result.target.categories, dtype=object)
    return pd.DataFrame(
        {
            "rank": np.arange(1, len(rows.truth) + 1),
            "set": [", ".join(names[members]) or "none" for members in rows.members],
            "truth": names[rows.truth],
            "probability_of_truth": rows.probabilities[np.arange(len(rows.truth)), rows.truth],
            "inside": rows.covered,
        }
    )


def _hover(table: pd.DataFrame) -> list[str]:
    return [
        f"true class {plotly_text(shortened(truth))}, {'in the set' if inside else 'not in the set'}"
        f"<br>set: {plotly_text(shortened(members))}"
        f"<br>the model gave the true class {say.percent(probability)}"
        for truth, inside, members, probability in zip(
            table["truth"], table["inside"], table["set"], table["probability_of_truth"], strict=True
        )
    ]


def _alt(result: SimulationResult, table: pd.DataFrame) -> str:
    rows = result.rows
    assert isinstance(rows, HeldOutSets)
    sizes = rows.members.sum(axis=1)
    single, empty = int((sizes == 1).sum()), int((sizes == 0).sum())
    nothing = f", {empty} name none" if empty else ""
    return (
        f"{strip_sentence(result)}. {single} of the {len(table)} sets name a single class{nothing}; "
        f"the largest holds {int(sizes.max())} of {len(result.target.categories)}."
    )
