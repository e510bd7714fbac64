"""The only caches of the app. What is derived from a table stays in its session and is bounded.

Keys are a table's content digest and the frozen settings: hashing a frame would look at a sample of its cells only,
and neighbouring tables must never share an answer.
"""

from __future__ import annotations

import warnings
from operator import attrgetter

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.samples import SAMPLES, load_sample
from dpcp_core.errors import PrivacyLeakWarning
from dpcp_core.experiments.result import SimulationResult
from dpcp_core.experiments.run import Prepared, TrainedRuns, calibrate, prepare, train
from dpcp_core.experiments.settings import ConformalSettings

_KEYS = {Dataset: attrgetter("digest"), ConformalSettings: repr}


@st.cache_resource(show_spinner=False)
def sample_titles() -> dict[str, str]:
    """Return name and title of the samples with a number to predict, in the order to show them."""
    return {sample.name: sample.title for sample in SAMPLES if load_sample(sample.name).schema.target.is_numeric}


@st.cache_resource(show_spinner=False, max_entries=8)
def sample(name: str) -> Dataset:
    """Return a sample; public and frozen, so all sessions share it."""
    return load_sample(name)


@st.cache_resource(scope="session", show_spinner=False, max_entries=12, hash_funcs=_KEYS)
def _trained(data: Dataset, key: ConformalSettings) -> TrainedRuns:
    return train(_prepared(data, key), key)


@st.cache_resource(scope="session", show_spinner=False, max_entries=3, hash_funcs=_KEYS)
def _prepared(data: Dataset, key: ConformalSettings) -> Prepared:
    return prepare(data, key)


@st.cache_resource(scope="session", show_spinner=False, max_entries=24, hash_funcs=_KEYS)
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


def clear() -> None:
    """Drop what this session has computed."""
    for cached in (_prepared, _trained, result):
        cached.clear()
