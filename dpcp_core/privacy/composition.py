"""What training and the quantile cost together, when both read the same rows.

Adding the two epsilons ("basic") is always valid and always too much. The exact sum ("tight") needs one
fact about each part: training is mu-GDP, and the quantile's exponential mechanism has *bounded range*: its
log-probability ratios between neighbours lie in an interval of length ``quantile_epsilon``, not only
between ``-quantile_epsilon`` and ``quantile_epsilon``.

>>> from dpcp_core.privacy.budget import PrivacyBudget
>>> basic = training_mu(PrivacyBudget(1.0, 1e-5), 0.5, "basic")
>>> tight = training_mu(PrivacyBudget(1.0, 1e-5), 0.5, "tight")
>>> f"{basic:.4f} {tight:.4f}"
'0.1422 0.1772'
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtr

from dpcp_core import _validate
from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.gaussian import gaussian_delta, gaussian_mu, largest_below, require_delta

Composition = Literal["basic", "tight"]

COMPOSITIONS: tuple[str, ...] = ("basic", "tight")

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)
_PANEL = 0.5  # standard deviations; with 20 nodes the quadrature is exact to rounding
_REACH = 38.0  # standard deviations that hold all but 1e-315 of a Gaussian
_MARGIN = 1e-9  # raises every value by far more than quadrature and rounding can lower it


def bounded_range_delta(quantile_epsilon: float, epsilon: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the worst delta of any mechanism whose range is bounded by ``quantile_epsilon``.

    Parameters
    ----------
    quantile_epsilon
        Length of the interval that holds all log-probability ratios; above 0, finite.
    epsilon
        Any shape; any real numbers.

    Returns
    -------
    ndarray
        Same shape; in [0, 1], falling in ``epsilon``; 0 from ``quantile_epsilon`` on.

    Notes
    -----
    For ratios in ``[t - q, t]`` a convex function of the ratio is largest on the two-point distribution at
    the ends, whose hockey-stick divergence is largest at ``t = (epsilon + q) / 2``.

    References
    ----------
    Dong, Durfee and Rogers, Optimal Differential Privacy Composition for Exponential Mechanisms (2020),
    definition 2.3 and lemma 3.2.

    Examples
    --------
    >>> bounded_range_delta(1.0, np.array([-2.0, 0.0, 1.0])).round(4)
    array([0.8647, 0.2449, 0.    ])
    """
    inside = np.clip(epsilon, -quantile_epsilon, quantile_epsilon)
    curve = np.expm1((inside - quantile_epsilon) / 2) ** 2 / -math.expm1(-quantile_epsilon)
    return np.where(epsilon < -quantile_epsilon, -np.expm1(np.minimum(epsilon, 0.0)), curve)


def _window_part(mu: float, quantile_epsilon: float, epsilon: float) -> float:
    """Integrate over the losses of training for which the quantile's delta is not yet ``1 - exp(.)``."""
    start = max((epsilon - quantile_epsilon) / mu - mu / 2, -_REACH)
    end = min((epsilon + quantile_epsilon) / mu - mu / 2, _REACH)
    if start >= end:
        return 0.0
    panels = math.ceil((end - start) / _PANEL)
    half = (end - start) / panels / 2
    centres = start + half * (2 * np.arange(panels) + 1)
    z = centres[:, None] + half * _NODES
    loss = mu * z + mu * mu / 2
    density = np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)
    values = density * bounded_range_delta(quantile_epsilon, epsilon - loss)
    return float(half * (values @ _WEIGHTS).sum())


def _tail_part(mu: float, quantile_epsilon: float, epsilon: float) -> float:
    """Return E[1 - exp(epsilon - L)] over losses L of training above ``epsilon + quantile_epsilon``."""
    z = (epsilon + quantile_epsilon) / mu - mu / 2
    return float(ndtr(-z)) - math.exp(min(0.0, epsilon + float(log_ndtr(-z - mu))))


def composed_delta(mu: float, quantile_epsilon: float, epsilon: float) -> float:
    r"""Return the delta at ``epsilon`` of mu-GDP training followed by the private quantile.

    Parameters
    ----------
    mu
        Of the training, 0 or more.
    quantile_epsilon
        Of the quantile's exponential mechanism, 0 or more.
    epsilon
        Any real number.

    Returns
    -------
    float
        In [0, 1]; raised by a relative 1e-9, so that rounding cannot make it too small.

    Notes
    -----
    **Privacy**: covers adaptive use, where the quantile ranks the scores of the trained model. Let ``P, Q``
    be the joint outputs on neighbours, ``o`` the trained model and ``L(o) = log p(o)/q(o)``. Then

    .. math:: H_\epsilon(P \| Q) = E_{o \sim P}\, H_{\epsilon - L(o)}(P_o \| Q_o)
              \le E_{o \sim P}\, \delta_{BR}(\epsilon - L(o)),

    since given any ``o`` the quantile is a bounded-range mechanism on the same neighbours. With
    ``r = exp(L)`` the right side is ``E_Q`` of ``sup (r P' - exp(epsilon) Q')_+`` over a fixed class of pairs,
    a supremum of convex functions of ``r``, hence an f-divergence, which is largest on the pair that dominates
    training: N(mu, 1) against N(0, 1), for which ``L ~ N(mu^2/2, mu^2)``. Both families contain each pair
    in both orders, so adding and emptying a row cost the same.

    References
    ----------
    Dong, Durfee and Rogers (2020), section 3 (bounded range); Zhu, Dong and Wang, Optimal Accounting of
    Differential Privacy via Characteristic Function (2022), theorem 10 (adaptive composition of dominating
    pairs); Dong, Roth and Su (2022), section 3 (training steps compose to mu-GDP).

    Examples
    --------
    >>> f"{composed_delta(0.2, 0.5, 1.0):.3e}"
    '3.897e-05'
    """
    if quantile_epsilon <= 0:
        return gaussian_delta(mu, epsilon)
    if math.isinf(mu) or math.isinf(quantile_epsilon):
        return 1.0
    if mu <= 0:
        return float(bounded_range_delta(quantile_epsilon, np.asarray(epsilon, dtype=np.float64)))
    window = _window_part(mu, quantile_epsilon, epsilon)
    tail = _tail_part(mu, quantile_epsilon, epsilon)
    return min(1.0, (1 + _MARGIN) * (window + max(0.0, tail)))


@lru_cache(maxsize=4096)
def training_mu(budget: PrivacyBudget, quantile_epsilon: float, composition: Composition = "tight") -> float:
    """Return the largest mu that training may have when the quantile takes ``quantile_epsilon``.

    Parameters
    ----------
    budget
        Of both together; ``delta`` above 0.
    quantile_epsilon
        Part of the quantile; above 0 and below ``budget.epsilon``.
    composition
        ``"basic"``: training gets ``budget.epsilon - quantile_epsilon``. ``"tight"``: the joint privacy curve
        passes through ``budget``; never less than basic.

    Returns
    -------
    float
        Rounded down. Infinity for an infinite budget.

    Raises
    ------
    InputError
        If nothing is left for training, or delta is 0.

    Examples
    --------
    >>> budget = PrivacyBudget(2.0, 1e-6)
    >>> composed_delta(training_mu(budget, 1.0, "tight"), 1.0, 2.0) <= 1e-6
    True
    """
    _validate.one_of(COMPOSITIONS, composition=composition)
    if not budget.is_finite:
        return math.inf
    share = _validate.positive(quantile_epsilon=quantile_epsilon)
    if share >= budget.epsilon:
        raise InputError(
            f"quantile_epsilon is {share:g}, which leaves nothing of epsilon = {budget.epsilon:g} "
            "for training; make it smaller."
        )
    delta = require_delta(budget.delta)
    basic = gaussian_mu(budget.epsilon - share, delta)
    if composition == "basic" or composed_delta(basic, share, budget.epsilon) > delta:
        return basic
    ceiling = gaussian_mu(budget.epsilon, delta)
    return largest_below(lambda mu: composed_delta(mu, share, budget.epsilon), delta, basic, ceiling)
