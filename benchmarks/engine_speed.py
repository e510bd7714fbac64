"""The linear engine against an Opacus loop, against itself with two workers, and against looking at every row.

Opacus runs bare (GradSampleModule and DPOptimizer, the rows as one tensor), which is the harder comparison. It does the
same mechanism with the same steps, on all rows or on Poisson batches; one of its fits is timed and multiplied. Times
are those of one processor, but for the two workers, whose gain only the clock on the wall can tell.
"""

from __future__ import annotations

import math
import statistics
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
from common import parser, processor_seconds, seconds, table_text, verdicts, write_json

from dpcp_core._threads import one_thread
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training import near_rows
from dpcp_core.training.descent import descend
from dpcp_core.training.descent_plan import DescentPlan
from dpcp_core.training.protocol import ProblemSize, TrainingChoices
from dpcp_core.training.registry import TRAINERS

Rows = npt.NDArray[np.floating[Any]]

N_ROWS, COLUMNS, MODELS, RATE = 4000, 12, 50, 0.1
BUDGET = TrainingBudget(0.5, 1e-5)
LARGE = (50_000, 100_000, 200_000)
TIMES_OPACUS, TIMES_BOUND, TIMES_ALL_ROWS, MOST_APART = 20, 2.0, 2.0, 1e-9


@dataclass(frozen=True, eq=False)
class Problem:
    """Encoded rows and scaled targets."""

    features: Rows
    target: Rows

    @classmethod
    def simulated(cls, n_rows: int, n_columns: int, dtype: type = np.float32) -> Problem:
        """Draw Gaussian columns, half of whose target they explain."""
        rng = np.random.default_rng(0)
        x = np.column_stack([np.ones(n_rows), rng.normal(size=(n_rows, n_columns))])
        target = x[:, 1:] @ rng.normal(size=n_columns) / math.sqrt(n_columns) + 0.5 * rng.normal(size=n_rows)
        x /= math.sqrt(1.3 * (n_columns + 1))
        x /= np.maximum(1, np.linalg.norm(x, axis=1))[:, None]
        return cls(x.astype(dtype), target.astype(dtype))

    def plan(self, rate: float = 1.0) -> DescentPlan:
        """Return the public default plan of ridge regression, on batches of this share of the rows."""
        choices = TrainingChoices() if rate == 1 else TrainingChoices(sampling_rate=rate)
        plan: DescentPlan = TRAINERS["ridge"].plan(ProblemSize(*self.features.shape), BUDGET, choices)
        return plan


def ours(problem: Problem, plan: DescentPlan, n_models: int = MODELS) -> Rows:
    included = np.ones((len(problem.target), n_models), dtype=problem.features.dtype)
    rng = np.random.default_rng(1)
    return descend(problem.features, problem.target, plan, n_models=n_models, rng=rng, included=included)


def in_opacus(problem: Problem, plan: DescentPlan) -> None:
    """Fit one model."""
    import torch
    from opacus import GradSampleModule
    from opacus.optimizers import DPOptimizer

    features, target = torch.from_numpy(problem.features), torch.from_numpy(problem.target)
    linear = torch.nn.Linear(features.shape[1], 1, bias=False)
    module = GradSampleModule(linear, loss_reduction="mean")
    sgd = torch.optim.SGD(linear.parameters(), lr=plan.step_size, weight_decay=plan.penalty)
    expected = round(plan.sampling_rate * len(target))
    noise, clip = plan.noise_multiplier, plan.max_grad_norm
    optimizer = DPOptimizer(sgd, noise_multiplier=noise, max_grad_norm=clip, expected_batch_size=expected)
    for _ in range(plan.steps):
        x, y = features, target
        if plan.sampling_rate < 1:
            drawn = torch.nonzero(torch.rand(len(target)) < plan.sampling_rate)[:, 0]
            x, y = features[drawn], target[drawn]
        optimizer.zero_grad()
        ((module(x)[:, 0] - y) ** 2 / 2).mean().backward()
        optimizer.step()


def products(problem: Problem, plan: DescentPlan) -> None:
    """Do the two matrix products of every step, and nothing else: the least that it takes."""
    weights, towards = np.zeros((problem.features.shape[1], MODELS), np.float32), problem.features.T.copy()
    with one_thread():
        for _ in range(plan.steps):
            towards @ (problem.features @ weights)


def against_opacus(problem: Problem) -> list[dict[str, Any]]:
    """Return a row for all rows in every step, and one for batches."""
    rows = []
    for title, rate in (("all rows", 1.0), (f"batches of {RATE:.0%}", RATE)):
        plan = problem.plan(rate)
        together, least, one = (
            processor_seconds(call)
            for call in (
                lambda plan=plan: ours(problem, plan),
                lambda plan=plan: products(problem, plan),
                lambda plan=plan: in_opacus(problem, plan),
            )
        )
        rows.append(
            {
                "each step": title,
                "steps": plan.steps,
                f"{MODELS} fits, ms": 1000 * together,
                "matrix products, ms": 1000 * least,
                "times them": together / least,
                "one Opacus fit, ms": 1000 * one,
                "times faster": one * MODELS / together,
            }
        )
    return rows


def by_workers(problem: Problem, rounds: int) -> float:
    """Return how many times faster two threads with half of the models each are, by the clock on the wall."""
    plan = problem.plan()

    def halves(pool: ThreadPoolExecutor) -> None:
        list(pool.map(lambda n_models: ours(problem, plan, n_models), [MODELS // 2] * 2))

    with ThreadPoolExecutor(2) as pool, one_thread():
        halves(pool)
        pairs = [(seconds(lambda: ours(problem, plan)), seconds(lambda: halves(pool))) for _ in range(rounds)]
    return statistics.median(alone / both for alone, both in pairs)


def near_the_clip(n_rows: int) -> dict[str, Any]:
    """Compare one large fit with the same where every step looks at every row."""
    problem = Problem.simulated(n_rows, COLUMNS, np.float64)
    plan, found = problem.plan(), []

    def fit() -> None:
        found.append(ours(problem, plan, 1))

    with patch.object(near_rows, "_FEWEST_ROWS", math.inf):
        every = processor_seconds(fit, 1)
    near = processor_seconds(fit, 1)
    apart = float(np.abs(found[0] - found[1]).max())
    return {
        "rows": n_rows,
        "steps": plan.steps,
        "every row, s": every,
        "near rows, s": near,
        "times faster": every / near,
        "weights apart": apart,
    }


def timed(call: Callable[[], Any], title: str) -> Any:
    print(title + "\n")
    found = call()
    if isinstance(found, list):
        print(table_text(found) + "\n", flush=True)
    return found


def main() -> int:
    import torch

    options = parser(__doc__ or "", needs_data=False)
    options.add_argument("--rounds", type=int, default=9)
    choice = options.parse_args()
    torch.set_num_threads(1)
    for expected in ("Full backward hook is firing", "Secure RNG turned off"):
        warnings.filterwarnings("ignore", expected, UserWarning)
    problem = Problem.simulated(N_ROWS, COLUMNS)
    opacus = timed(lambda: against_opacus(problem), f"{MODELS} private fits of {N_ROWS:,} rows, {COLUMNS} columns")
    large = timed(lambda: [near_the_clip(n_rows) for n_rows in LARGE], "One private fit, double precision")
    two = by_workers(problem, choice.rounds)
    print(f"two threads instead of one: {two:.2f} times faster")
    times, bound = opacus[0]["times faster"], opacus[0]["times them"]
    near, apart = large[-1]["times faster"], max(row["weights apart"] for row in large)
    checks = {
        f"{times:.0f} times faster than Opacus on all rows, wanted at least {TIMES_OPACUS}": times >= TIMES_OPACUS,
        f"{bound:.2f} times what its matrix products take, wanted at most {TIMES_BOUND:g}": bound <= TIMES_BOUND,
        f"{near:.1f} times faster on {LARGE[-1]:,} rows by looking at those near the clip, wanted at least "
        f"{TIMES_ALL_ROWS:g}": near >= TIMES_ALL_ROWS,
        f"weights then at most {apart:.0e} apart, wanted at most {MOST_APART:g}": apart <= MOST_APART,
    }
    met = verdicts(checks)
    write_json(choice.json, "engine_speed", opacus=opacus, near_rows=large, two_threads=two, checks=checks, met=met)
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
