"""What every trainer offers, so that nothing else needs to know which one it is.

A new trainer is one file with a class like :class:`Trainer` describes, and one line in the registry.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import PrivacyProfile
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.problem import (
    DECAYS,
    MOST_STEPS,
    Decay,
    Layers,
    Matrix,
    Pace,
    ProblemSize,
    Task,
    TrainingChoices,
    TrainingNote,
    TrainingTrace,
    Weights,
)

__all__ = [
    "DECAYS",
    "MOST_STEPS",
    "Decay",
    "Layers",
    "Matrix",
    "Models",
    "Pace",
    "ProblemSize",
    "Task",
    "Trainer",
    "TrainingChoices",
    "TrainingNote",
    "TrainingTrace",
    "Weights",
    "require_task",
]

PlanT = TypeVar("PlanT")
"""A trainer's own public hyper-parameters. Everybody else hands them on unread."""


class Models(Protocol):
    """Fitted models, one for each repetition of a fit."""

    @property
    def trace(self) -> TrainingTrace | None:
        """How training went, where that was recorded."""
        ...

    def predict(self, features: Matrix) -> Matrix:
        """Return predictions of shape (rows, models, outputs): scaled numbers, or probabilities that sum to 1."""
        ...

    def weights(self, model: int = 0) -> Weights:
        """Return one model's weights, which ``Trainer.fit`` takes as a start."""
        ...

    def layers(self, model: int = 0) -> Layers | None:
        """Return one model as dense layers that give scaled numbers or logits; None if it is no such network."""
        ...


class Trainer(Protocol[PlanT]):
    """A way to fit models, with its privacy and its stability."""

    @property
    def name(self) -> str:
        """Key in the registry."""
        ...

    @property
    def title(self) -> str:
        """What the interface calls it, two or three words."""
        ...

    @property
    def sentence(self) -> str:
        """What it is, in one plain sentence."""
        ...

    @property
    def tasks(self) -> frozenset[Task]:
        """What it can predict."""
        ...

    @property
    def uses(self) -> frozenset[str]:
        """Names of the fields of ``TrainingChoices`` that it heeds; the others are refused."""
        ...

    @property
    def pace(self) -> Pace:
        """About how long it takes."""
        ...

    @property
    def is_coupled(self) -> bool:
        """Whether full batches give a coupling radius: the objective is convex and its steps do not expand."""
        ...

    def plan(self, size: ProblemSize, spending: TrainingBudget, choices: TrainingChoices) -> PlanT:
        """Return the public hyper-parameters of a fit.

        Parameters
        ----------
        size : ProblemSize
        spending : TrainingBudget
            What training may spend; an infinite one adds no noise (but still clips).
        choices : TrainingChoices
            What a person set; it wins over the trainer's defaults.

        Raises
        ------
        InputError
            A choice that this trainer does not know or that overspends; the sentence names it.

        Notes
        -----
        **Privacy.** Costs nothing: a function of public numbers only.
        """
        ...

    def profile(self, plan: PlanT) -> PrivacyProfile:
        """Return the privacy of one model fitted by this plan, neighbours by emptying one row."""
        ...

    def fit(
        self,
        features: Matrix,
        targets: npt.NDArray[Any],
        plan: PlanT,
        *,
        n_models: int,
        rng: np.random.Generator,
        included: Matrix | None = None,
        start: Weights | None = None,
        record: bool = False,
    ) -> Models:
        """Fit models privately, each with noise of its own.

        Parameters
        ----------
        features : float array of shape (n, d)
            Rows of norm at most 1.
        targets : array of shape (n,)
            Scaled numbers, or class codes from 0.
        plan
            From ``plan``.
        n_models : int
        rng : numpy Generator
            Source of all chance in the fit.
        included : array of shape (n, n_models) of 0 and 1, optional
            Rows that each fit sees; a row left out counts as empty.
        start : Weights, optional
            Public weights that every model starts from.
        record : bool
            Keep a trace; in simulations only, as it is not private.

        Notes
        -----
        **Privacy.** Each model has the profile of the plan, neighbours by emptying one row.
        """
        ...

    def fit_exactly(self, features: Matrix, targets: npt.NDArray[Any], plan: PlanT, included: Matrix) -> Models:
        """Fit one model per column of ``included`` without noise or clipping: the non-private twin."""
        ...

    def coupling_radius(self, plan: PlanT) -> float | None:
        """Return how far one more row moves an output under shared noise; None if unbounded.

        For a number: the scaled prediction. For classes: the Euclidean distance between the two vectors of scores
        before they become probabilities (logits), for any row of norm at most 1.
        """
        ...

    def describe(self, plan: PlanT) -> TrainingNote:
        """Return what a receipt says of a fit by this plan."""
        ...


def require_task(trainer: Trainer[Any], size: ProblemSize) -> None:
    """Refuse a trainer that cannot predict what is asked for.

    Raises
    ------
    InputError
        With what would do instead.
    """
    if size.task not in trainer.tasks:
        wanted, offered = ("classes", "numbers") if size.task == "classification" else ("numbers", "classes")
        raise InputError(
            f"trainer {trainer.name!r} predicts {offered}, but the target holds {wanted}; "
            f"choose one that predicts {wanted}, or auto."
        )
