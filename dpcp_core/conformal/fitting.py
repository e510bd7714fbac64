"""From rows to predictions in target units: one private model, or two where the score needs a spread.

Everything that runs a procedure, once or many times, fits through here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.scores.protocol import Score
from dpcp_core.data.target import Floats, NumericTarget, Target
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.joint_profile import joint_profile
from dpcp_core.privacy.profile import GaussianProfile, PrivacyProfile
from dpcp_core.privacy.receipt import ONE_ROW, ReceiptEntry
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.protocol import (
    Layers,
    Matrix,
    Models,
    ProblemSize,
    Trainer,
    TrainingChoices,
    TrainingTrace,
    Weights,
    require_task,
)
from dpcp_core.training.registry import TRAINERS

# The first model matters more than the second: its part of the budget.
_MAIN_PART = 0.7


@dataclass(frozen=True)
class FittingPlan:
    """Public facts of a fit.

    Attributes
    ----------
    trainer, score : str
        Names in their registries.
    target : Target
    size : ProblemSize
    spending : TrainingBudget
    main, spread : plans of the trainer
        Of the model itself, and of the model of its spread (None if the score needs none).
    """

    trainer: str
    score: str
    target: Target
    size: ProblemSize
    spending: TrainingBudget
    main: Any
    spread: Any | None

    @property
    def profile(self) -> PrivacyProfile:
        """Privacy of all that is trained."""
        main = self._trainer.profile(self.main)
        return main if self.spread is None else joint_profile(main, self._trainer.profile(self.spread))

    @property
    def movement(self) -> float | None:
        """How far one more row moves a score under shared noise; None if unbounded."""
        return self._score.movement(self._trainer.coupling_radius(self.main), self.target)

    @property
    def _trainer(self) -> Trainer[Any]:
        return TRAINERS[self.trainer]

    @property
    def _score(self) -> Score:
        return SCORES[self.score]

    def receipt_entries(self) -> tuple[ReceiptEntry, ...]:
        """Return a line of the receipt for each model."""
        entry = self._entry(self.main, "")
        return (entry,) if self.spread is None else (entry, self._entry(self.spread, "Spread of the predictions: "))

    def _entry(self, plan: Any, what: str) -> ReceiptEntry:
        note, cost = self._trainer.describe(plan), self._cost(plan)
        mechanism = f"{what}{note.mechanism[0].lower()}{note.mechanism[1:]}" if what else note.mechanism
        return ReceiptEntry(
            mechanism,
            f"features and target of {self.size.n_rows:,} rows",
            ONE_ROW,
            note.sensitivity,
            cost.epsilon,
            cost.delta,
            note.detail,
        )

    def _cost(self, plan: Any) -> PrivacyBudget:
        """Return what this fit costs as one pair, at the delta it was given."""
        if not self.spending.is_finite:
            return PrivacyBudget.infinite()
        delta = self.spending.point.delta if self.spread is None else self.spending.point.delta / 2
        return PrivacyBudget(max(self._trainer.profile(plan).epsilon(delta), 1e-12), delta)


@dataclass(frozen=True, eq=False)
class Fitted:
    """Models of one or more repetitions, with the plan they were fitted by.

    Attributes
    ----------
    plan : FittingPlan
    models : Models
    spreads : Models or None
    """

    plan: FittingPlan
    models: Models
    spreads: Models | None

    @property
    def trace(self) -> TrainingTrace | None:
        """How training of the first model went, where that was recorded."""
        return self.models.trace

    def predict(self, features: Matrix) -> Floats:
        """Return predictions in target units, shape (rows, models, w); see :class:`..scores.protocol.Score`."""
        target = self.plan.target
        predicted = target.from_model(self.models.predict(features))
        if self.spreads is None:
            return predicted
        assert isinstance(target, NumericTarget)
        spread = np.clip(self.spreads.predict(features).astype(np.float64) * target.spread, 0.0, target.bound)
        return np.concatenate([predicted, spread], axis=-1)


def plan_fitting(
    target: Target,
    size: ProblemSize,
    spending: TrainingBudget,
    *,
    trainer: str,
    score: str,
    choices: TrainingChoices,
) -> FittingPlan:
    """Return the public hyper-parameters of a fit.

    Raises
    ------
    InputError
        A trainer that cannot predict such a target, or a choice that it refuses.

    Notes
    -----
    **Privacy.** Costs nothing. Both models together keep to ``spending``.
    """
    chosen = TRAINERS[trainer]
    require_task(chosen, size)
    if not SCORES[score].needs_spread:
        return FittingPlan(trainer, score, target, size, spending, chosen.plan(size, spending, choices), None)
    parts = spending.split(_MAIN_PART) if spending.is_finite else (spending, spending)
    plans = tuple(chosen.plan(size, part, choices) for part in parts)
    if len({isinstance(chosen.profile(plan), GaussianProfile) for plan in plans}) > 1:
        # Shares of mu squared and shares of epsilon do not add up to one budget.
        plans = tuple(chosen.plan(size, part, choices) for part in spending.added_split(_MAIN_PART))
    return FittingPlan(trainer, score, target, size, spending, *plans)


def fit(
    plan: FittingPlan,
    features: Matrix,
    truth: npt.NDArray[Any],
    *,
    n_models: int,
    rng: np.random.Generator,
    included: Matrix | None = None,
    start: Weights | None = None,
    record: bool = False,
) -> Fitted:
    """Fit models privately.

    Parameters
    ----------
    plan : FittingPlan
    features : array of shape (n, d)
        Rows of norm at most 1.
    truth : array of shape (n,)
        Numbers in target units, or class codes.
    n_models, rng, included, start, record
        See :meth:`dpcp_core.training.protocol.Trainer.fit`.

    Notes
    -----
    **Privacy.** Each repetition costs what the plan's spending allows.
    """
    trainer = TRAINERS[plan.trainer]
    wanted = _as_trained(plan.target.for_training(truth), features)
    models = trainer.fit(
        features, wanted, plan.main, n_models=n_models, rng=rng, included=included, start=start, record=record
    )
    if plan.spread is None:
        return Fitted(plan, models, None)
    misses = _misses(models, features, wanted)
    spreads = [
        trainer.fit(
            features,
            misses[:, column],
            plan.spread,
            n_models=1,
            rng=rng,
            included=None if included is None else included[:, column : column + 1],
        )
        for column in range(n_models)
    ]
    return Fitted(plan, models, _Several(tuple(spreads)))


def fit_exactly(plan: FittingPlan, features: Matrix, truth: npt.NDArray[Any], included: Matrix) -> Fitted:
    """Fit one model per column of ``included`` without noise or clipping; not private."""
    trainer = TRAINERS[plan.trainer]
    wanted = _as_trained(plan.target.for_training(truth), features)
    models = trainer.fit_exactly(features, wanted, plan.main, included)
    if plan.spread is None:
        return Fitted(plan, models, None)
    misses = _misses(models, features, wanted)
    spreads = [
        trainer.fit_exactly(features, misses[:, column], plan.spread, included[:, column : column + 1])
        for column in range(included.shape[1])
    ]
    return Fitted(plan, models, _Several(tuple(spreads)))


@dataclass(frozen=True, eq=False)
class _Several:
    """Models that were fitted one at a time, as each has targets of its own."""

    each: tuple[Models, ...]
    trace: TrainingTrace | None = None

    def predict(self, features: Matrix) -> Matrix:
        """Return predictions of shape (rows, models, outputs)."""
        return np.concatenate([models.predict(features) for models in self.each], axis=1)

    def weights(self, model: int = 0) -> Weights:
        """Return one model's weights."""
        return self.each[model].weights()

    def layers(self, model: int = 0) -> Layers | None:
        """Return one model as dense layers."""
        return self.each[model].layers()


def _as_trained(values: npt.NDArray[Any], features: Matrix) -> npt.NDArray[Any]:
    return values.astype(features.dtype) if np.issubdtype(values.dtype, np.floating) else values


def _misses(models: Models, features: Matrix, wanted: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return how far each model is off each row: what the models of the spread are fitted to."""
    return np.abs(wanted[:, None] - models.predict(features)[..., 0]).astype(features.dtype)
