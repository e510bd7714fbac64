"""Turns at heavy work: two pieces of it run at a time, of all sessions; others wait.

The work runs in a daemon thread, so that the app can be closed before it ends, and never touches Streamlit.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

_TURNS = threading.BoundedSemaphore(2)
_LOOK_S = 0.2

T = TypeVar("T")


def begin(future: Future[T], work: Callable[[], T]) -> None:
    """Do the work in a thread of its own, once its turn has come; the future hears of the outcome."""
    threading.Thread(target=in_turn, args=(future, work), daemon=True).start()


def in_turn(future: Future[T], work: Callable[[], T]) -> None:
    """Wait for a turn, then do the work in this thread; not at all if the future is cancelled before."""
    # Whoever gives up while waiting must not hold a table until a turn comes.
    while not _TURNS.acquire(timeout=_LOOK_S):
        if future.cancelled():
            return
    try:
        if future.set_running_or_notify_cancel():
            future.set_result(work())
    except BaseException as problem:  # whatever it is, the page must hear of it
        future.set_exception(problem)
    finally:
        _TURNS.release()
