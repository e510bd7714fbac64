"""The caches of the app. What is derived from a person's table stays in its session and is bounded.

Keys are a table's content digest and the frozen settings: hashing a frame would look at a sample of its cells only,
and neighbouring tables must never share an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import streamlit as st

from dpcp_core.conformal.feasibility import FeasibilityMap, feasibility_map
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.experiments.result import SimulationResult
from dpcp_core.experiments.run import (
    ConformalSettings,
    Prepared,
    TrainedRuns,
    TrainingTask,
    calibrate,
    prepare,
    train,
)
from dpcp_core.experiments.trained import Reference, train_reference
from dpcp_core.presentation.wording import page as words
from dpcp_core.privacy.accountants import accountant_comparison
from dpcp_core.privacy.profile import PrivacyProfile, SubsampledGaussianProfile
from dpcp_core.training.image_network import image_side
from dpcp_core.training.protocol import ProblemSize
from dpcp_core.training.registry import TRAINERS
from pages.ui import compute_samples as samples
from pages.ui import trainers
from pages.ui.errors import without_leak_warnings

if TYPE_CHECKING:
    from dpcp_core.experiments.synthesis import RealReference, SynthesisResult
    from dpcp_core.synthesis.settings import SynthesisSettings

_KEYS = {Dataset: attrgetter("digest"), ConformalSettings: repr, TrainingTask: repr}
_SYNTHESIS = {Dataset: attrgetter("digest"), "dpcp_core.synthesis.settings.SynthesisSettings": repr}
_REAL = "_synth_real"
_PUBLIC = {SubsampledGaussianProfile: repr}
_KEPT, _MOST_KEPT = "_kept_runs", 3
_TASK = "_training_task"
# A probability for each class, row and repetition: about a gigabyte.
_MOST_PROBABILITIES = 120_000_000
_FEWEST_OF_A_CLASS = 5


def prepared(data: Dataset, target: str = "", bounds_epsilon: float = 0.0, seed: int = 0) -> Prepared:
    """Return a table as training reads it.

    Raises
    ------
    InputError
        If the target, a column or the number of rows does not do.
    """
    if name := samples.name_of(data):
        return samples.sample_prepared(name, target, bounds_epsilon, seed)
    return _prepared(data, target, bounds_epsilon, seed)


@st.cache_resource(scope="session", show_spinner=False, max_entries=3, hash_funcs=_KEYS)
def _prepared(data: Dataset, target: str, bounds_epsilon: float, seed: int) -> Prepared:
    return prepare(data, target, bounds_epsilon=bounds_epsilon, seed=seed)


def table_of(data: Dataset, asked: ConformalSettings | TrainingTask) -> Prepared:
    """Return a table as settings, or a task, read it: with bought bounds, where they buy some."""
    bought = (asked.bounds_epsilon, asked.seed) if asked.bounds_epsilon else (0.0, 0)
    return prepared(data, asked.target, *bought)


@st.cache_resource(scope="session", show_spinner=False, max_entries=3, hash_funcs=_KEYS)
def _trained(data: Dataset, task: TrainingTask) -> TrainedRuns:
    # Scores of every row and repetition: for a million rows, one entry takes about half a gigabyte.
    return train(table_of(data, task), task, _reference(data, task.without_privacy()))


@st.cache_resource(scope="session", show_spinner=False, max_entries=2, hash_funcs=_KEYS)
def _reference(data: Dataset, task: TrainingTask) -> Reference:
    """Return what would be without privacy, which a move of epsilon does not change."""
    return train_reference(table_of(data, task), task)


def result(data: Dataset, settings: ConformalSettings) -> SimulationResult:
    """Return the finished simulation; only what changed since the last one is computed again.

    Raises
    ------
    InputError
        If table and settings do not go together; the sentence says what to change.
    """
    if name := samples.name_of(data):
        task = training_task(data, settings)
        if (data.digest, task) not in kept():
            return samples.sample_result(name, settings, task)
    return _result(data, settings)


@st.cache_resource(scope="session", show_spinner=False, max_entries=32, hash_funcs=_KEYS)
def _result(data: Dataset, settings: ConformalSettings) -> SimulationResult:
    with without_leak_warnings():
        return calibrate(trained_runs(data, settings), settings)


def training_task(data: Dataset, settings: ConformalSettings) -> TrainingTask:
    """Return what is to be trained for these settings, with what suits the target in place of ``auto``.

    Raises
    ------
    InputError
        If table and settings do not go together.
    """
    asked, known = st.session_state.get(_TASK, (None, None))
    if known is not None and asked == (data.digest, settings):
        return known
    task = _training_task(table_of(data, settings), settings)
    st.session_state[_TASK] = ((data.digest, settings), task)
    return task


def _training_task(table: Prepared, settings: ConformalSettings) -> TrainingTask:
    if table.n_rows * table.goal.n_classes * settings.repetitions > _MOST_PROBABILITIES:
        raise InputError(words.TOO_LARGE.format(table.n_rows, table.goal.n_classes, settings.repetitions))
    task = settings.resolved(table.task, table.goal.n_classes).training_key()
    if task.trainer == "cnn":
        # Refused before anybody waits for it, not after.
        image_side(ProblemSize(table.n_rows, table.features.shape[1], table.goal.n_classes))
    return task


def waits_for(data: Dataset, settings: ConformalSettings) -> float | None:
    """Return about how many seconds the training for these settings takes, if it is too long to be done at once.

    None if the answer can be given now: because training is quick, or because these models are trained already.
    """
    seconds = expected_seconds(data, settings)
    return seconds if seconds > trainers.LIVE_S else None


def expected_seconds(data: Dataset, settings: ConformalSettings) -> float:
    """Return about how long the training for these settings takes; 0 if the models are kept."""
    task = training_task(data, settings)
    return 0.0 if (data.digest, task) in kept() else trainers.expected_seconds(data.schema, data.n_rows, task)


def kept() -> Mapping[tuple[str, TrainingTask], TrainedRuns]:
    """Return the models of this session that took long to train, by table digest and task."""
    runs: dict[tuple[str, TrainingTask], TrainedRuns] = st.session_state.setdefault(_KEPT, {})
    return runs


def keep(digest: str, task: TrainingTask, runs: TrainedRuns) -> None:
    """Keep models that took long to train, and drop the oldest where there are too many."""
    newest = {**kept(), (digest, task): runs}
    st.session_state[_KEPT] = dict(list(newest.items())[-_MOST_KEPT:])


@st.cache_resource(
    scope="session", show_spinner=False, max_entries=16, hash_funcs={Schema: repr, ConformalSettings: repr}
)
def feasible_plane(
    schema: Schema, settings: ConformalSettings, n: tuple[int, ...], epsilons: tuple[float, ...]
) -> FeasibilityMap:
    """Return what can be certified over numbers of rows and budgets; a move of epsilon itself changes nothing of it."""
    return feasibility_map(settings, schema, n=n, epsilons=epsilons)


def synthesis(
    data: Dataset, settings: SynthesisSettings, models: tuple[str, ...], public: Dataset | None = None
) -> SynthesisResult:
    """Return a synthetic table and what it is worth; models of the real rows are trained once for all settings.

    Raises
    ------
    InputError
        If table and settings do not go together; the sentence says what to change.
    """
    name, reference = samples.name_of(data), real_reference(data)
    if name and public is None:
        found = samples.sample_synthesis(name, settings, models, reference)
    else:
        found = _synthesis(data, settings, models, public)
    keep_reference(found.reference)
    return found


@st.cache_resource(scope="session", show_spinner=False, max_entries=8, hash_funcs=_SYNTHESIS)
def _synthesis(
    data: Dataset, settings: SynthesisSettings, models: tuple[str, ...], public: Dataset | None
) -> SynthesisResult:
    from dpcp_core.experiments.synthesis import simulate_synthesis

    rows = None if public is None else public.frame
    with without_leak_warnings():
        return simulate_synthesis(data, settings, models, reference=real_reference(data), public=rows)


def real_reference(data: Dataset) -> RealReference | None:
    """Return what was learnt from the real rows of this table so far."""
    held: RealReference | None = st.session_state.get(_REAL)
    return held if held is not None and held.digest == data.digest else None


def keep_reference(reference: RealReference) -> None:
    """Keep what was learnt from real rows for the next synthesis."""
    st.session_state[_REAL] = reference


def training_profile(data: Dataset, settings: ConformalSettings) -> PrivacyProfile:
    """Return the privacy of training the (first) model, from the public plan of a run that is trained."""
    plan = trained_runs(data, settings).plan
    profile: PrivacyProfile = TRAINERS[plan.trainer].profile(plan.main)
    return profile


@st.cache_data(show_spinner=False, max_entries=32, hash_funcs=_PUBLIC)
def accountants(profile: SubsampledGaussianProfile, delta: float) -> Mapping[str, float]:
    """Return what each accountant says that training costs; public numbers in, so all sessions share it."""
    return dict(accountant_comparison(profile.noise_multiplier, profile.sampling_rate, profile.steps, delta))


def check(data: Dataset) -> None:
    """Refuse a table that nothing can be computed for, with the sentence that says why.

    Raises
    ------
    InputError
        If the target, a column or the number of rows does not do.
    """
    table = prepared(data)
    if table.goal.n_classes * _FEWEST_OF_A_CLASS > table.n_rows:
        raise InputError(words.TOO_MANY_CLASSES.format(table.target.name, table.goal.n_classes, table.n_rows))


def clear() -> None:
    """Drop what this session has computed with the help of this module."""
    for key in (_KEPT, _REAL, _TASK):
        st.session_state.pop(key, None)
    cached: Any
    for cached in (_prepared, _reference, _trained, _result, feasible_plane, _synthesis):
        cached.clear()


def trained_runs(data: Dataset, settings: ConformalSettings) -> TrainedRuns:
    """Return the trained models for these settings; they are trained now, if they are not kept."""
    task = training_task(data, settings)
    if known := kept().get((data.digest, task)):
        return known
    name = samples.name_of(data)
    return samples.sample_runs(name, task) if name else _trained(data, task)
