"""Bounds of a column that nobody knows, bought with a part of the budget.

How many rows does it take? About ``rows_needed(epsilon)``; with fewer, the bounds may cut off much of the column.
Where is the middle of the column, inside its bounds? See :mod:`dpcp_core.privacy.private_typical`.

>>> from dpcp_core.privacy.randomness import simulation_generator
>>> ages = simulation_generator(0).normal(55, 12, 4000)
>>> private_bounds(ages, epsilon=0.1, rng=simulation_generator(1))
(20.0, 100.0)
>>> rows_needed(0.1)
750
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcp_core import _validate
from dpcp_core._arrays import Floats
from dpcp_core.errors import InputError
from dpcp_core.privacy.randomness import require_generator
from dpcp_core.privacy.whole_noise import whole_laplace

MAGNITUDES: NDArray[np.float64] = np.array(
    [float(f"{digit}e{power}") for power in range(-9, 15) for digit in (1, 2, 5)] + [1e15]
)
"""Public grid of sizes: 1, 2 and 5 times every power of ten from a billionth to a thousand million million."""

ROWS_TIMES_EPSILON = 75.0
"""From here on bounds of simulated columns hold 97 % of the rows on average, see benchmarks/private_bounds.py."""

_EPSILON_RANGE = (1e-9, math.inf)
"""Below, noise would not fit whole numbers of 64 bits together with the counts."""
_FALSE_STEP = 0.05
"""Chance that noise alone fills the bin next to the bounds; at ``d`` times the distance it is ``d ** 3`` times less."""
_NEGLIGIBLE = 1 / 1000
"""An end next to 0 that is smaller than this share of the other one becomes 0."""


def rows_needed(epsilon: float) -> int:
    """Return the number of rows from which private bounds are useful: ``75 / epsilon``, rounded up.

    Parameters
    ----------
    epsilon
        Of one column's bounds, above 0; infinity needs a single row.
    """
    return max(1, math.ceil(ROWS_TIMES_EPSILON / _validate.positive(infinite=True, epsilon=epsilon) - 1e-9))


def private_bounds(values: ArrayLike, *, epsilon: float, rng: np.random.Generator) -> tuple[float, float]:
    """Return bounds that hold all but a small share of a column, from a noisy histogram on a public grid.

    Parameters
    ----------
    values
        (n,) numbers of any size; NaN where a cell is empty, which counts nowhere.
    epsilon
        Privacy cost, from 1e-9; infinity adds no noise.
    rng
        Explicit generator.

    Returns
    -------
    tuple of two floats
        Lower and upper bound, each 0 or 1, 2 or 5 times a power of ten with either sign.

    Raises
    ------
    InputError
        Values that are no list of numbers, an epsilon out of range.

    Notes
    -----
    1. Count the values in the bins of the public grid: one bin for 0, one for each step of size and sign.
    2. Add two-sided geometric noise to every count.
    3. Start from the fullest bin and take in any other that noise alone would hardly fill. A bin must stand out the
       more, the further it lies from those already found; across 0, equal sizes lie close.

    **Privacy**: ``epsilon``, without delta. A row is in one bin or, if empty, in none: emptying it changes one count by
    1, and the noise makes any two neighbouring counts alike up to a factor ``exp(epsilon)``. The rest is computed from
    the noisy counts. As noise and counts are whole numbers, no low bits of a float give anything away.

    **Guarantee**: a bin of more than ``(ln(10 M^3) + ln(1 / (2 g))) / epsilon`` rows lies inside the bounds with a
    chance of at least ``1 - g``, where ``M`` is the number of bins, 147. Next to the bulk of the column ``ln(10)``
    takes the place of ``ln(10 M^3)``. Values of more than 1e15 are beyond every bound.

    References
    ----------
    Ghosh, Roughgarden and Sundararajan, Universally Utility-Maximizing Privacy Mechanisms (2012), for geometric
    noise; Wilson et al., Differentially Private SQL with Bounded User Contribution (2020), for bounds from a noisy
    histogram on a logarithmic grid.

    Examples
    --------
    >>> import numpy as np
    >>> private_bounds([-3.0, 0.0, 700.0, np.nan], epsilon=np.inf, rng=np.random.default_rng(0))
    (-5.0, 1000.0)
    """
    wanted = _validate.between(_EPSILON_RANGE, epsilon=epsilon)
    require_generator(rng)
    counts = bin_counts(values)
    return bounds_from_counts(counts + whole_laplace(wanted, counts.shape, rng), wanted)


def one_step_wider(bounds: tuple[float, float]) -> tuple[float, float]:
    """Return bounds from the grid with each end moved outward by one step; an end at 0 stays.

    Costs nothing, as it reads only the bounds. Meant for a target: what coverage promises ends at its bounds.

    >>> one_step_wider((20.0, 100.0)), one_step_wider((-1.0, 0.0))
    ((10.0, 200.0), (-2.0, 0.0))
    """
    low, high = bounds
    return 0.0 - _next_up(-low), _next_up(high)


def _next_up(end: float) -> float:
    if end == 0:
        return 0.0
    place = int(np.searchsorted(MAGNITUDES, abs(end))) + (1 if end > 0 else -1)
    if place < 0:
        return 0.0
    return math.copysign(float(MAGNITUDES[min(place, MAGNITUDES.size - 1)]), end)


def bin_counts(values: ArrayLike, magnitudes: NDArray[np.float64] = MAGNITUDES) -> NDArray[np.int64]:
    """Return how many values each bin of the grid holds: private until noise is added.

    Parameters
    ----------
    values
        (n,), NaN where a cell is empty.
    magnitudes
        (K,) increasing sizes above 0.

    Returns
    -------
    ndarray
        (2 K + 1,). The bin in the middle is 0 itself; the one ``j`` places to its right reaches from above the size
        before to the j-th size, included; those to its left mirror them. Larger values are in the outermost bins.

    Examples
    --------
    >>> bin_counts([-1.0, 0.0, 0.2, 1.0, 1.5, 70.0, float("nan")], np.array([1.0, 2.0]))
    array([0, 1, 1, 2, 2])
    """
    column = as_column(values)
    column = column[~np.isnan(column)]
    size = np.minimum(np.searchsorted(magnitudes, np.abs(column), side="left") + 1, magnitudes.size)
    places = magnitudes.size + np.sign(column).astype(np.int64) * size
    return np.bincount(places, minlength=2 * magnitudes.size + 1)


def bounds_from_counts(
    noisy: Floats, epsilon: float, magnitudes: NDArray[np.float64] = MAGNITUDES
) -> tuple[float, float]:
    """Return the bounds that noisy counts suggest; reads nothing else.

    Parameters
    ----------
    noisy
        (2 K + 1,), counts of ``bin_counts`` with noise.
    epsilon
        Of the noise.
    magnitudes
        (K,), as for the counts.
    """
    places = np.arange(noisy.size) - magnitudes.size
    first = last = int(places[noisy.argmax()])
    while True:
        enough = np.log(_distance(places, first, last) ** 3 / (2 * _FALSE_STEP)) / epsilon
        found = places[(noisy > enough) & ((places < first) | (places > last))]
        if not found.size:
            break
        first, last = min(first, int(found.min())), max(last, int(found.max()))
    low, high = _end(first, magnitudes, outer=first < 0), _end(last, magnitudes, outer=last > 0)
    low = 0.0 if 0 < low < _NEGLIGIBLE * high else low
    high = 0.0 if _NEGLIGIBLE * low < high < 0 else high
    # Nothing but zeros: a range that holds them, of a size that can be computed with.
    return (low, high) if low < high else (0.0, 1.0)


def _distance(places: NDArray[np.int64], first: int, last: int) -> NDArray[np.int64]:
    """Return how far each place lies off the bounds, at least 1.

    Across 0 sizes are compared: where values of one sign were found, those of the other are likely to be as large.
    """
    outside = np.maximum(np.maximum(first - places, places - last), 1)
    across = 2 + np.abs(np.abs(places) - max(abs(first), abs(last)))
    other_sign = (places < 0) if first >= 0 else (places > 0) & (last <= 0)
    return np.where(places == 0, np.minimum(outside, 2), np.where(other_sign, across, outside))


def _end(place: int, magnitudes: NDArray[np.float64], *, outer: bool) -> float:
    """Return the end of a bin that lies away from 0, or the one towards it; the place of 0 itself is 0."""
    index = abs(place) - (1 if outer else 2)
    return math.copysign(float(magnitudes[index]) if index >= 0 else 0.0, place) + 0.0


def as_column(values: ArrayLike) -> NDArray[np.float64]:
    """Return the values as floats; refuse what is no list of numbers."""
    try:
        column = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("values must be numbers; leave a cell empty (NaN) where there is none.") from None
    if column.ndim != 1:
        raise InputError(f"values has {column.ndim} dimensions but must be one list of numbers.")
    return column
