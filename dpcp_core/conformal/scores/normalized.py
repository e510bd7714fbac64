"""The normalised residual: how far the truth is from the prediction, in units of how far it usually is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core.conformal.regions import Intervals
from dpcp_core.conformal.scores.absolute import around, numeric, within_bounds
from dpcp_core.data.target import Floats, Target
from dpcp_core.training.protocol import Task

# A threshold of a twentieth of the usual distance is finer than anybody needs.
_SMALLEST = 0.05


@dataclass(frozen=True)
class NormalizedResidual:
    """``|y - prediction| / spread``, where a second private model predicts the spread.

    Attributes
    ----------
    floor_share : float
        The spread is never taken below this share of the target's typical spread: public, above 0.

    Notes
    -----
    **Privacy.** The spread's model is trained on the residuals of the first with a part of the budget of its own; its
    line is on the receipt.

    References
    ----------
    Papadopoulos, Gammerman and Vovk (2008), "Normalized nonconformity measures for regression conformal prediction".

    Examples
    --------
    >>> from dpcp_core.data.target import NumericTarget
    >>> target = NumericTarget(centre=0.0, spread=1.0, lower=-9.0, upper=9.0)
    >>> NormalizedResidual().scores(np.array([[3.0]]), np.array([[[1.0, 4.0]]]), target, None).tolist()
    [[0.5]]
    """

    floor_share: float = 0.1
    name: str = "normalized"
    title: str = "relative distance"
    sentence: str = (
        "How far the true value is from the prediction, in units of how far it usually is for such rows: a second "
        "private model learns that, so intervals are narrower where predictions are sure."
    )
    task: Task = "regression"
    in_target_unit: bool = False
    needs_spread: bool = True
    needs_coins: bool = False
    can_couple: bool = False

    def floor(self, target: Target) -> float:
        """Return the smallest spread, in target units."""
        return self.floor_share * numeric(target).spread

    def bound(self, target: Target) -> float:
        """Return the width of the public bounds over the smallest spread."""
        return numeric(target).bound / self.floor(target)

    def smallest(self, target: Target) -> float:  # noqa: ARG002 - the protocol's
        """Return a twentieth of the usual distance."""
        return _SMALLEST

    def typical(self, target: Target) -> float:  # noqa: ARG002 - the protocol's
        """Return 1: the spread is the usual distance."""
        return 1.0

    def movement(self, radius: float | None, target: Target) -> None:  # noqa: ARG002 - the protocol's
        """Return None: the spread's model learns from all residuals at once, so one row may move it at will."""
        return

    def scores(self, truth: npt.NDArray[Any], predicted: Floats, target: Target, coins: Floats | None) -> Floats:  # noqa: ARG002 - the protocol's
        """Return residuals over spreads."""
        return np.abs(truth - predicted[..., 0]) / np.maximum(predicted[..., 1], self.floor(target))

    def region(self, predicted: Floats, threshold: Floats | float, target: Target, coins: Floats | None) -> Intervals:  # noqa: ARG002 - the protocol's
        """Return prediction minus and plus the threshold times the spread, within the public bounds."""
        everything = np.asarray(threshold) >= self.bound(target)
        reach = threshold * np.maximum(predicted[..., 1], self.floor(target))
        return within_bounds(*around(predicted[..., 0], reach), everything, numeric(target))
