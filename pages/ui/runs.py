"""Runs in the background of a session, one of each name: started by a click, watched, stopped, collected.

A page starts a run in a callback, looks at it in a fragment while it goes on, and collects it once it has ended; other
pages work meanwhile, and coming back finds the run or its result. To stop a run keeps what is finished: the work is
asked between two trainings. Nothing outlives the session, and :func:`forget` drops everything at once.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

import streamlit as st

from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.experiments.sweep.result import Progress
from pages.ui import sharing, turns
from pages.ui.errors import sentence, without_leak_warnings
from pages.ui.known_runs import KNOWN

_JOB, _FINISHED, _PROBLEM = "_run_", "_run_finished_", "_run_problem_"

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Watch:
    """What the work is handed: where it reports to, and whether it should stop. Lives in the work's thread.

    Attributes
    ----------
    cells : list of CellResult
        Those that are finished.
    heard : list of Progress
        What was reported.
    begun : list of float
        When the work began; empty while it waits for its turn.
    """

    cells: list[CellResult] = field(default_factory=list)
    heard: list[Progress] = field(default_factory=list)
    begun: list[float] = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)

    def progress(self, progress: Progress, new: tuple[CellResult, ...]) -> None:
        """Take in how far the work is; the ``on_progress`` of a sweep."""
        self.cells.extend(new)
        self.heard.append(progress)

    def stopped(self) -> bool:
        """Whether somebody wants it to stop, or its time is over; the ``should_stop`` of a sweep."""
        return self._stop.is_set() or self.is_out_of_time

    @property
    def is_out_of_time(self) -> bool:
        """Whether it has run as long as a run may."""
        return bool(self.begun) and time.monotonic() - self.begun[0] > sharing.limits().run_seconds

    def stop(self) -> None:
        """Want it to stop."""
        self._stop.set()


@dataclass(frozen=True, eq=False)
class Job(Generic[T]):
    """A run that goes on, or has ended and waits to be collected.

    Attributes
    ----------
    name : str
    about : hashable
        What it was asked for.
    watch : Watch
    future : Future
    """

    name: str
    about: Hashable
    watch: Watch = field(default_factory=Watch)
    future: Future[T] = field(default_factory=Future)

    @property
    def latest(self) -> Progress | None:
        """How far it is; None before anything was reported."""
        return self.watch.heard[-1] if self.watch.heard else None

    @property
    def cells(self) -> tuple[CellResult, ...]:
        """Cells that are finished so far, in the order in which they came."""
        return tuple(self.watch.cells)

    @property
    def has_begun(self) -> bool:
        """Whether its turn has come."""
        return bool(self.watch.begun)

    @property
    def seconds(self) -> float:
        """How long it has been running."""
        return time.monotonic() - self.watch.begun[0] if self.has_begun else 0.0

    @property
    def is_done(self) -> bool:
        """Whether it has ended."""
        return self.future.done()

    @property
    def is_stopping(self) -> bool:
        """Whether it was asked to stop and still goes on."""
        return self.watch.stopped() and not self.is_done

    def give_up(self) -> None:
        """Ask it to stop; one whose turn has not come never begins."""
        self.watch.stop()
        self.future.cancel()


def start(name: str, about: Hashable, work: Callable[[Watch], T], shared: Hashable | None = None) -> None:
    """Begin a run; for callbacks only. Another of that name is given up, its last result stays until this one ends.

    Parameters
    ----------
    name : str
    about : hashable
        What it is asked for, e.g. a table's digest and a plan.
    work : callable
        Hands ``watch.progress`` and ``watch.stopped`` to a sweep and returns what is wanted; never touches Streamlit.
    shared : hashable, optional
        Under what all sessions share its result, see :func:`pages.ui.known_runs.key_of`; where there is one, the run
        has ended as it begins.
    """
    if older := current(name):
        older.give_up()
    st.session_state.pop(_PROBLEM + name, None)
    job: Job[T] = Job(name, about)
    st.session_state[_JOB + name] = job
    if shared is not None and (known := KNOWN.recall(shared)) is not None:
        job.future.set_result(known)
        return
    turns.begin(job.future, lambda: _whole(_in_threads(work, job.watch), job.watch, shared))


def current(name: str) -> Job[Any] | None:
    """Return the run of this name that goes on, or has ended and waits to be collected."""
    return cast("Job[Any] | None", st.session_state.get(_JOB + name))


def going_on() -> bool:
    """Whether any run of this session goes on."""
    return any(isinstance(value, Job) and not value.is_done for value in dict(st.session_state).values())


def cancel(name: str) -> None:
    """Ask a run to stop; for callbacks only. What it has finished is collected once it ends."""
    job = current(name)
    if job is None:
        return
    job.give_up()
    if job.future.cancelled():
        del st.session_state[_JOB + name]


def collect(name: str) -> None:
    """Take in a run that has ended: its result, or the sentence that says why there is none."""
    job = current(name)
    if job is None or not job.is_done:
        return
    del st.session_state[_JOB + name]
    if job.future.cancelled():
        return
    if problem := job.future.exception():
        st.session_state[_PROBLEM + name] = (job.about, sentence(problem, "computing this"))
        return
    st.session_state[_FINISHED + name] = (job.about, job.future.result())


def finished(name: str) -> tuple[Hashable, Any] | None:
    """Return what the last collected run of this name was asked for, and its result."""
    return cast("tuple[Hashable, Any] | None", st.session_state.get(_FINISHED + name))


def problem(name: str, about: Hashable) -> str:
    """Return the sentence about the last run of this name if it was asked for this and failed, else ""."""
    asked, words = st.session_state.get(_PROBLEM + name, (None, ""))
    return str(words) if asked == about else ""


def forget() -> None:
    """Give up all runs of this session and drop their results."""
    for key in [key for key in st.session_state if str(key).startswith(_JOB)]:
        if isinstance(job := st.session_state[key], Job):
            job.give_up()
        del st.session_state[key]


def _whole(result: T, watch: Watch, shared: Hashable | None) -> T:
    """Let others know a result, unless it was stopped before its end."""
    if shared is not None and not watch.stopped():
        KNOWN.keep(shared, result)
    return result


def _in_threads(work: Callable[[Watch], T], watch: Watch) -> T:
    import joblib

    watch.begun.append(time.monotonic())
    # Threads, because a pool of processes would run the page's script again in each of them.
    with joblib.parallel_config(backend="threading", n_jobs=os.cpu_count() or 1), without_leak_warnings():
        return work(watch)
