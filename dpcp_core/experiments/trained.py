"""Train once per repetition, all repetitions together; keep what calibration needs."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from dpcp_core.conformal.rows import Rows
from dpcp_core.conformal.scores import SCORES, Score
from dpcp_core.conformal.stability import score_movement
from dpcp_core.data.encoding import Floats
from dpcp_core.errors import InputError
from dpcp_core.experiments.prepare import Prepared
from dpcp_core.experiments.settings import TrainingTask
from dpcp_core.experiments.streams import Stream
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.training.protocol import Models
from dpcp_core.training.registry import TRAINERS

_SMALLEST_PART = 5


@dataclass(frozen=True, eq=False)
class Split:
    """Row numbers per repetition, one column each: train, rank, test; ``all_rows`` are those not held out."""

    train: Rows
    rank: Rows
    test: Rows
    all_rows: Rows


@dataclass(frozen=True, eq=False)
class TrainedRuns:
    """Models of R repetitions, reduced to what calibration reads.

    Attributes
    ----------
    prepared, task
        What was trained on, and how.
    plan : object
        Public hyper-parameters of training; only the task's trainer reads them.
    movement : float or None
        How far one more row moves a score under shared noise, in target units.
    n, n_train, n_calibration, n_test : int
    scores : float64 array of shape (n_calibration, R)
        Scores of the ranked rows, sorted within each column.
    test_truth, test_predicted : float64 arrays of shape (n_test, R)
    reference_scores : float64 array of shape (n, R)
        In-sample scores of the non-private model trained on all rows that are not held out, sorted.
    reference_predicted : float64 array of shape (n_test, R)
    seconds : float
    """

    prepared: Prepared
    task: TrainingTask
    plan: Any
    movement: float | None
    n: int
    n_train: int
    n_calibration: int
    n_test: int
    scores: Floats
    test_truth: Floats
    test_predicted: Floats
    reference_scores: Floats
    reference_predicted: Floats
    seconds: float


def train(prepared: Prepared, task: TrainingTask) -> TrainedRuns:
    """Fit the models of every repetition and score the rows.

    Parameters
    ----------
    prepared : Prepared
    task : TrainingTask
        From ``ConformalSettings.training_key()``; equal tasks give equal runs.

    Raises
    ------
    InputError
        Too few rows for the shares that were asked for.
    """
    with threadpool_limits(limits=1, user_api="blas"):
        return _train(prepared, task)


def _train(prepared: Prepared, task: TrainingTask) -> TrainedRuns:
    start = time.perf_counter()
    split = _draw_splits(prepared.n_rows, task)
    trainer, score = TRAINERS[task.trainer], SCORES[task.score]
    n_train, n_features = len(split.train), prepared.features.shape[1]
    plan = trainer.plan(n_train, n_features, task.allocation.mu, task.choices)
    # What would be without privacy must not depend on the budget, nor on how a method splits its rows.
    unbounded = trainer.plan(len(split.all_rows), n_features, math.inf, task.choices)
    reference = _exact(prepared, task, unbounded, split.all_rows)
    models = _models(prepared, task, plan, split, reference)
    scores, test_predicted = _scored(prepared, score, models, split.rank, split.test)
    reference_scores, reference_predicted = _scored(prepared, score, reference, split.all_rows, split.test)
    return TrainedRuns(
        prepared=prepared,
        task=task,
        plan=plan,
        movement=score_movement(trainer.coupling_radius(plan, n_train), score.lipschitz, prepared.scale.spread),
        n=len(split.all_rows),
        n_train=n_train,
        n_calibration=len(split.rank),
        n_test=len(split.test),
        scores=scores,
        test_truth=prepared.truth[split.test],
        test_predicted=test_predicted,
        reference_scores=reference_scores,
        reference_predicted=reference_predicted,
        seconds=time.perf_counter() - start,
    )


def _draw_splits(n_rows: int, task: TrainingTask) -> Split:
    n_test = max(1, round(task.test_share * n_rows))
    n_train = round(task.train_share * (n_rows - n_test))
    n_rank = n_rows - n_test - n_train if task.train_share < 1 else n_train
    if min(n_train, n_rank, n_test) < _SMALLEST_PART:
        raise InputError(
            f"The table's {n_rows} rows give {n_train} to train on, {n_rank} to rank and {n_test} to test; "
            "choose less extreme shares or bring more rows."
        )
    generator = simulation_generator(task.seed, Stream.SPLITS)
    order = np.column_stack([generator.permutation(n_rows) for _ in range(task.repetitions)])
    rest = order[n_test:]
    return Split(
        train=rest[:n_train],
        rank=rest[n_train:] if task.train_share < 1 else rest,
        test=order[:n_test],
        all_rows=rest,
    )


def _included(rows: Rows, n_rows: int) -> npt.NDArray[np.float32]:
    mask = np.zeros((n_rows, rows.shape[1]), dtype=np.float32)
    np.put_along_axis(mask, rows, 1.0, axis=0)
    return mask


def _models(prepared: Prepared, task: TrainingTask, plan: Any, split: Split, reference: Models) -> Models:
    if math.isinf(task.allocation.mu):
        return reference if task.train_share == 1 else _exact(prepared, task, plan, split.train)
    return TRAINERS[task.trainer].fit(
        prepared.features,
        prepared.scaled_truth,
        plan,
        n_rows=len(split.train),
        n_models=task.repetitions,
        rng=simulation_generator(task.seed, Stream.NOISE),
        included=_included(split.train, prepared.n_rows),
    )


def _exact(prepared: Prepared, task: TrainingTask, plan: Any, rows: Rows) -> Models:
    mask = _included(rows, prepared.n_rows)
    return TRAINERS[task.trainer].fit_exactly(prepared.features, prepared.scaled_truth, plan, mask)


def _scored(prepared: Prepared, score: Score, models: Models, ranked: Rows, tested: Rows) -> tuple[Floats, Floats]:
    """Return the sorted scores of the ranked rows and the predictions of the tested ones, a column per model."""
    # Of every row for every model: the largest thing here, so it goes before the next models are scored.
    predicted = prepared.scale.unscale(models.predict(prepared.features).astype(np.float64))
    scores = score.scores(prepared.truth[ranked], np.take_along_axis(predicted, ranked, axis=0))
    scores.sort(axis=0)
    return scores, np.take_along_axis(predicted, tested, axis=0)
