"""What numbers of 53 bits cost the exponential mechanism: a delta, from the number of edges alone.

>>> f"{gumbel_delta(1000, epsilon=1.0):.0e}"
'1e-10'
"""

from __future__ import annotations

import math

from dpcp_core import _validate

_STEP = 2.0**-53
_LARGEST_GUMBEL = -math.log(-math.log1p(-_STEP))
_SMALLEST_GUMBEL = -math.log(53 * math.log(2))
_STEEPEST = 1 / math.e

GUMBEL_REACH = _LARGEST_GUMBEL - _SMALLEST_GUMBEL
"""An edge whose log-probability lies this far below the best one's is never drawn, in place of once in e**40 times."""


def rounding_of_a_sum(n_edges: int) -> float:
    """Return how far a log-probability with Gumbel noise is off at most, for an edge that can win.

    Parameters
    ----------
    n_edges
        Number of edges, 1 or more.

    Notes
    -----
    In units of ``2**-53``: two logarithms are good to two units of the last place, and the inner one's error moves the
    outer one by as much; the log-probability comes from three roundings and the logarithm of a sum; one more
    rounding adds the two. Whoever lies further than ``GUMBEL_REACH`` below the best does not win, so that no size
    exceeds that and ``log(n_edges)``.

    Examples
    --------
    >>> rounding_of_a_sum(1000) < 1e-13
    True
    """
    spread = math.log(_validate.whole(at_least=1, n_edges=n_edges))
    reach = GUMBEL_REACH + spread
    return _STEP * (2 * (1 + _LARGEST_GUMBEL) + 5 * reach + 4 * spread)


def sampling_error(n_edges: int) -> float:
    """Return the largest total variation between what ``draw_edges`` draws and the exponential mechanism.

    Parameters
    ----------
    n_edges
        Number of edges, 1 or more.

    Notes
    -----
    **Guarantee.** Exchange the exact Gumbel numbers for those of the computer one edge after the other. With the others
    given, an edge wins from some value of its uniform number on. Both numbers can be drawn so that they lie in the
    same cell of ``1 / (2**53 - 1)``; they then disagree only where the cell holds that value, or where the sum lies
    within its rounding of the best of the others, which has at most twice the rounding times the steepest Gumbel
    density, 1/e. The edges' chances add up. Utilities are taken as exact.
    """
    rounded = 2 * rounding_of_a_sum(n_edges) * _STEEPEST
    return min(1.0, n_edges * (1 / (2**53 - 1) + rounded))


def gumbel_delta(n_edges: int, epsilon: float) -> float:
    """Return the delta that a draw of the exponential mechanism has beside its epsilon, for numbers of 53 bits.

    Parameters
    ----------
    n_edges
        Number of edges, 1 or more.
    epsilon
        Of the mechanism; above 0, infinity allowed.

    Notes
    -----
    **Privacy.** A mechanism within ``tau`` of one that is epsilon-private is
    ``(epsilon, (1 + exp(epsilon)) tau)``-private.

    Examples
    --------
    >>> gumbel_delta(1000, epsilon=1.0) < 1e-9, gumbel_delta(1000, epsilon=50.0)
    (True, 1.0)
    """
    # Beyond 50, the answer is 1 for every number of edges.
    growth = math.exp(min(_validate.positive(infinite=True, epsilon=epsilon), 50.0))
    return min(1.0, (1 + growth) * sampling_error(n_edges))
