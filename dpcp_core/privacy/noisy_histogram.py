"""A private quantile from a noisy histogram of the scores on the public grid.

Which edge would be released? ``noisy_crossing(counts_above, ...)``. What do the bins cost?
``mean_highest_walk(bins, epsilon)`` rows: noise adds up over the bins above an edge.

The noise is a difference of two geometric numbers, the whole-number form of Laplace noise: equally private, a little
smaller, and without low bits that could tell one table from another.

>>> from dpcp_core.privacy.grid import Grid
>>> from dpcp_core.privacy.randomness import simulation_generator
>>> grid = Grid.uniform(largest=1.0, bins=20)
>>> above = grid.counts_above(np.linspace(0.0, 1.0, 2000))[None]
>>> grid.edges[noisy_crossing(above, 180.0, 1.0, simulation_generator(0))]
array([0.95])
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from dpcp_core import _validate
from dpcp_core._arrays import Counts
from dpcp_core._words import number_text
from dpcp_core.privacy.quantile_task import NOTHING_READ, QuantileDraw, QuantileNote, QuantileTask, columns, plain_rank
from dpcp_core.privacy.targets import nothing_narrower
from dpcp_core.privacy.whole_noise import whole_laplace


def noisy_crossing(counts_above: Counts, target: float, epsilon: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the first edge that has at most ``target`` scores above it according to a noisy histogram.

    Parameters
    ----------
    counts_above
        (R, M), as ``Grid.counts_above`` gives them; their differences are the histogram.
    target
        Count ``c``, 0 or more.
    epsilon
        Of the histogram.
    rng
        Explicit generator.

    Returns
    -------
    ndarray
        (R,) indices of edges. The last edge has nothing above it, without noise.

    Notes
    -----
    **Privacy**: ``epsilon``. A row lies in one bin; emptying it lowers that one count by 1.

    Examples
    --------
    >>> noisy_crossing(np.array([[9, 6, 2, 0]]), 2.0, float("inf"), np.random.default_rng(0))
    array([2])
    """
    sets, bins = counts_above.shape
    noise = whole_laplace(epsilon, (sets, bins - 1), rng)
    # Noise of the bins above each edge, summed from the top.
    noisy_above = counts_above[:, :-1] + np.cumsum(noise[:, ::-1], axis=1)[:, ::-1]
    enough = np.concatenate([noisy_above <= target, np.ones((sets, 1), np.bool_)], axis=1)
    first: NDArray[np.int64] = np.argmax(enough, axis=1)
    return first


def mean_highest_walk(bins: int, epsilon: float) -> float:
    """Return how high a sum of Laplace noises climbs on average, ``max(0, Z_1, Z_1 + Z_2, ...)`` over M - 1 of them.

    Parameters
    ----------
    bins
        Number of edges, ``M``.
    epsilon
        Of each noise; infinity gives 0.

    Returns
    -------
    float
        ``((2 M - 1) binom(2 M - 2, M - 1) / 4**(M - 1) - 1) / epsilon``, about ``(2 sqrt(M / pi) - 1) / epsilon``.

    Notes
    -----
    By Spitzer's identity the mean is the sum over k of ``E max(0, S_k) / k``, which for Laplace noise is
    ``binom(2 k, k) / 4**k / epsilon``. It bounds the walk of whole-number noises too: those are Laplace noises of
    which a part with mean 0 was taken away, and the highest point is a convex function of the steps.

    References
    ----------
    Spitzer, A Combinatorial Lemma and its Application to Probability Theory (1956).

    Examples
    --------
    >>> mean_highest_walk(2, 1.0), round(mean_highest_walk(100, 1.0), 2)
    (0.5, 10.27)
    """
    steps = _validate.whole(bins=bins) - 1
    log_binomial = float(gammaln(2 * steps + 1) - 2 * gammaln(steps + 1)) - steps * math.log(4)
    return ((2 * steps + 1) * math.exp(log_binomial) - 1) / _validate.positive(infinite=True, epsilon=epsilon)


def certified_histogram_target(n: int, miss_rate: float, epsilon: float, bins: int) -> float:
    """Return the count ``c`` to aim at so that a new score is missed with probability at most ``miss_rate``.

    Parameters
    ----------
    n, miss_rate, epsilon, bins
        As in ``certified_target``.

    Returns
    -------
    float
        ``(n + 1) beta - 1 - mean_highest_walk(bins, epsilon)``; 0 or less means that there is none.

    Notes
    -----
    **Guarantee**: for exchangeable scores that the last edge bounds. The edge found has ``k_J + S_J <= c`` with the
    noises' sum ``S_J`` above it, or is the last, with ``k_J = 0``. So ``k_J`` is at most ``c + max(0, max_j(-S_j))``,
    which is independent of every score; with its mean in place of ``c + (2 / epsilon) ln M`` the proof of
    ``certified_target`` goes through. It costs fewer rows than that for less than about 60 bins.

    Examples
    --------
    >>> round(certified_histogram_target(n=4000, miss_rate=0.1, epsilon=0.5, bins=100), 2)
    378.56
    """
    rows, beta = _validate.whole(n=n), _validate.share(miss_rate=miss_rate)
    return (rows + 1) * beta - 1 - mean_highest_walk(bins, epsilon)


class HistogramQuantile:
    """A histogram of the scores on the grid, with whole-number Laplace noise on every bin.

    Notes
    -----
    **Privacy**: the task's ``epsilon``, from above and from below: log-ratios lie in an interval of twice that
    length, which is what the tight composition with training has to be given.

    **Guarantee**: ``"certified"`` is ours, see ``certified_histogram_target``. ``"paper"`` is as published: the
    rank ``ceil((n + 1)(1 - alpha))`` without any correction for noise, which misses too often.
    """

    name: ClassVar[str] = "histogram"
    title: ClassVar[str] = "noisy histogram"
    sentence: ClassVar[str] = "Counts the scores between candidates, puts noise on every count and sums from the top."
    guarantees: ClassVar[tuple[str, ...]] = ("paper", "certified")

    def draw(self, scores: ArrayLike, task: QuantileTask, rng: np.random.Generator) -> QuantileDraw:
        """Draw one threshold per column of ``scores``, each from a noisy histogram of its own."""
        above = task.grid.counts_above(columns(scores, task))
        target, note = self._aim(task)
        edges = task.grid.edges
        index = np.full(len(above), -1) if note else noisy_crossing(above, target, task.epsilon, rng)
        return QuantileDraw(edges[index], None, target, len(edges), task.guarantee == "certified", note)

    def describe(self, task: QuantileTask) -> QuantileNote:
        """Return its line on a receipt."""
        _, note = self._aim(task)
        bins, spread = task.grid.bins, math.sqrt(2) / task.epsilon
        return QuantileNote(
            "Private quantile (histogram with whole-number Laplace noise)",
            NOTHING_READ if note else "1 row (in one bin)",
            f"noise with standard deviation of about {number_text(spread)} rows on each of {bins} bins of a public "
            f"{task.grid.kind} grid",
            task.epsilon,
            0.0,
            None,
            2 * task.epsilon,
        )

    def _aim(self, task: QuantileTask) -> tuple[float, str]:
        """Return the target and, if there is none, a sentence on it."""
        task.require_guarantee(self)
        n, beta, epsilon, bins = task.n, task.miss_rate, task.epsilon, task.grid.bins
        if task.guarantee == "paper":
            return plain_rank(task)
        target = certified_histogram_target(n, beta, epsilon, bins)
        least = (1 + mean_highest_walk(bins, epsilon)) / beta - 1
        return target, "" if target > 0 else nothing_narrower(n, epsilon, bins, least, "certified")
