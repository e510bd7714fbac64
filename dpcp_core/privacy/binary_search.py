"""A private quantile by noisy binary search on the public grid (P-COQS).

Which edge would be released? ``noisy_search(counts_above, ...)``. How likely was each?
``search_log_probabilities(counts_above, ...)``, exact: a path through the search is a product of Gaussian tails.
How much noise at equal zero-concentrated privacy? ``search_noise(epsilon, bins)``.

The published search halves the range [0, B] 34 times, down to 1e-10. This one halves the public grid, so that it
needs ``ceil(log2 M)`` noisy counts (7 for 100 edges); the same budget then buys less than half of the noise.

>>> from dpcp_core.privacy.grid import Grid
>>> scores = np.linspace(0.0, 1.0, 2000)
>>> grid = Grid.uniform(largest=1.0, bins=100)
>>> logs = search_log_probabilities(grid.counts_above(scores), target=200.0, noise=search_noise(1.0, 100))
>>> grid.edges[np.argmax(logs)], float(np.exp(logs).max().round(2))
(np.float64(0.91), 0.5)
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcp_core import _validate
from dpcp_core._arrays import Counts
from dpcp_core._words import number_text
from dpcp_core.privacy.profile import GaussianProfile
from dpcp_core.privacy.quantile import all_on_last
from dpcp_core.privacy.quantile_task import NOTHING_READ, QuantileDraw, QuantileNote, QuantileTask, columns, plain_rank
from dpcp_core.privacy.randomness import require_generator
from dpcp_core.privacy.targets import nothing_narrower

_TOLERANCE = 1e-6  # rows
_TAIL = 12.0  # standard deviations beyond which a Gaussian has less mass than 1e-32


def search_steps(bins: int) -> int:
    """Return how many noisy counts find one of ``bins`` edges, ``ceil(log2 M)``.

    Examples
    --------
    >>> search_steps(1), search_steps(2), search_steps(100)
    (0, 1, 7)
    """
    return (_validate.whole(bins=bins) - 1).bit_length()


def search_noise(epsilon: float, bins: int) -> float:
    """Return the standard deviation of the noise on each count, ``2 sqrt(N) / epsilon``.

    Parameters
    ----------
    epsilon
        Of the exponential mechanism beside it, above 0; infinity gives no noise.
    bins
        Number of edges.

    Notes
    -----
    **Privacy**: ``N`` counts of sensitivity 1 are mu-GDP with ``mu = sqrt(N) / noise = epsilon / 2``, whatever the
    answers before. That is ``epsilon**2 / 8`` zero-concentrated, just as the exponential mechanism of ``epsilon``.

    References
    ----------
    Cesar and Rogers, Bounding, Concentrating, and Truncating (2021), on bounded range; Bun and Steinke,
    Concentrated Differential Privacy (2016), proposition 1.6, for Gaussian noise.

    Examples
    --------
    >>> round(search_noise(1.0, 100), 2)
    5.29
    """
    return 2 * math.sqrt(search_steps(bins)) / _validate.positive(infinite=True, epsilon=epsilon)


def noisy_search(counts_above: Counts, target: float, noise: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Search once for the first edge with at most ``target`` scores above it, by noisy counts.

    Parameters
    ----------
    counts_above
        (R, M), as ``Grid.counts_above`` gives them.
    target
        Count ``c``.
    noise
        Standard deviation, 0 or more.
    rng
        Explicit generator.

    Returns
    -------
    ndarray
        (R,) indices of edges. The last edge is never counted and is what remains if all the others seem too low.

    Notes
    -----
    **Privacy**: that of ``search_noise``. Each noisy count is compared and forgotten, never released, so that the
    low bits of a floating-point noise cannot tell anything.

    References
    ----------
    P-COQS, arXiv 2507.12497 (2025), and the code published with it.

    Examples
    --------
    >>> noisy_search(np.array([[9, 6, 2, 0]]), 2.0, 0.0, np.random.default_rng(0))
    array([2])
    """
    require_generator(rng)
    sets, bins = counts_above.shape
    low, high = np.zeros(sets, np.int64), np.full(sets, bins - 1)
    for _ in range(search_steps(bins)):
        middle = (low + high) // 2
        counted = counts_above[np.arange(sets), middle] + noise * rng.standard_normal(sets)
        # A set that is settled already has low = high = middle and stays there.
        enough = (counted <= target) | (low == high)
        low, high = np.where(enough, low, middle + 1), np.where(enough, middle, high)
    return high


def search_log_probabilities(counts_above: Counts, target: float, noise: float) -> NDArray[np.float64]:
    """Return the exact log-probabilities of what ``noisy_search`` finds.

    Parameters
    ----------
    counts_above
        (M,) or (R, M).
    target, noise
        As in ``noisy_search``.

    Returns
    -------
    ndarray
        In the shape of ``counts_above``. Each edge but the last is counted at most once on a path, and all paths
        through it agree about it.

    Examples
    --------
    >>> np.exp(search_log_probabilities(np.array([4, 2, 0]), target=2.0, noise=1.0)).round(3)
    array([0.011, 0.489, 0.5  ])
    """
    from scipy.special import log_ndtr

    room = np.asarray(target - counts_above, dtype=np.float64)
    enough, too_low = (log_ndtr(z) for z in _standardised(room, noise))
    bins = room.shape[-1]
    edge, logs = np.arange(bins), np.zeros(room.shape)
    low, high = np.zeros(bins, np.int64), np.full(bins, bins - 1)
    for _ in range(search_steps(bins)):
        middle = (low + high) // 2
        left, open_ = edge <= middle, low < high
        logs += np.where(open_, np.where(left, enough[..., middle], too_low[..., middle]), 0.0)
        low, high = np.where(left, low, middle + 1), np.where(left, middle, high)
    return logs


def _standardised(room: NDArray[np.float64], noise: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if noise > 0:
        return room / noise, -room / noise
    sign = np.where(room >= 0, np.inf, -np.inf)
    return sign, -sign


@lru_cache(maxsize=1024)
def mean_excess(target: float, noise: float, steps: int) -> float:
    """Return the mean of ``max(0, c + the largest of N noises)``, in rows.

    Notes
    -----
    The integral over ``t >= 0`` of ``1 - Phi((t - c) / noise)**N``.

    Examples
    --------
    >>> round(mean_excess(0.0, 1.0, 1), 4), round(mean_excess(50.0, 2.0, 7), 2), mean_excess(3.0, 0.0, 4)
    (0.3989, 52.7, 3.0)
    """
    from scipy.integrate import quad
    from scipy.special import log_ndtr

    if noise == 0 or steps == 0:
        return max(0.0, target)
    first = max(-target / noise, -_TAIL)
    if first >= _TAIL:
        return 0.0
    seen, _ = quad(lambda x: -math.expm1(steps * float(log_ndtr(x))), first, _TAIL, epsabs=1e-11, limit=200)
    # Further below, the largest noise is sure to be higher.
    return noise * (float(seen) + max(0.0, target / noise - _TAIL))


@lru_cache(maxsize=1024)
def certified_search_target(n: int, miss_rate: float, epsilon: float, bins: int) -> float:
    """Return the count ``c`` to aim at so that a new score is missed with probability at most ``miss_rate``.

    Parameters
    ----------
    n, miss_rate, epsilon, bins
        As in ``certified_target``.

    Returns
    -------
    float
        The largest ``c`` with ``mean_excess(c) <= (n + 1) beta - 1``, nearly ``(n + 1) beta - 1`` less the mean
        of the largest of N noises; 0 or less if there is none above 0.

    Notes
    -----
    **Guarantee**: for exchangeable scores that the last edge bounds. An edge that is found was counted, with some
    noise ``Z``, as ``k_J + Z <= c``, or is the last, with ``k_J = 0``. So ``k_J`` is at most ``c + max_i(-Z_i)`` over
    all N noises, or 0 if that is negative. This is independent of every score; with its mean in place of
    ``c + (2 / epsilon) ln M`` the proof of ``certified_target`` goes through.

    Examples
    --------
    >>> round(certified_search_target(n=4000, miss_rate=0.1, epsilon=0.5, bins=100), 2)
    384.79
    """
    from scipy.optimize import brentq

    room = (_validate.whole(n=n) + 1) * _validate.share(miss_rate=miss_rate) - 1
    noise, steps = search_noise(epsilon, bins), search_steps(bins)
    least = mean_excess(0.0, noise, steps)
    if room <= least:
        return room - least
    # A single noise has mean 0, so the target may be all of the room: rounding must not hide that from the search.
    high = room + _TOLERANCE * (1 + noise)
    target = brentq(lambda count: mean_excess(count, noise, steps) - room, 0.0, high, xtol=_TOLERANCE / 4)
    return max(0.0, float(target) - _TOLERANCE)


class BinarySearchQuantile:
    """Noisy binary search on the grid: ``ceil(log2 M)`` counts with Gaussian noise.

    Notes
    -----
    **Privacy**: mu-GDP with ``mu = epsilon / 2``, see ``search_noise``. The task's ``epsilon`` is *not* its cost:
    as (epsilon, delta) that is ``GaussianProfile(mu).epsilon(delta)``, which is larger.

    **Guarantee**: ``"certified"`` is ours, see ``certified_search_target``. ``"paper"`` is as published: the
    rank ``ceil((n + 1)(1 - alpha))`` without any correction for noise, which misses a little too often.
    """

    name: ClassVar[str] = "binary_search"
    title: ClassVar[str] = "noisy binary search"
    sentence: ClassVar[str] = "Halves the candidates by asking how many scores lie above, with noise on every answer."
    guarantees: ClassVar[tuple[str, ...]] = ("paper", "certified")

    def draw(self, scores: ArrayLike, task: QuantileTask, rng: np.random.Generator) -> QuantileDraw:
        """Search once per column of ``scores``."""
        above = task.grid.counts_above(columns(scores, task))
        target, note = self._aim(task)
        edges, noise = task.grid.edges, search_noise(task.epsilon, task.grid.bins)
        if note:
            thresholds, logs = np.full(len(above), edges[-1]), all_on_last(above.shape)
        else:
            thresholds = edges[noisy_search(above, target, noise, rng)]
            logs = search_log_probabilities(above, target, noise)
        spread = task.distribution(logs, target, note, mechanism=self.name)
        return QuantileDraw(thresholds, spread, target, task.grid.bins, spread.certified, note)

    def describe(self, task: QuantileTask) -> QuantileNote:
        """Return its line on a receipt, with its cost at the task's delta."""
        _, note = self._aim(task)
        mu = task.epsilon / 2
        bins, steps = task.grid.bins, search_steps(task.grid.bins)
        noise = number_text(search_noise(task.epsilon, bins), 4)
        return QuantileNote(
            "Private quantile (noisy binary search, as private in zero-concentrated terms as an exponential "
            f"mechanism of epsilon {task.epsilon:g})",
            NOTHING_READ if note else "1 row (in each count)",
            f"{steps} counts with Gaussian noise of {noise} rows, among {bins} candidate thresholds on a public "
            f"{task.grid.kind} grid",
            GaussianProfile(mu).epsilon(task.delta),
            task.delta,
            mu,
            math.inf,
        )

    def _aim(self, task: QuantileTask) -> tuple[float, str]:
        """Return the target and, if there is none, a sentence on it."""
        task.require_guarantee(self)
        n, beta, epsilon, bins = task.n, task.miss_rate, task.epsilon, task.grid.bins
        if task.guarantee == "paper":
            return plain_rank(task)
        target = certified_search_target(n, beta, epsilon, bins)
        least = (1 + mean_excess(0.0, search_noise(epsilon, bins), search_steps(bins))) / beta - 1
        return target, "" if target > 0 else nothing_narrower(n, epsilon, bins, least, "certified")
