"""The exponential mechanism: its exact distribution, and a draw from it.

>>> log_probabilities = exponential_log_probabilities(np.array([[-4.0, 0.0, -1.0]]), sensitivity=1.0, epsilon=2.0)
>>> np.exp(log_probabilities).round(3)
array([[0.013, 0.721, 0.265]])
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from dpcp_core.privacy.randomness import require_generator

_DRAWN_AT_ONCE = 1 << 20


def exponential_log_probabilities(
    utility: NDArray[np.float64], sensitivity: float, epsilon: float, range_factor: float = 2.0
) -> NDArray[np.float64]:
    """Return log-probabilities proportional to ``epsilon * utility / (range_factor * sensitivity)``.

    Parameters
    ----------
    utility
        (..., M).
    sensitivity
        Largest change of any utility when one row is emptied; above 0.
    epsilon
        Above 0; infinity picks evenly among the best.
    range_factor
        2; or 1 if emptying a row moves all utilities the same way, so that their changes lie in an interval of
        length ``sensitivity``.

    Returns
    -------
    ndarray
        (..., M), normalised along the last axis; never exponentiated on the way.

    Notes
    -----
    **Privacy**: ``epsilon``. More than that, the ratios lie in an interval of length ``epsilon`` (bounded range).

    References
    ----------
    McSherry and Talwar, Mechanism Design via Differential Privacy (2007), theorem 6; Dong, Durfee and Rogers,
    Optimal Differential Privacy Composition for Exponential Mechanisms (2020), section 2.
    """
    gap = utility - utility.max(axis=-1, keepdims=True)
    weights = np.where(gap == 0, 0.0, -np.inf) if math.isinf(epsilon) else epsilon / (range_factor * sensitivity) * gap
    normalised: NDArray[np.float64] = weights - logsumexp(weights, axis=-1, keepdims=True)
    return normalised


def draw_edges(
    log_probabilities: NDArray[np.float64], edges: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.float64]:
    """Draw one edge per row, by the Gumbel trick in log space.

    Parameters
    ----------
    log_probabilities
        (R, M), up to a constant per row.
    edges
        (M,).
    rng
        Explicit generator.

    Returns
    -------
    ndarray
        (R,).

    Notes
    -----
    **Privacy**: that of the exponential mechanism, up to the resolution of floats, which
    :func:`~dpcp_core.privacy.float_cost.gumbel_delta` puts into a delta: below 1e-9 for 1000 edges and epsilon 1.
    Only the edge is released, never a noisy utility.

    References
    ----------
    Durfee and Rogers, Practical Differentially Private Top-k Selection (2019), lemma 4.2 (Gumbel trick).
    """
    require_generator(rng)
    sets, bins = log_probabilities.shape
    drawn = np.empty(sets)
    rows = max(1, _DRAWN_AT_ONCE // bins)
    for start in range(0, sets, rows):
        logs = log_probabilities[start : start + rows]
        drawn[start : start + rows] = edges[np.argmax(logs + rng.gumbel(size=logs.shape), axis=1)]
    return drawn
