"""Full-batch private gradient descent for linear least squares, many fits at once.

The gradient of one row is ``residual * x``, so its norm is a product of two numbers and clipping it is one
multiplication; no per-row gradient is ever stored. Independent fits (repetitions, privacy levels) are columns
of one weight matrix, so that a step of all of them is two matrix products.

It is the mechanism of Abadi et al. (2016, "Deep learning with differential privacy") at sampling rate 1: the
noise goes on the *sum* of clipped gradients, with standard deviation ``noise_multiplier * max_grad_norm``.
Clipping a least-squares gradient gives a Huber loss, which is convex and smooth: see :func:`coupling_radius`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from dpcp_core import _validate as check
from dpcp_core.errors import InputError

Matrix: TypeAlias = npt.NDArray[np.floating]
# Numbers in one block of residuals: small enough to stay in a core's cache between the two products.
_BLOCK = 1 << 18


@dataclass(frozen=True)
class DescentPlan:
    """Public hyper-parameters of one fit.

    Attributes
    ----------
    steps : int
        Full-batch gradient steps.
    step_size : float
        Step on the average of clipped gradients.
    max_grad_norm : float
        Each row's gradient is shortened to this norm; infinity clips nothing.
    noise_multiplier : float
        Noise standard deviation over ``max_grad_norm``, per step; 0 adds none.
    penalty : float
        Ridge penalty on all weights.
    averaged_share : float
        The last share of the iterates whose average is returned.
    """

    steps: int
    step_size: float
    max_grad_norm: float
    noise_multiplier: float = 0.0
    penalty: float = 0.0
    averaged_share: float = 0.5

    def __post_init__(self) -> None:
        check.whole(steps=self.steps)
        check.positive(step_size=self.step_size)
        check.positive(infinite=True, max_grad_norm=self.max_grad_norm)
        check.non_negative(noise_multiplier=self.noise_multiplier)
        check.non_negative(penalty=self.penalty)

    @property
    def first_averaged(self) -> int:
        """Number of the first step (from 1) whose iterate enters the average."""
        return max(1, self.steps - max(1, round(self.steps * self.averaged_share)) + 1)


def clipped_gradient_sum(
    features: Matrix,
    targets: Matrix,
    weights: Matrix,
    max_grad_norm: float,
    included: Matrix | None = None,
) -> Matrix:
    """Return the sum over rows of the clipped least-squares gradients, one column per fit.

    Parameters
    ----------
    features : array of shape (n, d)
    targets : array of shape (n,)
    weights : array of shape (d, k)
    max_grad_norm : float
        Above 0; infinity clips nothing.
    included : array of shape (n, k) of 0 and 1, optional
        Rows that each fit sees; a row left out adds exactly nothing.

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
    return _clipped_sum(_scaled_rows(features, targets, max_grad_norm), weights, included)


@dataclass(frozen=True, eq=False)
class _ScaledRows:
    """Rows scaled so that a residual is clipped at 1, whichever row it is: one number clips fastest.

    ``left`` holds ``(x, y) |x| / C``, shape (n, d + 1); ``right`` holds ``x C / |x|``, shape (d, n).
    """

    left: Matrix
    right: Matrix
    clips: bool


def _scaled_rows(features: Matrix, targets: Matrix, max_grad_norm: float) -> _ScaledRows:
    clips = not math.isinf(max_grad_norm)
    norms = np.sqrt(np.einsum("ij,ij->i", features, features))
    # An empty row has no gradient: both factors are 0 for it.
    inverse = np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 0)
    left, right = (norms / max_grad_norm, inverse * max_grad_norm) if clips else (np.ones_like(norms),) * 2
    rows = np.column_stack([features, targets.astype(features.dtype)]) * left[:, None]
    return _ScaledRows(rows.astype(features.dtype), np.ascontiguousarray((features * right[:, None]).T), clips)


def _clipped_sum(rows: _ScaledRows, weights: Matrix, included: Matrix | None) -> Matrix:
    fitted = np.vstack([weights, np.full((1, weights.shape[1]), -1, dtype=weights.dtype)])
    total = np.zeros_like(weights)
    size = max(16, _BLOCK // max(1, weights.shape[1]))
    for start in range(0, len(rows.left), size):
        block = slice(start, start + size)
        residuals = rows.left[block] @ fitted
        if rows.clips:
            np.clip(residuals, -1, 1, out=residuals)
        if included is not None:
            residuals *= included[block]
        total += rows.right[:, block] @ residuals
    return total


def descend(
    features: Matrix,
    targets: Matrix,
    plan: DescentPlan,
    *,
    n_rows: npt.ArrayLike,
    noise_multipliers: npt.ArrayLike,
    rng: np.random.Generator,
    included: Matrix | None = None,
) -> Matrix:
    """Fit every column by noisy full-batch gradient descent from zero; return the averaged iterates.

    Parameters
    ----------
    features : array of shape (n, d)
        Rows of norm at most 1.
    targets : array of shape (n,)
    plan : DescentPlan
        Shared by all columns, but for the noise.
    n_rows : int or array of shape (k,)
        Public number of rows of each fit (the normaliser).
    noise_multipliers : array of shape (k,)
        Noise multiplier of each column; 0 adds none.
    rng : numpy Generator
        Source of the noise.
    included : array of shape (n, k) of 0 and 1, optional

    Returns
    -------
    array of shape (d, k)

    Raises
    ------
    InputError
        Noise without a finite clip norm; steps so long that the weights grow without end.

    Notes
    -----
    **Privacy.** ``steps`` Gaussian mechanisms of this noise multiplier on the same rows: ``mu``-GDP with
    ``mu = sqrt(steps) / noise_multiplier`` (Dong, Roth and Su 2022, Corollary 3.3), neighbours by emptying a row.
    """
    multipliers = np.atleast_1d(np.asarray(noise_multipliers, dtype=np.float64))
    dtype = features.dtype
    scale = (plan.step_size / np.broadcast_to(np.asarray(n_rows, dtype=np.float64), multipliers.shape)).astype(dtype)
    if math.isinf(plan.max_grad_norm) and multipliers.any():
        raise InputError("max_grad_norm is infinite, which no noise can hide; choose a finite one.")
    noise_sd = (multipliers * (plan.max_grad_norm if multipliers.any() else 0.0)).astype(dtype)
    weights = np.zeros((features.shape[1], len(multipliers)), dtype=dtype)
    average = np.zeros_like(weights)
    rows = _scaled_rows(features, targets, plan.max_grad_norm)
    # Products this thin lose several times over when a linear algebra library shares them among threads.
    with threadpool_limits(limits=1, user_api="blas"), np.errstate(over="ignore", invalid="ignore"):
        for step in range(1, plan.steps + 1):
            total = _clipped_sum(rows, weights, included)
            if noise_sd.any():
                total += rng.standard_normal(weights.shape, dtype=np.float64).astype(dtype) * noise_sd
            weights *= dtype.type(1 - plan.step_size * plan.penalty)
            weights -= scale * total
            if step >= plan.first_averaged:
                average += weights
    if not np.isfinite(average).all():
        raise InputError("Training diverged: choose a smaller step_size, penalty or max_grad_norm.")
    return average / dtype.type(plan.steps - plan.first_averaged + 1)


def coupling_radius(plan: DescentPlan, n_rows: int) -> float | None:
    """Return how far one more row can move the returned weights when noise is shared, or None if unbounded.

    The clipped loss of a row of norm at most 1 is convex and 1-smooth, the average over ``n_rows + 1`` rows
    with normaliser ``n_rows`` is ``L = (n_rows + 1) / n_rows``-smooth, so a step is non-expansive when
    ``step_size * (L + penalty) <= 2`` and, written as ``(1 - step_size * penalty)`` times a step of size
    ``step_size / (1 - step_size * penalty)``, contracts by that factor when
    ``step_size * (L + 2 penalty) <= 2``. One more row adds at most ``step_size * max_grad_norm / n_rows`` per
    step; the average of iterates moves at most by the average of their bounds.

    Parameters
    ----------
    plan : DescentPlan
    n_rows : int
        Public normaliser.

    Returns
    -------
    float or None
        Euclidean distance in weight space; None where the condition fails or nothing is clipped.

    References
    ----------
    Hardt, Recht and Singer (2016), "Train faster, generalize better", Lemma 3.7.

    Examples
    --------
    >>> round(coupling_radius(DescentPlan(10, 1.0, 0.5, averaged_share=0.0), 1000), 6)
    0.005
    >>> coupling_radius(DescentPlan(10, 3.0, 0.5), 1000) is None
    True
    """
    smoothness = (n_rows + 1) / n_rows
    if plan.step_size * (smoothness + plan.penalty) > 2 or math.isinf(plan.max_grad_norm):
        return None
    contracts = plan.step_size * (smoothness + 2 * plan.penalty) <= 2
    factor = 1 - plan.step_size * plan.penalty if contracts else 1.0
    push = plan.step_size * plan.max_grad_norm / n_rows
    radius, total = 0.0, 0.0
    for step in range(1, plan.steps + 1):
        radius = factor * radius + push
        if step >= plan.first_averaged:
            total += radius
    return total / (plan.steps - plan.first_averaged + 1)
