"""Training that takes longer than a moment: started by a click, watched, and given up where somebody cancels.

A training has no way to be stopped inside: all repetitions are trained together. To cancel therefore means to give it
up. The page is back at once and nobody will see the outcome, but the thread goes on to its end, and until then holds
the table that it reads. Trainings and runs share turns, of all sessions: see :mod:`pages.ui.turns`.
"""

from __future__ import annotations

import time
from concurrent.futures import Future
from dataclasses import dataclass, field

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.errors import InputError
from dpcp_core.experiments.run import ConformalSettings, Prepared, TrainedRuns, TrainingTask, train
from dpcp_core.presentation.wording import sharing as words
from pages.ui import compute, sharing, turns
from pages.ui.errors import sentence

_RUN, _PROBLEM, _SLOWER = "_training", "_training_problem", "_training_slower"
_NEVER_DONE = 0.97


@dataclass(frozen=True, eq=False)
class Run:
    """A training that was started.

    Attributes
    ----------
    digest : str
        Of the table.
    task : TrainingTask
    expected_s : float
        How long it was expected to take.
    future : Future
    begun : list of float
        When its turn came; empty before.
    """

    digest: str
    task: TrainingTask
    expected_s: float
    future: Future[TrainedRuns] = field(default_factory=Future)
    begun: list[float] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """How long it has been running."""
        return time.monotonic() - self.begun[0] if self.begun else 0.0

    @property
    def share(self) -> float:
        """How much of the expected time has passed; never all of it, as only the end shows the end."""
        return min(self.seconds / self.expected_s, _NEVER_DONE)

    def is_for(self, data: Dataset, settings: ConformalSettings) -> bool:
        """Whether it is what these settings need."""
        return (self.digest, self.task) == (data.digest, compute.training_task(data, settings))

    def give_up(self) -> None:
        """Never begin, if its turn has not come; a training has no way to be stopped inside."""
        self.future.cancel()


def start(data: Dataset, settings: ConformalSettings, expected_s: float) -> None:
    """Begin to train; for callbacks only. Another training of this session is given up."""
    cancel()
    run = Run(data.digest, compute.training_task(data, settings), expected_s)
    st.session_state[_RUN] = run
    table = compute.table_of(data, settings)
    if expected_s > (most := sharing.limits().run_seconds):
        # It cannot be stopped inside, so it must not begin.
        run.future.set_exception(InputError(words.too_long_training(expected_s, most)))
        return
    turns.begin(run.future, lambda: _work(run, table))


def current() -> Run | None:
    """Return the training that is going on, or has ended and waits to be collected."""
    return st.session_state.get(_RUN)


def cancel() -> None:
    """Give the training up; for callbacks only."""
    st.session_state.pop(_PROBLEM, None)
    if run := st.session_state.pop(_RUN, None):
        run.give_up()


def collect() -> None:
    """Take in a training that has ended: its models are kept, and how long it took is learnt from."""
    run = current()
    if run is None or not run.future.done():
        return
    del st.session_state[_RUN]
    if problem := run.future.exception():
        st.session_state[_PROBLEM] = (run.digest, run.task, sentence(problem, "training the models"))
        return
    runs = run.future.result()
    compute.keep(run.digest, run.task, runs)
    slower = _slower(run.task.trainer) * runs.seconds / run.expected_s
    st.session_state[_SLOWER] = {**st.session_state.get(_SLOWER, {}), run.task.trainer: slower}


def expected(data: Dataset, settings: ConformalSettings) -> float | None:
    """Return about how many seconds these settings must wait for their training; None if not at all."""
    seconds = compute.waits_for(data, settings)
    return None if seconds is None else seconds * _slower(compute.training_task(data, settings).trainer)


def problem_of(data: Dataset, settings: ConformalSettings) -> str:
    """Return the sentence about a training of these settings that failed, else ""."""
    digest, task, words = st.session_state.get(_PROBLEM, ("", None, ""))
    return words if (digest, task) == (data.digest, compute.training_task(data, settings)) else ""


def _slower(trainer: str) -> float:
    """Return how much longer this trainer took here than was expected, the last time."""
    return float(st.session_state.get(_SLOWER, {}).get(trainer, 1.0))


def _work(run: Run, table: Prepared) -> TrainedRuns:
    run.begun.append(time.monotonic())
    return train(table, run.task)
