"""How far a long run is, on standard error, and how Ctrl-C ends it: what is finished is kept."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from dpcp_core.presentation.wording.progress import progress_words

if TYPE_CHECKING:
    from dpcp_core.experiments.sweep.result import Progress

_STOPPING = "Stopping after the {what} under way; Ctrl-C once more stops at once."


class Watch:
    """Listens to a sweep, or its like, and to the keyboard.

    Parameters
    ----------
    noun : str
        What is counted.
    what : str
        What is not stopped in the middle.

    Attributes
    ----------
    latest : Progress or None
        What was heard last.
    """

    def __init__(self, noun: str = "cell", what: str = "trainings that are") -> None:
        self._noun, self._stopping = noun, _STOPPING.format(what=what)
        self.latest: Progress | None = None
        self._is_watched = sys.stderr.isatty()
        self._stop = threading.Event()

    def progress(self, progress: Progress, _new: tuple[object, ...]) -> None:
        """Show how far the sweep is if somebody is watching; its ``on_progress``."""
        self.latest = progress
        if self._is_watched and not self.stopped():
            self._show(progress_words(progress, self._noun))

    def stopped(self) -> bool:
        """Whether somebody wants the sweep to stop; its ``should_stop``."""
        return self._stop.is_set()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take the first Ctrl-C as a wish to stop between trainings; the second one stops at once."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self._interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
            if self._is_watched:
                self._show("")

    def _interrupt(self, *_: Any) -> None:
        if self.stopped():
            raise KeyboardInterrupt
        self._stop.set()
        self._show(f"{self._stopping}\n")

    def _show(self, text: str) -> None:
        start = "\r\x1b[K" if self._is_watched else ""
        # Straight to the file: an interrupt may come in the middle of another write.
        os.write(sys.stderr.fileno(), f"{start}{text}".encode())
