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
from pages.ui import compute, state, training
from pages.ui.errors import sentence

_MOMENT_S = 0.5


@dataclass(frozen=True)
class Question:
    """What was asked for: a table and settings."""

    data: Dataset
    settings: ConformalSettings


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
    question : Question or None
        What was asked for; None where even that is refused.
    wait_s : float or None
        About how long training must run before what was asked for can be answered; None if no training is missing.
    """

    result: SimulationResult | None
    data: Dataset | None
    problem: str = ""
    question: Question | None = None
    wait_s: float | None = None

    @property
    def is_old(self) -> bool:
        """Whether the result is not the one that was asked for."""
        return bool(self.problem) or self.wait_s is not None


def answer(choose: Callable[[], ConformalSettings]) -> Answer:
    """Compute the result for the table in use, or keep the previous one and say why.

    Parameters
    ----------
    choose : callable
        Gives the settings; may refuse them with an ``InputError``.
    """
    question = None
    try:
        training.collect()
        question = Question(state.current(), choose())
        wait_s = training.expected(question.data, question.settings)
        if wait_s is not None:
            problem = training.problem_of(question.data, question.settings)
            return Answer(*state.shown(), problem, question, wait_s)
        with _patience(question):
            result = compute.result(question.data, question.settings)
    except Exception as problem:  # the previous result must stay on screen
        return Answer(*state.shown(), sentence(problem, "computing this result"), question)
    state.remember(result, question.data)
    return Answer(result, question.data, question=question)


def _patience(question: Question) -> AbstractContextManager[None]:
    """Say that something is going on, where the answer takes longer than a moment."""
    if compute.expected_seconds(question.data, question.settings) < _MOMENT_S:
        return nullcontext()
    return st.spinner(f"Fitting models to {count(question.data.n_rows, 'row')}", show_time=True)
