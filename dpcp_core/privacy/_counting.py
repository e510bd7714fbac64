"""Counting scores against increasing edges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpcp_core.errors import InputError


class EdgeCounter:
    """Counts of scores above and below fixed edges."""

    def __init__(self, edges: NDArray[np.float64]) -> None:
        self.edges = edges

    def _check(self, scores: NDArray[np.float64]) -> None:
        if scores.size and not scores.min() >= 0:
            raise InputError("scores must be 0 or more, and none may be missing (NaN); clean them first.")

    def _histogram(self, scores: NDArray[np.float64], side: str) -> NDArray[np.int64]:
        self._check(scores)
        m = self.edges.size + 1
        bins = np.searchsorted(self.edges, scores, side=side)
        if scores.ndim == 1:
            return np.bincount(bins, minlength=m).astype(np.int64)
        r = scores.shape[1]
        flat = bins + m * np.arange(r)
        return np.bincount(flat.ravel(), minlength=m * r).reshape(r, m).astype(np.int64)

    def above(self, scores: NDArray[np.float64]) -> NDArray[np.int64]:
        h = self._histogram(scores, "left")
        counts = scores.shape[0] - np.cumsum(h, axis=-1)[..., :-1]
        counts[..., -1] = 0
        return counts

    def below(self, scores: NDArray[np.float64]) -> NDArray[np.int64]:
        h = self._histogram(scores, "right")
        return np.cumsum(h, axis=-1)[..., :-1]
