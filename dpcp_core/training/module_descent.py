"""Gradient descent on any torch module: privately through Opacus, or plainly.

Privately it is the mechanism of Abadi et al. (2016, "Deep learning with differential privacy", algorithm 1) as Opacus
carries it out: per-row gradients by hooks, clipped, summed, noise on the sum. Batches are drawn by index, and a batch
is worked off in parts, so that memory does not grow with it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dpcp_core.errors import InputError
from dpcp_core.training._trace import TraceRecorder
from dpcp_core.training.dense_descent import Adam, DenseData
from dpcp_core.training.descent_plan import DescentPlan, refuse_endless_clip
from dpcp_core.training.module_checks import copied_weights
from dpcp_core.training.protocol import Matrix, Task, Weights

if TYPE_CHECKING:
    import torch

# Rows whose gradients are held at once; more of them leave the processor's caches and are no faster.
PART = 128


def descend_privately(
    module: torch.nn.Module,
    data: DenseData,
    plan: DescentPlan,
    *,
    task: Task,
    rng: np.random.Generator,
    adam: Adam | None = None,
    recorder: TraceRecorder | None = None,
) -> Weights:
    """Train a module in place through Opacus; return the average of its last iterates.

    Parameters
    ----------
    module : torch module
        Fresh, with the weights to start from.
    data : DenseData
        Rows of norm at most 1, with scaled numbers or class codes.
    plan : DescentPlan
    task : str
        ``regression`` (squared error) or ``classification`` (cross-entropy of the outputs as logits).
    rng : numpy Generator
        Source of batches and noise.
    adam : Adam, optional
        Steps divided by the usual size of a weight's noisy gradient; None for plain steps.
    recorder : TraceRecorder, optional
        Takes down how the batches fit; not private.

    Raises
    ------
    InputError
        Noise without a finite clip norm, or weights that grow without end.

    Notes
    -----
    **Privacy.** Emptying one row moves each clipped sum by at most ``max_grad_norm``. ``steps`` Gaussian mechanisms on
    Poisson batches, whose profile is :func:`dpcp_core.training.descent_plan.descent_profile`. Averages are divided by
    the public ``sampling_rate * n_rows``. The noise comes from ``rng`` itself and not from torch, whose generator
    would stretch a short seed.
    """
    from opacus import GradSampleModule

    refuse_endless_clip(plan.max_grad_norm, noisy=plan.noise_multiplier > 0)
    sampled = GradSampleModule(module.train(), loss_reduction="sum")
    optimizer = _private_optimizer(_optimizer(module, plan, adam), plan, rng)

    def take_step(step: int) -> None:
        wanted = recorder is not None and recorder.wants(step)
        found = _accumulate(sampled, optimizer, data.batch(plan.sampling_rate, rng), task, keep=wanted)
        if recorder is not None and wanted and found.norms.size:
            recorder.add_rows(step, losses=found.losses, norms=found.norms, max_grad_norm=plan.max_grad_norm)

    with _quiet():
        return _averaged_iterates(module, optimizer, plan, take_step)


def descend_plainly(
    module: torch.nn.Module, data: DenseData, plan: DescentPlan, *, task: Task, rng: np.random.Generator
) -> Weights:
    """Train a module in place without clipping or noise, by Adam; return the average of its last iterates.

    Parameters are those of :func:`descend_privately`.

    Notes
    -----
    **Privacy.** None.
    """
    optimizer = _optimizer(module.train(), plan, Adam())

    def take_step(_step: int) -> None:
        features, targets = _tensors(*data.batch(plan.sampling_rate, rng), task)
        optimizer.zero_grad()
        if len(features):
            _losses(module(features), targets, task).mean().backward()  # type: ignore[no-untyped-call]
            optimizer.step()

    return _averaged_iterates(module, optimizer, plan, take_step)


@dataclass(frozen=True, eq=False)
class _Found:
    """Losses and gradient lengths of a batch's rows, before the step."""

    losses: npt.NDArray[np.float64]
    norms: npt.NDArray[np.float64]


def _optimizer(module: torch.nn.Module, plan: DescentPlan, adam: Adam | None) -> torch.optim.Optimizer:
    import torch

    weights = [weight for weight in module.parameters() if weight.requires_grad]
    if adam is None:
        return torch.optim.SGD(weights, lr=plan.step_size, weight_decay=plan.penalty)
    betas = (adam.momentum, adam.memory)
    return torch.optim.AdamW(weights, lr=plan.step_size, betas=betas, weight_decay=plan.penalty)


def _private_optimizer(inner: torch.optim.Optimizer, plan: DescentPlan, rng: np.random.Generator) -> Any:
    import torch
    from opacus.optimizers import DPOptimizer

    class NumpyNoiseOptimizer(DPOptimizer):  # type: ignore[misc]
        """Opacus's optimiser with the noise of a numpy generator."""

        def add_noise(self) -> None:
            sd = self.noise_multiplier * self.max_grad_norm if self.noise_multiplier else 0.0
            for weight in self.params:
                noise = np.asarray(rng.standard_normal(tuple(weight.shape)) * sd if sd else 0.0)
                weight.grad = (weight.summed_grad + torch.from_numpy(noise).to(weight.dtype)).view_as(weight)

    return NumpyNoiseOptimizer(
        inner,
        noise_multiplier=plan.noise_multiplier,
        max_grad_norm=plan.max_grad_norm,
        # Public, never the size that a batch happened to have.
        expected_batch_size=plan.sampling_rate * plan.n_rows,
        loss_reduction="mean",
    )


def _accumulate(
    module: Any, optimizer: Any, batch: tuple[Matrix, npt.NDArray[Any]], task: Task, *, keep: bool
) -> _Found:
    """Clip and sum the gradients of a batch part by part, and take one noisy step."""
    features, targets = _tensors(*batch, task)
    losses, norms = [np.empty(0)], [np.empty(0)]
    # An empty batch takes a step too, of noise alone.
    for start in range(0, max(len(features), 1), PART):
        part = slice(start, start + PART)
        optimizer.zero_grad()
        if len(features):
            found = _losses(module(features[part]), targets[part], task)
            found.sum().backward()  # type: ignore[no-untyped-call]
            if keep:
                losses.append(found.detach().numpy().astype(np.float64))
                norms.append(_norms(optimizer.grad_samples))
        else:
            _leave_empty(optimizer)
        optimizer.signal_skip_step(start + PART < len(features))
        optimizer.step()
    return _Found(np.concatenate(losses), np.concatenate(norms))


def _leave_empty(optimizer: Any) -> None:
    for weight in optimizer.params:
        weight.grad_sample = weight.new_zeros((0, *weight.shape))


def _norms(gradients: list[torch.Tensor]) -> npt.NDArray[np.float64]:
    squares: torch.Tensor = sum((g.reshape(len(g), -1) ** 2).sum(1) for g in gradients)  # type: ignore[assignment]
    return np.sqrt(squares.numpy().astype(np.float64))


def _tensors(features: Matrix, targets: npt.NDArray[Any], task: Task) -> tuple[torch.Tensor, torch.Tensor]:
    import torch

    kind = np.int64 if task == "classification" else np.float32
    rows = torch.from_numpy(np.ascontiguousarray(features, dtype=np.float32))
    return rows, torch.from_numpy(np.asarray(targets).astype(kind))


def _losses(outputs: torch.Tensor, targets: torch.Tensor, task: Task) -> torch.Tensor:
    """Return the loss of each row."""
    import torch

    if task == "classification":
        return torch.nn.functional.cross_entropy(outputs, targets, reduction="none")
    return (outputs[:, 0] - targets) ** 2 / 2


def _averaged_iterates(
    module: torch.nn.Module, optimizer: Any, plan: DescentPlan, take_step: Callable[[int], None]
) -> Weights:
    total = [np.zeros(tuple(weight.shape)) for weight in module.parameters()]
    for step, size in enumerate(plan.step_sizes.tolist(), start=1):
        for group in optimizer.param_groups:
            group["lr"] = size
        take_step(step)
        if step >= plan.first_averaged:
            for sum_, weight in zip(total, copied_weights(module), strict=True):
                sum_ += weight
    average = tuple((sum_ / (plan.steps - plan.first_averaged + 1)).astype(np.float32) for sum_ in total)
    if not all(np.isfinite(part).all() for part in average):
        raise InputError("Training diverged: choose a smaller step_size, penalty or max_grad_norm.")
    return average


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep torch from remarking that features have no gradient, which is as it should be."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Full backward hook is firing", category=UserWarning)
        yield
