"""What every conformity score offers: how badly a prediction missed, and the values that miss no worse.

A new score is one file with a class like :class:`Score` describes, and one line in the registry.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt

from dpcp_core.conformal.regions import Region
from dpcp_core.data.target import Floats, Target
from dpcp_core.training.protocol import Task


class Score(Protocol):
    """A conformity score.

    Predictions are arrays of shape (n, R, w) in target units: the number (w = 1), the number and its spread (w = 2),
    or a probability for each of w classes.
    """

    @property
    def name(self) -> str:
        """Key in the registry."""
        ...

    @property
    def title(self) -> str:
        """What the interface calls it."""
        ...

    @property
    def sentence(self) -> str:
        """What it is, in one or two plain sentences."""
        ...

    @property
    def task(self) -> Task:
        """What it is a score of."""
        ...

    @property
    def in_target_unit(self) -> bool:
        """Whether scores, and so thresholds, are distances on the target's scale."""
        ...

    @property
    def needs_spread(self) -> bool:
        """Whether a second model has to say how far off a prediction usually is."""
        ...

    @property
    def needs_coins(self) -> bool:
        """Whether scores are randomised."""
        ...

    @property
    def can_couple(self) -> bool:
        """Whether the score moves by a bounded amount when an output does."""
        ...

    def bound(self, target: Target) -> float:
        """Return a true upper bound of the score, from public numbers."""
        ...

    def floor(self, target: Target) -> float | None:
        """Return the smallest spread that a prediction is divided by, in target units; None without a spread."""
        ...

    def smallest(self, target: Target) -> float:
        """Return the finest threshold worth telling apart where nobody says otherwise."""
        ...

    def typical(self, target: Target) -> float:
        """Return a public guess of the scores' size, used only to compare costs."""
        ...

    def movement(self, radius: float | None, target: Target) -> float | None:
        """Return how far a score moves when a trainer's output moves by ``radius``; None if unbounded."""
        ...

    def scores(self, truth: npt.NDArray[Any], predicted: Floats, target: Target, coins: Floats | None) -> Floats:
        """Return one score, 0 or more, per row and repetition; ``truth`` and ``coins`` have shape (n, R)."""
        ...

    def region(self, predicted: Floats, threshold: Floats | float, target: Target, coins: Floats | None) -> Region:
        """Return the values whose score is at most the threshold: one number, one per repetition (R,), or (n, R)."""
        ...
