"""What every trainer offers, so that nothing else needs to know which one it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from dpcp_core.privacy.allocation import Allocation
from dpcp_core.privacy.receipt import ReceiptEntry
from dpcp_core.training.descent import Matrix

PlanT = TypeVar("PlanT")
"""A trainer's own public hyper-parameters. Everybody else hands them on unread."""


@dataclass(frozen=True)
class TrainingChoices:
    """Public hyper-parameters that a person set; None leaves the trainer's public default.

    Attributes
    ----------
    steps : int or None
        Steps of descent, 1 or more.
    step_size : float or None
        Step on the average of clipped gradients, above 0.
    max_grad_norm : float or None
        Clip norm of one row's gradient, above 0.
    penalty : float or None
        Ridge penalty, 0 or more.
    """

    steps: int | None = None
    step_size: float | None = None
    max_grad_norm: float | None = None
    penalty: float | None = None


class Models(Protocol):
    """Fitted models, one per column of the batch."""

    def predict(self, features: Matrix) -> Matrix:
        """Return scaled predictions, shape (rows, models)."""
        ...


class Trainer(Protocol[PlanT]):
    """A way to fit models, with its privacy and its stability.

    A private fit is ``mu``-GDP for the ``mu`` it was planned with; ``mu`` infinite means no noise.
    """

    @property
    def name(self) -> str:
        """Key in the registry."""
        ...

    def plan(self, n_rows: int, n_features: int, mu: float, choices: TrainingChoices) -> PlanT:
        """Return the public hyper-parameters of a fit; they depend on public numbers only."""
        ...

    def fit(
        self,
        features: Matrix,
        targets: Matrix,
        plan: PlanT,
        *,
        n_rows: int,
        n_models: int,
        rng: np.random.Generator,
        included: Matrix | None = None,
    ) -> Models:
        """Fit ``n_models`` models privately, each with noise of its own."""
        ...

    def fit_exactly(self, features: Matrix, targets: Matrix, plan: PlanT, included: Matrix) -> Models:
        """Fit one model per column of ``included`` without privacy, to compare with."""
        ...

    def coupling_radius(self, plan: PlanT, n_rows: int) -> float | None:
        """Return how far one more row moves a scaled prediction under shared noise; None if unbounded."""
        ...

    def receipt_entry(self, plan: PlanT, allocation: Allocation, n_rows: int) -> ReceiptEntry:
        """Return the line of a fit on the receipt: private for a finite ``allocation.mu``, else exact."""
        ...
