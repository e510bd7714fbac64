"""Coverage and width with their own uncertainty.

>>> low, high = wilson_interval(hits=720, total=800)
>>> round(low, 3), round(high, 3)
(0.877, 0.919)
>>> mean_interval([0.90, 0.91, 0.89, 0.92])
(0.884..., 0.925...)
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri, stdtrit

from dpcp_core import _validate as check
from dpcp_core.errors import InputError


def wilson_interval(*, hits: float, total: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval for a share: for one repetition, whose held-out rows are the only uncertainty.

    Parameters
    ----------
    hits : float
        Rows that were covered, 0 to ``total``.
    total : int
        Rows looked at, 1 or more.
    confidence : float
        Confidence of the interval, in (0, 1).

    Returns
    -------
    low, high : float
        Shares in [0, 1]; never empty, also for 0 or ``total`` hits.

    Raises
    ------
    InputError
        If ``hits`` is not in [0, total].

    References
    ----------
    Wilson (1927); Brown, Cai and DasGupta (2001), section 3.

    Examples
    --------
    >>> wilson_interval(hits=10, total=10)
    (0.722..., 1.0)
    """
    check.whole(total=total)
    if not 0 <= hits <= total:
        raise InputError(f"hits is {hits} but must lie between 0 and total, {total}.")
    z = float(ndtri(0.5 + check.share(confidence=confidence) / 2))
    share, weight = hits / total, z * z / total
    centre = (share + weight / 2) / (1 + weight)
    half = math.sqrt(share * (1 - share) * weight + weight * weight / 4) / (1 + weight)
    low = 0.0 if hits == 0 else centre - half
    return low, 1.0 if hits == total else centre + half


def mean_interval(values: ArrayLike, confidence: float = 0.95, *, n_test: int | None = None) -> tuple[float, float]:
    """Return Student's t interval for the mean over repetitions.

    Repetitions share the rows of one table, so the interval speaks of this table under new splits and
    new noise, not of new tables.

    Parameters
    ----------
    values : array of shape (R,)
        One value per repetition.
    confidence : float
        Confidence of the interval, in (0, 1).
    n_test : int, optional
        For coverage: held-out rows in each repetition. Keeps the interval inside [0, 1], and with a single
        repetition gives Wilson's interval.

    Returns
    -------
    low, high : float

    Raises
    ------
    InputError
        With fewer than two repetitions and no ``n_test``.

    References
    ----------
    Student (1908), "The probable error of a mean".

    Examples
    --------
    >>> mean_interval([1.0, 1.0, 1.0])
    (1.0, 1.0)
    >>> mean_interval([0.9], n_test=800)
    (0.877..., 0.918...)
    """
    array = np.asarray(values, dtype=np.float64).reshape(-1)
    if array.size == 1 and n_test is not None:
        return wilson_interval(hits=float(array[0]) * n_test, total=n_test, confidence=confidence)
    error = standard_error(array)
    quantile = float(stdtrit(array.size - 1, 0.5 + check.share(confidence=confidence) / 2))
    low, high = float(array.mean() - quantile * error), float(array.mean() + quantile * error)
    return (low, high) if n_test is None else (max(low, 0.0), min(high, 1.0))


def standard_error(values: ArrayLike) -> float:
    """Return the standard error of the mean over repetitions.

    Parameters
    ----------
    values : array of shape (R,)
        At least two.

    Raises
    ------
    InputError
        With fewer than two repetitions.

    Examples
    --------
    >>> standard_error([1, 3])
    1.0
    """
    array = np.asarray(values, dtype=np.float64).reshape(-1)
    if array.size < 2:
        raise InputError("One repetition does not show how much repetitions vary: use at least 2 repetitions.")
    return float(array.std(ddof=1) / math.sqrt(array.size))
