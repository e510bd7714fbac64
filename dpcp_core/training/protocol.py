"""What every trainer offers, so that nothing else needs to know which one it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from dpcp_core.training.descent import DescentPlan, Matrix


@dataclass(frozen=True)
class TrainingChoices:
    """Public hyper-parameters that a person set; None leaves the trainer's public default."""

    steps: int | None = None
    step_size: float | None = None
    max_grad_norm: float | None = None
    penalty: float | None = None


class Models(Protocol):
    """Fitted models, one per column of the batch."""

    def predict(self, features: Matrix) -> Matrix:
        """Return scaled predictions, shape (rows, models)."""
        ...


class Trainer(Protocol):
    """A way to fit models, with its privacy and its stability.

    A private fit is ``mu``-GDP for the ``mu`` it was planned with; ``mu`` infinite means no noise.
    """

    @property
    def name(self) -> str:
        """Key in the registry."""
        ...

    def plan(self, n_rows: int, n_features: int, mu: float, choices: TrainingChoices) -> DescentPlan:
        """Return the public hyper-parameters of a fit; they depend on public numbers only."""
        ...

    def fit(
        self,
        features: Matrix,
        targets: Matrix,
        plan: DescentPlan,
        *,
        n_rows: int,
        noise_multipliers: npt.ArrayLike,
        rng: np.random.Generator,
        included: Matrix | None = None,
    ) -> Models:
        """Fit one model per noise multiplier, privately."""
        ...

    def fit_exactly(self, features: Matrix, targets: Matrix, plan: DescentPlan, included: Matrix) -> Models:
        """Fit one model per column of ``included`` without privacy, to compare with."""
        ...

    def coupling_radius(self, plan: DescentPlan, n_rows: int) -> float | None:
        """Return how far one more row moves a scaled prediction under shared noise; None if unbounded."""
        ...
