"""Counting many scores against a grid's edges: exact, without sorting, O(N + M)."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcp_core.errors import InputError
from dpcp_core.privacy._ruler import Ruler, Side, Workspace, workspace

_BLOCK = 1 << 17  # scores whose working memory stays in a core's cache
_GATHERED = 2  # blocks whose indices are counted in one go
_SMALL = 4096  # below, binary search is as fast
_PER_THREAD = 1 << 20
_MOST_CELLS = 1 << 20  # counts held at once, so that indices fit 32 bits
_MOST_THREADS = 4


@dataclass(frozen=True, eq=False)
class EdgeCounter:
    """Counts of scores above and below fixed edges.

    Attributes
    ----------
    edges
        (M,) increasing, above 0.
    ruler
        Arithmetic index of the edges, or None where binary search has to do.
    """

    edges: NDArray[np.float64]
    ruler: Ruler | None

    @classmethod
    def of(cls, edges: NDArray[np.float64]) -> EdgeCounter:
        """Return the counter for these edges."""
        return cls(edges, Ruler.fitting(edges))

    def above(self, scores: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return ``#{score > edge}``, 0 at the last edge; (N,) gives (M,), (N, R) gives (R, M)."""
        counts: NDArray[np.int64] = scores.shape[0] - self._cumulated(scores, "left")
        counts[..., -1] = 0
        return counts

    def below(self, scores: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return ``#{score < edge}``; (N,) gives (M,), (N, R) gives (R, M)."""
        return self._cumulated(scores, "right")

    def _cumulated(self, scores: NDArray[np.float64], side: Side) -> NDArray[np.int64]:
        """Return ``#{score <= edge}`` for "left", ``#{score < edge}`` for "right"."""
        table = scores if scores.ndim == 2 else scores[:, None]
        histogram = self._histogram(table, side)
        counts = np.cumsum(histogram[:, :-1], axis=1)
        return counts if scores.ndim == 2 else counts[0]

    def _histogram(self, table: NDArray[np.float64], side: Side) -> NDArray[np.int64]:
        """Return (R, M + 1): how many scores of each column fall between which edges."""
        threads = min(_threads(), table.size // _PER_THREAD, table.shape[0])
        if threads < 2:
            return self._count_rows(table, side)
        parts = np.array_split(table, threads)
        with ThreadPoolExecutor(threads) as pool:
            counts = list(pool.map(self._count_rows, parts, [side] * threads))
        total: NDArray[np.int64] = np.sum(counts, axis=0)
        return total

    def _count_rows(self, table: NDArray[np.float64], side: Side) -> NDArray[np.int64]:
        width = max(1, _MOST_CELLS // (self.edges.size + 1))
        groups = [table[:, first : first + width] for first in range(0, table.shape[1], width)]
        counts = [self._count_columns(group, side) for group in groups]
        return np.concatenate([np.zeros((0, self.edges.size + 1), np.int64), *counts])

    def _count_columns(self, table: NDArray[np.float64], side: Side) -> NDArray[np.int64]:
        columns, bins = table.shape[1], self.edges.size + 1
        offsets = np.arange(columns, dtype=np.int32) * np.int32(bins)
        rows = min(max(1, _BLOCK // columns), max(1, table.shape[0]))
        memory, tally = workspace(rows * columns), _Tally(_GATHERED * rows * columns, columns * bins)
        with np.errstate(all="ignore"):
            for start in range(0, table.shape[0], rows):
                block = np.ascontiguousarray(table[start : start + rows]).ravel()
                out = tally.room(block.size)
                self._bins(block, out, memory, side)
                if columns > 1:
                    np.add(out.reshape(-1, columns), offsets, out=out.reshape(-1, columns))
        return tally.total().reshape(columns, bins)

    def _bins(self, scores: NDArray[np.float64], out: NDArray[np.int32], memory: Workspace, side: Side) -> None:
        ruler = self.ruler if scores.size >= _SMALL else None
        if ruler is not None and ruler.bins(scores, out, memory, side):
            return
        if not scores.min() >= 0:
            raise InputError("scores must be 0 or more and none may be missing (NaN); clean them first.")
        # At the last edge and above it is the same: above it nothing counts, below it neither does.
        bounded = np.minimum(scores, self.edges[-1])
        if ruler is None or not ruler.bins(bounded, out, memory, side):
            out[...] = np.searchsorted(self.edges, bounded, side=side)


class _Tally:
    """Counts indices, many at a time."""

    def __init__(self, size: int, length: int) -> None:
        self._index, self._filled = np.zeros(size, np.int32), 0
        self._counts = np.zeros(length, np.int64)
        self._column = _shared_column(self._index, length) if size >= _BLOCK else None

    def room(self, size: int) -> NDArray[np.int32]:
        """Return memory for the next ``size`` indices, each of which must come to be below the length."""
        if self._filled + size > self._index.size:
            self._count()
        self._filled += size
        return self._index[self._filled - size : self._filled]

    def _count(self) -> None:
        if self._column is not None and self._filled == self._index.size:
            self._counts += self._column @ np.ones(1, np.int32)
        else:
            self._counts += np.bincount(self._index[: self._filled], minlength=self._counts.size)
        self._filled = 0

    def total(self) -> NDArray[np.int64]:
        """Return how often each index occurred."""
        self._count()
        return self._counts


def _shared_column(index: NDArray[np.int32], length: int) -> Any:
    """Return a sparse column of ones at the indices, which follows when they are overwritten.

    Times 1 it is their histogram. ``bincount`` takes 2.5 times as long, as it first converts to 64 bits and
    searches for the extremes; it has to do where scipy will not share memory.
    """
    from scipy.sparse import csc_array

    ends = np.array([0, index.size], np.int32)
    column = csc_array((np.ones(index.size, np.int32), index, ends), shape=(length, 1), copy=False)
    return column if np.shares_memory(column.indices, index) else None


def _threads() -> int:
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(available, _MOST_THREADS)
