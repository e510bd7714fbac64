"""How a model errs: the spread of its signed scores, from one noisy histogram that is paid for.

A score says how far a truth is from its prediction; its sign says on which side. Bins are public, fine near 0 and
coarse far from it, so any quantile of the errors follows from the shares of the bins without another look at the rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcp_core._arrays import Floats
from dpcp_core.conformal.fitting import Fitted
from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.scores.protocol import Score
from dpcp_core.data.target import Target
from dpcp_core.experiments.dividing import divide, shuffled_rows
from dpcp_core.experiments.trained import TrainedRuns
from dpcp_core.privacy.noisy_distribution import noisy_shares

BINS_A_SIDE = 16
N_BINS = 2 * BINS_A_SIDE + 1


@dataclass(frozen=True, eq=False)
class ErrorShape:
    """Shares of signed scores in bins.

    Attributes
    ----------
    edges : array of shape (M + 1,)
        In score units, public; truths above their prediction have positive scores.
    shares : array of shape (M,)
        With the noise that ``epsilon`` wants.
    n : int
        Rows that were counted.
    epsilon : float
        What the histogram cost; infinity if it is exact, and not private.
    """

    edges: Floats
    shares: Floats
    n: int
    epsilon: float

    def quantiles(self, levels: Floats) -> Floats:
        """Return signed scores with these shares of the rows below them, rows spread evenly within a bin.

        >>> shape = ErrorShape(np.array([-4.0, -1.0, 1.0, 4.0]), np.array([0.25, 0.5, 0.25]), 100, 1.0)
        >>> shape.quantiles(np.array([0.125, 0.5, 0.75])).tolist()
        [-2.5, 0.0, 1.0]
        """
        below = np.concatenate([[0.0], np.cumsum(self.shares)])
        return np.interp(levels, below, self.edges)


def public_edges(score: Score, target: Target) -> Floats:
    """Return the ends of the bins: geometric on both sides of 0, from the finest score worth telling apart.

    >>> from dpcp_core.data.target import NumericTarget
    >>> edges = public_edges(SCORES["absolute"], NumericTarget(centre=130.0, spread=15.0, lower=70.0, upper=230.0))
    >>> len(edges) - 1, edges[[0, 16, 17, 33]].round(3).tolist()
    (33, [-160.0, -1.5, 1.5, 160.0])
    """
    largest = score.bound(target)
    side = np.geomspace(min(score.smallest(target), largest / 2), largest, BINS_A_SIDE + 1)
    return np.concatenate([-side[::-1], side])


def signed_scores(runs: TrainedRuns, fitted: Fitted) -> Floats:
    """Return the scores of the ranked rows of the first repetition, negative where the truth is below the prediction.

    Notes
    -----
    **Privacy.** None: functions of somebody's truth, for a mechanism and not for anybody's eyes.
    """
    prepared, task = runs.prepared, runs.task
    ranked = divide(shuffled_rows(prepared.n_rows, task), task).rank[:, 0]
    truth, predicted = prepared.truth[ranked][:, None], fitted.predict(prepared.features[ranked])[:, :1]
    scores = SCORES[task.score].scores(truth, predicted, prepared.goal, None)
    return np.where(truth < predicted[..., 0], -scores, scores)[:, 0]


def error_shape(runs: TrainedRuns, fitted: Fitted, epsilon: float, rng: np.random.Generator) -> ErrorShape:
    """Count the signed scores of the first repetition with noise.

    Notes
    -----
    **Privacy.** ``epsilon`` on top of what the models cost: a row is in one bin. Infinity counts exactly.
    """
    edges = public_edges(SCORES[runs.task.score], runs.prepared.goal)
    counts, _ = np.histogram(np.clip(signed_scores(runs, fitted), edges[0], edges[-1]), edges)
    n = runs.n_calibration
    return ErrorShape(edges, noisy_shares(counts, n, epsilon, rng), n, epsilon)
