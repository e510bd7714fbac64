"""Sums of clipped least-squares gradients, for many models at once.

The gradient of one row is ``residual * x``, so its norm is a product of two numbers and clipping it is one
multiplication; no per-row gradient is ever stored. A step of all models is two matrix products.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpcp_core.training.protocol import Matrix

# Numbers in one block of residuals: small enough to stay in a core's cache between the two products.
_BLOCK = 1 << 18
_COINS = 1 << 32


@dataclass(frozen=True, eq=False)
class ScaledRows:
    """Rows scaled so that a residual is clipped at 1, whichever row it is: one number clips fastest.

    Attributes
    ----------
    left : float array of shape (n, d + 1)
        ``(x, y) |x| / C``.
    right : float array of shape (d, n)
        ``x C / |x|``.
    clips : bool
        False where ``C`` is infinite; then ``left`` and ``right`` are the plain rows.
    """

    left: Matrix
    right: Matrix
    clips: bool

    @classmethod
    def of(cls, features: Matrix, targets: Matrix, max_grad_norm: float) -> ScaledRows:
        """Scale rows of shape (n, d) and their targets of shape (n,)."""
        clips = not math.isinf(max_grad_norm)
        norms = np.sqrt(np.einsum("ij,ij->i", features, features))
        # An empty row has no gradient: both factors are 0 for it.
        inverse = np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 0)
        left, right = (norms / max_grad_norm, inverse * max_grad_norm) if clips else (np.ones_like(norms),) * 2
        n, d = features.shape
        # Written in place: with millions of rows each copy more is the largest thing there is.
        scaled, towards = np.empty((n, d + 1), features.dtype), np.empty((d, n), features.dtype)
        np.multiply(features, left[:, None], out=scaled[:, :d])
        np.multiply(targets.astype(features.dtype), left, out=scaled[:, d])
        np.multiply(features.T, right, out=towards)
        return cls(scaled, towards, clips)

    def clipped_sum(self, weights: Matrix, included: Matrix | None = None, batches: Batches | None = None) -> Matrix:
        """Return the sum over rows of clipped gradients, shape (d, k), at weights of shape (d, k)."""
        fitted = np.vstack([weights, np.full((1, weights.shape[1]), -1, dtype=weights.dtype)])
        total = np.zeros_like(weights)
        size = max(16, _BLOCK // max(1, weights.shape[1]))
        for start in range(0, len(self.left), size):
            block = slice(start, start + size)
            residuals = self.left[block] @ fitted
            if self.clips:
                np.clip(residuals, -1, 1, out=residuals)
            if included is not None:
                residuals *= included[block]
            if batches is not None:
                residuals *= batches.draw(residuals.shape)
            total += self.right[:, block] @ residuals
        return total


@dataclass(frozen=True, eq=False)
class Batches:
    """Poisson batches: each row of each model is drawn by a coin of its own.

    Attributes
    ----------
    sampling_rate : float
        Chance of each row, in (0, 1).
    rng : numpy Generator

    Notes
    -----
    **Privacy.** Coins of 32 bits land with a chance that is rounded down, so never above ``sampling_rate``.
    """

    sampling_rate: float
    rng: np.random.Generator

    def draw(self, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
        """Return which rows are drawn, shape (rows, models)."""
        coins = self.rng.integers(0, _COINS, size=shape, dtype=np.uint32)
        drawn: npt.NDArray[np.bool_] = coins < np.uint32(math.floor(self.sampling_rate * _COINS))
        return drawn


def clipped_gradient_sum(
    features: Matrix,
    targets: Matrix,
    weights: Matrix,
    max_grad_norm: float,
    included: Matrix | None = None,
) -> Matrix:
    """Return the sum over rows of the clipped least-squares gradients, one column per model.

    Parameters
    ----------
    features : array of shape (n, d)
    targets : array of shape (n,)
    weights : array of shape (d, k)
    max_grad_norm : float
        Above 0; infinity clips nothing.
    included : array of shape (n, k) of 0 and 1, optional
        Rows that each model sees; a row left out adds exactly nothing.

    Returns
    -------
    array of shape (d, k)

    Notes
    -----
    **Privacy.** Emptying one row moves each column by at most ``max_grad_norm`` in Euclidean norm.

    Examples
    --------
    >>> x = np.array([[0.6, 0.8], [0.6, 0.8]])
    >>> clipped_gradient_sum(x, np.array([0.0, 0.0]), np.array([[5.0], [0.0]]), 1.0).round(3).tolist()
    [[1.2], [1.6]]
    """
    return ScaledRows.of(features, targets, max_grad_norm).clipped_sum(weights, included)
