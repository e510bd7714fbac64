"""Runs on samples that have ended: whoever asks for the same again, in any session, has the answer at once.

A class opens the same page; one comparison takes seconds, thirty of them minutes. Like everything that sessions share
(``compute_samples``) this is asked by a sample's name, so that nothing of an upload can get in.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

from dpcp_core.data.dataset import Dataset
from pages.ui import compute_samples

_MOST = 24


class KnownRuns:
    """The last results of runs on samples, by what they were asked for.

    Parameters
    ----------
    most : int
        How many are kept.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._held: OrderedDict[Hashable, Any] = OrderedDict()

    def recall(self, key: Hashable) -> Any:
        """Return a result; None if there is none."""
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
            return self._held.get(key)

    def keep(self, key: Hashable, result: Any) -> None:
        """Keep a result, in place of the one that was asked for least lately."""
        with self._lock:
            self._held[key] = result
            self._held.move_to_end(key)
            while len(self._held) > self._most:
                self._held.popitem(last=False)

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._held.clear()


KNOWN = KnownRuns()


def key_of(name: str, data: Dataset, asked: Hashable) -> Hashable | None:
    """Return under what a run's result is shared; None for a table that is no sample.

    Parameters
    ----------
    name : str
        Of the run.
    data : Dataset
    asked : hashable
        All that decides the result beside the table; holds no table.
    """
    sample = compute_samples.name_of(data)
    return (name, sample, asked) if sample else None
