"""Bin indices by arithmetic that are exact nonetheless.

A score becomes a position on a ruler on which edge number ``j`` (from 1) lies at ``j``, in single precision with
a fixed number of fractional bits. Rounding can only matter where a position is next to a whole number (in its
"zone"); those few scores, and no others, are compared with the edge itself.

>>> ruler = Ruler.fitting(np.array([0.25, 0.5, 0.75, 1.0]))
>>> out = np.empty(3, np.int32)
>>> ruler.bins(np.array([0.1, 0.5, 0.6]), out, ruler.workspace(3), "left")
True
>>> out
array([0, 1, 2], dtype=int32)
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Side = Literal["left", "right"]
Singles = NDArray[np.float32]
Workspace = tuple[NDArray[np.int32], NDArray[np.bool_], Singles]

_MANTISSA = 23
_MOST_BINS = 2000  # beyond, single precision puts too many scores into a zone
_RANGE = (1e-30, 1e30)  # stays clear of the limits of single precision
_LOG_ERROR = 4 * float(np.finfo(np.float32).eps)  # relative; what numpy's tests hold its logarithm to


@dataclass(frozen=True, eq=False)
class Ruler:
    """Positions of scores among edges that are evenly spaced, plainly or in the logarithm.

    Attributes
    ----------
    edges
        (M,) increasing.
    logarithmic
        Whether the logarithm is what is evenly spaced.
    scale, start
        The position of a score (or of its logarithm, raised to ``floor``) is ``scale * value + start``, and
        ``start`` holds a power of two that leaves ``bits`` fractional bits.
    zone
        Last fractional part, in units of the last bit, that is next to an edge; zones start at 0.
    """

    edges: NDArray[np.float64]
    logarithmic: bool
    scale: np.float32
    start: np.float32
    floor: np.float32
    bits: int
    zone: int = 0
    _padded: dict[str, NDArray[np.float64]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # Position 0 is no edge: every score passes it that is not negative.
        ends = {"left": -math.ulp(0.0), "right": 0.0}
        padded = {side: np.concatenate([[end], self.edges]) for side, end in ends.items()}
        object.__setattr__(self, "_padded", padded)

    @classmethod
    def fitting(cls, edges: NDArray[np.float64]) -> Ruler | None:
        """Return the ruler for these edges, or None if they are unevenly spaced or too many."""
        if not (1 < edges.size <= _MOST_BINS and edges[0] > _RANGE[0] and edges[-1] < _RANGE[1]):
            return None
        with np.errstate(all="ignore"):
            return cls._uniform(edges) or cls._geometric(edges)

    @classmethod
    def _uniform(cls, edges: NDArray[np.float64]) -> Ruler | None:
        scale = edges.size / float(edges[-1])
        # Each step is monotone in the score, so a score beyond an edge cannot be placed before it.
        return cls._plain(edges, False, scale, 0.0, 0.0)._with_zone(0)

    @classmethod
    def _geometric(cls, edges: NDArray[np.float64]) -> Ruler | None:
        low, high = math.log(edges[0]), math.log(edges[-1])
        if not low < high:
            return None
        scale = (edges.size - 1) / (high - low)
        ruler = cls._plain(edges, True, scale, 1 - scale * low, low - 0.5 / scale)
        error = 2 * _LOG_ERROR * max(abs(low), abs(high), 1.0) * scale
        return ruler._with_zone(math.ceil(error * 2**ruler.bits))

    @classmethod
    def _plain(cls, edges: NDArray[np.float64], logarithmic: bool, scale: float, start: float, floor: float) -> Ruler:
        bits = _MANTISSA - 1 - math.ceil(math.log2(edges.size + 3))
        anchored = np.float32(start + 1.5 * 2.0 ** (_MANTISSA - bits))
        return cls(edges, logarithmic, np.float32(scale), anchored, np.float32(floor), bits)

    def _with_zone(self, slack: int) -> Ruler | None:
        """Move the ruler so that each edge lies in its zone with ``slack`` to spare; None if it does not fit."""
        wanted = np.arange(1, self.edges.size + 1) << self.bits
        off = self._units(self.edges) - wanted
        # Moving may round a tie the other way, hence one more unit at each end.
        moved = np.float32(self.start + np.float32((slack + 1 - int(off.min())) * 2.0**-self.bits))
        zone = int(off.max() - off.min()) + 2 * slack + 2
        ruler = replace(self, start=moved, zone=zone)
        off = ruler._units(self.edges) - wanted
        fits = zone < 2**self.bits // 4 and off.min() >= slack and off.max() <= zone - slack
        return ruler if fits else None

    @property
    def _origin(self) -> int:
        return int(np.float32(1.5 * 2.0 ** (_MANTISSA - self.bits)).view(np.int32))

    def workspace(self, size: int) -> Workspace:
        """Return scratch memory for ``bins`` on at most ``size`` scores."""
        # The floor as an array: against a single number numpy's maximum takes four times as long.
        return np.empty(size, np.int32), np.empty(size, np.bool_), np.full(size, self.floor)

    def _place(self, scores: NDArray[np.float64], positions: Singles, floors: Singles) -> None:
        np.copyto(positions, scores, casting="same_kind")
        if self.logarithmic:
            np.log(positions, out=positions)
            np.maximum(positions, floors, out=positions)
        np.multiply(positions, self.scale, out=positions)
        np.add(positions, self.start, out=positions)

    def _units(self, scores: NDArray[np.float64]) -> NDArray[np.int64]:
        positions = np.empty(scores.size, np.float32)
        self._place(scores, positions, np.full(scores.size, self.floor))
        return positions.view(np.int32).astype(np.int64) - self._origin

    def bins(self, scores: NDArray[np.float64], out: NDArray[np.int32], memory: Workspace, side: Side) -> bool:
        """Write the number of edges below each score (``"right"``: not above it) to ``out``.

        Parameters
        ----------
        scores
            (K,).
        out
            (K,) int32.
        memory
            From ``workspace``, for at least K scores.
        side
            As in ``numpy.searchsorted``.

        Returns
        -------
        bool
            False, and ``out`` is of no use, if a score is negative, NaN or too far above the last edge.
        """
        parts, near, floors = memory[0][: scores.size], memory[1][: scores.size], memory[2][: scores.size]
        # One piece of memory holds the positions and then, bit for bit the same, the units and the indices.
        self._place(scores, out.view(np.float32), floors)
        np.bitwise_and(out, np.int32(2**self.bits - 1), out=parts)
        np.right_shift(out, np.int32(self.bits), out=out)
        np.subtract(out, np.int32(self._origin >> self.bits), out=out)
        np.less_equal(parts, np.int32(self.zone), out=near)
        self._settle(scores, out, np.flatnonzero(near), side)
        # Seen as unsigned, a negative index is a large one.
        return bool(out.view(np.uint32).max() <= self.edges.size)

    def _settle(self, scores: NDArray[np.float64], out: NDArray[np.int32], where: NDArray[np.intp], side: Side) -> None:
        """Compare scores next to an edge with that edge."""
        near, values = out[where], scores[where]
        edges = np.take(self._padded[side], near, mode="clip")
        out[where] = near - 1 + (values > edges if side == "left" else values >= edges)
