"""How values spread, from one noisy histogram on public bins: every quantile of them for one price.

What are the shares? ``noisy_shares(counts, n, epsilon, rng)``. Is there more noise than rows?
``typical_shift(bins, n, epsilon)``, from public numbers alone.

>>> from dpcp_core.privacy.randomness import simulation_generator
>>> shares = noisy_shares(np.array([10, 300, 80, 10]), 400, 1.0, simulation_generator(0))
>>> shares.round(2).tolist(), round(float(shares.sum()), 9)
([0.02, 0.75, 0.2, 0.02], 1.0)
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dpcp_core import _validate
from dpcp_core._arrays import Floats
from dpcp_core._words import number_text
from dpcp_core.errors import InputError
from dpcp_core.privacy.receipt import ONE_ROW, ReceiptEntry
from dpcp_core.privacy.whole_noise import whole_laplace


def noisy_shares(counts: ArrayLike, n: int, epsilon: float, rng: np.random.Generator) -> Floats:
    """Return the share of rows in each bin, from counts with noise.

    Parameters
    ----------
    counts
        (M,) rows in each public bin; a row is in one bin at most.
    n
        Public number of rows, 1 or more.
    epsilon
        Above 0; infinity gives the shares themselves, which are not private.
    rng
        Explicit generator.

    Returns
    -------
    ndarray of shape (M,)
        0 or more, with the sum 1: the nearest such shares to the noisy ones (least squares).

    Raises
    ------
    InputError
        There is no bin.

    Notes
    -----
    **Privacy**: ``epsilon``, neighbours by emptying one row, which lowers one count by 1. Everything that is computed
    from the shares afterwards costs nothing more.

    **Guarantee**: none; ``typical_shift`` tells how far noise moves a quantile.

    References
    ----------
    Hay, Rastogi, Miklau and Suciu (2010), on consistency after noise; Duchi and others (2008), the projection.
    """
    rows, bins = _validate.whole(n=n), np.asarray(counts, dtype=np.float64)
    if bins.ndim != 1 or not len(bins):
        raise InputError("counts must be one list of at least one bin.")
    return _nearest_shares((bins + whole_laplace(epsilon, bins.shape, rng)) / rows)


def typical_shift(bins: int, n: int, epsilon: float) -> float:
    """Return about how much of the rows noise moves from one side of a value to the other.

    Parameters
    ----------
    bins, n, epsilon
        As in ``noisy_shares``.

    Returns
    -------
    float
        The standard deviation of the sum of half of the noises, as a share of the rows: ``sqrt(bins) / (epsilon n)``.

    Examples
    --------
    >>> typical_shift(25, 400, 0.5), typical_shift(25, 400, math.inf)
    (0.025, 0.0)
    """
    rows, count = _validate.whole(n=n), _validate.whole(bins=bins)
    return math.sqrt(count) / (_validate.positive(infinite=True, epsilon=epsilon) * rows)


def histogram_entry(what: str, bins: int, n: int, epsilon: float) -> ReceiptEntry:
    """Return the line of a receipt for one such histogram.

    Parameters
    ----------
    what
        What is counted, as it fits after "of the".
    bins, n, epsilon
        As in ``noisy_shares``.

    Examples
    --------
    >>> histogram_entry("misses", 33, 400, 0.5).detail
    'noise with standard deviation of about 2.83 rows on each of 33 public bins'
    """
    private = math.isfinite(epsilon)
    spread = number_text(math.sqrt(2) / epsilon)
    noise = f"noise with standard deviation of about {spread} rows" if private else "no noise"
    return ReceiptEntry(
        f"Histogram of the {what}{' with whole-number Laplace noise' if private else ''}",
        f"scores of {n:,} rows",
        ONE_ROW,
        "1 row (in one bin)",
        epsilon,
        0.0,
        f"{noise} on each of {bins} public bins",
    )


def _nearest_shares(values: Floats) -> Floats:
    """Return the nearest point whose parts are 0 or more and add up to 1.

    >>> _nearest_shares(np.array([0.5, 0.7, -0.1])).round(9).tolist()
    [0.4, 0.6, 0.0]
    """
    falling = np.sort(values)[::-1]
    over = (np.cumsum(falling) - 1) / np.arange(1, len(values) + 1)
    taken = over[np.flatnonzero(falling > over)[-1]]
    shares: Floats = np.maximum(values - taken, 0.0)
    return shares
