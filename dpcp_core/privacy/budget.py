"""How much privacy may be spent: one pair (epsilon, delta) and the sums done with it.

>>> training, quantile = PrivacyBudget(1.0, 1e-5).split(0.5)
>>> print(training)
epsilon = 0.5, delta = 1e-05
>>> training + quantile == PrivacyBudget(1.0, 1e-5)
True
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpcp_core import _validate
from dpcp_core.errors import InputError

_TOLERANCE = 1e-9


@dataclass(frozen=True)
class PrivacyBudget:
    """An amount of privacy loss.

    Attributes
    ----------
    epsilon
        Largest change of any output's log-probability when one row is emptied; above 0, infinity
        means "not private".
    delta
        Probability mass to which ``epsilon`` need not apply, from 0 up to but not including 1.

    Raises
    ------
    InputError
        If either number is outside its range.

    References
    ----------
    Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014), definition 2.4.

    Examples
    --------
    >>> PrivacyBudget(0.5) + PrivacyBudget(0.5, 1e-6)
    PrivacyBudget(epsilon=1.0, delta=1e-06)
    >>> PrivacyBudget(-1)
    Traceback (most recent call last):
        ...
    dpcp_core.errors.InputError: epsilon is -1 but must be a number above 0.
    """

    epsilon: float
    delta: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", _validate.positive(infinite=True, epsilon=self.epsilon))
        object.__setattr__(self, "delta", _validate.share(zero=True, delta=self.delta))

    @classmethod
    def infinite(cls) -> PrivacyBudget:
        """Return the cost of something that is not private.

        Examples
        --------
        >>> print(PrivacyBudget.infinite())
        epsilon = infinity (not private)
        """
        return cls(math.inf)

    @property
    def is_finite(self) -> bool:
        """Whether anything is promised at all."""
        return math.isfinite(self.epsilon)

    def __add__(self, other: PrivacyBudget) -> PrivacyBudget:
        """Return what two mechanisms cost that read the same rows (basic composition)."""
        if not isinstance(other, PrivacyBudget):
            return NotImplemented
        delta = self.delta + other.delta
        if delta >= 1:
            raise InputError(f"The deltas add up to {delta:g}, which promises nothing; choose smaller ones.")
        return PrivacyBudget(self.epsilon + other.epsilon, delta)

    def split(self, training_share: float) -> tuple[PrivacyBudget, PrivacyBudget]:
        """Return the parts for training and for the quantile.

        Parameters
        ----------
        training_share
            Share of ``epsilon`` for training, strictly between 0 and 1. Training also takes the whole
            ``delta``: the quantile needs none.

        Returns
        -------
        tuple of two PrivacyBudget
            Their sum is this budget.

        Raises
        ------
        InputError
            If the share is out of range, or so extreme that floats cannot tell a part from nothing.

        Examples
        --------
        >>> PrivacyBudget(2.0, 1e-5).split(0.25)
        (PrivacyBudget(epsilon=0.5, delta=1e-05), PrivacyBudget(epsilon=1.5, delta=0.0))
        """
        part = _validate.share(training_share=training_share)
        if not self.is_finite:
            return self, PrivacyBudget.infinite()
        training = part * self.epsilon
        quantile = self.epsilon - training
        if not (training > 0 and 0 < quantile < self.epsilon):
            raise InputError(
                f"training_share is {part!r}, which leaves next to nothing of epsilon = {self.epsilon:g} for one part; "
                "take a share further from 0 and 1."
            )
        return PrivacyBudget(training, self.delta), PrivacyBudget(quantile)

    def covers(self, other: PrivacyBudget) -> bool:
        """Return whether ``other`` fits in, up to the rounding of sums of floats.

        Examples
        --------
        >>> PrivacyBudget(0.3).covers(PrivacyBudget(0.1) + PrivacyBudget(0.2))
        True
        >>> PrivacyBudget(0.3).covers(PrivacyBudget(0.301))
        False
        """
        room = 1 + _TOLERANCE
        return other.epsilon <= self.epsilon * room and other.delta <= self.delta * room

    def __str__(self) -> str:
        if not self.is_finite:
            return "epsilon = infinity (not private)"
        if self.delta == 0:
            return f"epsilon = {self.epsilon:.4g}"
        return f"epsilon = {self.epsilon:.4g}, delta = {self.delta:.4g}"
