"""How far a simulation of a synthesis is, and how it is stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


class SynthesisStopped(Exception):
    """Somebody asked to stop before there was a table to show."""


@dataclass(frozen=True)
class SynthesisProgress:
    """How far a simulation is.

    Attributes
    ----------
    done, total : int
        Steps: one for each table that is made, each comparison with the real rows, each model that is trained.
    part : str
        What comes next: ``table``, ``fidelity``, or the name of a model or of a rival; "" at the end.
    seconds : float
        Since it began.
    left_s : float or None
        About how much longer it takes; None before the first repetition is finished.
    """

    done: int
    total: int
    part: str
    seconds: float
    left_s: float | None

    @property
    def share(self) -> float:
        """Finished share of the steps."""
        return self.done / self.total


OnProgress: TypeAlias = Callable[[SynthesisProgress], None]
ShouldStop: TypeAlias = Callable[[], bool]


class Steps:
    """Counts steps, and asks before each whether to go on.

    Parameters
    ----------
    per_repetition, repetitions : int
    on_progress, should_stop : callables, optional
    """

    def __init__(
        self,
        per_repetition: int,
        repetitions: int,
        on_progress: OnProgress | None = None,
        should_stop: ShouldStop | None = None,
    ) -> None:
        self._each, self._total, self._done = per_repetition, per_repetition * repetitions, 0
        self._on_progress, self._should_stop = on_progress, should_stop
        self._begun = time.perf_counter()
        self.is_stopped = False

    @property
    def seconds(self) -> float:
        """Since the first step."""
        return time.perf_counter() - self._begun

    def begin(self, part: str) -> bool:
        """Say what comes next; return whether to do it."""
        if self.asks_to_stop():
            return False
        self._say(part)
        return True

    def asks_to_stop(self) -> bool:
        """Whether somebody has asked to stop; for what can be stopped halfway."""
        if not self.is_stopped and self._should_stop is not None and self._should_stop():
            self.is_stopped = True
        return self.is_stopped

    def end(self, n: int = 1) -> None:
        """Count so many steps as done."""
        self._done += n

    def finish(self) -> None:
        """Say that all is done, if it is."""
        if not self.is_stopped:
            self._say("")

    def _say(self, part: str) -> None:
        if self._on_progress is None:
            return
        left = None
        if self._done >= self._each:
            left = self.seconds / self._done * (self._total - self._done)
        self._on_progress(SynthesisProgress(self._done, self._total, part, self.seconds, left))
