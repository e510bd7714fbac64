"""The only caches of the app. What is derived from a table stays in its session and is bounded.

Keys are a table's content digest and the frozen settings: hashing a frame would look at a sample of its cells only,
and neighbouring tables must never share an answer.
"""

from __future__ import annotations

import gc
import warnings
from operator import attrgetter

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.samples import load_sample
from dpcp_core.errors import PrivacyLeakWarning
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

_KEYS = {Dataset: attrgetter("digest"), ConformalSettings: repr, TrainingTask: repr}


@st.cache_resource(show_spinner=False, max_entries=8)
def sample(name: str) -> Dataset:
    """Return a sample; public and frozen, so all sessions share it."""
    return load_sample(name)


@st.cache_resource(scope="session", show_spinner=False, max_entries=3, hash_funcs=_KEYS)
def _prepared(data: Dataset, target: str) -> Prepared:
    return prepare(data, target)


@st.cache_resource(scope="session", show_spinner=False, max_entries=3, hash_funcs=_KEYS)
def _trained(data: Dataset, task: TrainingTask) -> TrainedRuns:
    # Scores of every row and repetition: for a million rows, one entry takes about half a gigabyte.
    return train(_prepared(data, task.target), task)


@st.cache_resource(scope="session", show_spinner=False, max_entries=32, hash_funcs=_KEYS)
def result(data: Dataset, settings: ConformalSettings) -> SimulationResult:
    """Return the finished simulation; only what changed since the last one is computed again.

    Raises
    ------
    InputError
        If table and settings do not go together; the sentence says what to change.
    """
    with warnings.catch_warnings():
        # The receipt lists each leak, and the page shows the receipt.
        warnings.simplefilter("ignore", PrivacyLeakWarning)
        return calibrate(_trained(data, settings.training_key()), settings)


def check(data: Dataset) -> None:
    """Refuse a table that nothing can be computed for, with the sentence that says why.

    Raises
    ------
    InputError
        If the target, a column or the number of rows does not do.
    """
    _prepared(data, "")


@st.cache_resource(show_spinner=False)
def lighten_collections() -> None:
    """Take what is loaded once and for all out of Python's garbage collection.

    Streamlit collects garbage after every run of a page. Walking through the objects of the scientific libraries
    each time takes longer than the page itself, and holds back its last part.
    """
    gc.collect()
    gc.freeze()


def clear() -> None:
    """Drop what this session has computed."""
    for cached in (_prepared, _trained, result):
        cached.clear()
