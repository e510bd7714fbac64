"""600 private fits of Abalone as columns of one matrix, against as many single fits in Opacus.

50 repetitions times 12 privacy levels. Both sides run the same mechanism: full batch, the same steps, step size,
clip norm, noise and averaging of iterates, so their accuracy is the same. One Opacus fit is timed (the median
after a warm-up) and multiplied; it gets the batch as one tensor, which is faster than its data loader.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from common import load, parser, table_text, write_json

from dpcp_core.training.descent import DescentPlan, descend

EPSILONS = tuple(np.geomspace(0.25, 8, 12).round(3).tolist())
DELTA = 1e-5
TIMED_EPSILON = 1.0
WANTED = 100

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Problem:
    """Rows encoded by the public schema, the scaled target, and one random split per repetition."""

    features: Floats
    target: Floats
    spread: float
    trains: npt.NDArray[np.bool_]

    @property
    def n_train(self) -> int:
        """Rows that each repetition trains on."""
        return int(self.trains[0].sum())


def make_problem(choice: argparse.Namespace) -> Problem:
    from dpcp_core.data.encoding import TargetScale, encode

    data = load("abalone", choice.data)
    table = encode(data.frame, data.schema, "rings")
    scale = TargetScale.of(data.schema.column("rings"))
    rng = np.random.default_rng(0)
    n, n_train = len(table.features), round(0.8 * len(table.features))
    trains = np.zeros((choice.repetitions, n), dtype=bool)
    for row in trains:
        row[rng.permutation(n)[:n_train]] = True
    return Problem(table.features, scale.scale(table.target).astype(np.float32), scale.spread, trains)


def plan_for(problem: Problem) -> DescentPlan:
    raise NotImplementedError


def multipliers(plan: DescentPlan) -> npt.NDArray[np.float64]:
    from dpcp_core.privacy.profile import noise_multiplier

    return np.array([noise_multiplier(epsilon, DELTA, plan.steps) for epsilon in EPSILONS])


def fit_together(problem: Problem, plan: DescentPlan, noise: npt.NDArray[np.float64]) -> Floats:
    """Return the weights of all repetitions and privacy levels, shape (d, repetitions * levels)."""
    included = np.repeat(problem.trains.T, len(noise), axis=1).astype(np.float32)
    return descend(
        problem.features,
        problem.target,
        plan,
        n_rows=problem.n_train,
        noise_multipliers=np.tile(noise, len(problem.trains)),
        rng=np.random.default_rng(1),
        included=included,
    )


def fit_in_opacus(problem: Problem, plan: DescentPlan, noise: float) -> Floats:
    """Return the weights of the first repetition at one privacy level, shape (d,)."""
    import torch
    from opacus import GradSampleModule
    from opacus.optimizers import DPOptimizer

    features = torch.from_numpy(problem.features[problem.trains[0]]).requires_grad_()
    target = torch.from_numpy(problem.target[problem.trains[0]])
    linear = torch.nn.Linear(features.shape[1], 1, bias=False)
    torch.nn.init.zeros_(linear.weight)
    module = GradSampleModule(linear, loss_reduction="mean")
    optimizer = DPOptimizer(
        torch.optim.SGD(module.parameters(), lr=plan.step_size, weight_decay=plan.penalty),
        noise_multiplier=noise,
        max_grad_norm=plan.max_grad_norm,
        expected_batch_size=len(target),
    )
    average = torch.zeros_like(linear.weight)
    for step in range(1, plan.steps + 1):
        optimizer.zero_grad()
        loss = ((module(features)[:, 0] - target) ** 2 / 2).mean()
        loss.backward()
        optimizer.step()
        if step >= plan.first_averaged:
            average += linear.weight.detach()
    weights: Floats = (average / (plan.steps - plan.first_averaged + 1)).numpy()[0]
    return weights


def error(problem: Problem, weights: Floats, repetition: int) -> float:
    """Return the root mean squared error on the rows that a repetition left out, in rings."""
    tested = ~problem.trains[repetition]
    residuals = problem.features[tested] @ weights - problem.target[tested]
    return float(problem.spread * np.sqrt(np.mean(residuals**2)))


def median_seconds(run: Callable[[], object], runs: int = 3) -> float:
    run()
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)
