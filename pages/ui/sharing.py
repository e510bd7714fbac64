"""Whether the app runs for one person, or for many who do not own each other's tables, and what each may use.

``DPCP_SHARED=1`` switches to the limits of a server; each can be set by a variable of its own, see :class:`Limits`.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path

from dpcp_core import _validate
from dpcp_core.data.dataset import Dataset
from dpcp_core.errors import InputError
from dpcp_core.presentation.wording import sharing as words

VARIABLE = "DPCP_SHARED"
_STATM = Path("/proc/self/statm")


@dataclass(frozen=True)
class Limits:
    """What a session, and all of them together, may use; ``DPCP_MAX_`` and the field's name in capitals sets one.

    Attributes
    ----------
    rows, columns : int
        Of an uploaded table.
    upload_mb : int
        Size of an uploaded file, and of what a packed file unpacks to.
    runs : int
        Runs that compute at once, of all sessions.
    runs_each : int
        Runs that compute at once, of one session.
    waiting : int
        Runs that wait for their turn, of all sessions.
    run_seconds : int
        How long a run may compute before it is stopped.
    memory_mb : int
        Memory of the process from which on nothing new begins.
    """

    rows: int = sys.maxsize
    columns: int = sys.maxsize
    upload_mb: int = 200
    runs: int = 2
    runs_each: int = 2
    waiting: int = sys.maxsize
    run_seconds: int = sys.maxsize
    memory_mb: int = sys.maxsize


ALONE = Limits()
"""Of one person, on a computer of their own."""

SHARED = Limits(
    rows=200_000, columns=500, upload_mb=50, runs=2, runs_each=1, waiting=30, run_seconds=600, memory_mb=6_000
)
"""Of a server, where nothing else is said."""

_NAMES = tuple(field.name for field in fields(Limits))


def is_shared() -> bool:
    """Return whether ``DPCP_SHARED`` says that several people use this app."""
    return os.environ.get(VARIABLE, "") not in ("", "0")


def limits() -> Limits:
    """Return what this app may use.

    Raises
    ------
    InputError
        If a variable holds no whole number of at least 1.
    """
    return _read(is_shared(), tuple(os.environ.get(variable(name), "") for name in _NAMES))


def variable(name: str) -> str:
    """Return the environment variable that sets a limit.

    >>> variable("rows")
    'DPCP_MAX_ROWS'
    """
    return f"DPCP_MAX_{name.upper()}"


def check_size(data: Dataset) -> None:
    """Refuse a table that is larger than this app takes.

    Raises
    ------
    InputError
        If it has too many rows or columns.
    """
    allowed = limits()
    if data.n_rows > allowed.rows:
        raise InputError(words.too_many_rows(data.n_rows, allowed.rows))
    if (n := data.frame.shape[1]) > allowed.columns:
        raise InputError(words.too_many_columns(n, allowed.columns))


def check_memory() -> None:
    """Refuse to take in something new while the memory is full.

    Raises
    ------
    InputError
        If the process holds more than it may.
    """
    if is_full():
        raise InputError(words.MEMORY_FULL)


def is_full() -> bool:
    """Whether the process holds more memory than it may; never where the system does not tell."""
    most = limits().memory_mb
    return most < sys.maxsize and memory_mb() > most


def memory_mb() -> float:
    """Return how much memory this process holds, in megabytes; 0 where the system does not tell."""
    try:
        pages = int(_STATM.read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@lru_cache(maxsize=8)
def _read(shared: bool, given: tuple[str, ...]) -> Limits:
    wanted = {name: _whole(name, text) for name, text in zip(_NAMES, given, strict=True) if text}
    return replace(SHARED if shared else ALONE, **wanted)


def _whole(name: str, text: str) -> int:
    number = int(text) if text.strip().isdecimal() else text
    return _validate.whole(**{variable(name): number})
