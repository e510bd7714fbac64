"""The queue: in order, a few at a time, fair between sessions, bounded; and what a shared server allows."""

from __future__ import annotations

import threading
from concurrent.futures import Future, wait

import pytest

from dpcp_core.errors import InputError
from pages.ui import runs, sharing, turns


@pytest.fixture
def owner(monkeypatch):
    """Return a function that says whose work comes next; no work of other tests stands in the line."""
    monkeypatch.setattr(turns, "_LINE", turns._Line())
    monkeypatch.setattr(turns, "_LOOK_S", 0.01)
    now = [""]
    monkeypatch.setattr(turns, "_owner", lambda: now[0])
    return lambda name: now.__setitem__(0, name)


@pytest.fixture
def gate():
    """What held work waits for; open at the end of the test at the latest."""
    opened = threading.Event()
    yield opened
    opened.set()


def held(gate: threading.Event) -> tuple[Future, threading.Event]:
    """Begin work that goes on until the gate opens."""
    future, begun = Future(), threading.Event()
    turns.begin(future, lambda: (begun.set(), gate.wait(20)))
    return future, begun


@pytest.mark.usefixtures("owner")
def test_who_waits_is_told_the_place_and_moves_up(gate):
    first = [held(gate) for _ in range(2)]
    assert all(begun.wait(5) for _, begun in first)
    waiting = [held(gate)[0] for _ in range(3)]
    assert [turns.place(future) for future in waiting] == [1, 2, 3]
    assert turns.length() == 3
    assert turns.waiting_words(waiting[1]) == "Waits for its turn: place 2 of 3 in the queue"
    assert waiting[0].cancel()
    assert [turns.place(future) for future in waiting] == [0, 1, 2]
    gate.set()
    assert not wait(waiting[1:], timeout=5).not_done
    assert turns.length() == 0


def test_one_session_does_not_take_the_turns_of_all(owner, gate, monkeypatch):
    monkeypatch.setenv("DPCP_SHARED", "1")
    owner("one")
    (_, begun), (_, second) = held(gate), held(gate)
    assert begun.wait(5)
    owner("other")
    _, others = held(gate)
    assert others.wait(5)
    assert not second.is_set()


def test_a_full_queue_is_refused_with_one_sentence(owner, gate, monkeypatch):
    monkeypatch.setenv("DPCP_MAX_RUNS", "1")
    monkeypatch.setenv("DPCP_MAX_WAITING", "1")
    owner("one")
    _, begun = held(gate)
    assert begun.wait(5)
    held(gate)
    refused, _ = held(gate)
    assert isinstance(refused.exception(1), InputError)
    assert "1 run" in str(refused.exception()).replace("\u00a0", " ")
    assert turns.length() == 1


@pytest.mark.usefixtures("owner")
def test_work_that_goes_on_long_after_its_time_does_not_hold_up_the_others(gate, monkeypatch):
    monkeypatch.setenv("DPCP_MAX_RUNS", "1")
    _, begun = held(gate)
    assert begun.wait(5)
    future, other = held(gate)
    assert not other.wait(0.1)
    monkeypatch.setenv("DPCP_MAX_RUN_SECONDS", "1")
    assert other.wait(5)
    # One turn was given back, not two: the third thread would be one too many.
    _, third = held(gate)
    assert not third.wait(1.8)
    assert not future.done()


def test_a_run_whose_time_is_over_is_asked_to_stop(monkeypatch):
    watch = runs.Watch()
    watch.begun.append(0.0)
    assert not watch.stopped()
    monkeypatch.setenv("DPCP_SHARED", "1")
    assert watch.stopped()
    assert watch.is_out_of_time


def test_with_a_full_memory_nothing_begins_and_a_sentence_says_so(owner, monkeypatch):
    assert 50 < sharing.memory_mb() < 100_000
    monkeypatch.setenv("DPCP_MAX_MEMORY_MB", "10")
    owner("one")
    future: Future = Future()
    turns.begin(future, lambda: 1)
    with pytest.raises(InputError, match="memory of this server is full"):
        future.result(5)
    monkeypatch.setenv("DPCP_MAX_MEMORY_MB", "1000000")
    again: Future = Future()
    turns.begin(again, lambda: 1)
    assert again.result(5) == 1


@pytest.mark.usefixtures("owner")
def test_work_that_fails_takes_nothing_else_down():
    broken, whole = Future(), Future()
    turns.begin(broken, lambda: 1 / 0)
    assert isinstance(broken.exception(5), ZeroDivisionError)
    for future in (whole, Future(), Future()):
        turns.begin(future, lambda: 2)
        assert future.result(5) == 2
