"""The Gaussian mechanism in closed form: delta as a function of epsilon, and both inverses.

A mechanism is "mu-GDP" if telling two neighbouring data sets apart by its output is no easier than telling
N(mu, 1) from N(0, 1). ``T`` full-batch steps that each add noise of ``noise_multiplier`` times the largest
contribution of a row have ``mu = sqrt(T) / noise_multiplier``.

>>> f"{gaussian_delta(1.0, 1.0):.6f}"
'0.126937'
>>> f"{gaussian_mu(1.0, 1e-5):.4f}"
'0.2681'
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from scipy.special import erfcx, log_ndtr, ndtr

from dpcp_core import _validate
from dpcp_core.errors import InputError

_MILLS_FROM = -5.0
_TINY_MU = 1e-12
_SMALLEST = 1e-320


def _mills(x: float) -> float:
    """Return (1 - Phi(x)) / phi(x), accurate in the far right tail."""
    return math.sqrt(math.pi / 2) * float(erfcx(x / math.sqrt(2)))


def _density(x: float) -> float:
    return math.exp(-0.5 * x * x) / math.sqrt(2 * math.pi)


def gaussian_delta(mu: float, epsilon: float) -> float:
    """Return the smallest delta for which a mu-GDP mechanism is (epsilon, delta)-DP.

    Parameters
    ----------
    mu
        0 or more; infinity means no noise.
    epsilon
        Any real number (negative ones appear when mechanisms are composed).

    Returns
    -------
    float
        In [0, 1].

    References
    ----------
    Balle and Wang, Improving the Gaussian Mechanism (2018), theorem 8; Dong, Roth and Su, Gaussian
    Differential Privacy (2022), corollary 2.13.

    Examples
    --------
    >>> gaussian_delta(0.0, 0.5), gaussian_delta(float("inf"), 0.5)
    (0.0, 1.0)
    """
    if epsilon < 0:
        # H_e(P||Q) = 1 - exp(e) + exp(e) H_{-e}(Q||P), and the pair of Gaussians is symmetric.
        return -math.expm1(epsilon) + math.exp(epsilon) * gaussian_delta(mu, -epsilon)
    if mu <= 0 or math.isinf(epsilon):
        return 0.0
    if math.isinf(mu):
        return 1.0
    low, high = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    if low < _MILLS_FROM:
        return float(ndtr(-low)) - math.exp(epsilon + float(log_ndtr(-high)))
    # exp(epsilon) phi(high) = phi(low), so the two terms share a factor and no large numbers meet.
    return max(0.0, _density(low) * (_mills(low) - _mills(high)))


def largest_below(
    curve: Callable[[float], float], limit: float, low: float, high: float, tolerance: float = 1e-10
) -> float:
    """Return a point with ``curve(point) <= limit``, next to where an increasing curve crosses ``limit``.

    ``low`` must satisfy the inequality and ``high`` must not; the answer satisfies it in floating point, and
    lies within a few times the relative ``tolerance`` of the crossing.
    """
    from scipy.optimize import brentq

    def gap(log_point: float) -> float:
        return math.log(max(curve(math.exp(log_point)), _SMALLEST)) - math.log(limit)

    start, end = math.log(low), math.log(high)
    if start >= end or gap(start) >= 0:
        return low
    if gap(end) <= 0:
        return high if curve(high) <= limit else high * (1 - tolerance)
    point = math.exp(brentq(gap, start, end, xtol=tolerance / 4, rtol=1e-12))
    while curve(point) > limit and point > low:
        point *= 1 - tolerance
    return max(point, low)


def require_delta(delta: float) -> float:
    """Return delta as a float in (0, 1); 0 is refused, since no Gaussian noise reaches it."""
    if _validate.share(zero=True, delta=delta) == 0:
        raise InputError("delta is 0, but Gaussian noise needs a delta above 0; try 1e-5 or 1 / (10 n).")
    return float(delta)


@lru_cache(maxsize=4096)
def gaussian_mu(epsilon: float, delta: float) -> float:
    """Return the largest mu for which mu-GDP implies (epsilon, delta)-DP.

    Parameters
    ----------
    epsilon
        Above 0; infinity gives infinity.
    delta
        Strictly between 0 and 1.

    Returns
    -------
    float
        Rounded down: ``gaussian_delta(mu, epsilon) <= delta`` holds in floating point.

    Raises
    ------
    InputError
        If delta is 0 (no amount of Gaussian noise reaches it) or a number is out of range.

    Examples
    --------
    >>> mu = gaussian_mu(0.5, 1e-6)
    >>> gaussian_delta(mu, 0.5) <= 1e-6 < gaussian_delta(1.001 * mu, 0.5)
    True
    """
    _validate.positive(infinite=True, epsilon=epsilon)
    limit = require_delta(delta)
    if math.isinf(epsilon):
        return math.inf
    high = 1.0
    while gaussian_delta(high, epsilon) <= limit:
        high *= 2
    low = high / 2
    while gaussian_delta(low, epsilon) > limit:
        if low < _TINY_MU:
            return 0.0
        low /= 2
    return largest_below(lambda mu: gaussian_delta(mu, epsilon), limit, low, high)


def gaussian_epsilon(mu: float, delta: float) -> float:
    """Return the smallest epsilon >= 0 for which a mu-GDP mechanism is (epsilon, delta)-DP.

    Rounded up: ``gaussian_delta(mu, epsilon) <= delta`` holds in floating point.

    Examples
    --------
    >>> round(gaussian_epsilon(gaussian_mu(2.0, 1e-5), 1e-5), 6)
    2.0
    """
    limit = _validate.share(zero=True, delta=delta)
    if gaussian_delta(mu, 0.0) <= limit:
        return 0.0
    if limit == 0 or math.isinf(mu):
        return math.inf
    high = 1.0
    while gaussian_delta(mu, high) > limit:
        high *= 2
    low = 0.0
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high or high - low <= 1e-13 * high:
            break
        low, high = (middle, high) if gaussian_delta(mu, middle) > limit else (low, middle)
    return high
