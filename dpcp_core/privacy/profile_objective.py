r"""The privacy of objective perturbation: a convex loss is minimised after noise was added to its gradient.

>>> profile = ObjectivePerturbationProfile(noise_multiplier=5.0, stretch=0.1)
>>> round(profile.epsilon(1e-5), 2), round(gaussian_epsilon(1 / 5, 1e-5), 2)
(0.83, 0.73)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from dpcp_core import _validate
from dpcp_core._words import number_text
from dpcp_core.errors import InputError
from dpcp_core.privacy.gaussian import gaussian_delta, gaussian_epsilon
from dpcp_core.privacy.spending import TrainingBudget

SOLVER_SHARE = 1e-3
"""What hides the solver's rounding may spend, as a share of the GDP parameter ``1 / noise_multiplier``."""
_SOLVER_REACH = 10.0  # the chance of a Gaussian that far out is below 1e-23
_PRECISION = 1e-6
_LARGEST_EPSILON = 1e5


@dataclass(frozen=True)
class ObjectivePerturbationProfile:
    r"""A bound of delta for the minimiser of a perturbed, penalised convex loss of one score per row.

    Attributes
    ----------
    noise_multiplier : float
        Standard deviation of the noise on the sum of gradients over the largest gradient of a row.
    stretch : float
        ``log(1 + curvature / Lambda)``, with ``Lambda`` the penalty on the sum of losses (``penalty * n``).

    Notes
    -----
    **Privacy.** The output is :math:`w = \arg\min \sum_i \ell_i(w) + \frac\Lambda2 |w - w_0|^2 + b \cdot w`,
    :math:`b \sim N(0, \sigma^2 I)`, :math:`\ell_i(w) = f_i(x_i \cdot w)`, :math:`f_i` convex,
    :math:`|f_i'| |x_i| \le C`, :math:`f_i'` with slopes of at most :math:`\beta`, :math:`|x_i| \le 1`. Without the
    row ``(x, f)``, ``w`` and ``b = -(sum of gradients) - Lambda (w - w_0)`` determine each other; call that map
    ``W``. With it, the same ``w`` belongs to ``b' = b - f'(x . w) x``. So ``b`` and ``b'`` differ only in their
    component along ``x / |x|``: ``t`` and ``T(t) = t - R(t)`` with ``R(t) = |x| f'(x . W(t))``, given the other
    components, which are distributed alike. Strong convexity says that ``x . W`` falls in ``t``, with slope between
    ``-|x| / Lambda`` and 0, so ``R`` does not increase, its slope is at least ``-beta / Lambda``, and ``|R| <= C``.
    Everything is now one-dimensional: tell ``P: t ~ N(0, sigma^2)`` from ``Q: T(t) ~ N(0, sigma^2)``, with
    ``1 <= T' <= e^s``, ``s`` the stretch. Let ``g`` be the standard normal density, ``mu = C / sigma``, lengths in
    units of ``sigma``, ``H_mu(e)`` the delta of a ``mu``-GDP mechanism at ``e``, ``a = e^e``.

    1. *The row is added* (``P`` against ``Q``). As ``T' >= 1`` and ``|T| <= |t| + mu``, delta is at most
       ``int (g(t) - a g(|t| + mu))_+ dt``, twice an integral over ``t > 0``: at most ``2 H_mu(e)``.
    2. *The row is removed* (``Q`` against ``P``). In terms of ``u = T(t)``, delta is at most
       ``int (g(u) - a e^{-s} g(u + r(u)))_+ du`` with ``r`` non-increasing, ``|r| <= mu``. Let ``a e^{-s} >= 1`` and
       let ``r`` change its sign at ``c >= 0`` (else mirror). For ``u < c``, where ``r >= 0``, replacing ``r`` by
       ``mu`` lowers the integrand nowhere where it is positive. For ``u > c``, where ``r <= 0``,
       ``g(u + r) >= min(g(u), g(u - mu)) >= g(u + mu)``, so the same. Hence it is at most ``H_mu(e - s)``.
    3. Delta is convex in ``a`` and 1 at ``a = 0``: below the points where 1 and 2 hold, a chord bounds it.
    4. The solver returns a point within ``gamma / Lambda'`` of the minimum; Gaussian noise that makes twice that
       distance ``mu_2``-GDP is added to it. Given the exact minimum this is a mechanism of its own, so
       ``delta(e) <= delta_exact(e - e_2) + H_{mu_2}(e_2)``, with ``mu_2 = SOLVER_SHARE * mu``, ``e_2 = 10 mu_2``.

    Neither a second derivative of the loss nor a penalty larger than its curvature is needed.

    References
    ----------
    Chaudhuri, Monteleoni and Sarwate, Differentially Private Empirical Risk Minimization (2011), algorithm 2; Kifer,
    Smith and Thakurta, Private Convex Empirical Risk Minimization (2012), theorem 2 (Gaussian noise); Redberg, Koskela
    and Wang, Improving the Privacy and Practicality of Objective Perturbation (2023), theorem 3.1 (a profile for
    losses of one score; the one here is smaller); Iyengar et al., Towards Practical Differentially Private Convex
    Optimization (2019), algorithm 1 (noise for approximate minima).

    Examples
    --------
    >>> round(ObjectivePerturbationProfile(5.0, 0.1).epsilon(1e-5), 2)
    0.83
    """

    noise_multiplier: float
    stretch: float

    def __post_init__(self) -> None:
        _validate.positive(noise_multiplier=self.noise_multiplier)
        _validate.non_negative(stretch=self.stretch)

    def delta(self, epsilon: float) -> float:
        """Return a valid delta at ``epsilon``, 0 or more."""
        mu = 1 / self.noise_multiplier
        solver_mu = SOLVER_SHARE * mu
        solver_epsilon = _SOLVER_REACH * solver_mu
        exact = epsilon - solver_epsilon
        added = _chord(exact, 0.0, min(1.0, 2 * gaussian_delta(mu, max(exact, 0.0))))
        removed = _chord(exact, self.stretch, gaussian_delta(mu, max(exact - self.stretch, 0.0)))
        return min(1.0, max(added, removed) + gaussian_delta(solver_mu, solver_epsilon))

    def epsilon(self, delta: float) -> float:
        """Return the smallest epsilon >= 0 for ``delta``, rounded up; infinity where none is found."""
        limit = _validate.share(zero=True, delta=delta)
        if self.delta(0.0) <= limit:
            return 0.0
        if self.delta(_LARGEST_EPSILON) > limit:
            return math.inf
        low, high = gaussian_epsilon(1 / self.noise_multiplier, limit), _LARGEST_EPSILON
        while high - low > 1e-9 * high:
            middle = (low + high) / 2
            low, high = (middle, high) if self.delta(middle) > limit else (low, middle)
        return high


def _chord(epsilon: float, known_from: float, value: float) -> float:
    """Return ``value`` from ``known_from`` on, below it the chord to 1 of a function convex in exp(epsilon)."""
    return value if epsilon >= known_from else 1 - math.exp(epsilon - known_from) * (1 - value)


@lru_cache(maxsize=256)
def objective_noise(spending: TrainingBudget, stretch: float) -> float:
    """Return the noise multiplier that keeps objective perturbation within a budget; 0 if it need not be private.

    Parameters
    ----------
    spending : TrainingBudget
    stretch : float
        See :class:`ObjectivePerturbationProfile`; it has to be below the budget's epsilon.

    Raises
    ------
    InputError
        If no amount of noise is known to be enough.

    Notes
    -----
    **Privacy.** Rounded up by at most 1e-6 of it; the budget admits the profile.

    Examples
    --------
    >>> round(objective_noise(TrainingBudget(1.0, 1e-5), 0.2), 2)
    4.58
    """
    if not spending.is_finite:
        return 0.0
    if stretch >= spending.point.epsilon:
        least = math.expm1(spending.point.epsilon)
        raise InputError(
            f"penalty is too small for this budget: curvature / (penalty * n) is {number_text(math.expm1(stretch), 4)} "
            f"but has to be well below {number_text(least, 4)}; choose a larger penalty."
        )
    # A Gaussian mechanism of the same noise is never worse.
    low = high = 1 / spending.mu
    while not spending.admits(ObjectivePerturbationProfile(high, stretch)):
        low, high = high, 2 * high
    while high - low > _PRECISION * high:
        middle = (low + high) / 2
        low, high = (low, middle) if spending.admits(ObjectivePerturbationProfile(middle, stretch)) else (middle, high)
    return high
