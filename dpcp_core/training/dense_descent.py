"""Private gradient descent for dense networks: Poisson batches, noise on the clipped sum, adaptive step lengths.

It is the mechanism of Abadi et al. (2016, "Deep learning with differential privacy"). Adam's averages of the noisy sums
and the average of the last iterates see no rows, so they cost nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from threadpoolctl import ThreadpoolController

from dpcp_core.errors import InputError
from dpcp_core.training._start import checked_start
from dpcp_core.training._trace import TraceRecorder
from dpcp_core.training.dense_engine import DenseNetwork
from dpcp_core.training.descent_plan import DescentPlan, refuse_endless_clip
from dpcp_core.training.protocol import Matrix, Weights


@dataclass(frozen=True)
class Adam:
    """How fast Adam forgets; the steps divide by the usual size of a weight's noisy gradient.

    Attributes
    ----------
    momentum : float
        Share of the mean of earlier gradients that each step keeps, in [0, 1).
    memory : float
        Share of the mean of their squares, in [0, 1).
    smallest_spread : float
        Added to the usual size of a gradient, over the clip norm; above 0. Large values turn Adam into plain descent
        with momentum.

    References
    ----------
    Kingma and Ba (2015), "Adam: a method for stochastic optimization", algorithm 1.
    """

    momentum: float = 0.9
    memory: float = 0.99
    smallest_spread: float = 1e-8


@dataclass(frozen=True, eq=False)
class DenseData:
    """The rows that one model sees.

    Attributes
    ----------
    features : float array of shape (n, d)
    targets : array of shape (n,)
    rows : int array, optional
        Places of the rows that are there; None for all of them.
    """

    features: Matrix
    targets: npt.NDArray[Any]
    rows: npt.NDArray[np.intp] | None = None

    @classmethod
    def of_model(cls, features: Matrix, targets: npt.NDArray[Any], included: Matrix | None, model: int) -> DenseData:
        """Return the rows of one column of ``included``, shape (n, models); all of them without a mask."""
        return cls(features, targets, None if included is None else np.flatnonzero(included[:, model]))

    @property
    def count(self) -> int:
        """How many rows are there."""
        return len(self.features) if self.rows is None else len(self.rows)

    def batch(self, sampling_rate: float, rng: np.random.Generator) -> tuple[Matrix, npt.NDArray[Any]]:
        """Draw each row with the same chance, independently of the others.

        As many as a binomial says, all subsets of that size being equally likely: the same distribution as one coin per
        row, without a coin for each.

        Examples
        --------
        >>> data = DenseData(np.zeros((1000, 2)), np.zeros(1000))
        >>> len(data.batch(0.1, np.random.default_rng(0))[0])
        92
        """
        if sampling_rate == 1:
            chosen: Any = slice(None) if self.rows is None else self.rows
            return self.features[chosen], self.targets[chosen]
        size = rng.binomial(self.count, sampling_rate)
        places = rng.choice(self.count, size, replace=False, shuffle=False)
        chosen = places if self.rows is None else self.rows[places]
        return self.features[chosen], self.targets[chosen]


def descend(
    network: DenseNetwork,
    data: DenseData,
    plan: DescentPlan,
    *,
    rng: np.random.Generator,
    adam: Adam,
    start: Weights | None = None,
    recorder: TraceRecorder | None = None,
) -> Weights:
    """Fit one network; return the average of its last iterates.

    Parameters
    ----------
    network : DenseNetwork
    data : DenseData
    plan : DescentPlan
        Its step size is the usual movement of a weight in one step; its penalty shrinks all weights.
    rng : numpy Generator
        Source of the first weights, batches and noise.
    adam : Adam
    start : Weights, optional
        Public weights to start from instead of random ones.
    recorder : TraceRecorder, optional
        Takes down how the batches fit; not private.

    Raises
    ------
    InputError
        Noise without a finite clip norm; a start of other shapes; weights that grow without end.

    Notes
    -----
    **Privacy.** ``steps`` Gaussian mechanisms on Poisson batches (:func:`dpcp_core.training.descent.descent_profile`):
    emptying one row moves each clipped sum by at most ``max_grad_norm``, and the noise has ``noise_multiplier`` times
    that as standard deviation. Averages are divided by the public ``sampling_rate * n_rows``.
    """
    refuse_endless_clip(plan.max_grad_norm, noisy=plan.noise_multiplier > 0)
    first = network.initial(rng, data.features.dtype) if start is None else checked_start(start, network.shapes)
    flat = np.concatenate([part.ravel() for part in first]).astype(data.features.dtype)
    # Products this thin lose several times over when a linear algebra library shares them among threads.
    with _linear_algebra().limit(limits=1), np.errstate(over="ignore", invalid="ignore"):
        average = _Run(network, data, plan, rng, adam, recorder).averaged_iterates(flat)
    if not np.isfinite(average).all():
        raise InputError("Training diverged: choose a smaller step_size, penalty or max_grad_norm.")
    return _split(average, network)


@lru_cache(maxsize=1)
def _linear_algebra() -> ThreadpoolController:
    # Finding the libraries takes longer than a small fit.
    return ThreadpoolController().select(user_api="blas")


@dataclass(frozen=True, eq=False)
class _Run:
    """Everything that the steps of one fit share; weights and gradients are one flat array each."""

    network: DenseNetwork
    data: DenseData
    plan: DescentPlan
    rng: np.random.Generator
    adam: Adam
    recorder: TraceRecorder | None

    def averaged_iterates(self, weights: Matrix) -> Matrix:
        plan, kind, parts = self.plan, weights.dtype.type, _split(weights, self.network)
        smallest = self.adam.smallest_spread * (1.0 if math.isinf(plan.max_grad_norm) else plan.max_grad_norm)
        mean, square, average = (np.zeros_like(weights) for _ in range(3))
        for step, size in enumerate(plan.step_sizes, start=1):
            gradient = self._noisy_average(step, parts)
            mean += kind(1 - self.adam.momentum) * (gradient - mean)
            square += kind(1 - self.adam.memory) * (gradient * gradient - square)
            spread = np.sqrt(square / kind(1 - self.adam.memory**step)) + kind(smallest)
            weights *= kind(1 - size * plan.penalty)
            weights -= kind(size / (1 - self.adam.momentum**step)) * mean / spread
            if step >= plan.first_averaged:
                average += weights
        return average / kind(plan.steps - plan.first_averaged + 1)

    def _noisy_average(self, step: int, weights: Weights) -> Matrix:
        plan = self.plan
        features, targets = self.data.batch(plan.sampling_rate, self.rng)
        found = self.network.clipped_gradient_sum(features, targets, weights, plan.max_grad_norm)
        if self.recorder is not None and self.recorder.wants(step) and len(features):
            self.recorder.add_rows(step, losses=found.losses, norms=found.norms, max_grad_norm=plan.max_grad_norm)
        total = np.concatenate([part.ravel() for part in found.total])
        if plan.noise_multiplier:
            noise = self.rng.standard_normal(total.shape) * (plan.noise_multiplier * plan.max_grad_norm)
            total += noise.astype(total.dtype)
        total /= total.dtype.type(plan.sampling_rate * plan.n_rows)
        return total


def _split(flat: Matrix, network: DenseNetwork) -> Weights:
    """Return views of a flat array, shaped like the network's weights."""
    ends = np.cumsum([math.prod(shape) for shape in network.shapes])
    parts = np.split(flat, ends[:-1])
    return tuple(part.reshape(shape) for part, shape in zip(parts, network.shapes, strict=True))
