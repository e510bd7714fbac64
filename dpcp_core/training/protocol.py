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
        """Return the public hyper-parameters of a fit.

        Parameters
        ----------
        n_rows, n_features : int
            Public size of the training rows.
        mu : float
            GDP parameter that training may spend, above 0; infinity adds no noise.
        choices : TrainingChoices
            What a person set; it wins over the trainer's defaults.

        Notes
        -----
        **Privacy.** Costs nothing: a function of public numbers only.
        """
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
        """Fit models privately, each with noise of its own.

        Parameters
        ----------
        features : array of shape (n, d)
            Rows of norm at most 1.
        targets : array of shape (n,)
            Scaled.
        plan
            From ``plan``.
        n_rows : int
            Public number of rows of each fit.
        n_models : int
        rng : numpy Generator
            Source of all chance in the fit.
        included : array of shape (n, n_models) of 0 and 1, optional
            Rows that each fit sees; a row left out counts as empty.

        Notes
        -----
        **Privacy.** Each model is ``mu``-GDP for the ``mu`` of the plan, neighbours by emptying one row.
        """
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
