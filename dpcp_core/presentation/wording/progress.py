"""How far a run in the background is, and how long things take, as a person says it."""

from __future__ import annotations

import math

from dpcp_core.experiments.sweep.result import Progress
from dpcp_core.presentation.wording import numbers as say

STOPPING = "Stopping after the trainings that are under way"
WAITING = "Waits until another run on this computer has ended"
PREPARING = "Preparing the table"
OF_OTHER_SETTINGS = "This run is for settings that you have changed since. Let it end, or stop it."
STOP_HELP = "Keeps what is finished."


def changed_since(what: str) -> str:
    """Return what to write on a badge above something that other settings gave.

    >>> changed_since("map")
    'Settings changed since: below is the previous map'
    """
    return f"Settings changed since: below is the previous {what}"


_MINUTE, _HOUR = 60, 3600


def duration(seconds: float) -> str:
    """Return a length of time as a person says it.

    >>> duration(0.4), duration(7.2), duration(44), duration(61), duration(400), duration(9000)
    ('1 second', '7 seconds', '45 seconds', '1 minute', '7 minutes', '2.5 hours')
    """
    if seconds >= _HOUR * 1.5:
        return f"{seconds / _HOUR:.2g} hours"
    if seconds > _MINUTE:
        return _breakable(say.count(round(seconds / _MINUTE), "minute"))
    rounded = max(1, round(seconds)) if seconds < 10 else 5 * math.ceil(seconds / 5)
    return _breakable(say.count(rounded, "second"))


def progress_words(progress: Progress, noun: str = "cell") -> str:
    """Return how much of a run is finished, and about how much longer the rest takes.

    >>> progress_words(Progress(12, 108, 4.0, 32.3)), progress_words(Progress(0, 1, 0.0, None), "look")
    ('12 of 108 cells, about 35 seconds left', '0 of 1 look')
    """
    done = f"{say.whole(progress.done)} of {_breakable(say.count(progress.total, noun))}"
    return f"{done}, about {duration(progress.left_s)} left" if progress.left_s and progress.done else done


def _breakable(text: str) -> str:
    return text.replace(say.FIXED, " ")
