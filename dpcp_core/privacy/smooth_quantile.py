r"""An experiment: a private quantile with noise as large as these scores require, by smooth sensitivity.

How far can one row move an order statistic? Among close scores hardly at all, though somewhere else it could be by
the whole range. Noise may follow the first figure only if that figure itself hardly moves between neighbours. It is
measured against the exponential mechanism in ``benchmarks/smooth_sensitivity.py`` and loses; nothing else in the
library uses it, and no coverage is certified for it.

>>> from dpcp_core.privacy.randomness import simulation_generator
>>> scores = simulation_generator(0).random(2000)
>>> grid = Grid.uniform(largest=1.0, bins=100)
>>> logs = smooth_quantile_distribution(scores, grid, epsilon=1.0, target=150.0)
>>> float(grid.edges[logs.argmax()])
0.93
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr

from dpcp_core import _validate
from dpcp_core._arrays import Floats
from dpcp_core.errors import InputError
from dpcp_core.privacy.grid import Grid

# Student's t: largest slope of the log-density, and largest change of it per stretch of its scale.
_FREEDOM = 3
_SLOPE, _STRETCH = (_FREEDOM + 1) / (2 * math.sqrt(_FREEDOM)), float(_FREEDOM)
# A constant is smooth, and so is the larger of two smooth figures: it keeps the noise above 0.
_LEAST_SHARE = 1e-12


def order_statistic(scores: ArrayLike, target: float, bound: float) -> float:
    """Return the smallest of the scores that has at most ``target`` others above it; 0 if there are too few.

    Examples
    --------
    >>> order_statistic([0.2, 0.9, 0.5], target=1.0, bound=1.0)
    0.5
    """
    ordered, rank = _descending(scores, bound), _rank(target)
    return float(ordered[rank - 1]) if rank <= ordered.size else 0.0


def smooth_sensitivity(scores: ArrayLike, target: float, bound: float, smoothing: float) -> float:
    r"""Return a smooth bound of how far one row moves the order statistic.

    Parameters
    ----------
    scores
        (N,), of the rows that are there; 0 or more, cut at ``bound``.
    target
        Number of scores above the order statistic, 0 or more; public.
    bound
        Public bound of the scores.
    smoothing
        How much its logarithm may move between neighbours, ``beta``; above 0.

    Returns
    -------
    float
        In ``(0, bound]``.

    Notes
    -----
    With ``y_1 >= y_2 >= ...`` the scores, ``bound`` in front of them, 0 behind the last, and ``m`` the rank,

    .. math:: S = \max_{k \ge 0} e^{-\beta k} \max_{0 \le t \le k + 1} (y_{m-t} - y_{m-t+k+1}).

    Emptying or filling a row moves ``y_m`` to a neighbour at most, which is the term ``k = 0``. It also moves every
    ``y_i`` by at most one place, all in one direction, so a difference for ``k`` lies inside one for ``k + 1`` of the
    neighbour: ``S <= exp(beta) S'``.

    References
    ----------
    Nissim, Raskhodnikova and Smith, Smooth Sensitivity and Sampling in Private Data Analysis (2007), section 3.1
    (the median, there for replaced rows).

    Examples
    --------
    >>> round(smooth_sensitivity([0.5] * 9, target=4.0, bound=1.0, smoothing=0.5), 4)
    0.0677
    """
    beta, top = _validate.positive(smoothing=smoothing), _validate.positive(bound=bound)
    ordered, rank = _descending(scores, top), _rank(target)
    least = _LEAST_SHARE * top
    reach = min(max(ordered.size, rank), math.ceil(-math.log(_LEAST_SHARE) / beta)) + 2
    rank = min(rank, ordered.size + reach)  # further behind the last score nothing changes
    padded = np.concatenate([np.full(reach, top), ordered, np.zeros(max(0, rank - ordered.size) + reach)])
    middle = reach + rank - 1
    for k in range(reach - 1):
        if top * math.exp(-beta * k) <= least:
            break
        highest, lowest = padded[middle - k - 1 : middle + 1], padded[middle : middle + k + 2]
        least = max(least, math.exp(-beta * k) * float((highest - lowest).max()))
    return least


def smooth_quantile_distribution(scores: ArrayLike, grid: Grid, *, epsilon: float, target: float) -> Floats:
    """Return the log-probability of each edge: the order statistic plus Student's t noise, moved up to an edge.

    Parameters
    ----------
    scores
        (N,), of the rows that are there; 0 or more.
    grid
        Public candidates; the last edge bounds the scores.
    epsilon
        Above 0, finite.
    target
        Number of scores that shall lie above the threshold, 0 or more; a public number.

    Returns
    -------
    ndarray
        (M,), exact; draw from it with ``draw_edges``, which leaves no trace of the noise's last bits.

    Raises
    ------
    InputError
        If a parameter is out of range, a score negative or NaN.

    Notes
    -----
    **Privacy**: ``epsilon``, with delta 0, for rows that are there or empty. The noise has 3 degrees of freedom and
    the scale ``4 S / (sqrt(3) epsilon)``, with ``S`` the smooth sensitivity at ``epsilon / 6``. Between neighbours the
    centre moves by at most ``S``, which costs ``epsilon / 2``, as the log-density has slopes of at most
    ``2 / sqrt(3)``. The logarithm of ``S`` moves by at most ``epsilon / 6``, which costs the rest, as stretching this
    noise by ``exp(b)`` changes its log-density by at most ``3 b``. Moving up to an edge is post-processing.

    **Guarantee**: none. Noise is as likely downward as upward and falls off slowly.

    References
    ----------
    Nissim, Raskhodnikova and Smith (2007), sections 2.1 and 2.2; Bun and Steinke, Average-Case Averages: Private
    Algorithms for Smooth Sensitivity and Mean Estimation (2019), section 3 (Student's t).

    Examples
    --------
    >>> logs = smooth_quantile_distribution([0.2] * 99, Grid.uniform(largest=1, bins=4), epsilon=2.0, target=10.0)
    >>> np.exp(logs).round(3)
    array([0.887, 0.112, 0.001, 0.   ])
    """
    half = _validate.positive(epsilon=epsilon) / 2
    centre = order_statistic(scores, target, grid.largest)
    spread = smooth_sensitivity(scores, target, grid.largest, half / _STRETCH)
    return noisy_edge_log_probabilities(centre, _SLOPE * spread / half, grid.edges)


def noisy_edge_log_probabilities(centre: float, scale: float, edges: Floats) -> Floats:
    """Return the log-probability that ``centre`` plus ``scale`` times the noise is moved up to each edge.

    The first edge takes all that is below it, the last all that is above the one before.

    Examples
    --------
    >>> np.exp(noisy_edge_log_probabilities(0.5, 0.1, np.array([0.5, 0.6, 1.0]))).round(3)
    array([0.5  , 0.304, 0.196])
    """
    places = (edges[:-1] - centre) / scale
    lower, upper = np.concatenate([[-np.inf], places]), np.concatenate([places, [np.inf]])
    # Taken in the tail that is nearer, where differences keep their digits.
    near, far = np.where(lower > 0, -lower, upper), np.where(lower > 0, -upper, lower)
    with np.errstate(divide="ignore"):
        logs: Floats = np.log(stdtr(_FREEDOM, near) - stdtr(_FREEDOM, far))
    return logs


def _rank(target: float) -> int:
    return math.floor(_validate.non_negative(target=target)) + 1


def _descending(scores: ArrayLike, bound: float) -> Floats:
    try:
        values = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.full(1, np.nan)
    if values.ndim != 1 or not (values >= 0).all():
        raise InputError("scores must be one list of numbers, 0 or more; remove text and missing values first.")
    return np.minimum(np.sort(values)[::-1], bound)
