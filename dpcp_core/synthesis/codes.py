"""Codes of rows in a small network: their public cells, and the passes in and out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcp_core._arrays import Counts, Floats
from dpcp_core.data.encoding import encode
from dpcp_core.data.schema import Schema
from dpcp_core.synthesis.cells import Places
from dpcp_core.training.protocol import Matrix, Weights

_ROWS_AT_ONCE = 1 << 16
_MARGIN = 1.5


@dataclass(frozen=True, eq=False)
class LatentCells:
    """Cells of one code, which is 0 or more: one at 0, the others of equal width.

    Attributes
    ----------
    edges : array of shape (k,)
        From 0 to the largest code that counts.
    """

    edges: Floats

    @classmethod
    def of(cls, largest: float, cells: int) -> LatentCells:
        """Return so many cells up to half as much again as the largest code of made-up rows."""
        return cls(np.linspace(0.0, max(largest, 1e-6) * _MARGIN, cells))

    def counts(self, codes: Matrix) -> Counts:
        """Return how many rows lie in each cell.

        >>> LatentCells(np.array([0.0, 1.0, 2.0])).counts(np.array([0.0, 0.5, 1.5, 9.0])).tolist()
        [1, 1, 2]
        """
        places = np.searchsorted(self.edges[:-1], codes, side="right") - (codes <= 0)
        counts: Counts = np.bincount(np.clip(places, 0, len(self.edges) - 1), minlength=len(self.edges))
        return counts

    def decode(self, places: Places, rng: np.random.Generator) -> Floats:
        """Return a code inside each cell."""
        width = self.edges[1]
        return np.where(places == 0, 0.0, (places - rng.random(len(places))) * width)


def forward(rows: Matrix, weights: Weights, input_scale: float, *, last_is_linear: bool = False) -> Matrix:
    """Return what dense layers with rectified units make of rows; the last layer is rectified too unless linear."""
    parts = []
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        values = rows[start : start + _ROWS_AT_ONCE] * np.float32(input_scale)
        for place in range(0, len(weights), 2):
            values = values @ weights[place] + weights[place + 1]
            if place + 2 < len(weights) or not last_is_linear:
                values = np.maximum(values, 0)
        parts.append(values)
    result: Matrix = np.concatenate(parts) if parts else np.zeros((0, weights[-1].shape[0]), dtype=np.float32)
    return result


def encoded_rows(frame: pd.DataFrame, schema: Schema) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return rows of norm at most 1, and the same in typical half-widths, which is what a network restores.

    Notes
    -----
    The constant column says by how much rows were shrunk to be at most 1 long.
    """
    pieces = [
        encode(frame.iloc[start : start + _ROWS_AT_ONCE], schema).features
        for start in range(0, len(frame), _ROWS_AT_ONCE)
    ]
    features = np.concatenate(pieces)
    return features, features / features[:, :1]
