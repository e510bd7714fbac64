"""What is said about a new row: an interval of numbers, or a set of classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from dpcp_core._arrays import Booleans, Floats


class Region(Protocol):
    """Regions of rows (first axis) in repetitions (second axis)."""

    def covers(self, truth: npt.NDArray[Any]) -> Booleans:
        """Return whether each region holds the true value; both of shape (n, R)."""
        ...

    @property
    def size(self) -> Floats:
        """How much each region holds: a width in target units, or a number of classes; shape (n, R)."""
        ...


@dataclass(frozen=True, eq=False)
class Intervals:
    """Lower and upper ends, arrays of one shape, in target units.

    >>> Intervals(np.array([[0.0]]), np.array([[2.0]])).covers(np.array([[2.0]])).tolist()
    [[True]]
    """

    lower: Floats
    upper: Floats

    def covers(self, truth: npt.NDArray[Any]) -> Booleans:
        """Return whether each interval holds the true value, both ends included."""
        inside: Booleans = (self.lower <= truth) & (truth <= self.upper)
        return inside

    @property
    def size(self) -> Floats:
        """Widths in target units."""
        return self.upper - self.lower


@dataclass(frozen=True, eq=False)
class LabelSets:
    """Which classes each set holds, shape (n, R, K).

    >>> sets = LabelSets(np.array([[[True, False, True]]]))
    >>> sets.size.tolist(), sets.covers(np.array([[1]])).tolist()
    ([[2.0]], [[False]])
    """

    members: Booleans

    def covers(self, truth: npt.NDArray[Any]) -> Booleans:
        """Return whether each set holds the true class, given as a code."""
        held: Booleans = np.take_along_axis(self.members, truth[..., None].astype(np.int64), axis=-1)[..., 0]
        return held

    @property
    def size(self) -> Floats:
        """Numbers of classes."""
        counts: Floats = self.members.sum(axis=-1).astype(np.float64)
        return counts

    def never_empty(self, likelihood: Floats) -> LabelSets:
        """Return the sets with the likeliest class put into each empty one; shape of ``likelihood`` (n, R, K)."""
        likeliest = likelihood.argmax(axis=-1)[..., None] == np.arange(likelihood.shape[-1])
        return LabelSets(self.members | (likeliest & ~self.members.any(axis=-1, keepdims=True)))
