"""The absolute residual: how far the truth is from the prediction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core.conformal.regions import Intervals
from dpcp_core.data.target import Floats, NumericTarget, Target
from dpcp_core.training.protocol import Task

# Without a wish of the user's, half-widths below this share of the typical spread are not told apart.
_SMALLEST_SHARE = 0.1


@dataclass(frozen=True)
class AbsoluteResidual:
    """``|y - prediction|``, in target units.

    With targets and predictions clipped to the public bounds it never exceeds their width, and it moves by at
    most as much as the prediction moves (Lipschitz constant 1).

    Examples
    --------
    >>> target = NumericTarget(centre=5.0, spread=2.0, lower=0.0, upper=10.0)
    >>> intervals = AbsoluteResidual().region(np.array([[[1.0]], [[5.0]]]), 2.0, target, None)
    >>> intervals.lower.round(9).tolist(), intervals.upper.round(9).tolist()
    ([[0.0], [3.0]], [[3.0], [7.0]])
    """

    name: str = "absolute"
    title: str = "distance"
    sentence: str = "How far the true value is from the prediction; every interval has the same half-width."
    task: Task = "regression"
    in_target_unit: bool = True
    needs_spread: bool = False
    needs_coins: bool = False
    can_couple: bool = True

    def bound(self, target: Target) -> float:
        """Return the width of the target's public bounds."""
        return numeric(target).bound

    def floor(self, target: Target) -> None:  # noqa: ARG002 - the protocol's
        """Return None: no spread is asked."""
        return

    def smallest(self, target: Target) -> float:
        """Return a tenth of the target's typical spread."""
        return _SMALLEST_SHARE * numeric(target).spread

    def typical(self, target: Target) -> float:
        """Return the target's typical spread."""
        return numeric(target).spread

    def movement(self, radius: float | None, target: Target) -> float | None:
        """Return the radius in target units: the score moves as far as the prediction."""
        return None if radius is None else radius * numeric(target).spread

    def scores(self, truth: npt.NDArray[Any], predicted: Floats, target: Target, coins: Floats | None) -> Floats:  # noqa: ARG002 - the protocol's
        """Return absolute residuals."""
        return np.abs(truth - predicted[..., 0])

    def region(self, predicted: Floats, threshold: Floats | float, target: Target, coins: Floats | None) -> Intervals:  # noqa: ARG002 - the protocol's
        """Return prediction minus and plus the threshold, within the public bounds."""
        everything = np.asarray(threshold) >= self.bound(target)
        return within_bounds(*around(predicted[..., 0], threshold), everything, numeric(target))


def numeric(target: Target) -> NumericTarget:
    """Return the target, which settings have checked to be a number."""
    assert isinstance(target, NumericTarget)
    return target


def within_bounds(lower: Floats, upper: Floats, everything: npt.NDArray[np.bool_], target: NumericTarget) -> Intervals:
    """Return intervals cut to the public bounds; ``everything`` marks those that are the whole range."""
    return Intervals(
        np.where(everything, target.lower, np.maximum(lower, target.lower)),
        np.where(everything, target.upper, np.minimum(upper, target.upper)),
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
