"""The cache of models that people are asked of; see :mod:`pages.ui.compute` for the rules of caches."""

from __future__ import annotations

from operator import attrgetter

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.experiments.person import PersonModel, person_model
from dpcp_core.experiments.settings import ConformalSettings
from pages.ui import compute
from pages.ui.errors import without_leak_warnings

_KEYS = {Dataset: attrgetter("digest"), ConformalSettings: repr}


@st.cache_resource(scope="session", show_spinner=False, max_entries=8, hash_funcs=_KEYS)
def model(data: Dataset, settings: ConformalSettings, dots: bool) -> PersonModel:
    """Return the model of a run that is trained; another person, limit or difference makes nothing anew.

    Raises
    ------
    InputError
        If table and settings do not go together.
    """
    with without_leak_warnings():
        runs, result = compute.trained_runs(data, settings), compute.result(data, settings)
        return person_model(data, runs, settings, result, dots=dots)


def clear() -> None:
    """Drop the models of this session."""
    model.clear()
