"""A bound of the scores, bought with a part of the quantile's budget, where the public bound is far too large.

A coarse private quantile finds out up to where scores reach; the candidates are then spread below that, and only the
last one is still the public bound. Every candidate is bought or public, and the last one bounds every score, so the
certificate of the quantile holds as it does on a public grid: it holds for each grid that the first step may choose.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpcp_core.data.target import Floats
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.quantile_mechanisms import QUANTILES
from dpcp_core.privacy.quantile_task import QuantileDraw, QuantileNote, QuantileTask

_COARSE_BINS = 24
# The bound should leave room above the quantile that is wanted, or the fine candidates would end below it.
_LEVEL_PART = 0.25


def draw_with_bought_bound(
    scores: Floats, task: QuantileTask, bound_share: float, smallest: float, rng: np.random.Generator
) -> tuple[QuantileDraw, tuple[QuantileNote, ...]]:
    """Draw one threshold per column of scores, below a bound that was bought.

    Parameters
    ----------
    scores : array of shape (n, R)
        Sorted within each column.
    task : QuantileTask
        What would be asked without a bought bound.
    bound_share : float
        Share of the task's epsilon that pays for the bound, in (0, 1).
    smallest : float
        Finest candidate, in score units.
    rng : numpy Generator

    Returns
    -------
    draw : QuantileDraw
        Its distribution is that of the first column.
    notes : tuple of QuantileNote
        A line of the receipt for each of the two steps.

    Notes
    -----
    **Privacy.** The two steps read the same scores: their epsilons add up to the task's, also as lengths of the range
    that the tight composition with training reads (docs/guarantees.md).
    """
    exponential = QUANTILES["exponential"]
    coarse = replace(
        task,
        grid=Grid.geometric(smallest=smallest, largest=task.grid.largest, bins=_COARSE_BINS),
        epsilon=task.epsilon * bound_share,
        miss_rate=task.miss_rate * _LEVEL_PART,
    )
    bounds = exponential.draw(scores, coarse, rng).thresholds
    draws = []
    for column, bound in enumerate(bounds):
        fine = replace(task, grid=_below(float(bound), task.grid, smallest), epsilon=task.epsilon * (1 - bound_share))
        draws.append(exponential.draw(scores[:, column : column + 1], fine, rng))
    first = draws[0]
    drawn = replace(first, thresholds=np.array([draw.thresholds[0] for draw in draws]))
    bought = replace(exponential.describe(coarse), mechanism="Bound of the scores, bought (exponential mechanism)")
    rest = exponential.describe(replace(task, epsilon=task.epsilon * (1 - bound_share)))
    return drawn, (bought, replace(rest, detail=f"{task.grid.bins} candidate thresholds below the bought bound"))


def _below(bound: float, public: Grid, smallest: float) -> Grid:
    """Return candidates up to the bought bound, and the public bound as the last one."""
    if bound >= public.largest or bound <= smallest or public.bins < 3:
        return public
    fine = Grid.geometric(smallest=smallest, largest=bound, bins=public.bins - 1)
    return Grid(np.append(fine.edges, public.largest), kind=public.kind)
