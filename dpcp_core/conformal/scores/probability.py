"""One minus the probability of the true class: the score of the smallest sets on average."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core.conformal.regions import LabelSets
from dpcp_core.data.target import Floats, Target
from dpcp_core.training.protocol import Task

# |p_y (e_y - p)| is at most sqrt(2) p_y (1 - p_y), for any number of classes.
_LIPSCHITZ = math.sqrt(2) / 4


@dataclass(frozen=True)
class ClassProbability:
    """``1 - p_y``, also called LAC: a set holds every class that is likely enough.

    It moves by at most ``sqrt(2)/4`` times as far as the vector of logits: the gradient of ``p_y`` in the logits is
    ``p_y (e_y - p)``, whose length is at most ``sqrt(2) p_y (1 - p_y)``.

    References
    ----------
    Sadinle, Lei and Wasserman (2019), "Least ambiguous set-valued classifiers with bounded error levels".

    Examples
    --------
    >>> from dpcp_core.data.target import ClassTarget
    >>> target = ClassTarget(("a", "b", "c"))
    >>> probabilities = np.array([[[0.7, 0.2, 0.1]]])
    >>> ClassProbability().region(probabilities, 0.8, target, None).members.tolist()
    [[[True, True, False]]]
    """

    name: str = "probability"
    title: str = "improbability"
    sentence: str = (
        "One minus the probability that the model gives the true class. Sets hold every class that is likely enough: "
        "the smallest sets on average."
    )
    task: Task = "classification"
    in_target_unit: bool = False
    needs_spread: bool = False
    needs_coins: bool = False
    can_couple: bool = True

    def bound(self, target: Target) -> float:  # noqa: ARG002 - the protocol's
        """Return 1."""
        return 1.0

    def floor(self, target: Target) -> None:  # noqa: ARG002 - the protocol's
        """Return None: no spread is asked."""
        return

    def smallest(self, target: Target) -> float:  # noqa: ARG002 - the protocol's
        """Return two fifths: below a half a set holds one class at most, so fine steps there tell nothing apart."""
        return 0.4

    def typical(self, target: Target) -> float:  # noqa: ARG002 - the protocol's
        """Return a half: the half-normal rule then ranks the ways of paying as measured on simulated tables."""
        return 0.5

    def movement(self, radius: float | None, target: Target) -> float | None:  # noqa: ARG002 - the protocol's
        """Return the radius times the Lipschitz constant."""
        return None if radius is None else _LIPSCHITZ * radius

    def scores(self, truth: npt.NDArray[Any], predicted: Floats, target: Target, coins: Floats | None) -> Floats:  # noqa: ARG002 - the protocol's
        """Return one minus the probability of the true class."""
        likely = np.take_along_axis(predicted, truth[..., None].astype(np.int64), axis=-1)[..., 0]
        return np.clip(1.0 - likely, 0.0, 1.0)

    def region(self, predicted: Floats, threshold: Floats | float, target: Target, coins: Floats | None) -> LabelSets:  # noqa: ARG002 - the protocol's
        """Return the classes whose score is at most the threshold."""
        return LabelSets(np.clip(1.0 - predicted, 0.0, 1.0) <= np.asarray(threshold)[..., None])
