"""What not to do: a quantile drawn from the scores themselves, with the exponential mechanism's weights.

It looks private, as the draw is random. It is not: what is released is somebody's exact score, and a row that is
emptied takes its score from the candidates, after which the same answer is impossible. Kept for the lesson.

>>> spread = order_statistics_distribution([0.1, 0.4, 0.9], epsilon=2.0, miss_rate=0.6)
>>> spread.edges, spread.probabilities.round(2)
(array([[0.1, 0.4, 0.9]]), array([[0.14, 0.37, 0.49]]))
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcp_core import _validate
from dpcp_core.errors import InputError
from dpcp_core.privacy.losses import GUARANTEES, LOSSES
from dpcp_core.privacy.mechanisms import draw_edges, exponential_log_probabilities
from dpcp_core.privacy.quantile import all_on_last
from dpcp_core.privacy.quantile_task import QuantileDraw, QuantileNote
from dpcp_core.privacy.targets import target_count

NOT_PRIVATE = QuantileNote(
    "Quantile drawn among the scores themselves (not private)",
    "without bound: the threshold is somebody's exact score",
    "the candidates are the sorted scores, not a public grid",
    math.inf,
    0.0,
    None,
    math.inf,
)


@dataclass(frozen=True, eq=False)
class OrderStatisticsDistribution:
    """How likely each score is to be the threshold; not private.

    Attributes
    ----------
    edges
        (R, n) sorted scores of each set.
    log_probabilities
        (R, n); scores that are equal share theirs.
    target
        Count of scores above the threshold that was aimed at; 0 or less means the largest score.
    """

    edges: NDArray[np.float64]
    log_probabilities: NDArray[np.float64]
    target: float

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Probabilities, in the shape of ``log_probabilities``."""
        return np.exp(self.log_probabilities)

    def sample(self, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw one score per set, (R,)."""
        ranks = np.arange(self.edges.shape[1], dtype=np.float64)
        places = draw_edges(self.log_probabilities, ranks, rng).astype(np.int64)
        return self.edges[np.arange(len(places)), places]


def order_statistics_distribution(
    scores: ArrayLike, *, epsilon: float, miss_rate: float, loss: str = "paper", guarantee: str = "paper"
) -> OrderStatisticsDistribution:
    """Return the distribution of a quantile drawn among the scores.

    Parameters
    ----------
    scores
        (n,) or (n, R), a set per column, in any order.
    epsilon, miss_rate, loss, guarantee
        As in ``quantile_distribution``; n takes the place of the number of bins.

    Returns
    -------
    OrderStatisticsDistribution

    Raises
    ------
    InputError
        If there are no scores, one is NaN, or a parameter is out of range.

    Notes
    -----
    **Privacy**: none at all, whatever ``epsilon`` is.

    **Guarantee**: none that is proved here, as the candidates depend on the scores.
    """
    table = _sorted_columns(scores)
    n = len(table)
    _validate.one_of(GUARANTEES, guarantee=guarantee)
    target = target_count(guarantee, n, miss_rate, epsilon, n, loss)
    edges = np.ascontiguousarray(table.T)
    if target <= 0:
        return OrderStatisticsDistribution(edges, all_on_last(edges.shape), target)
    aim = LOSSES[loss].aiming_at(target, n=n, guarantee=guarantee)
    utility = aim.utility(*_counts(edges))
    logs = exponential_log_probabilities(utility, aim.sensitivity, epsilon, aim.range_factor)
    return OrderStatisticsDistribution(edges, logs, target)


def draw_order_statistics(
    scores: ArrayLike,
    rng: np.random.Generator,
    *,
    epsilon: float,
    miss_rate: float,
    loss: str = "paper",
    guarantee: str = "paper",
) -> QuantileDraw:
    """Draw one score per column of ``scores``; see ``order_statistics_distribution``.

    Returns
    -------
    QuantileDraw
        Without a distribution, since each set has candidates of its own, and never certified.
    """
    spread = order_statistics_distribution(scores, epsilon=epsilon, miss_rate=miss_rate, loss=loss, guarantee=guarantee)
    return QuantileDraw(spread.sample(rng), None, spread.target, None, certified=False)


def _sorted_columns(scores: ArrayLike) -> NDArray[np.float64]:
    values = np.asarray(scores, dtype=np.float64)
    table = values[:, None] if values.ndim == 1 else values
    if table.ndim != 2 or not table.size:
        raise InputError("scores must be a list of at least one number, or a table with a set per column.")
    if np.isnan(table).any():
        raise InputError("scores must not be missing (NaN); clean them first.")
    return np.sort(table, axis=0)


def _counts(edges: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how many scores lie above and below each sorted score, (R, n) each; ties are neither."""
    n = edges.shape[1]
    below = np.stack([np.searchsorted(row, row, "left") for row in edges])
    above = n - np.stack([np.searchsorted(row, row, "right") for row in edges])
    return above, below
