"""The correction and the choice of bins of Private Prediction Sets, from public numbers alone.

>>> round(adjusted_level(n=1000, miss_rate=0.1, epsilon=1.0, bins=10_000), 3)
0.934
>>> round(public_code_overspend(n=1000, miss_rate=0.1, epsilon=1.0, bins=10_000), 2)
1.5
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from dpcp_core import _validate
from dpcp_core.privacy.losses import PaperLoss
from dpcp_core.privacy.mechanisms import exponential_log_probabilities

_CANDIDATES = 50
_FEWEST_BINS, _MOST_BINS = 10, 100_000
_MOVES = np.array([0.125, 0.375, 0.625, 0.875])


def spared_share(n: int, miss_rate: float, epsilon: float, factor: float = 2.0) -> float:
    """Return ``gamma alpha``, the part of the miss rate that is set aside for an unlucky draw.

    Parameters
    ----------
    n, miss_rate, epsilon, factor
        As in ``prediction_sets_target``.

    Returns
    -------
    float
        In [0, 1): the root of ``x**2 - (2 + epsilon (n + 1) (1 - alpha) / 2) x + 1`` that lies there, at which the
        adjusted level is smallest. The other root is its inverse, for which the level has no meaning.
    """
    half = 1 + epsilon * (n + 1) * (1 - miss_rate) / (2 * factor)
    return 1 / (half + math.sqrt(half**2 - 1))


def prediction_sets_target(n: int, miss_rate: float, epsilon: float, bins: int, factor: float = 2.0) -> float:
    """Return the count of scores above the threshold that private prediction sets aim at, ``n (1 - q)``.

    Parameters
    ----------
    n
        Public number of ranked rows.
    miss_rate
        Level ``alpha`` to be kept, strictly between 0 and 1.
    epsilon
        Of the quantile; above 0, infinity gives the usual split-conformal rank.
    bins
        Number of edges, ``m``.
    factor
        ``range_factor`` of the loss.

    Returns
    -------
    float
        ``n - (n + 1)(1 - alpha) / (1 - x) - (2 / epsilon) ln(m / x)`` with ``x = gamma alpha`` of
        ``spared_share``; 0 or less means that there is no such threshold.

    Notes
    -----
    **Guarantee**: a new exchangeable score that the last edge bounds is missed with probability at most ``alpha``.
    Except with probability ``x`` the edge drawn has at most ``target + (2 / epsilon) ln(m / x)`` scores above it.
    Our ``certified_target`` integrates over the draw instead of setting a part aside, and is always larger.

    References
    ----------
    Angelopoulos, Bates, Zrnic and Jordan, Private Prediction Sets (2021), and the code with it.

    Examples
    --------
    >>> round(prediction_sets_target(n=4000, miss_rate=0.1, epsilon=0.5, bins=100), 1)
    349.5
    """
    rows, edges = _validate.whole(n=n), _validate.whole(bins=bins)
    alpha = _validate.share(miss_rate=miss_rate)
    spent = _validate.positive(infinite=True, epsilon=epsilon)
    if math.isinf(spent):
        return (rows + 1) * alpha - 1
    spared = spared_share(rows, alpha, spent, factor)
    return rows - (rows + 1) * (1 - alpha) / (1 - spared) - factor / spent * (math.log(edges) - math.log(spared))


def adjusted_level(n: int, miss_rate: float, epsilon: float, bins: int) -> float:
    """Return their level ``q``, the share of scores that the threshold aims to have below it.

    It is ``(n+1)(1-alpha) / (n (1 - gamma alpha)) + 2 / (epsilon n) ln(m / (gamma alpha))``, not capped at 1.
    """
    return 1 - prediction_sets_target(n, miss_rate, epsilon, bins) / n


def public_code_overspend(n: int, miss_rate: float, epsilon: float, bins: int) -> float:
    """Return how many times its epsilon the authors' public code needs by their theorem; 1 would be right.

    Parameters
    ----------
    n, miss_rate, epsilon, bins
        As in ``prediction_sets_target``.

    Returns
    -------
    float
        ``min(alpha, 1 - alpha) / min(q, 1 - q)``: the code divides by the sensitivity that belongs to alpha, not to
        the adjusted level ``q``. It grows without end as ``q`` comes near 1, and is infinity from there on.

    Notes
    -----
    **Privacy**: the loss is ``max(#below / q, #above / (1 - q))``, so one row moves it by ``1 / min(q, 1 - q)`` at
    most. A closer look: a replaced row moves utilities by at most ``1 / (1 - q)`` one way and ``1 / q`` the other,
    so that the weights ``exp(-epsilon min(alpha, 1 - alpha) loss / 2)`` cost exactly
    ``epsilon min(alpha, 1 - alpha) / (2 q (1 - q))``. Where the theorem asks for 1.5 times epsilon (n = 1,000,
    epsilon = 1, 10,000 bins, alpha = .1) the code in truth spends .8 of it; it overspends from about
    ``1 - q < alpha / 2`` on, 1.6 times for n = 400 and 1,000 bins.
    """
    level = adjusted_level(n, miss_rate, epsilon, bins)
    smaller = min(level, 1 - level)
    return min(miss_rate, 1 - miss_rate) / smaller if smaller > 0 else math.inf


@lru_cache(maxsize=1024)
def best_bins(n: int, alpha: float, epsilon: float) -> int:
    """Return the number of bins that gives the lowest mean threshold on made-up scores.

    Parameters
    ----------
    n
        Number of ranked rows, which is public.
    alpha
        Allowed miss rate.
    epsilon
        Of the quantile; above 0, infinity gives the most bins.

    Returns
    -------
    int
        The best of 50 numbers at equal ratios from 10 to ``10 n epsilon``, at most 100,000.

    Notes
    -----
    **Privacy**: costs nothing, as no score is read. The scores are n points spread evenly over [0, 1] and the mean
    is exact, where the authors draw uniform scores and thresholds; so it needs no seed. It is taken over four places
    of the points between the edges, or else a few edges that happen to lie well would win.

    References
    ----------
    Angelopoulos, Bates, Zrnic and Jordan, Private Prediction Sets (2021), and the code with it.

    Examples
    --------
    >>> best_bins(n=2000, alpha=0.1, epsilon=1.0)
    190
    """
    most = min(10 * _validate.whole(n=n) * _validate.positive(infinite=True, epsilon=epsilon), _MOST_BINS)
    tried = np.unique(np.geomspace(_FEWEST_BINS, max(most, _FEWEST_BINS), _CANDIDATES).astype(int))
    means = [_mean_threshold(n, _validate.share(alpha=alpha), epsilon, int(bins)) for bins in tried]
    return int(tried[np.argmin(means)])


def _mean_threshold(n: int, alpha: float, epsilon: float, bins: int) -> float:
    """Return the mean threshold above the scores' start, over four places of the scores relative to the edges."""
    target = prediction_sets_target(n, alpha, epsilon, bins)
    if target <= 0:
        return 1.0
    edges, moved = np.arange(1, bins + 1) / bins, _MOVES[:, None] / bins
    above = n * np.minimum(1 - (edges - moved), 1.0)
    above[:, -1] = 0.0
    loss = PaperLoss.aiming_at(target, n=n, guarantee="prediction_sets")
    logs = exponential_log_probabilities(loss.utility(above, None), loss.sensitivity, epsilon)
    return float((np.exp(logs) @ edges - moved[:, 0]).mean())
