"""Labels of synthetic rows: a private model of each target, and what it says of rows that were made up."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from dpcp_core._arrays import Floats
from dpcp_core.data.column import Column
from dpcp_core.data.encoding import encode
from dpcp_core.data.schema import Schema
from dpcp_core.data.target import ClassTarget, NumericTarget, Target, target_of
from dpcp_core.privacy.mean_square import MeanSquarePlan, noisy_mean_square
from dpcp_core.privacy.noisy_marginals import CountsPlan
from dpcp_core.privacy.profile import PrivacyProfile
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.synthesis.parts import Part
from dpcp_core.synthesis.rates import noisy_rates, shift_towards, shifted
from dpcp_core.training.protocol import Matrix, Models, ProblemSize, TrainingChoices, require_task
from dpcp_core.training.registry import TRAINERS, default_trainer

_ROWS_AT_ONCE = 1 << 16
# Residuals beyond this many typical half-widths of the target count as this.
_LARGEST_RESIDUAL = 3.0


@dataclass(frozen=True, eq=False)
class LabelPlan:
    """The public side of one target's model.

    Attributes
    ----------
    schema : Schema
        With this target, and as features all that its model may know.
    target : Target
    trainer : str
    plan : plan of the trainer
    draws : bool
        Whether labels are drawn rather than the likeliest taken.
    residuals : MeanSquarePlan or None
        How the scale of residuals is bought.
    rates : CountsPlan or None
        How the share of each class is bought.
    n_rows : int
    """

    schema: Schema
    target: Target
    trainer: str
    plan: Any
    draws: bool
    residuals: MeanSquarePlan | None
    rates: CountsPlan | None
    n_rows: int

    @property
    def column(self) -> Column:
        """The target's column."""
        column = self.schema.target
        assert column is not None
        return column

    @property
    def profiles(self) -> tuple[PrivacyProfile, ...]:
        """Privacy of the model, and of what is bought beside it."""
        of_model: PrivacyProfile = TRAINERS[self.trainer].profile(self.plan)
        return (of_model, *(bought.profile for bought in (self.residuals, self.rates) if bought is not None))

    def parts(self) -> tuple[Part, ...]:
        """Return the lines of a receipt."""
        note = TRAINERS[self.trainer].describe(self.plan)
        reads = f"features and {self.column.name}"
        model = Part(
            f"Task model of {self.column.title}: {note.mechanism[0].lower()}{note.mechanism[1:]}",
            reads,
            note.sensitivity,
            note.detail,
            self.profiles[0],
        )
        if self.rates is not None:
            counts = f"Noisy histogram of the labels of {self.column.title}"
            moved = "1 row in one count of each histogram"
            return (model, Part(counts, self.column.name, moved, self.rates.detail, self.rates.profile))
        if self.residuals is None:
            return (model,)
        largest = f"{self.residuals.limit**2:g} (largest square of a residual, in typical half-widths of the target)"
        scale = f"Noisy mean square of the residuals of {self.column.title}"
        return (model, Part(scale, reads, largest, self.residuals.detail, self.residuals.profile))


def label_schema(schema: Schema, target: str, known: tuple[str, ...], later: tuple[str, ...]) -> Schema:
    """Return the schema of one target's model: earlier targets are features, later ones are not known yet."""
    for name in (*known, *later):
        role: Any = "feature" if name in known else "ignore"
        schema = schema.with_column(replace(schema.column(name), role=role))
    return schema.with_target(target)


def plan_labels(
    schema: Schema,
    spending: TrainingBudget,
    *,
    task_model: str,
    choices: TrainingChoices,
    n_rows: int,
    residuals: MeanSquarePlan | None,
    rates: CountsPlan | None,
    draws: bool,
) -> LabelPlan:
    """Return the public plan of one target's model.

    Parameters
    ----------
    schema : Schema
        From :func:`label_schema`.
    spending : TrainingBudget
        What the model may spend, what is bought beside it not counted.
    task_model : str
        A name in the registry, or ``auto``.
    choices, n_rows, residuals, rates, draws
        See :class:`LabelPlan`.

    Raises
    ------
    InputError
        A model that cannot predict such a target, or a choice that it refuses.
    """
    column = schema.target
    assert column is not None
    target, features = target_of(column), [column.name for column in schema.features]
    empty = pd.DataFrame({name: pd.Series(dtype=object) for name in features})
    size = ProblemSize(n_rows, encode(empty, schema).features.shape[1], target.n_classes)
    name = default_trainer(size.task, size.n_classes) if task_model == "auto" else task_model
    trainer = TRAINERS[name]
    require_task(trainer, size)
    plan = trainer.plan(size, spending, choices)
    return LabelPlan(schema, target, name, plan, draws, residuals, rates, n_rows)


def residual_plan(column: Column, n_rows: int, mu: float) -> MeanSquarePlan | None:
    """Return how the scale of a number's residuals is bought; None for classes."""
    return MeanSquarePlan.of(_LARGEST_RESIDUAL, n_rows, mu) if column.is_numeric else None


@dataclass(frozen=True, eq=False)
class LabelModel:
    """A fitted model of one target.

    Attributes
    ----------
    plan : LabelPlan
    models : Models
    residual_scale : float
        Released standard deviation of the residuals, in typical half-widths; 0 where none was bought.
    rates : array of shape (classes,), or None
        Released share of each class.
    shift : array of shape (classes,), or None
        Added to the logits of rows that are made up, so that they have those shares.
    """

    plan: LabelPlan
    models: Models
    residual_scale: float = 0.0
    rates: Floats | None = None
    shift: Floats | None = None

    def outputs(self, frame: pd.DataFrame) -> Floats:
        """Return probabilities of shape (n, classes), or predictions of shape (n, 1) in target units."""
        # Products this thin lose several times over when a linear algebra library shares them among threads.
        with threadpool_limits(limits=1, user_api="blas"):
            parts = [self._predicted(encode(rows, self.plan.schema).features) for rows in _pieces(frame)]
        width = self.plan.target.n_classes or 1
        return np.concatenate(parts) if parts else np.zeros((0, width))

    def label(self, frame: pd.DataFrame, rng: np.random.Generator) -> pd.Series:
        """Return labels of rows, as values of the target's column."""
        target, column, outputs = self.plan.target, self.plan.column, self.outputs(frame)
        if isinstance(target, NumericTarget):
            values = outputs[:, 0]
            if self.residual_scale:
                values = values + self.residual_scale * target.spread * rng.standard_normal(len(values))
            values = np.clip(values, target.lower, target.upper)
            return pd.Series(np.rint(values) if column.kind == "integer" else values)
        if self.shift is not None:
            outputs = shifted(outputs, self.shift)
        codes = _drawn_classes(outputs, rng) if self.plan.draws else np.argmax(outputs, axis=1)
        categories = pd.Index(column.categories)
        return pd.Series(pd.Categorical.from_codes(codes.astype(np.int64), categories=categories))

    def at_its_rates(self, frame: pd.DataFrame) -> Self:
        """Return the model with the shift that gives rows like these the released share of each class."""
        return self if self.rates is None else replace(self, shift=shift_towards(self.outputs(frame), self.rates))

    def _predicted(self, features: Matrix) -> Floats:
        return self.plan.target.from_model(self.models.predict(features)[:, 0])


def fit_labels(frame: pd.DataFrame, plan: LabelPlan, rng: np.random.Generator) -> LabelModel:
    """Fit one target's model privately.

    Parameters
    ----------
    frame : DataFrame of n rows
    plan : LabelPlan
    rng : numpy Generator

    Notes
    -----
    **Privacy.** The plan's profiles, neighbours by emptying one row.
    """
    features, truth = encoded(frame, plan.schema, plan.column.name)
    wanted = plan.target.for_training(truth)
    if isinstance(plan.target, NumericTarget):
        wanted = wanted.astype(features.dtype)
    models = TRAINERS[plan.trainer].fit(features, wanted, plan.plan, n_models=1, rng=rng)
    if plan.rates is not None:
        return LabelModel(plan, models, rates=noisy_rates(truth, plan.rates, plan.n_rows, rng))
    if plan.residuals is None:
        return LabelModel(plan, models)
    missed = wanted - np.concatenate([models.predict(part)[:, 0, 0] for part in _parts(features)])
    return LabelModel(plan, models, math.sqrt(noisy_mean_square(missed, plan.residuals, rng)))


def encoded(frame: pd.DataFrame, schema: Schema, target: str) -> tuple[NDArray[np.float32], NDArray[Any]]:
    """Return features and target of many rows; they are encoded some at a time, which takes less memory."""
    features: NDArray[np.float32] | None = None
    truth, start = [], 0
    for rows in _pieces(frame):
        table = encode(rows, schema, target)
        assert table.target is not None
        if features is None:
            features = np.empty((len(frame), table.features.shape[1]), dtype=np.float32)
        features[start : start + len(rows)] = table.features
        truth.append(table.target)
        start += len(rows)
    assert features is not None
    return features, np.concatenate(truth)


def class_rates(cells: pd.Series, column: Column) -> tuple[float, ...]:
    """Return the share of each class, in the order of the schema; empty for numbers."""
    if column.is_numeric or not len(cells):
        return ()
    target = ClassTarget.of(column)
    shares = cells.astype(object).value_counts(normalize=True)
    return tuple(float(shares.get(name, 0.0)) for name in target.classes)


def _pieces(frame: pd.DataFrame) -> Iterator[pd.DataFrame]:
    for start in range(0, len(frame), _ROWS_AT_ONCE):
        yield frame.iloc[start : start + _ROWS_AT_ONCE]


def _parts(features: Matrix) -> Iterator[Matrix]:
    for start in range(0, len(features), _ROWS_AT_ONCE):
        yield features[start : start + _ROWS_AT_ONCE]


def _drawn_classes(probabilities: Floats, rng: np.random.Generator) -> NDArray[np.int64]:
    ends = np.cumsum(probabilities, axis=1)
    chance = rng.random(len(ends))[:, None] * ends[:, -1:]
    codes: NDArray[np.int64] = np.minimum((ends <= chance).sum(axis=1), ends.shape[1] - 1)
    return codes
