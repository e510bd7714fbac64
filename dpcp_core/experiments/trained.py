"""Train once per repetition, all repetitions together; keep what calibration needs."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core._threads import one_thread
from dpcp_core.conformal.fitting import Fitted, FittingPlan, fit, fit_exactly, plan_fitting
from dpcp_core.conformal.rows import Rows
from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.start import learnt_weights
from dpcp_core.data.target import Floats
from dpcp_core.errors import InputError
from dpcp_core.experiments.dividing import Split, divide, included, picked, shuffled_rows
from dpcp_core.experiments.prepare import Prepared
from dpcp_core.experiments.settings import TrainingTask
from dpcp_core.experiments.streams import Stream
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.protocol import ProblemSize, TrainingTrace, Weights


@dataclass(frozen=True, eq=False)
class GroupedScores:
    """Scores of the ranked rows and the groups of these rows, both of shape (n_calibration, R), in no order."""

    scores: Floats
    groups: npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TrainedRuns:
    """Models of R repetitions, reduced to what calibration reads.

    Attributes
    ----------
    prepared, task
        What was trained on, and how.
    plan : FittingPlan
        Public hyper-parameters of training.
    n, n_train, n_calibration, n_test : int
    scores : float64 array of shape (n_calibration, R)
        Scores of the ranked rows, sorted within each column.
    grouped : GroupedScores or None
        The same scores with their groups, where the schema has groups.
    test_groups : int array of the shape of ``test_truth``, or None
        Groups of the rows held out.
    test_truth : array of shape (n_test, R)
    test_predicted : float64 array of shape (n_test, R, w)
    test_coins : float64 array of shape (n_test, R) or None
        Chance of randomised scores.
    reference_scores : float64 array of shape (n, R)
        In-sample scores of the non-private model trained on all rows that are not held out, sorted.
    reference_predicted : float64 array of shape (n_test, R, w)
    trace : TrainingTrace or None
        How training of the first repetition went; not private.
    seconds : float
    fitted : Fitted or None
        The models themselves; None where they are those of the reference.
    """

    prepared: Prepared
    task: TrainingTask
    plan: FittingPlan
    n: int
    n_train: int
    n_calibration: int
    n_test: int
    scores: Floats
    grouped: GroupedScores | None
    test_groups: npt.NDArray[np.int64] | None
    test_truth: npt.NDArray[Any]
    test_predicted: Floats
    test_coins: Floats | None
    reference_scores: Floats
    reference_predicted: Floats
    trace: TrainingTrace | None
    seconds: float
    fitted: Fitted | None = None


@dataclass(frozen=True, eq=False)
class Reference:
    """What would be without privacy: models of R repetitions on all rows that are not held out.

    Attributes
    ----------
    task : TrainingTask
        Without a budget; see :meth:`~dpcp_core.experiments.settings.TrainingTask.without_privacy`.
    scores : float64 array of shape (n, R)
        In-sample scores of those rows, sorted within each column.
    predicted : float64 array of shape (n_test, R, w)
    grouped : GroupedScores or None
        The same scores with their groups, where the schema has groups.
    shuffled : int array of shape (n_rows, R)
        Row numbers in the order in which every repetition divides them.
    """

    task: TrainingTask
    scores: Floats
    predicted: Floats
    grouped: GroupedScores | None
    shuffled: Rows

    def __sizeof__(self) -> int:
        """Return the bytes of the arrays too; see :meth:`dpcp_core.experiments.prepare.Prepared.__sizeof__`."""
        return super().__sizeof__() + self.scores.nbytes + self.predicted.nbytes + self.shuffled.nbytes


def train_reference(prepared: Prepared, task: TrainingTask) -> Reference:
    """Fit the models without privacy that private ones are compared with.

    Parameters
    ----------
    prepared : Prepared
    task : TrainingTask
        Any; tasks whose :meth:`~dpcp_core.experiments.settings.TrainingTask.without_privacy` is equal share the result.

    Raises
    ------
    InputError
        As :func:`train`.
    """
    _refuse_other_bounds(prepared, task)
    with one_thread():
        return _reference(prepared, task.resolved(prepared.task, prepared.goal.n_classes).without_privacy())


def _reference(prepared: Prepared, task: TrainingTask) -> Reference:
    shuffled = shuffled_rows(prepared.n_rows, task)
    split = divide(shuffled, task)
    plan = _plan(prepared, task, len(split.all_rows), task.spending)
    fitted = fit_exactly(plan, prepared.features, prepared.truth, included(split.all_rows, prepared.n_rows))
    scores, grouped, predicted = _scored(prepared, fitted, split.all_rows, split.test, _coins(prepared, task))
    return Reference(task, scores, predicted, grouped, shuffled)


def train(
    prepared: Prepared, task: TrainingTask, reference: Reference | None = None, *, record: bool = True
) -> TrainedRuns:
    """Fit the models of every repetition and score the rows.

    Parameters
    ----------
    prepared : Prepared
    task : TrainingTask
        From ``ConformalSettings.training_key()``; equal tasks give equal runs.
    reference : Reference, optional
        Of an equal task without privacy, where it is at hand: it depends neither on the budget nor on the method.
    record : bool
        Keep a trace of the first repetition, which takes a while; nothing else depends on it.

    Raises
    ------
    InputError
        Too few rows for the shares that were asked for, or a table that was prepared with other bounds; a reference of
        another task.
    """
    _refuse_other_bounds(prepared, task)
    task = task.resolved(prepared.task, prepared.goal.n_classes)
    if reference is not None and reference.task != task.without_privacy():
        raise InputError("This reference is of another task; make it with train_reference(prepared, task).")
    begun = time.perf_counter()
    with one_thread():
        return _train(prepared, task, reference or _reference(prepared, task.without_privacy()), begun, record)


def _refuse_other_bounds(prepared: Prepared, task: TrainingTask) -> None:
    bought = prepared.bought
    if task.bounds_epsilon != (0.0 if bought is None else bought.epsilon) or (bought and bought.seed != task.seed):
        raise InputError(
            "This table was prepared with other bounds; prepare it with the settings' bounds_epsilon and seed."
        )


def _train(prepared: Prepared, task: TrainingTask, reference: Reference, begun: float, record: bool) -> TrainedRuns:
    split = divide(reference.shuffled, task)
    plan = _plan(prepared, task, len(split.train), task.spending)
    coins, groups = _coins(prepared, task), prepared.groups
    if task.is_reference:
        fitted, trace = None, None
        scores, grouped, test_predicted = reference.scores, reference.grouped, reference.predicted
    else:
        fitted = _fitted(prepared, task, plan, split, record)
        trace = fitted.trace
        scores, grouped, test_predicted = _scored(prepared, fitted, split.rank, split.test, coins)
    return TrainedRuns(
        prepared=prepared,
        task=task,
        plan=plan,
        n=len(split.all_rows),
        n_train=len(split.train),
        n_calibration=len(split.rank),
        n_test=len(split.test),
        scores=scores,
        grouped=grouped,
        test_groups=None if groups is None else groups.codes[split.test],
        test_truth=prepared.truth[split.test],
        test_predicted=test_predicted,
        test_coins=None if coins is None else picked(coins, split.test),
        reference_scores=reference.scores,
        reference_predicted=reference.predicted,
        trace=trace,
        seconds=time.perf_counter() - begun,
        fitted=fitted,
    )


def _plan(prepared: Prepared, task: TrainingTask, n_rows: int, spending: TrainingBudget) -> FittingPlan:
    return plan_fitting(
        prepared.goal,
        ProblemSize(n_rows, prepared.features.shape[1], prepared.goal.n_classes),
        spending,
        trainer=task.trainer,
        score=task.score,
        choices=task.choices,
    )


def _fitted(prepared: Prepared, task: TrainingTask, plan: FittingPlan, split: Split, record: bool) -> Fitted:
    if not task.spending.is_finite and not task.clips:
        return fit_exactly(plan, prepared.features, prepared.truth, included(split.train, prepared.n_rows))
    return fit(
        plan,
        prepared.features,
        prepared.truth,
        n_models=task.repetitions,
        rng=simulation_generator(task.seed, Stream.NOISE),
        included=included(split.train, prepared.n_rows),
        start=_public_start(prepared, task),
        record=record,
    )


def _public_start(prepared: Prepared, task: TrainingTask) -> Weights | None:
    """Return weights learnt on the public table, if there is one: they cost nothing."""
    public = prepared.public
    if public is None:
        return None
    return learnt_weights(
        public.features, public.truth, prepared.goal, trainer=task.trainer, score=task.score, choices=task.choices
    )


def _coins(prepared: Prepared, task: TrainingTask) -> Floats | None:
    if not SCORES[task.score].needs_coins:
        return None
    return simulation_generator(task.seed, Stream.COINS).random((prepared.n_rows, task.repetitions))


def _scored(
    prepared: Prepared, fitted: Fitted, ranked: Rows, tested: Rows, coins: Floats | None
) -> tuple[Floats, GroupedScores | None, Floats]:
    """Return the ranked rows' scores sorted, and with their groups, and predictions for the tested rows."""
    # Of every row for every model: the largest thing here, so it goes before the next models are scored.
    predicted, score = fitted.predict(prepared.features), SCORES[fitted.plan.score]
    scores = score.scores(
        prepared.truth[ranked],
        picked(predicted, ranked),
        prepared.goal,
        None if coins is None else picked(coins, ranked),
    )
    tested_ones = picked(predicted, tested)
    groups = prepared.groups
    if groups is None:
        scores.sort(axis=0)
        return scores, None, tested_ones
    return np.sort(scores, axis=0), GroupedScores(scores, groups.codes[ranked]), tested_ones
