"""Sums of clipped least-squares gradients over many rows, without looking at all of them in every step.

1. In units in which it is clipped at 1, the residual of a row moves at most ``|x|^2 / C`` times as far as the weights.
2. So a row keeps to its side of the clip while the weights stay near the point where all rows were last looked at: a
   row that is not clipped adds a linear function of the weights, one that is clipped a constant.
3. Only rows that may change sides on the way are looked at. When the weights leave the neighbourhood, all rows are.
4. Single precision may put a row on the wrong side: by how much is bounded, and rows so near to the clip are looked at
   in double precision. So no row adds more than the clip norm, however small that is.

The sum is that of :meth:`dpcp_core.training.clipping.ScaledRows.clipped_sum` for full batches, up to rounding.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpcp_core._arrays import Floats
from dpcp_core.training.clipping import ScaledRows
from dpcp_core.training.protocol import Matrix

# A neighbourhood holds this many of the last step, and looks at this share of the rows if that is further. A step that
# would look at more than the last share sums over all rows instead.
_STEPS_AHEAD = 4.0
_USUAL_SHARE, _LARGEST_SHARE = 1 / 64, 1 / 8
# Both shares are estimated on so many rows.
_SAMPLE = 4096
_BLOCK = 1 << 14
# Sums in double precision may be off by this part of the clip norm; where more threatens, all rows are summed.
_LARGEST_ERROR = 1e-4
# Fewer rows are summed faster by two matrix products for all models at once.
_FEWEST_ROWS, _FEWEST_ROWS_PER_MODEL = 50_000, 5_000


@dataclass(frozen=True, eq=False)
class _Sides:
    """What each row adds, shape (n,): its residual times ``linear``, and ``constant``; both 0 for a row left out."""

    linear: Matrix
    constant: Matrix

    @classmethod
    def of(cls, residuals: Matrix, seen: Matrix | None) -> _Sides:
        linear = (np.abs(residuals) < 1).astype(residuals.dtype)
        if seen is not None:
            return cls(linear * seen, np.sign(residuals) * (1 - linear) * seen)
        return cls(linear, np.sign(residuals) * (1 - linear))


@dataclass(frozen=True, eq=False)
class _Neighbourhood:
    """Weights within ``radius`` of the ``centre``, and what it takes to sum gradients there."""

    centre: Matrix
    radius: float
    slope: Floats
    offset: Floats
    rows: ScaledRows
    sides: _Sides

    def holds(self, weights: Matrix) -> bool:
        return float(np.linalg.norm(weights - self.centre)) <= self.radius

    def sum(self, weights: Matrix) -> Matrix:
        """Return the sum over all rows: as if none changed sides, and what those that did add to it."""
        fitted = _with_target(weights).astype(np.float64)
        residuals = self.rows.left @ fitted
        changes = np.clip(residuals, -1, 1) - self.sides.linear * residuals - self.sides.constant
        return self.slope @ fitted + self.offset + self.rows.right @ changes


class NearRows:
    """Sums of one model's clipped gradients; it remembers the neighbourhood that it is in.

    Parameters
    ----------
    rows : ScaledRows
        That clip.
    speeds : array of shape (n,)
        How far the residual of each row moves at most, over how far the weights do.
    longest : float
        Norm of the longest of the left rows, by which rounding is bounded.
    seen : array of shape (n,) of 0 and 1, optional
        Rows that the model sees.
    """

    def __init__(self, rows: ScaledRows, speeds: Matrix, longest: float, seen: Matrix | None = None) -> None:
        n, d = len(rows.left), rows.left.shape[1] - 1
        self._rows, self._speeds, self._longest, self._seen = rows, speeds, longest, seen
        some = slice(None, None, max(1, n // _SAMPLE))
        # What the speed of an empty row is taken for does not matter: its gradient is 0.
        self._sample, self._sample_speeds = rows.left[some].copy(), np.maximum(speeds[some], 1e-30)
        nothing = np.zeros(n, dtype=rows.left.dtype)
        self._sides = _Sides(nothing, nothing)
        # Differences of large sums: in double precision whatever the rows are in.
        self._slope, self._offset = np.zeros((d, d + 1)), np.zeros(d)
        self._here: _Neighbourhood | None = None
        self._last: Matrix | None = None

    def sum(self, weights: Matrix) -> Matrix | None:
        """Return the sum at weights of shape (d,); None where all rows are better summed together with other models."""
        step = math.inf if self._last is None else float(np.linalg.norm(weights - self._last))
        self._last = weights.copy()
        if self._here is None or not self._here.holds(weights):
            radius = self._radius(weights, step)
            self._here = self._settle(weights, radius) if radius > 0 else None
        return None if self._here is None else self._here.sum(weights).astype(weights.dtype)

    def _radius(self, weights: Matrix, step: float) -> float:
        """Return how far the next neighbourhood reaches, from some of the rows; 0 where it would hold too many."""
        fitted = _with_target(weights)
        if self._error(fitted, np.float64) * len(self._rows.left) > _LARGEST_ERROR:
            return 0.0
        apart = np.abs(np.abs(self._sample @ fitted) - 1) - self._error(fitted, fitted.dtype)
        reach = np.maximum(apart, 0) / self._sample_speeds
        usual, largest = np.quantile(reach, (_USUAL_SHARE, _LARGEST_SHARE)).tolist()
        wanted: float = max(usual, _STEPS_AHEAD * step)
        return wanted if wanted <= largest else 0.0

    def _error(self, fitted: Matrix, kind: npt.DTypeLike) -> float:
        """Return how far rounding may put a residual off."""
        norm = float(np.linalg.norm(fitted.astype(np.float64)))
        return len(fitted) * float(np.finfo(kind).eps) * self._longest * norm

    def _settle(self, weights: Matrix, radius: float) -> _Neighbourhood:
        """Look at all rows."""
        fitted = _with_target(weights)
        residuals = self._rows.left @ fitted
        sides = _Sides.of(residuals, self._seen)
        self._move_to(sides)
        close = np.abs(np.abs(residuals) - 1) <= radius * self._speeds + self._error(fitted, fitted.dtype)
        if self._seen is not None:
            close &= self._seen > 0
        near = np.flatnonzero(close)
        # In double precision, as slope and offset are: what a row adds to these is taken away to the last digit.
        left, right = self._rows.left[near].astype(np.float64), self._rows.right[:, near].astype(np.float64)
        rows = ScaledRows(left, right, clips=True)
        held = _Sides(sides.linear[near], sides.constant[near])
        return _Neighbourhood(weights.copy(), radius, self._slope.copy(), self._offset.copy(), rows, held)

    def _move_to(self, sides: _Sides) -> None:
        """Bring slope and offset to these sides of all rows: only rows that changed them are read."""
        old, self._sides = self._sides, sides
        changed = np.flatnonzero((sides.linear != old.linear) | (sides.constant != old.constant))
        for start in range(0, len(changed), _BLOCK):
            block = changed[start : start + _BLOCK]
            right = self._rows.right[:, block].astype(np.float64)
            linear = (sides.linear[block] - old.linear[block]).astype(np.float64)
            constant = (sides.constant[block] - old.constant[block]).astype(np.float64)
            self._slope += right @ (linear[:, None] * self._rows.left[block])
            self._offset += right @ constant


class NearSums:
    """Sums of the clipped gradients of several models, each in a neighbourhood of its own.

    Parameters
    ----------
    rows : ScaledRows
        That clip.
    n_models : int
    included : array of shape (n, n_models) of 0 and 1, optional
        Rows that each model sees.

    Notes
    -----
    **Privacy.** That of the sums, which are the same functions of the rows. How long they take depends on the rows.

    Examples
    --------
    >>> x = np.array([[0.6, 0.8], [0.6, 0.8]])
    >>> near = NearSums(ScaledRows.of(x, np.array([0.0, 0.0]), 1.0), 1)
    >>> near.clipped_sum(np.array([[5.0], [0.0]])).round(3).tolist()
    [[1.2], [1.6]]
    """

    def __init__(self, rows: ScaledRows, n_models: int, included: Matrix | None = None) -> None:
        self._rows, self._included = rows, included
        points = rows.left[:, :-1]
        # Rounded up: a row must not move further than is thought.
        speeds = np.sqrt(np.einsum("ij,ij->i", points, points)) * (1 + 1e-4)
        longest = math.sqrt(float(np.einsum("ij,ij->i", rows.left, rows.left).max(initial=0)))
        columns = [None] * n_models if included is None else [np.ascontiguousarray(column) for column in included.T]
        self._near = [NearRows(rows, speeds, longest, column) for column in columns]

    @staticmethod
    def are_worth_it(rows: ScaledRows, n_models: int, sampling_rate: float) -> bool:
        """Whether they can be had, and are likely to be faster than all rows in every step."""
        fewest = max(_FEWEST_ROWS, _FEWEST_ROWS_PER_MODEL * n_models)
        return rows.clips and sampling_rate == 1 and len(rows.left) >= fewest

    def clipped_sum(self, weights: Matrix) -> Matrix:
        """Return the sums at weights of shape (d, n_models), in the same shape."""
        sums = [near.sum(own) for near, own in zip(self._near, weights.T, strict=True)]
        far = [model for model, found in enumerate(sums) if found is None]
        if len(far) == len(sums):
            return self._rows.clipped_sum(weights, self._included)
        total = np.empty_like(weights)
        if far:
            included = None if self._included is None else self._included[:, far]
            total[:, far] = self._rows.clipped_sum(weights[:, far], included)
        for model, found in enumerate(sums):
            if found is not None:
                total[:, model] = found
        return total


def _with_target(weights: Matrix) -> npt.NDArray[np.floating]:
    return np.append(weights, weights.dtype.type(-1))
