"""Coverage within each public group, with its uncertainty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dpcp_core.errors import InputError
from dpcp_core.presentation.figures.axes import outward
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.theme import (
    Theme,
    axis,
    base_layout,
    figure_of,
    legend_above,
    plotly_text,
    target_line,
    theme_of,
    wrapped,
)
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.group_words import (
    group_interval,
    group_name,
    group_sentence,
    groups_sentence,
    measured,
    worst_group,
)
from dpcp_core.presentation.wording.nouns import shortened
from dpcp_core.presentation.wording.regions import is_of_classes

if TYPE_CHECKING:
    from dpcp_core.experiments.result import GroupResult, SimulationResult

MOST_GROUPS = 25
"""Of more groups, those with the lowest coverage are drawn."""


def groups(result: SimulationResult, *, dark: bool = False) -> Picture:
    """Draw mean coverage within each public group, with its 95 % interval, against the target.

    Parameters
    ----------
    result
        A finished simulation of a table with a group column.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has one line per group, also of those that are not drawn.

    Raises
    ------
    InputError
        The table has no group column, or no row of any group was held out.

    Privacy
    -------
    Measured on real rows: the curator's view, never part of a release.
    """
    if not measured(result):
        raise InputError('There are no groups to draw; give one column the role "group" in the schema.')
    theme, shown = theme_of(dark), _shown(result)
    below = [_is_below(result, group) for group in shown]
    traces = [
        _points(result, shown, below, theme, marked=False),
        _points(result, shown, below, theme, marked=True),
    ]
    layout = base_layout(
        theme,
        height=120 + 44 * len(shown),
        margin={"l": 8, "r": 16, "t": 40, "b": 8, "pad": 4},
        xaxis=axis(theme, "Coverage", range=list(_range(result, shown)), ticksuffix=f"{say.NARROW}%", nticks=6),
        yaxis=axis(
            theme,
            wrapped(shortened(shown[0].column)),
            range=[-0.6, len(shown) - 0.4],
            tickvals=list(range(len(shown))),
            ticktext=[_label(group) for group in shown],
            showgrid=False,
        ),
        shapes=[target_line(result.settings.confidence_level, theme)],
        legend=legend_above(theme),
    )
    return Picture(figure_of(traces, layout), groups_sentence(result), _alt(result), _table(result))


def _shown(result: SimulationResult) -> tuple[GroupResult, ...]:
    """Return the groups that are drawn, from the bottom up, so that the schema's first is at the top."""
    all_groups = measured(result)
    if len(all_groups) > MOST_GROUPS:
        all_groups = tuple(sorted(all_groups, key=lambda group: group.coverage_mean)[:MOST_GROUPS])
    return all_groups[::-1]


def _label(group: GroupResult) -> str:
    return f"{plotly_text(group_name(group))}<br>{say.whole(group.n_test)} rows"


def _is_below(result: SimulationResult, group: GroupResult) -> bool:
    """Whether a group's coverage is surely below the target."""
    interval = group_interval(group)
    return interval is not None and interval[1] < result.settings.confidence_level


def _points(
    result: SimulationResult, shown: tuple[GroupResult, ...], below: list[bool], theme: Theme, *, marked: bool
) -> dict[str, Any]:
    at = [place for place, is_below in enumerate(below) if is_below == marked]
    means = np.array([100 * shown[place].coverage_mean for place in at])
    ends = 100 * np.array([group_interval(shown[place]) or (np.nan, np.nan) for place in at]).reshape(-1, 2)
    colour, symbol = (theme.miss_edge, "x") if marked else (theme.result, "circle")
    name = f"surely below the target: {len(at)}" if marked else f"not surely below: {len(at)}"
    return {
        "type": "scatter",
        "mode": "markers",
        "x": means,
        "y": at,
        "marker": {"color": colour, "symbol": symbol, "size": 10},
        "error_x": {
            "type": "data", "symmetric": False, "array": ends[:, 1] - means, "arrayminus": means - ends[:, 0],
            "color": colour, "thickness": 2.5, "width": 0,
        },
        "name": name,
        "showlegend": True,
        "hovertext": [plotly_text(group_sentence(result, shown[place])) for place in at],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }  # fmt: skip


def _range(result: SimulationResult, shown: tuple[GroupResult, ...]) -> tuple[float, float]:
    """Return ten points around the target, in per cent; more in steps of five where groups lie further out."""
    target = 100 * result.settings.confidence_level
    ends = [100 * end for group in shown for end in (group_interval(group) or ())]
    low, high = outward(min([target - 10, *ends]), max([min(target + 10, 100.0), *ends]), 5)
    return max(low, 0.0) - 0.4, min(high, 100.0) + 0.6


def _alt(result: SimulationResult) -> str:
    sentences = [f"{groups_sentence(result)}."]
    told = measured(result)
    worst = worst_group(result)
    if len(told) > 5:
        told = () if worst is None else (worst,)
    sentences += [group_sentence(result, group) for group in told]
    return " ".join([*sentences, f"The target is {say.level(result.settings.confidence_level)}."])


def _table(result: SimulationResult) -> pd.DataFrame:
    size = "set_size" if is_of_classes(result) else "width"
    rows = []
    for group in result.groups:
        low, high = group_interval(group) or (np.nan, np.nan)
        certified = None if group.certificate is None else group.certificate.holds
        rows.append(
            (group.name, group.n_test, group.n_calibration, group.coverage_mean, low, high, group.size_mean, certified)
        )
    names = ["group", "rows_held_out", "rows_ranked", "coverage", "low", "high", size, "own_certificate"]
    table = pd.DataFrame(rows, columns=names)
    return table if result.settings.by_group else table.drop(columns="own_certificate")
