"""What one browser session remembers. Every key is named here, and nothing outlives the session."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.samples import SAMPLES, Sample
from dpcp_core.experiments.result import SimulationResult
from dpcp_core.training.protocol import Task
from pages.ui import closing, computed, runs, training
from pages.ui.compute_samples import sample

SOURCE = "sample"
"""Widget: which table is in use; a sample's name, or :data:`OWN`. Its label, never a file's name, is in the URL."""

OWN = "own"

SAMPLES_OFFERED: Mapping[str, Sample] = {sample.name: sample for sample in SAMPLES}
"""Samples by name, in the order to show them."""

FIRST = next(iter(SAMPLES_OFFERED))

_CHOSEN = "_source"
_PAGE = "_page"
_TABLE = "_own_table"
_DRAFT = "_draft"
_SHOWN = "_shown"
_UPLOAD_ROUND = "_upload_round"
_OF_A_TABLE = (
    *("upload_", "schema_", "goal_", "budget_", "synth_of_", "_synth_", "patient_of_", "_patient_"),
    *("release_of_", "_release_"),
)


def enter(page: str) -> bool:
    """Carry the choice of table over to another page; return whether this session has shown a page before.

    Streamlit takes a widget back to its default there if its value came from the URL of the first page. Uploaders
    start empty there too, so nothing needs their files any more.
    """
    closing.watch()
    seen_before = _PAGE in st.session_state
    if st.session_state.get(_PAGE) != page:
        st.session_state[_PAGE] = page
        closing.drop_uploads()
        if _CHOSEN in st.session_state:
            st.session_state[SOURCE] = st.session_state[_CHOSEN]
    return seen_before


def sources() -> tuple[str, ...]:
    """Return the tables that this session can choose from: the samples, and its own table if it has one."""
    return (*SAMPLES_OFFERED, OWN) if _TABLE in st.session_state else tuple(SAMPLES_OFFERED)


def source_label(source: str) -> str:
    """Return what a table is called in the list, and in the URL."""
    return "Your table" if source == OWN else SAMPLES_OFFERED[source].title


def title_of(dataset_name: str) -> str:
    """Return what a table of this name is called on screen."""
    sample = SAMPLES_OFFERED.get(dataset_name)
    return sample.title if sample else dataset_name or "your table"


def settle_source(source: str) -> None:
    """Remember the table that the list shows."""
    st.session_state[_CHOSEN] = source


def use(source: str) -> None:
    """Choose another table; for callbacks only, because the list is a widget."""
    st.session_state[SOURCE] = source


def current() -> Dataset:
    """Return the table in use."""
    chosen = st.session_state.get(SOURCE)
    if chosen == OWN and _TABLE in st.session_state:
        return st.session_state[_TABLE]
    return sample(chosen if chosen in SAMPLES_OFFERED else FIRST)


def task() -> Task:
    """Return whether the table in use predicts a number or a class."""
    target = current().schema.target
    return "regression" if target is None or target.is_numeric else "classification"


def n_classes() -> int:
    """Return how many classes the table in use predicts one of; 0 for a number."""
    target = current().schema.target
    return 0 if target is None or target.is_numeric else len(target.categories)


def is_own() -> bool:
    """Whether the table in use is the session's own."""
    return st.session_state.get(SOURCE) == OWN and _TABLE in st.session_state


def adopt(data: Dataset) -> None:
    """Take a described table into use from the next run on."""
    st.session_state[_TABLE] = data
    st.session_state.pop(_DRAFT, None)
    # The list of tables is already drawn in this run, so the choice waits until a page is entered again.
    st.session_state[_CHOSEN] = OWN
    st.session_state.pop(_PAGE, None)
    _empty_uploaders()


def draft() -> Dataset | None:
    """Return the uploaded table that still waits for its description."""
    return st.session_state.get(_DRAFT)


def set_draft(data: Dataset | None) -> None:
    """Keep an uploaded table until it is described, or drop it."""
    if data is None:
        st.session_state.pop(_DRAFT, None)
    else:
        st.session_state[_DRAFT] = data


def shown() -> tuple[SimulationResult | None, Dataset | None]:
    """Return the last result that could be computed, and its table."""
    return st.session_state.get(_SHOWN, (None, None))


def remember(result: SimulationResult, data: Dataset) -> None:
    """Keep a result on screen until there is a newer one."""
    st.session_state[_SHOWN] = (result, data)


def upload_key(name: str) -> str:
    """Return the key of an upload widget; a new one, which is empty, once its file is in use or forgotten."""
    return f"{name}_{st.session_state.get(_UPLOAD_ROUND, 0)}"


def put(values: Mapping[str, object]) -> None:
    """Set widgets by key; for callbacks only."""
    for key, value in values.items():
        st.session_state[key] = value


def forget() -> None:
    """Drop every table, file and result of this session; settings stay, they say nothing about rows."""
    if is_own():
        use(FIRST)
    for key in (_TABLE, _DRAFT, _SHOWN):
        st.session_state.pop(key, None)
    for key in [key for key in st.session_state if str(key).startswith(_OF_A_TABLE)]:
        del st.session_state[key]
    _empty_uploaders()
    closing.drop_files()
    training.cancel()
    runs.forget()
    computed.clear()


def _empty_uploaders() -> None:
    st.session_state[_UPLOAD_ROUND] = st.session_state.get(_UPLOAD_ROUND, 0) + 1
