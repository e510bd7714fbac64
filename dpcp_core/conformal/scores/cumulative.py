"""The cumulative score (APS): how much probability is spent before the true class is reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core.conformal.regions import LabelSets
from dpcp_core.data.target import Floats, Target
from dpcp_core.training.protocol import Task


@dataclass(frozen=True)
class CumulativeProbability:
    """Sum of the probabilities of all likelier classes, plus the true class's own or (randomised) a part of it.

    Randomised, ``sum of likelier + u p_y`` with ``u`` uniform and the same for all classes of a row: exact coverage,
    but the same row may get another set next time. Without, ``u = 1``: sets are larger, and none is left to chance.

    References
    ----------
    Romano, Sesia and Candes (2020), "Classification with valid and adaptive coverage".

    Examples
    --------
    >>> from dpcp_core.data.target import ClassTarget
    >>> target = ClassTarget(("a", "b", "c"))
    >>> APS.scores(np.array([[1]]), np.array([[[0.7, 0.2, 0.1]]]), target, None).round(9).tolist()
    [[0.9]]
    """

    name: str
    title: str
    sentence: str
    needs_coins: bool
    task: Task = "classification"
    in_target_unit: bool = False
    needs_spread: bool = False
    can_couple: bool = False

    def bound(self, target: Target) -> float:  # noqa: ARG002 - the protocol's
        """Return 1."""
        return 1.0

    def floor(self, target: Target) -> None:  # noqa: ARG002 - the protocol's
        """Return None: no spread is asked."""
        return

    def smallest(self, target: Target) -> float:
        """Return a tenth of an even share."""
        return 0.1 / target.n_classes

    def typical(self, target: Target) -> float:  # noqa: ARG002 - the protocol's
        """Return a half: randomised scores of a right model are uniform."""
        return 0.5

    def movement(self, radius: float | None, target: Target) -> None:  # noqa: ARG002 - the protocol's
        """Return None: where two classes change places the score jumps."""
        return

    def scores(self, truth: npt.NDArray[Any], predicted: Floats, target: Target, coins: Floats | None) -> Floats:  # noqa: ARG002 - the protocol's
        """Return the cumulative probability of the true class."""
        every = self._every(predicted, coins)
        return np.take_along_axis(every, truth[..., None].astype(np.int64), axis=-1)[..., 0]

    def region(self, predicted: Floats, threshold: Floats | float, target: Target, coins: Floats | None) -> LabelSets:  # noqa: ARG002 - the protocol's
        """Return the classes whose score is at most the threshold."""
        return LabelSets(self._every(predicted, coins) <= np.asarray(threshold)[..., None])

    def _every(self, predicted: Floats, coins: Floats | None) -> Floats:
        """Return the score that each class would have."""
        order = np.argsort(-predicted, axis=-1, kind="stable")
        falling = np.take_along_axis(predicted, order, axis=-1)
        own = falling * coins[..., None] if self.needs_coins and coins is not None else falling
        ordered = np.clip(np.cumsum(falling, axis=-1) - falling + own, 0.0, 1.0)
        every = np.empty_like(ordered)
        np.put_along_axis(every, order, ordered, axis=-1)
        return every


APS = CumulativeProbability(
    "aps",
    "cumulative",
    "The probabilities of all classes that are at least as likely as the true one, added up. Sets grow where the "
    "model is unsure.",
    needs_coins=False,
)
RANDOMIZED_APS = CumulativeProbability(
    "aps_randomized",
    "cumulative, randomised",
    "Like “cumulative”, with a random part of the true class's own probability: smaller sets, but the same row may "
    "get another set next time.",
    needs_coins=True,
)
