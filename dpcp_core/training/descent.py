"""Private gradient descent for linear least squares, many models at once.

Independent models (repetitions, privacy levels) are columns of one weight matrix, see
:mod:`dpcp_core.training.clipping`.

It is the mechanism of Abadi et al. (2016, "Deep learning with differential privacy"): the noise goes on the *sum* of
clipped gradients, with standard deviation ``noise_multiplier * max_grad_norm``. By default every step sees all rows.
Clipping a least-squares gradient gives a Huber loss, which is convex and smooth: see :func:`coupling_radius`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpcp_core._threads import one_thread
from dpcp_core.errors import InputError
from dpcp_core.training._trace import TraceRecorder
from dpcp_core.training.clipping import Batches, ScaledRows, clipped_gradient_sum
from dpcp_core.training.descent_plan import DescentPlan, coupling_radius, descent_profile, refuse_endless_clip
from dpcp_core.training.near_rows import NearSums
from dpcp_core.training.protocol import Matrix

__all__ = ["DescentPlan", "clipped_gradient_sum", "coupling_radius", "descend", "descent_profile"]


def descend(
    features: Matrix,
    targets: Matrix,
    plan: DescentPlan,
    *,
    n_models: int,
    rng: np.random.Generator,
    included: Matrix | None = None,
    noise_multipliers: npt.ArrayLike | None = None,
    start: Matrix | None = None,
    recorder: TraceRecorder | None = None,
) -> Matrix:
    """Fit every column by noisy gradient descent; return the averaged iterates.

    Parameters
    ----------
    features : array of shape (n, d)
        Rows of norm at most 1.
    targets : array of shape (n,)
    plan : DescentPlan
        Shared by all columns.
    n_models : int
    rng : numpy Generator
        Source of batches and noise.
    included : array of shape (n, n_models) of 0 and 1, optional
        Rows that each model sees.
    noise_multipliers : array of shape (n_models,), optional
        Noise of each model, instead of the plan's.
    start : array of shape (d,), optional
        Public weights to start from; 0 otherwise.
    recorder : TraceRecorder, optional
        Takes down how the first model trains; not private.

    Returns
    -------
    array of shape (d, n_models)

    Raises
    ------
    InputError
        Noise without a finite clip norm; steps so long that the weights grow without end.

    Notes
    -----
    **Privacy.** ``steps`` Gaussian mechanisms of this noise multiplier on the same rows, or on Poisson batches of
    them, whatever the schedule and the public start; averaging and thresholding see no rows:
    :func:`descent_profile`.
    """
    multipliers = np.broadcast_to(
        np.asarray(plan.noise_multiplier if noise_multipliers is None else noise_multipliers, np.float64), n_models
    )
    refuse_endless_clip(plan.max_grad_norm, noisy=bool(multipliers.any()))
    noise_sd = (multipliers * (plan.max_grad_norm if multipliers.any() else 0.0)).astype(features.dtype)
    curve = None if recorder is None else _Curve.of(recorder, features, targets, plan, included)
    rows = ScaledRows.of(features, targets, plan.max_grad_norm)
    worth_it = NearSums.are_worth_it(rows, n_models, plan.sampling_rate)
    near = NearSums(rows, n_models, included) if worth_it else None
    run = _Run(plan, rows, near, included, noise_sd, rng, curve)
    with one_thread(), np.errstate(over="ignore", invalid="ignore"):
        average = run.averaged_iterates(_first_weights(features, n_models, start))
    if not np.isfinite(average).all():
        raise InputError("Training diverged: choose a smaller step_size, penalty or max_grad_norm.")
    return average


@dataclass(frozen=True, eq=False)
class _Run:
    """Everything that the steps of one call share."""

    plan: DescentPlan
    rows: ScaledRows
    near: NearSums | None
    included: Matrix | None
    noise_sd: Matrix
    rng: np.random.Generator
    curve: _Curve | None

    def averaged_iterates(self, weights: Matrix) -> Matrix:
        """Step from these weights on, which are overwritten."""
        plan, kind = self.plan, weights.dtype.type
        average = np.zeros_like(weights)
        for step, size in enumerate(plan.step_sizes, start=1):
            if self.curve is not None and self.curve.recorder.wants(step):
                self.curve.look(step, weights[:, 0])
            total = self._noisy_sum(weights)
            weights *= kind(1 - size * plan.penalty)
            weights -= kind(size / (plan.n_rows * plan.sampling_rate)) * total
            if plan.absolute_penalty:
                soft_threshold(weights[1:], size * plan.absolute_penalty)
            if step >= plan.first_averaged:
                average += weights
        return average / kind(plan.steps - plan.first_averaged + 1)

    def _noisy_sum(self, weights: Matrix) -> Matrix:
        total = self._sum(weights)
        if self.noise_sd.any():
            total += self.rng.standard_normal(weights.shape, dtype=np.float64).astype(weights.dtype) * self.noise_sd
        return total

    def _sum(self, weights: Matrix) -> Matrix:
        if self.near is not None:
            return self.near.clipped_sum(weights)
        rate = self.plan.sampling_rate
        return self.rows.clipped_sum(weights, self.included, None if rate == 1 else Batches(rate, self.rng))


def _first_weights(features: Matrix, n_models: int, start: Matrix | None) -> Matrix:
    shape = (features.shape[1], n_models)
    if start is None:
        return np.zeros(shape, dtype=features.dtype)
    given = np.asarray(start, dtype=features.dtype)
    if given.shape != shape[:1] or not np.isfinite(given).all():
        raise InputError(f"start holds weights of shape {given.shape}, but this table needs {shape[0]} finite numbers.")
    return np.repeat(given[:, None], n_models, axis=1)


def soft_threshold(weights: Matrix, threshold: float) -> None:
    """Pull every weight towards 0 by ``threshold``, in place, and to 0 if it is nearer than that.

    Examples
    --------
    >>> weights = np.array([3.0, -0.5, -2.0])
    >>> soft_threshold(weights, 1.0)
    >>> weights.tolist()
    [2.0, 0.0, -1.0]
    """
    weights -= np.clip(weights, -threshold, threshold)


@dataclass(frozen=True, eq=False)
class _Curve:
    """Looks at how the first model fits the rows that it sees."""

    recorder: TraceRecorder
    features: Matrix
    targets: Matrix
    lengths: Matrix
    max_grad_norm: float

    @classmethod
    def of(
        cls, recorder: TraceRecorder, features: Matrix, targets: Matrix, plan: DescentPlan, included: Matrix | None
    ) -> _Curve:
        seen = slice(None) if included is None else included[:, 0] > 0
        rows = features[seen]
        return cls(recorder, rows, targets[seen], np.sqrt(np.einsum("ij,ij->i", rows, rows)), plan.max_grad_norm)

    def look(self, step: int, weights: Matrix) -> None:
        residuals = self.features @ weights - self.targets
        norms = np.abs(residuals) * self.lengths
        self.recorder.add_rows(step, losses=residuals**2 / 2, norms=norms, max_grad_norm=self.max_grad_norm)
