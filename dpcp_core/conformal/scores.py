"""Conformity scores by name: how badly a prediction missed, and the set of values that miss no worse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dpcp_core.data.encoding import Floats, TargetScale


class Score(Protocol):
    """A conformity score of a numeric target."""

    @property
    def name(self) -> str:
        """Key in the registry."""
        ...

    @property
    def lipschitz(self) -> float:
        """How far the score moves, at most, when the prediction moves by 1."""
        ...

    def bound(self, scale: TargetScale) -> float:
        """Return a true upper bound of the score, from public numbers."""
        ...

    def scores(self, truth: Floats, predicted: Floats) -> Floats:
        """Return one score per entry, 0 or more; arrays in target units, of one shape or broadcast to one."""
        ...

    def interval(self, predicted: Floats, threshold: Floats | float, scale: TargetScale) -> tuple[Floats, Floats]:
        """Return lower and upper ends of the values whose score is at most the threshold, in target units.

        Predictions have shape (n,) or (n, R), thresholds are one number or have shape (R,).
        """
        ...


@dataclass(frozen=True)
class AbsoluteResidual:
    """``|y - prediction|``, in target units.

    With targets and predictions clipped to the public bounds it never exceeds their width, and it moves by at
    most as much as the prediction moves (Lipschitz constant 1).

    Examples
    --------
    >>> scale = TargetScale(centre=5.0, spread=2.0, lower=0.0, upper=10.0)
    >>> [end.round(9).tolist() for end in AbsoluteResidual().interval(np.array([1.0, 5.0]), 2.0, scale)]
    [[0.0, 3.0], [3.0, 7.0]]
    """

    name: str = "absolute"
    lipschitz: float = 1.0

    def bound(self, scale: TargetScale) -> float:
        """Return the width of the target's public bounds."""
        return scale.bound

    def scores(self, truth: Floats, predicted: Floats) -> Floats:
        """Return absolute residuals."""
        return np.abs(truth - predicted)

    def interval(self, predicted: Floats, threshold: Floats | float, scale: TargetScale) -> tuple[Floats, Floats]:
        """Return prediction minus and plus the threshold, within the public bounds."""
        lower, upper = around(predicted, threshold)
        everything = np.asarray(threshold) >= self.bound(scale)
        return (
            np.where(everything, scale.lower, np.maximum(lower, scale.lower)),
            np.where(everything, scale.upper, np.minimum(upper, scale.upper)),
        )


def around(predicted: Floats, threshold: Floats | float) -> tuple[Floats, Floats]:
    """Return ends that enclose every value whose absolute residual is at most the threshold.

    Rounding can put ``predicted - threshold`` above a value whose residual, rounded as well, equals the threshold;
    a few units in the last place keep such values inside.

    Examples
    --------
    >>> around(np.array([1000.0]), abs(0.1 - 1000.0))[0][0] <= 0.1
    np.True_
    """
    slack = 4 * np.spacing(np.maximum(np.abs(predicted), threshold))
    return predicted - threshold - slack, predicted + threshold + slack


SCORES: Mapping[str, Score] = {score.name: score for score in (AbsoluteResidual(),)}
