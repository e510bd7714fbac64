"""Where the middle two thirds of a column lie, bought with a part of the budget.

Dividing by the column's own mean and deviation is not private; this is the private way to bring a column to size.

>>> from dpcp_core.privacy.randomness import simulation_generator
>>> ages = simulation_generator(0).normal(55, 12, 4000)
>>> private_typical(ages, (10, 100), epsilon=0.1, rng=simulation_generator(1))
(43.3984375, 66.6015625)
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcp_core import _validate
from dpcp_core.errors import InputError
from dpcp_core.privacy.mechanisms import draw_edges, exponential_log_probabilities
from dpcp_core.privacy.private_bounds import as_column

CELLS = 256
"""Equal cells of the bounds whose edges are tried, see benchmarks/private_bounds.py."""

_BESIDE = 1 / 4
"""Rows below (and above) the middle two thirds, per row inside: a sixth over two thirds."""


def private_typical(
    values: ArrayLike, bounds: tuple[float, float], *, epsilon: float, rng: np.random.Generator
) -> tuple[float, float]:
    """Return a range that holds about the middle two thirds of a column.

    Parameters
    ----------
    values
        (n,) numbers; NaN where a cell is empty, which counts nowhere. Values beyond the bounds count at the bound.
    bounds
        Public lower and upper bound, or private ones that were paid for.
    epsilon
        Privacy cost, above 0; infinity takes the best range.
    rng
        Explicit generator.

    Returns
    -------
    tuple of two floats
        Inside ``bounds``; both are edges of ``CELLS`` equal cells.

    Raises
    ------
    InputError
        Values that are no list of numbers, bounds in the wrong order, an epsilon out of range.

    Notes
    -----
    **Privacy**: ``epsilon``, without delta: an exponential mechanism, see ``typical_log_probabilities``. It may read
    bounds that were computed from the same rows, if those were paid for as well; the two epsilons add up.

    Ranks pay far less for privacy than noisy sums do: a noisy mean and deviation need noise in proportion to the
    width of the bounds, and at equal epsilon fit less often, see benchmarks/private_bounds.py.

    References
    ----------
    McSherry and Talwar, Mechanism Design via Differential Privacy (2007), theorem 6.

    Examples
    --------
    >>> private_typical(np.arange(101.0), (0, 128), epsilon=np.inf, rng=np.random.default_rng(0))
    (16.5, 83.0)
    """
    edges = _edges(bounds)
    logs = typical_log_probabilities(values, bounds, epsilon=epsilon)
    low, high = candidates()
    drawn = int(draw_edges(logs[None], np.arange(logs.size, dtype=np.float64), rng)[0])
    return float(edges[low[drawn]]), float(edges[high[drawn]])


def typical_log_probabilities(
    values: ArrayLike, bounds: tuple[float, float], *, epsilon: float, range_factor: float = 2.0
) -> NDArray[np.float64]:
    """Return the exact log-probability of every candidate range, in the order of ``candidates``.

    Parameters
    ----------
    values, bounds, epsilon
        As in ``private_typical``.
    range_factor
        Of the exponential mechanism; 2 is what its privacy needs.

    Notes
    -----
    **Privacy**: a range with ``b`` rows below, ``a`` above and ``m`` inside has the utility
    ``-|b - m / 4| - |a - m / 4|``, 0 for the middle two thirds. A row that is emptied was below (one term moves by 1),
    above (the other does) or inside (each moves by a quarter), so the sensitivity is 1.
    """
    edges, (low, high) = _edges(bounds), candidates()
    wanted = _validate.positive(infinite=True, epsilon=epsilon)
    column = as_column(values)
    column = np.sort(np.clip(column[~np.isnan(column)], edges[0], edges[-1]))
    below = np.searchsorted(column, edges, side="left")[low]
    above = column.size - np.searchsorted(column, edges, side="right")[high]
    inside = column.size - below - above
    utility = -np.abs(below - _BESIDE * inside) - np.abs(above - _BESIDE * inside)
    return exponential_log_probabilities(utility, 1.0, wanted, range_factor)


@lru_cache(maxsize=1)
def candidates() -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the lower and the upper edge of every candidate range, by number: all pairs in order."""
    low, high = np.triu_indices(CELLS + 1, k=1)
    return low, high


def _edges(bounds: tuple[float, float]) -> NDArray[np.float64]:
    low, high = (float(end) for end in bounds)
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InputError(f"bounds are ({low:g}, {high:g}) but must be two finite numbers, the smaller one first.")
    edges = low + np.arange(CELLS + 1) / CELLS * (high - low)
    edges[-1] = high
    return edges
