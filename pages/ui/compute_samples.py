"""What all sessions share: the samples, and what was computed of them.

A class opens the same page at once; the first to come has it computed for all. These caches are asked by a sample's
name, never with a table, so that nothing of an upload can be a key or a value in them. Samples lie in the package for
anybody to read, and all of this is simulation. What is shared is bounded, and results cannot be written to.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.samples import SAMPLES, load_sample
from dpcp_core.experiments.result import SimulationResult
from dpcp_core.experiments.run import ConformalSettings, Prepared, TrainedRuns, TrainingTask, calibrate, prepare, train
from dpcp_core.experiments.trained import Reference, train_reference
from pages.ui.errors import without_leak_warnings

if TYPE_CHECKING:
    from dpcp_core.experiments.synthesis import RealReference, SynthesisResult
    from dpcp_core.synthesis.settings import SynthesisSettings

# What was learnt from the sample's real rows changes how long it takes, never what comes out.
_SYNTHESIS: dict[str | type[Any], Any] = {
    "dpcp_core.synthesis.settings.SynthesisSettings": repr,
    "dpcp_core.experiments.synthesis.reference.RealReference": lambda _: "",
    type(None): lambda _: "",
}
# About 30 and 25 MB each, at 100 repetitions of 8,000 rows.
_RUNS, _REFERENCES = 10, 6
_NAMES = frozenset(sample.name for sample in SAMPLES)


@lru_cache(maxsize=8)
def sample(name: str) -> Dataset:
    """Return a sample."""
    return load_sample(name)


def name_of(data: Dataset) -> str:
    """Return which sample a table is, cell by cell; "" for every other table, whatever it calls itself."""
    return data.name if data.name in _NAMES and data.digest == sample(data.name).digest else ""


@st.cache_resource(show_spinner=False, max_entries=12)
def sample_prepared(name: str, target: str, bounds_epsilon: float, seed: int) -> Prepared:
    """Return a sample as training reads it."""
    return prepare(sample(name), target, bounds_epsilon=bounds_epsilon, seed=seed)


@st.cache_resource(show_spinner=False, max_entries=_RUNS, hash_funcs={TrainingTask: repr})
def sample_runs(name: str, task: TrainingTask) -> TrainedRuns:
    """Return the models of a sample."""
    return train(_read(name, task), task, sample_reference(name, task.without_privacy()))


@st.cache_resource(show_spinner=False, max_entries=_REFERENCES, hash_funcs={TrainingTask: repr})
def sample_reference(name: str, task: TrainingTask) -> Reference:
    """Return what would be without privacy on a sample."""
    return train_reference(_read(name, task), task)


@st.cache_resource(show_spinner=False, max_entries=64, hash_funcs={ConformalSettings: repr, TrainingTask: repr})
def sample_result(name: str, settings: ConformalSettings, task: TrainingTask) -> SimulationResult:
    """Return the finished simulation of a sample."""
    with without_leak_warnings():
        found = calibrate(sample_runs(name, task), settings)
    _lock(found)
    return found


@st.cache_resource(show_spinner=False, max_entries=12, hash_funcs=_SYNTHESIS)
def sample_synthesis(
    name: str, settings: SynthesisSettings, models: tuple[str, ...], reference: RealReference | None
) -> SynthesisResult:
    """Return a synthetic table like a sample, and what it is worth."""
    from dpcp_core.experiments.synthesis import simulate_synthesis

    with without_leak_warnings():
        return simulate_synthesis(sample(name), settings, models, reference=reference)


def _read(name: str, task: TrainingTask) -> Prepared:
    return sample_prepared(name, task.target, task.bounds_epsilon, task.seed if task.bounds_epsilon else 0)


def _lock(value: object) -> None:
    """Make all arrays in a frozen value read-only."""
    if isinstance(value, np.ndarray):
        value.setflags(write=False)
    elif isinstance(value, tuple):
        for part in value:
            _lock(part)
    elif is_dataclass(value):
        for field in fields(value):
            _lock(getattr(value, field.name))
