"""Sums of bounded gradients of linear classifiers, many models and all classes at once.

The gradient of one row is ``residual x`` with one residual per output (:mod:`dpcp_core.training.class_losses`), so the
sums of all models are two matrix products per block of rows, with the residuals kept in cache between them; no per-row
gradient is ever stored. Weights have shape (outputs, models, d), so that both products read the rows as they lie in
memory.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from dpcp_core.training.class_losses import ClassLoss, Codes
from dpcp_core.training.class_plan import ClassPlan
from dpcp_core.training.protocol import Matrix

ResultT = TypeVar("ResultT")

# Numbers in one block of residuals: small enough to stay in a core's cache between the two products.
_BLOCK = 1 << 18
_FEWEST_ROWS, _MOST_ROWS = 256, 1 << 13
# Operations in one sum from which handing blocks to threads pays.
_THREADS_FROM = 1 << 27
_MOST_THREADS = 4


@dataclass(frozen=True, eq=False)
class ClassRows:
    """Training rows, ready for sums of gradients.

    Attributes
    ----------
    features : array of shape (n, d)
        Rows of norm at most 1.
    truth : array of shape (outputs, n)
    shares : array of shape (n,) or None
        How long a row's residual may be, as a share of the longest that the loss knows; None where it may be that.
    included : array of shape (models, n) of 0 and 1, or None
    """

    features: Matrix
    truth: Matrix
    shares: Matrix | None = None
    included: Matrix | None = None

    @classmethod
    def of(
        cls, features: Matrix, codes: Codes, loss: ClassLoss, plan: ClassPlan, included: Matrix | None = None
    ) -> ClassRows:
        """Return rows for a plan; a row longer than 1 is shortened to 1, as the bound on gradients rests on it."""
        norms = np.sqrt(np.einsum("ij,ij->i", features, features))
        if norms.size and norms.max() > 1:
            features = features / np.maximum(norms, 1)[:, None]
            norms = np.minimum(norms, 1)
        shares, longest = None, loss.longest_residual(plan.n_classes)
        if plan.max_grad_norm < longest:
            # An empty row has no gradient to shorten.
            shares = np.divide(plan.max_grad_norm / longest, norms, out=np.ones_like(norms), where=norms > 0)
        mask = None if included is None else np.ascontiguousarray(included.T, dtype=features.dtype)
        return cls(features, loss.truth(codes, plan.n_classes, features.dtype), shares, mask)

    def of_model(self, model: int, batch: npt.NDArray[np.bool_] | None = None) -> ClassRows:
        """Return the rows that one model sees, of a batch if one is given."""
        seen = np.ones(len(self.features), dtype=bool) if batch is None else batch
        if self.included is not None:
            seen = seen & (self.included[model] > 0)
        shares = None if self.shares is None else self.shares[seen]
        return ClassRows(self.features[seen], self.truth[:, seen], shares)


def bounded_gradient_sum(rows: ClassRows, weights: Matrix, loss: ClassLoss) -> Matrix:
    """Return the sum over rows of their gradients, each no longer than the plan's ``max_grad_norm``.

    Parameters
    ----------
    rows : ClassRows
    weights : array of shape (outputs, models, d)
    loss : ClassLoss

    Returns
    -------
    array of shape (outputs, models, d)

    Notes
    -----
    **Privacy.** Emptying one row moves the sum of each model by at most ``max_grad_norm`` in Euclidean norm.
    """
    total = np.zeros_like(weights)
    for part in blockwise(partial(_block_sum, rows, weights, loss), rows, weights):
        total += part
    return total


def blockwise(work: Callable[[slice], ResultT], rows: ClassRows, weights: Matrix) -> Iterator[ResultT]:
    """Yield what ``work`` makes of blocks of rows, in the order of the rows however many threads there are."""
    n_rows, n_margins = len(rows.features), weights.shape[0] * weights.shape[1]
    size = max(_FEWEST_ROWS, min(_BLOCK // n_margins, _MOST_ROWS))
    blocks = [slice(start, start + size) for start in range(0, n_rows, size)]
    if 4 * n_rows * weights.size < _THREADS_FROM:
        yield from map(work, blocks)
        return
    with ThreadPoolExecutor(min(_MOST_THREADS, os.cpu_count() or 1)) as pool:
        yield from pool.map(work, blocks)


def _block_sum(rows: ClassRows, weights: Matrix, loss: ClassLoss, block: slice) -> Matrix:
    flat, features = weights.reshape(-1, weights.shape[2]), rows.features[block]
    margins = (flat @ features.T).reshape(*weights.shape[:2], -1)
    # A thread has settings of its own for what overflows, so they are made here.
    with np.errstate(over="ignore", invalid="ignore"):
        residuals = loss.residuals(margins, rows.truth[:, None, block])
        if rows.shares is not None:
            loss.cap(residuals, rows.truth[:, None, block], rows.shares[block])
    if rows.included is not None:
        residuals *= rows.included[:, block]
    return (residuals.reshape(len(flat), -1) @ features).reshape(weights.shape)
