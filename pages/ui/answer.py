"""From a table and settings to something to show, whatever happens on the way."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.experiments.result import SimulationResult
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.presentation.wording.numbers import count
from pages.ui import compute, state
from pages.ui.errors import sentence

_LARGE = 500_000  # cells


@dataclass(frozen=True)
class Answer:
    """A result to show, and why it is not the one that was asked for.

    Attributes
    ----------
    result : SimulationResult or None
        The newest result there is; None only before the first.
    data : Dataset or None
        The table that the result is about.
    problem : str
        One sentence if what was asked for could not be computed, else "".
    """

    result: SimulationResult | None
    data: Dataset | None
    problem: str = ""


def answer(choose: Callable[[], ConformalSettings]) -> Answer:
    """Compute the result for the table in use, or keep the previous one and say why.

    Parameters
    ----------
    choose : callable
        Gives the settings; may refuse them with an ``InputError``.
    """
    try:
        data = state.current()
        with _patience(data):
            result = compute.result(data, choose())
    except Exception as problem:  # the previous result must stay on screen
        return Answer(*state.shown(), sentence(problem, "computing this result"))
    state.remember(result, data)
    return Answer(result, data)


def _patience(data: Dataset) -> AbstractContextManager[None]:
    """Say that something is going on, where the answer takes longer than a moment."""
    if data.n_rows * data.frame.shape[1] < _LARGE:
        return nullcontext()
    return st.spinner(f"Fitting models to {count(data.n_rows, 'row')}", show_time=True)
