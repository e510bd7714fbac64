"""What no attack can exceed that guesses from a result whether one row was there.

>>> from dpcp_core.privacy.profile import GaussianProfile, gaussian_mu
>>> limits = attack_limits(GaussianProfile(gaussian_mu(1.0, 1e-5)))
>>> round(limits.advantage, 3), round(limits.tpr(0.01), 3), round(limits.chance_right(), 3)
(0.107, 0.02, 0.553)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import overload

import numpy as np
from scipy.special import ndtr, ndtri

from dpcp_core import _validate
from dpcp_core._arrays import Floats
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.gaussian import gaussian_delta
from dpcp_core.privacy.profile import GaussianProfile, PrivacyProfile

_POINTS = 100
_SMALLEST_DELTA = 1e-9
_LARGEST_EXPONENT = 700.0


@dataclass(frozen=True, eq=False)
class AttackLimits:
    """What no attack can exceed that guesses from a result whether one row was there; see :func:`attack_limits`.

    A false alarm is to say "was there" of a row that was not; a hit is to say it of one that was.

    Attributes
    ----------
    epsilons, deltas : float64 arrays of shape (K,)
        Points of the privacy profile; each of them limits every attack, so the best of them does.
    mu : float or None
        Of a Gaussian profile, whose limits are exact; the points are not used then.

    Notes
    -----
    **Privacy.** (epsilon, delta) for neighbours in both directions is the same as ``TPR <= delta + exp(epsilon) FPR``
    and ``TPR <= 1 - exp(-epsilon) (1 - delta - FPR)`` for every test. The profile is the family of all these lines, so
    its limit is never looser than that of one point, and for a Gaussian mechanism strictly tighter.

    References
    ----------
    Wasserman and Zhou (2010), theorem 2.4; Kairouz, Oh and Viswanath, The Composition Theorem for Differential Privacy
    (2015), theorem 2.1; Dong, Roth and Su, Gaussian Differential Privacy (2022), propositions 2.5 and 2.12.

    Examples
    --------
    >>> profile = GaussianProfile(0.5)
    >>> whole, point = attack_limits(profile), attack_limits(PrivacyBudget(profile.epsilon(1e-5), 1e-5))
    >>> round(whole.advantage, 3), round(point.advantage, 3), round(whole.tpr(0.01), 3), round(point.tpr(0.01), 3)
    (0.197, 0.76, 0.034, 0.073)
    """

    epsilons: Floats
    deltas: Floats
    mu: float | None = None

    @overload
    def tpr(self, fpr: float) -> float: ...
    @overload
    def tpr(self, fpr: Floats) -> Floats: ...
    def tpr(self, fpr: float | Floats) -> float | Floats:
        """Return the largest share of hits at a share of false alarms, the upper edge of the trade-off.

        Parameters
        ----------
        fpr
            Shares from 0 to 1, one or an array of any shape.
        """
        rates = np.asarray(fpr, dtype=np.float64)
        limit = self._of_points(rates) if self.mu is None else ndtr(ndtri(rates) + self.mu)
        return float(limit) if rates.ndim == 0 else np.asarray(limit, dtype=np.float64)

    def _of_points(self, fpr: Floats) -> Floats:
        rates = fpr[..., None]
        with np.errstate(over="ignore", invalid="ignore"):
            grows = np.where(rates > 0, np.exp(self.epsilons) * rates, 0.0) + self.deltas
        falls = 1 - np.exp(-self.epsilons) * np.maximum(1 - self.deltas - rates, 0.0)
        limit: Floats = np.minimum(np.minimum(grows, falls).min(axis=-1), 1.0)
        return limit

    def delta(self, epsilon: float) -> float:
        """Return the smallest delta at ``epsilon``, 0 or more, that follows from all points together."""
        if self.mu is not None:
            return gaussian_delta(self.mu, epsilon)
        # Below its own epsilon a point still says something: its limit has a corner, and delta is what is gained there.
        with np.errstate(over="ignore"):
            corner = (1 - self.deltas) / (1 + np.exp(self.epsilons))
        below = 1 - corner * (1 + math.exp(min(epsilon, _LARGEST_EXPONENT)))
        return float(np.clip(np.where(self.epsilons <= epsilon, self.deltas, below), 0.0, 1.0).min())

    @property
    def advantage(self) -> float:
        """Largest share of hits minus false alarms: 0 is guessing, 1 is certainty."""
        return self.delta(0.0)

    def chance_right(self, prior: float = 0.5) -> float:
        """Return the largest chance that the best guess is right, over row and result.

        Parameters
        ----------
        prior
            The chance that the row is there, before the result; strictly between 0 and 1.

        Examples
        --------
        >>> limits = attack_limits(PrivacyBudget(1.0))
        >>> round(limits.chance_right(), 4), round(limits.chance_right(prior=0.01), 4)
        (0.7311, 0.99)
        """
        share = _validate.share(prior=prior)
        rarer = min(share, 1 - share)
        return 1 - rarer + rarer * self.delta(math.log((1 - rarer) / rarer))

    def chance_named(self, blind: float) -> float:
        """Return the largest chance that somebody names who, of several candidates, is the one in the table.

        Parameters
        ----------
        blind
            The chance of the likeliest candidate before the result, from 0 to 1.

        Notes
        -----
        **Guarantee.** Say ``S_c`` are the results at which the attacker names candidate ``c``, and ``P(S_c)`` their
        chance with an empty row. With ``c`` there, it is ``tpr(P(S_c))`` at most. As the ``P(S_c)`` sum to at most 1
        and ``tpr`` is concave and grows, the mean over candidates is ``tpr(blind)`` at most.

        Examples
        --------
        >>> limits = attack_limits(PrivacyBudget(1.0, 1e-5))
        >>> round(limits.chance_named(0.02), 4), attack_limits(PrivacyBudget.infinite()).chance_named(0.5)
        (0.0544, 1.0)
        """
        return self.tpr(_validate.between((0.0, 1.0), blind=blind))

    def chance_of_more(self, epsilon: float) -> float:
        """Return the largest chance that a result comes out that makes odds grow by more than ``exp(epsilon)``.

        Parameters
        ----------
        epsilon
            0 or more.

        Notes
        -----
        With the row there. If odds grow by ``exp(L)``, then ``delta(e) >= E[(1 - exp(e - L))+]``, and hence
        ``P(L > epsilon) <= delta(e) / (1 - exp(e - epsilon))`` for every ``e`` below ``epsilon``.

        Examples
        --------
        >>> attack_limits(PrivacyBudget(1.0)).chance_of_more(1.0)
        0.0
        >>> f"{attack_limits(GaussianProfile(0.5)).chance_of_more(2.0):.2g}"
        '8.8e-05'
        """
        wanted = _validate.non_negative(epsilon=epsilon)
        if self.mu is not None:
            return float(ndtr(self.mu / 2 - wanted / self.mu)) if self.mu else 0.0
        known = self.epsilons <= wanted
        deltas, gap = self.deltas[known], np.abs(np.expm1(self.epsilons[known] - wanted))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            chances = np.where(deltas == 0, 0.0, deltas / gap)
        return float(min(1.0, chances.min(initial=1.0)))


def attack_limits(privacy: PrivacyBudget | PrivacyProfile, *, delta: float | None = None) -> AttackLimits:
    """Return what no attack can exceed, from one (epsilon, delta) or from a whole privacy profile, which is tighter.

    Parameters
    ----------
    privacy
        For a profile, the points are spread over it; a Gaussian one has limits in closed form.
    delta
        The delta at which a profile is also quoted as one (epsilon, delta): with that point among the others, the
        limit is never looser than what is quoted. Strictly between 0 and 1.

    Raises
    ------
    InputError
        If delta is out of range.

    Examples
    --------
    >>> attack_limits(PrivacyBudget.infinite()).tpr(0.01), round(attack_limits(PrivacyBudget(1.0)).tpr(0.01), 4)
    (1.0, 0.0272)
    """
    if isinstance(privacy, PrivacyBudget):
        epsilons, deltas = [privacy.epsilon], [privacy.delta]
        if not privacy.is_finite:
            epsilons, deltas = [0.0], [1.0]
        return AttackLimits(np.asarray(epsilons), np.asarray(deltas))
    quoted = [] if delta is None else [privacy.epsilon(_validate.share(delta=delta))]
    if isinstance(privacy, GaussianProfile) and math.isfinite(privacy.mu):
        no_points = np.empty(0)
        return AttackLimits(no_points, no_points, privacy.mu)
    top = min(privacy.epsilon(_SMALLEST_DELTA), _LARGEST_EXPONENT)
    points = sorted({*np.linspace(0.0, top, _POINTS).tolist(), *(e for e in quoted if math.isfinite(e))})
    return AttackLimits(np.asarray(points), np.asarray([privacy.delta(point) for point in points]))
