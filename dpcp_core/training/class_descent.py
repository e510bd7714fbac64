"""Private gradient descent for linear classifiers, many models and all classes at once.

It is the mechanism of Abadi et al. (2016, "Deep learning with differential privacy"): the noise goes on the *sum* of
the rows' bounded gradients (:mod:`dpcp_core.training.class_rows`).
"""

from __future__ import annotations

import numpy as np

from dpcp_core._threads import one_thread
from dpcp_core.errors import InputError
from dpcp_core.training._trace import TraceRecorder
from dpcp_core.training.class_losses import ClassLoss
from dpcp_core.training.class_plan import ClassPlan
from dpcp_core.training.class_rows import ClassRows, bounded_gradient_sum
from dpcp_core.training.protocol import Matrix


def _batch_sum(
    rows: ClassRows, weights: Matrix, loss: ClassLoss, sampling_rate: float, rng: np.random.Generator
) -> Matrix:
    """Return the sum over a Poisson batch of each model's own."""
    total = np.empty_like(weights)
    for model in range(weights.shape[1]):
        batch = rows.of_model(model, rng.random(len(rows.features)) < sampling_rate)
        total[:, [model]] = bounded_gradient_sum(batch, np.ascontiguousarray(weights[:, [model]]), loss)
    return total


def descend(
    rows: ClassRows,
    plan: ClassPlan,
    loss: ClassLoss,
    *,
    start: Matrix,
    rng: np.random.Generator,
    recorder: TraceRecorder | None = None,
) -> Matrix:
    """Fit every model by noisy gradient descent; return the average of the last iterates.

    Parameters
    ----------
    rows : ClassRows
    plan : ClassPlan
    loss : ClassLoss
    start : array of shape (outputs, models, d)
        Public weights to start from.
    rng : numpy Generator
        Source of noise and batches.
    recorder : TraceRecorder, optional
        Takes down how the first model trains; not private.

    Returns
    -------
    array of shape (outputs, models, d)

    Raises
    ------
    InputError
        Steps so long that the weights grow without end.

    Notes
    -----
    **Privacy.** ``steps`` Gaussian mechanisms of ``noise_multiplier`` on sums that one row moves by at most
    ``max_grad_norm``, on the full batch or on Poisson batches; neighbours by emptying a row.
    """
    weights, average = start.copy(), np.zeros_like(start)
    dtype = weights.dtype.type
    noise_sd = dtype(plan.noise_multiplier * plan.max_grad_norm)
    seen = rows if recorder is None else rows.of_model(0)
    # Threads take whole blocks; products this thin lose when a linear algebra library shares each among threads.
    with one_thread(), np.errstate(over="ignore", invalid="ignore"):
        for step, size in enumerate(plan.step_sizes, start=1):
            if recorder is not None and recorder.wants(step):
                _look(recorder, step, seen, weights[:, :1], loss)
            if plan.sampling_rate < 1:
                total = _batch_sum(rows, weights, loss, plan.sampling_rate, rng)
            else:
                total = bounded_gradient_sum(rows, weights, loss)
            if noise_sd > 0:
                total += rng.standard_normal(weights.shape).astype(dtype) * noise_sd
            weights *= dtype(1 - size * plan.penalty)
            weights -= total * dtype(size / (plan.n_rows * plan.sampling_rate))
            if step >= plan.first_averaged:
                average += weights
    if not np.isfinite(average).all():
        raise InputError("Training diverged: choose a smaller step_size or penalty.")
    return average / dtype(plan.steps - plan.first_averaged + 1)


def _look(recorder: TraceRecorder, step: int, rows: ClassRows, weights: Matrix, loss: ClassLoss) -> None:
    """Take down mean loss, share of gradients that are shortened and median gradient length of one model."""
    if not len(rows.features):
        recorder.add(step, loss=0.0, clipped_share=0.0, gradient_norm=0.0)
        return
    margins = (weights[:, 0] @ rows.features.T)[:, None]
    value = float(loss.values(margins, rows.truth[:, None]).mean())
    truth = rows.truth[:, None]
    residuals = loss.residuals(margins, truth)
    lengths = np.sqrt((residuals**2).sum(axis=0)[0])
    shortened = 0.0
    if rows.shares is not None:
        loss.cap(residuals, truth, rows.shares)
        shortened = float((np.sqrt((residuals**2).sum(axis=0)[0]) < lengths * (1 - 1e-6)).mean())
    norms = np.sqrt(np.einsum("ij,ij->i", rows.features, rows.features))
    recorder.add(step, loss=value, clipped_share=shortened, gradient_norm=float(np.median(lengths * norms)))
