"""What a count of hits and false alarms proves about epsilon, and how sure it is.

How large is a share, at least and at most?  ``clopper_pearson(successes, trials)``, as a ``PrivacyRisk``.
What must epsilon at least be?  ``epsilon_lower_bound(n_out, false_positives, n_in, true_positives, delta)``.
And if all noise was Gaussian?  ``gaussian_lower_bound(...)``, which proves more from the same counts.

An attacker looks at what was released and says whether a row was in. He is right about it in ``true_positives`` of the
``n_in`` trials with the row, and wrong in ``false_positives`` of the ``n_out`` trials without it.

>>> low, high = clopper_pearson(successes=90, trials=100)
>>> round(low, 3), round(high, 3)
(0.824, 0.951)
>>> round(epsilon_lower_bound(n_out=1000, false_positives=50, n_in=1000, true_positives=500, delta=0.0), 2)
1.97
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

from scipy.special import betaincinv, ndtri

from dpcp_core import _validate
from dpcp_core.errors import InputError
from dpcp_core.privacy.gaussian import gaussian_epsilon

CONFIDENCE = 0.95
"""Of a statement about epsilon, unless another is asked for."""


@dataclass(frozen=True)
class PrivacyRisk:
    """A measured number with the interval that it lies in.

    Attributes
    ----------
    value : float
    low, high : float
        Ends of the interval, ``low <= value <= high``.
    confidence : float
        Of the interval, strictly between 0 and 1.

    Examples
    --------
    >>> PrivacyRisk.of_share(3, 100).value
    0.03
    """

    value: float
    low: float
    high: float
    confidence: float = CONFIDENCE

    def __post_init__(self) -> None:
        _validate.share(confidence=self.confidence)
        if not self.low <= self.value <= self.high:
            raise InputError(f"value is {self.value} but must lie from low, {self.low}, to high, {self.high}.")

    @classmethod
    def of_share(cls, successes: int, trials: int, confidence: float = CONFIDENCE) -> Self:
        """Return a share of trials with the interval of Clopper and Pearson."""
        low, high = clopper_pearson(successes, trials, confidence)
        return cls(successes / trials, low, high, confidence)


def clopper_pearson(
    successes: int, trials: int, confidence: float = CONFIDENCE, *, one_sided: bool = False
) -> tuple[float, float]:
    """Return bounds of a chance from how often something happened in independent trials.

    Parameters
    ----------
    successes : int
        0 to ``trials``.
    trials : int
        1 or more.
    confidence : float
        Strictly between 0 and 1.
    one_sided : bool
        Whether each bound holds with ``confidence`` by itself. Otherwise both together do.

    Returns
    -------
    low, high : float
        In [0, 1].

    Raises
    ------
    InputError
        If a number is out of its range.

    Notes
    -----
    **Guarantee**: the true chance lies between the bounds with at least ``confidence``, for every chance and every
    number of trials.

    References
    ----------
    Clopper and Pearson, The use of confidence or fiducial limits illustrated in the case of the binomial (1934).

    Examples
    --------
    >>> clopper_pearson(0, 100, one_sided=True)
    (0.0, 0.029...)
    """
    n = _validate.whole(trials=trials)
    hits = _validate.whole(at_least=0, at_most=n, successes=successes)
    error = 1 - _validate.share(confidence=confidence)
    tail = error if one_sided else error / 2
    low = float(betaincinv(hits, n - hits + 1, tail)) if hits else 0.0
    high = float(betaincinv(hits + 1, n - hits, 1 - tail)) if hits < n else 1.0
    return low, high


def epsilon_lower_bound(
    n_out: int,
    false_positives: int,
    n_in: int,
    true_positives: int,
    delta: float,
    confidence: float = CONFIDENCE,
) -> float:
    """Return a number that epsilon is not below, from how well an attacker told two neighbouring tables apart.

    Parameters
    ----------
    n_out, n_in : int
        Independent trials without and with the row, 1 or more each.
    false_positives, true_positives : int
        Trials of either kind in which the attacker said that the row was in. What makes him say so must have been
        settled before these trials, else the bound proves nothing.
    delta : float
        At which epsilon is bounded, 0 up to but not including 1.
    confidence : float
        Of the bound.

    Returns
    -------
    float
        0 or more; 0 where the counts prove nothing. Never infinity.

    Notes
    -----
    **Guarantee**: an (epsilon, delta)-private mechanism has ``TPR <= exp(epsilon) FPR + delta`` and, for the other
    answer, ``1 - FPR <= exp(epsilon) (1 - TPR) + delta``. Both rest on one bound of each rate, at half of the error
    each, so that the larger of the two bounds holds with ``confidence``.

    References
    ----------
    Kairouz, Oh and Viswanath, The Composition Theorem for Differential Privacy (2015), theorem 2.1; Jagielski, Ullman
    and Oprea, Auditing Differentially Private Machine Learning (2020).

    Examples
    --------
    >>> epsilon_lower_bound(100, 50, 100, 50, delta=0.0)
    0.0
    """
    wanted = _validate.share(zero=True, delta=delta)
    fpr, tpr = _rates(n_out, false_positives, n_in, true_positives, confidence)
    return max(0.0, _log_quotient(tpr - wanted, fpr), _log_quotient(1 - fpr - wanted, 1 - tpr))


def gaussian_lower_bound(
    n_out: int,
    false_positives: int,
    n_in: int,
    true_positives: int,
    delta: float,
    confidence: float = CONFIDENCE,
) -> float:
    """Return a number that epsilon is not below, for a mechanism whose claim is a Gaussian trade-off curve.

    Parameters and errors are those of ``epsilon_lower_bound``; ``delta`` may not be 0.

    Returns
    -------
    float
        0 or more.

    Notes
    -----
    **Guarantee**: a mu-GDP mechanism has ``Phi^-1(TPR) - Phi^-1(FPR) <= mu``, so the bounds of the two rates bound mu
    and mu gives epsilon at ``delta``. It holds with ``confidence`` for what is claimed to be mu-GDP, for instance
    Gaussian noise that does not depend on the rows, and for nothing else.

    References
    ----------
    Nasr et al., Tight Auditing of Differentially Private Machine Learning (2023), section 4.

    Examples
    --------
    >>> round(gaussian_lower_bound(10_000, 500, 10_000, 2600, delta=1e-5), 2)
    4.04
    """
    fpr, tpr = _rates(n_out, false_positives, n_in, true_positives, confidence)
    mu = max(0.0, float(ndtri(tpr) - ndtri(fpr))) if tpr > fpr else 0.0
    return gaussian_epsilon(mu, delta)


def _rates(n_out: int, false_positives: int, n_in: int, true_positives: int, confidence: float) -> tuple[float, float]:
    """Return an upper bound of the rate of false alarms and a lower bound of that of hits, together at confidence."""
    each = 1 - (1 - _validate.share(confidence=confidence)) / 2
    _, fpr = clopper_pearson(false_positives, n_out, each, one_sided=True)
    tpr, _ = clopper_pearson(true_positives, n_in, each, one_sided=True)
    return fpr, tpr


def _log_quotient(upper: float, lower: float) -> float:
    return math.log(upper / lower) if upper > 0 else 0.0
