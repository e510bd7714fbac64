"""Train on synthetic rows, test on real ones; beside it train on real, and guess."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpcp_core import _validate as check
from dpcp_core._arrays import Floats
from dpcp_core._words import number_text
from dpcp_core.data.classes import category_codes
from dpcp_core.data.encoding import encode
from dpcp_core.data.schema import Column, Schema
from dpcp_core.data.target import ClassTarget, NumericTarget, Target, target_of
from dpcp_core.errors import InputError
from dpcp_core.evaluation.utility.downstream import DOWNSTREAM, Downstream, Features, TrainingRows, constant
from dpcp_core.evaluation.utility.report import ModelUtility, UtilityReport
from dpcp_core.evaluation.utility.scores import Scores, score_classes, score_numbers

MODELS: tuple[str, ...] = tuple(DOWNSTREAM)
MOST_ROWS = 50_000


def evaluate_utility(
    synthetic: pd.DataFrame,
    real_train: pd.DataFrame,
    real_test: pd.DataFrame,
    schema: Schema,
    target: str | None = None,
    models: Sequence[str] = MODELS,
    *,
    seed: int = 0,
    task_model: npt.ArrayLike | None = None,
    reference: UtilityReport | None = None,
    most_rows: int = MOST_ROWS,
) -> UtilityReport:
    """Score models trained on a synthetic table on real rows that neither they nor the table's maker have seen.

    Parameters
    ----------
    synthetic, real_train, real_test : DataFrame
        With the schema's features and the target. ``real_train`` is what the synthetic table was made from.
    schema : Schema
    target : str, optional
        Column to predict; the schema's target if not given.
    models : sequence of str
        Names in ``DOWNSTREAM``.
    seed : int
        Of first weights, batches, and rows left out.
    task_model : array of shape (n_test, K) or (n_test,), optional
        What the private model itself predicts for ``real_test``: probabilities, or numbers in target units.
    reference : UtilityReport, optional
        An earlier report on the same real rows, of which models trained on real rows are taken over.
    most_rows : int
        Rows that a model is trained on at most; beyond it, a random part of them.

    Raises
    ------
    InputError
        A column or model that is not there, a target without bounds or classes, or no usable row.

    Notes
    -----
    **Privacy.** Curator's view: the scores are measured on real rows, and so not private.

    Synthetic rows without a target are left out, and the notes say how many. A synthetic table of one class trains
    nothing: its scores are those of the guess of that class.
    """
    chosen = [DOWNSTREAM[check.one_of(DOWNSTREAM, model=name)] for name in models]
    schema, column = _targeted(schema, target)
    kind = target_of(column)
    notes: list[str] = []
    made = _Rows.of(synthetic, schema, column, seed, most_rows, notes, "synthetic")
    train = _Rows.of(real_train, schema, column, seed, most_rows, notes, "real training")
    test = _Rows.of(real_test, schema, column, seed, len(real_test), notes, "real held-out")
    trained = tuple(_evaluated(model, made, train, test, kind, reference) for model in chosen)
    if made.is_constant(kind):
        notes.append("The synthetic rows are all of one class: models trained on them can only guess that class.")
    return UtilityReport(
        task="classification" if kind.n_classes else "regression",
        target=column.name,
        classes=kind.classes if isinstance(kind, ClassTarget) else (),
        positive=kind.classes[1] if isinstance(kind, ClassTarget) and kind.n_classes == 2 else "",
        n_synthetic=len(made.target),
        n_train=len(train.target),
        n_test=len(test.target),
        models=trained,
        majority=_scored(constant(train.for_training(kind))(test.features), test, kind),
        task_model=None if task_model is None else _control(np.asarray(task_model, dtype=np.float64), test, kind),
        notes=tuple(notes),
    )


@dataclass(frozen=True)
class _Rows:
    """Encoded rows whose target is known, at most so many."""

    features: Features
    target: npt.NDArray[Any]
    kept: npt.NDArray[np.bool_]
    seed: int

    @classmethod
    def of(
        cls, frame: pd.DataFrame, schema: Schema, column: Column, seed: int, most: int, notes: list[str], what: str
    ) -> _Rows:
        absent = [c.name for c in (*schema.features, column) if c.name not in frame.columns]
        if absent:
            raise InputError(f"The {what} rows have no column {absent[0]!r}, which the schema names.")
        kept = _has_target(frame[column.name], column)
        if not kept.any():
            raise InputError(
                f"None of the {what} rows has a value of the target {column.name!r} that the schema knows."
            )
        if not kept.all():
            left_out = number_text(int((~kept).sum()))
            notes.append(f"{left_out} {what} rows have no target that the schema knows and were left out.")
        if kept.sum() > most:
            notes.append(f"Models were trained on {number_text(most)} of {number_text(int(kept.sum()))} {what} rows.")
            kept = _thinned(kept, most, seed)
        encoded = encode(frame.loc[kept], schema, column.name)
        assert encoded.target is not None
        return cls(encoded.features, encoded.target, kept, seed)

    def for_training(self, kind: Target) -> TrainingRows:
        return TrainingRows(self.features, kind.for_training(self.target), kind.n_classes, self.seed)

    def is_constant(self, kind: Target) -> bool:
        return bool(kind.n_classes) and len(np.unique(self.target)) == 1


def _targeted(schema: Schema, target: str | None) -> tuple[Schema, Column]:
    name = target if target is not None else schema.target.name if schema.target else None
    if name is None:
        raise InputError("There is nothing to predict: name a target, or give a column of the schema that role.")
    chosen = schema.with_target(name)
    if not chosen.features:
        raise InputError("The schema has no feature to predict from; give a column that role.")
    return chosen, chosen.column(name)


def _has_target(cells: pd.Series, column: Column) -> npt.NDArray[np.bool_]:
    known: npt.NDArray[np.bool_] = cells.notna().to_numpy()
    if not column.is_numeric:
        known = known & (category_codes(cells, column) >= 0)
    return known


def _thinned(kept: npt.NDArray[np.bool_], most: int, seed: int) -> npt.NDArray[np.bool_]:
    places = np.random.default_rng(seed).choice(np.flatnonzero(kept), check.whole(most_rows=most), replace=False)
    return np.isin(np.arange(len(kept)), places)


def _evaluated(
    model: Downstream, made: _Rows, train: _Rows, test: _Rows, kind: Target, reference: UtilityReport | None
) -> ModelUtility:
    known = next((found.on_real for found in _taken_over(reference, train, test) if found.name == model.name), None)
    on_synthetic, seconds = _trained(model, made, test, kind)
    return ModelUtility(
        name=model.name,
        title=model.titled(kind.n_classes),
        on_synthetic=on_synthetic,
        on_real=known if known is not None else _trained(model, train, test, kind)[0],
        seconds=seconds,
        is_constant=made.is_constant(kind),
    )


def _taken_over(reference: UtilityReport | None, train: _Rows, test: _Rows) -> Iterator[ModelUtility]:
    if reference is None:
        return
    sizes = (reference.n_train, reference.n_test)
    if sizes != (len(train.target), len(test.target)):
        raise InputError(
            f"The reference was measured with {sizes[0]} training and {sizes[1]} held-out rows, not with "
            f"{len(train.target)} and {len(test.target)}; leave it out, or give the same real rows."
        )
    yield from reference.models


def _trained(model: Downstream, rows: _Rows, test: _Rows, kind: Target) -> tuple[Scores, float]:
    started = time.perf_counter()
    fit = constant if rows.is_constant(kind) else model.fit
    predictor = fit(rows.for_training(kind))
    seconds = time.perf_counter() - started
    return _scored(predictor(test.features), test, kind), seconds


def _scored(predicted: Floats, test: _Rows, kind: Target) -> Scores:
    if isinstance(kind, NumericTarget):
        return score_numbers(kind.unscale(predicted), test.target)
    return score_classes(predicted, test.target)


def _control(predicted: Floats, test: _Rows, kind: Target) -> Scores:
    if len(predicted) != len(test.kept):
        raise InputError(f"task_model has {len(predicted)} predictions for {len(test.kept)} held-out rows.")
    wanted = (len(predicted), kind.n_classes) if kind.n_classes else (len(predicted),)
    if predicted.shape != wanted:
        raise InputError(f"task_model has shape {predicted.shape} but must be {wanted}.")
    if isinstance(kind, NumericTarget):
        return score_numbers(np.clip(predicted[test.kept], kind.lower, kind.upper), test.target)
    return score_classes(predicted[test.kept], test.target)
