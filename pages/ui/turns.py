"""Turns at heavy work: a few pieces of it run at a time, of all sessions; others wait in one queue.

The work runs in a daemon thread, so that the app can be closed before it ends, and never touches Streamlit. A session
has so many turns at most, and who waits for its own does not hold up others. Work that goes on long after its time
gives its turn back, so that no two sessions can keep all others waiting; there are never more than twice as many
threads as turns.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

from streamlit.runtime.scriptrunner import get_script_run_ctx

from dpcp_core.errors import InputError
from dpcp_core.presentation.wording import sharing as words
from pages.ui import sharing

_LOOK_S = 0.2
# Work that is asked to stop at the end of its time may finish what it is in the middle of.
_GRACE = 1.5

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class _Turn:
    """A piece of work, whose it is, and since when it goes on; knows nothing of what is computed."""

    owner: str
    future: Future[Any]
    begun: list[float] = field(default_factory=list)

    @property
    def is_overdue(self) -> bool:
        return time.monotonic() - self.begun[0] > _GRACE * sharing.limits().run_seconds


class _Line:
    """Who waits, in order, and whose turn it is."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self._waiting: list[_Turn] = []
        self._going: list[_Turn] = []

    def waiting(self) -> list[_Turn]:
        return [turn for turn in list(self._waiting) if not turn.future.cancelled()]

    def join(self, turn: _Turn) -> bool:
        """Stand at the end of the queue, unless it is full."""
        with self.changed:
            if len(self.waiting()) >= sharing.limits().waiting:
                return False
            self._waiting.append(turn)
            return True

    def take(self, turn: _Turn) -> None:
        """Return once the turn has come, or is not wanted any more.

        Raises
        ------
        InputError
            If the memory is full and nothing goes on that could free it.
        """
        with self.changed:
            try:
                while not (turn.future.cancelled() or self._may_begin(turn)):
                    # Whoever gives up while waiting must not hold a table until a turn comes.
                    self.changed.wait(_LOOK_S)
            finally:
                self._waiting.remove(turn)
            turn.begun.append(time.monotonic())
            self._going.append(turn)

    def leave(self, turn: _Turn) -> None:
        with self.changed:
            if turn in self._going:
                self._going.remove(turn)
            self.changed.notify_all()

    def _may_begin(self, turn: _Turn) -> bool:
        first = next((other for other in self.waiting() if not self._has_enough(other.owner)), None)
        if first is not turn or not self._has_room():
            return False
        if not sharing.is_full():
            return True
        if self._going:
            return False
        raise InputError(words.MEMORY_FULL)

    def _has_enough(self, owner: str) -> bool:
        own = sum(other.owner == owner for other in self._going)
        return bool(owner) and own >= sharing.limits().runs_each

    def _has_room(self) -> bool:
        most = sharing.limits().runs
        return len(self._going) < 2 * most and sum(not turn.is_overdue for turn in self._going) < most


_LINE = _Line()


def begin(future: Future[T], work: Callable[[], T]) -> None:
    """Do the work in a thread of its own, once its turn has come; the future hears of the outcome."""
    turn = _Turn(_owner(), future)
    if not _LINE.join(turn):
        future.set_exception(InputError(words.too_many_waiting(length())))
        return
    threading.Thread(target=_in_turn, args=(turn, work), daemon=True).start()


def length() -> int:
    """Return how many pieces of work wait, of all sessions."""
    return len(_LINE.waiting())


def place(future: Future[Any]) -> int:
    """Return the place of a piece of work in the queue, from 1 on; 0 if it does not wait."""
    return next((i for i, turn in enumerate(_LINE.waiting(), 1) if turn.future is future), 0)


def waiting_words(future: Future[Any]) -> str:
    """Say where a piece of work stands in the queue."""
    return words.place_in_line(max(1, place(future)), length())


def _in_turn(turn: _Turn, work: Callable[[], T]) -> None:
    try:
        _LINE.take(turn)
        if turn.future.set_running_or_notify_cancel():
            turn.future.set_result(work())
    except BaseException as problem:  # whatever it is, the page must hear of it
        turn.future.set_exception(problem)
    finally:
        _LINE.leave(turn)


def _owner() -> str:
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else ""
