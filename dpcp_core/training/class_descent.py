"""Private gradient descent for linear classifiers, many models and all classes at once.

The gradient of one row is ``residual x`` with one residual per output (:mod:`dpcp_core.training.class_losses`), so a
step of all models is two matrix products per block of rows, with the residuals kept in cache between them; no per-row
gradient is ever stored. It is the mechanism of Abadi et al. (2016, "Deep learning with differential privacy"): the
noise goes on the *sum* of the rows' bounded gradients.

Weights have shape (outputs, models, d), so that both products read the rows as they lie in memory.
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
from threadpoolctl import threadpool_limits

from dpcp_core import _validate as check
from dpcp_core.errors import InputError
from dpcp_core.training._choices import step_sizes
from dpcp_core.training.class_losses import ClassLoss, Codes
from dpcp_core.training.protocol import Decay, Matrix, TrainingTrace

ResultT = TypeVar("ResultT")

# Numbers in one block of residuals: small enough to stay in a core's cache between the two products.
_BLOCK = 1 << 18
_FEWEST_ROWS = 256
_MOST_ROWS = 1 << 13
# Operations in one sum from which handing blocks to threads pays.
_THREADS_FROM = 1 << 27
_MOST_THREADS = 4
_TRACED_STEPS = 50


@dataclass(frozen=True)
class ClassPlan:
    """Public hyper-parameters of a fit.

    Attributes
    ----------
    n_rows : int
        Public normaliser of averages.
    n_classes : int
    steps : int
    step_size : float
        Full length of a step on the average of gradients.
    max_grad_norm : float
        No row's gradient is longer: because no gradient of the loss can be, or because it is shortened to this.
    noise_multiplier : float
        Noise standard deviation over ``max_grad_norm``, per step; 0 adds none.
    penalty : float
        Half of this times the squared weights is added to the average loss.
    sampling_rate : float
        Chance of each row to be in a batch; 1 is the full batch.
    warmup_share, decay
        Public schedule of the step size, see :func:`dpcp_core.training._choices.step_sizes`.
    averaged_share : float
        The last share of the iterates whose average is returned.
    """

    n_rows: int
    n_classes: int
    steps: int
    step_size: float
    max_grad_norm: float
    noise_multiplier: float = 0.0
    penalty: float = 0.0
    sampling_rate: float = 1.0
    warmup_share: float = 0.0
    decay: Decay = "constant"
    averaged_share: float = 0.5

    def __post_init__(self) -> None:
        check.whole(n_rows=self.n_rows)
        check.whole(at_least=2, n_classes=self.n_classes)
        check.whole(steps=self.steps)
        check.positive(step_size=self.step_size)
        check.positive(max_grad_norm=self.max_grad_norm)
        check.non_negative(noise_multiplier=self.noise_multiplier)
        check.non_negative(penalty=self.penalty)
        check.between((1e-12, 1.0), sampling_rate=self.sampling_rate)

    @property
    def first_averaged(self) -> int:
        """Number of the first step (from 1) whose iterate enters the average."""
        return max(1, self.steps - max(1, round(self.steps * self.averaged_share)) + 1)

    @property
    def lengths(self) -> npt.NDArray[np.float64]:
        """Size of each step, shape (steps,)."""
        return step_sizes(self.steps, self.step_size, self.warmup_share, self.decay)


@dataclass(frozen=True, eq=False)
class ClassRows:
    """Training rows, ready for sums of gradients.

    Attributes
    ----------
    features : array of shape (n, d)
        Rows of norm at most 1.
    truth : array of shape (outputs, n)
    limits : array of shape (n,) or None
        Longest residuals of each row; None where no residual can be longer.
    included : array of shape (models, n) of 0 and 1, or None
    """

    features: Matrix
    truth: Matrix
    limits: Matrix | None = None
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
        limits = None
        if plan.max_grad_norm < loss.longest_residual(plan.n_classes):
            # An empty row has no gradient to shorten.
            limits = np.divide(plan.max_grad_norm, norms, out=np.full_like(norms, 1e30), where=norms > 0)
        mask = None if included is None else np.ascontiguousarray(included.T, dtype=features.dtype)
        return cls(features, loss.truth(codes, plan.n_classes, features.dtype), limits, mask)

    def of_model(self, model: int, batch: npt.NDArray[np.bool_] | None = None) -> ClassRows:
        """Return the rows that one model sees, of a batch if one is given."""
        seen = np.ones(len(self.features), dtype=bool) if batch is None else batch
        if self.included is not None:
            seen = seen & (self.included[model] > 0)
        limits = None if self.limits is None else self.limits[seen]
        return ClassRows(self.features[seen], self.truth[:, seen], limits)


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
        if rows.limits is not None:
            _shorten(residuals, rows.limits[block])
    if rows.included is not None:
        residuals *= rows.included[:, block]
    return (residuals.reshape(len(flat), -1) @ features).reshape(weights.shape)


def _shorten(residuals: Matrix, limits: Matrix) -> None:
    """Shorten residuals of shape (outputs, models, rows) to their rows' limits, in place."""
    if len(residuals) == 1:
        np.clip(residuals, -limits, limits, out=residuals)
        return
    lengths = np.sqrt(np.einsum("kmi,kmi->mi", residuals, residuals))
    residuals *= np.minimum(1, np.divide(limits, lengths, out=np.ones_like(lengths), where=lengths > 0))


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
    record: bool = False,
) -> tuple[Matrix, TrainingTrace | None]:
    """Fit every model by noisy gradient descent; return the average of the last iterates, and a trace if wanted.

    Parameters
    ----------
    rows : ClassRows
    plan : ClassPlan
    loss : ClassLoss
    start : array of shape (outputs, models, d)
        Public weights to start from.
    rng : numpy Generator
        Source of noise and batches.
    record : bool
        Keep a trace of the first model, in simulations only.

    Returns
    -------
    weights : array of shape (outputs, models, d)
    trace : TrainingTrace or None

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
    watched = set(np.linspace(1, plan.steps, min(plan.steps, _TRACED_STEPS)).round().astype(int)) if record else set()
    seen = rows.of_model(0) if record else rows
    notes = []
    # Threads take whole blocks; products this thin lose when a linear algebra library shares each among threads.
    with threadpool_limits(limits=1, user_api="blas"), np.errstate(over="ignore", invalid="ignore"):
        for step, length in enumerate(plan.lengths, start=1):
            if step in watched:
                notes.append((step, *_observed(seen, weights[:, :1], loss, plan)))
            if plan.sampling_rate < 1:
                total = _batch_sum(rows, weights, loss, plan.sampling_rate, rng)
            else:
                total = bounded_gradient_sum(rows, weights, loss)
            if noise_sd > 0:
                total += rng.standard_normal(weights.shape).astype(dtype) * noise_sd
            weights *= dtype(1 - length * plan.penalty)
            weights -= total * dtype(length / (plan.n_rows * plan.sampling_rate))
            if step >= plan.first_averaged:
                average += weights
    if not np.isfinite(average).all():
        raise InputError("Training diverged: choose a smaller step_size or penalty.")
    return average / dtype(plan.steps - plan.first_averaged + 1), _trace(notes) if record else None


def _observed(rows: ClassRows, weights: Matrix, loss: ClassLoss, plan: ClassPlan) -> tuple[float, float, float]:
    """Return mean loss, share of gradients that are shortened and median gradient length of one model."""
    if not len(rows.features):
        return 0.0, 0.0, 0.0
    margins = (weights[:, 0] @ rows.features.T)[:, None]
    value = float(loss.values(margins, rows.truth[:, None]).mean())
    residuals = loss.residuals(margins, rows.truth[:, None])
    lengths = np.sqrt((residuals**2).sum(axis=0)[0]) * np.sqrt(np.einsum("ij,ij->i", rows.features, rows.features))
    shortened = 0.0 if rows.limits is None else float((lengths > plan.max_grad_norm).mean())
    return value, shortened, float(np.median(lengths))


def _trace(notes: list[tuple[int, float, float, float]]) -> TrainingTrace:
    columns = np.array(notes, dtype=np.float64).T
    return TrainingTrace(columns[0].astype(np.int64), *columns[1:])


def coupling_radius(plan: ClassPlan, loss: ClassLoss) -> float | None:
    """Return how far one more row can move a model's weights when noise is shared, or None if that is unbounded.

    A row of norm at most 1 has a loss that is convex and ``loss.smoothness``-smooth in the weights, the sum over
    ``n_rows + 1`` of them divided by ``n_rows`` is ``L``-smooth with ``L = loss.smoothness (n_rows + 1) / n_rows``.
    A step of size ``s`` is therefore non-expansive when ``s (L + penalty) <= 2``, and contracts by
    ``1 - s penalty`` when ``s (L + 2 penalty) <= 2``, as it is that factor times a step of size
    ``s / (1 - s penalty)`` on the loss alone. One more row adds at most ``s max_grad_norm / n_rows``. Averages of
    iterates move by at most the average of their bounds.

    A single residual (two classes) stays convex when it is cut: a non-decreasing function cut at two values is
    non-decreasing. A vector of residuals that is shortened to a length need not be the gradient of anything
    convex, and its step may expand; there is no radius then.

    Parameters
    ----------
    plan : ClassPlan
    loss : ClassLoss

    Returns
    -------
    float or None
        Euclidean (Frobenius) distance between the two models' weights.

    References
    ----------
    Hardt, Recht and Singer (2016), "Train faster, generalize better", Lemma 3.7.
    """
    cut = plan.max_grad_norm < loss.longest_residual(plan.n_classes)
    if plan.sampling_rate < 1 or (cut and loss.n_outputs(plan.n_classes) > 1):
        return None
    smoothness = loss.smoothness * (plan.n_rows + 1) / plan.n_rows
    if plan.step_size * (smoothness + plan.penalty) > 2:
        return None
    radius, total = 0.0, 0.0
    for step, length in enumerate(plan.lengths, start=1):
        contracts = length * (smoothness + 2 * plan.penalty) <= 2
        factor = 1 - length * plan.penalty if contracts else 1.0
        radius = factor * radius + length * plan.max_grad_norm / plan.n_rows
        if step >= plan.first_averaged:
            total += radius
    return total / (plan.steps - plan.first_averaged + 1)
