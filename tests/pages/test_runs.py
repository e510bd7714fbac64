"""Runs in the background: one of each name, watched, stopped between trainings, collected, and forgotten at once."""

from __future__ import annotations

import threading
from concurrent.futures import wait

import pytest
import streamlit as st

from dpcp_core import load_sample
from dpcp_core.errors import InputError
from dpcp_core.experiments.sweep.engine import sweep
from dpcp_core.experiments.sweep.result import Progress
from pages.ui import runs, turns


@pytest.fixture(autouse=True)
def session(monkeypatch):
    """A session of its own, as a plain dictionary."""
    own: dict = {}
    monkeypatch.setattr(st, "session_state", own)
    yield own
    runs.forget()


def ended(name: str) -> None:
    """Wait for a run, and take it in."""
    wait([runs.current(name).future], timeout=30)
    runs.collect(name)


def until_stopped(watch: runs.Watch) -> str:
    """Work until somebody wants it to stop."""
    while not watch.stopped():
        threading.Event().wait(0.01)
    return "stopped"


def begun(job: runs.Job) -> bool:
    """Wait until the turn of a run has come."""
    for _ in range(500):
        if job.has_begun:
            return True
        threading.Event().wait(0.01)
    return False


def test_a_run_reports_and_its_result_is_collected_with_what_it_was_asked_for():
    def work(watch: runs.Watch) -> int:
        watch.progress(Progress(1, 2, 0.1, 0.1), ())
        return 7

    runs.start("map", ("digest", "plan"), work)
    job = runs.current("map")
    assert runs.finished("map") is None
    ended("map")
    assert runs.current("map") is None
    assert runs.finished("map") == (("digest", "plan"), 7)
    assert job.latest.share == 0.5


def test_a_sweep_runs_in_threads_and_hands_its_cells_over_as_they_come():
    data = load_sample("diabetes")

    def work(watch: runs.Watch):
        return sweep(
            data,
            methods=["split", "dpcp"],
            epsilons=[1.0, 4.0],
            repetitions=3,
            on_progress=watch.progress,
            should_stop=watch.stopped,
        )

    runs.start("map", "q", work)
    job = runs.current("map")
    ended("map")
    _, result = runs.finished("map")
    assert result.is_complete
    assert {(c.settings.method, c.settings.epsilon) for c in job.cells} == {
        (c.settings.method, c.settings.epsilon) for c in result.cells
    }


def test_a_sweep_that_is_stopped_keeps_what_is_finished():
    data = load_sample("diabetes")

    def work(watch: runs.Watch):
        def report(progress, new):
            watch.progress(progress, new)
            if new:
                runs.cancel("map")

        return sweep(
            data,
            methods=["dpcp", "pscp"],
            epsilons=[1.0, 2.0, 3.0, 4.0, 5.0],
            repetitions=3,
            n_jobs=1,
            on_progress=report,
            should_stop=watch.stopped,
        )

    runs.start("map", "q", work)
    ended("map")
    _, result = runs.finished("map")
    assert 0 < len(result.cells) < result.plan.n_cells
    assert not result.is_complete


def test_an_old_result_stays_until_the_new_one_has_come():
    runs.start("map", "old", lambda _: 1)
    ended("map")
    runs.start("map", "new", until_stopped)
    assert runs.finished("map") == ("old", 1)
    runs.cancel("map")
    ended("map")
    assert runs.finished("map") == ("new", "stopped")


def test_starting_again_gives_up_the_older_run_and_nobody_sees_its_outcome():
    runs.start("map", "first", until_stopped)
    first = runs.current("map")
    assert begun(first)
    runs.start("map", "second", lambda _: 2)
    assert first.watch.stopped()
    ended("map")
    assert first.future.result(10) == "stopped"
    runs.collect("map")
    assert runs.finished("map") == ("second", 2)


def test_runs_of_two_names_do_not_disturb_each_other():
    runs.start("map", "a", lambda _: 1)
    runs.start("compare", "b", lambda _: 2)
    ended("map")
    ended("compare")
    assert (runs.finished("map"), runs.finished("compare")) == (("a", 1), ("b", 2))


def test_a_failure_is_one_sentence_for_what_was_asked_and_names_no_cell():
    def fail(_):
        raise RuntimeError("row 7 holds 123-45-6789")

    runs.start("map", "q", fail)
    ended("map")
    assert runs.finished("map") is None
    assert "123-45-6789" not in runs.problem("map", "q")
    assert "RuntimeError" in runs.problem("map", "q")
    assert runs.problem("map", "another question") == ""
    runs.start("map", "q", lambda _: 1)
    assert runs.problem("map", "q") == ""


def test_what_a_person_can_mend_is_said_in_its_own_words():
    def refuse(_):
        raise InputError("Too few rows: bring more.")

    runs.start("map", "q", refuse)
    ended("map")
    assert runs.problem("map", "q") == "Too few rows: bring more."


def test_forgetting_stops_runs_and_drops_results(session):
    runs.start("map", "q", lambda _: 1)
    ended("map")
    runs.start("compare", "q", until_stopped)
    job = runs.current("compare")
    runs.forget()
    assert session == {}
    assert job.watch.stopped()


def test_a_run_waits_for_its_turn_beside_trainings_and_is_gone_at_once_when_cancelled():
    gate = threading.Event()
    runs.start("one", "q", lambda _: gate.wait(30))
    runs.start("two", "q", lambda _: gate.wait(30))
    assert begun(runs.current("one"))
    assert begun(runs.current("two"))
    runs.start("three", "q", lambda _: 3)
    waiting = runs.current("three")
    assert not waiting.has_begun
    runs.cancel("three")
    assert runs.current("three") is None
    gate.set()
    ended("one")
    ended("two")
    assert waiting.future.cancelled()
    assert not waiting.has_begun


def test_who_gives_up_while_waiting_leaves_no_thread_behind():
    gate = threading.Event()
    runs.start("one", "q", lambda _: gate.wait(30))
    runs.start("two", "q", lambda _: gate.wait(30))
    assert begun(runs.current("one"))
    assert begun(runs.current("two"))
    job = runs.Job("three", "q")
    others = {*threading.enumerate()}
    turns.begin(job.future, lambda: 3)
    (thread,) = {*threading.enumerate()} - others
    job.give_up()
    thread.join(5)
    assert not thread.is_alive()
    gate.set()


def test_work_that_ends_its_thread_is_told_as_a_sentence():
    def work(_watch: runs.Watch) -> None:
        raise SystemExit

    runs.start("map", "asked", work)
    ended("map")
    assert "SystemExit" in runs.problem("map", "asked")
