"""Noise that several sites add together, so that none of them has to be trusted with all of it.

A two-sided geometric number is a sum of any number of independent parts of one kind, so each site adds one part and the
sum is as private as if one curator had added the whole.

>>> from dpcp_core.privacy.randomness import simulation_generator
>>> parts = [noise_share(1.0, 4, (3,), simulation_generator(site)) for site in range(4)]
>>> len(parts), parts[0].dtype
(4, dtype('int64'))
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincc

from dpcp_core import _validate
from dpcp_core.privacy.randomness import require_generator

Whole = NDArray[np.int64]

_MOST_TERMS = 1 << 15


def noise_share(epsilon: float, trusted: int, shape: tuple[int, ...], rng: np.random.Generator) -> Whole:
    """Draw one site's part of the noise: the parts of ``trusted`` sites add up to two-sided geometric noise.

    Parameters
    ----------
    epsilon
        Of the sum, above 0; infinity gives no noise.
    trusted
        Number of parts that make a whole, at least 1.
    shape
        Of the answer.
    rng
        Explicit generator; each site has its own.

    Notes
    -----
    **Privacy**: the sum of ``trusted`` parts costs ``epsilon`` for a count that one row moves by 1; more parts cost no
    more. If only ``r trusted`` parts with ``r < 1`` are secret, the cost is at most ``epsilon + ln(1 / r)``.

    A part is a difference of two negative binomial numbers with parameter ``1 / trusted``; these add up to geometric
    ones.

    References
    ----------
    Goryczka and Xiong, A Comprehensive Comparison of Multiparty Secure Additions with Differential Privacy (2017),
    section 4.

    Examples
    --------
    >>> noise_share(float("inf"), 3, (2,), np.random.default_rng(0))
    array([0, 0])
    """
    require_generator(rng)
    ending = -math.expm1(-_validate.positive(infinite=True, epsilon=epsilon))
    part = 1 / _validate.whole(trusted=trusted)
    first, second = (rng.negative_binomial(part, ending, shape).astype(np.int64) for _ in range(2))
    share: Whole = first - second
    return share


def mean_highest_walk_of_shares(bins: int, epsilon: float, wholes: float = 1.0) -> float:
    """Return how high a sum of such noises climbs on average, ``max(0, Z_1, Z_1 + Z_2, ...)`` over M - 1 of them.

    Parameters
    ----------
    bins
        Number of edges, ``M``.
    epsilon
        Of a whole noise, above 0; infinity gives 0.
    wholes
        How many whole noises each ``Z`` adds up to: number of sites over trusted sites, at least 1.

    Returns
    -------
    float
        The sum over k of ``E max(0, S_k) / k`` (Spitzer's identity), each mean being the sum of ``F (1 - F)`` over the
        distribution function ``F`` of a negative binomial number with parameter ``k wholes``. Where there are many
        terms, blocks of them are bounded from above.

    References
    ----------
    Spitzer, A Combinatorial Lemma and its Application to Probability Theory (1956).

    Examples
    --------
    >>> round(mean_highest_walk_of_shares(100, 1.0), 2), round(mean_highest_walk_of_shares(100, 1.0, wholes=2.0), 2)
    (9.74, 13.97)
    """
    steps = _validate.whole(bins=bins) - 1
    spent = _validate.positive(infinite=True, epsilon=epsilon)
    if math.isinf(spent):
        return 0.0
    return _mean_highest(steps, spent, float(wholes))


@lru_cache(maxsize=64)
def _mean_highest(steps: int, epsilon: float, wholes: float) -> float:
    return math.fsum(_mean_climb(k * wholes, epsilon) / k for k in range(1, steps + 1))


def _mean_climb(size: float, epsilon: float) -> float:
    """Return ``E max(0, X - Y)`` of two independent negative binomial numbers, rounded up where they are large."""
    ending = -math.expm1(-epsilon)
    mean, spread = size * (1 - ending) / ending, math.sqrt(size * (1 - ending)) / ending
    # Beyond, the upper tail holds less than rounding does.
    furthest = math.ceil(mean + 12 * spread + 45 / epsilon)
    firsts = np.arange(0, furthest + 1, math.ceil((furthest + 1) / _MOST_TERMS), dtype=np.float64)
    lasts = np.append(firsts[1:] - 1, furthest)
    # Within a block neither F nor 1 - F is larger than it is at one of the ends.
    return float(np.sum((lasts - firsts + 1) * betainc(size, lasts + 1, ending) * betaincc(size, firsts + 1, ending)))
