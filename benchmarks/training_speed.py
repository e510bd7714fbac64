"""600 private fits of Abalone as columns of one matrix, against as many single fits in Opacus.

50 repetitions times 12 privacy levels. Both sides run the same mechanism: full batch, the same steps, step
size, clip norm, noise and averaging of iterates, so their accuracy is the same. One Opacus fit is timed and
multiplied; the ratio is the median of seven rounds in which both sides take turns. Opacus runs bare, the batch
being one tensor that is handed to its module and optimiser, which is the harder comparison and the one that
counts; the time through `PrivacyEngine` with a data loader, as its documentation shows, is printed beside it.
"""

from __future__ import annotations

import argparse
import dataclasses
import statistics
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from common import load, parser, seconds, table_text, verdicts, write_json

from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.descent import descend
from dpcp_core.training.descent_plan import DescentPlan
from dpcp_core.training.protocol import ProblemSize, TrainingChoices
from dpcp_core.training.registry import TRAINERS

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
    from dpcp_core.data.encoding import encode
    from dpcp_core.data.target import NumericTarget

    data = load("abalone", choice.data)
    table = encode(data.frame, data.schema, "rings")
    scale = NumericTarget.of(data.schema.column("rings"))
    rng = np.random.default_rng(0)
    n, n_train = len(table.features), round(0.8 * len(table.features))
    trains = np.zeros((choice.repetitions, n), dtype=bool)
    for row in trains:
        row[rng.permutation(n)[:n_train]] = True
    return Problem(table.features, scale.scale(table.target).astype(np.float32), scale.spread, trains)


def levels(problem: Problem) -> tuple[DescentPlan, npt.NDArray[np.float64]]:
    """Return the public default plan at the timed epsilon, and the noise multiplier of every epsilon."""
    size = ProblemSize(problem.n_train, problem.features.shape[1])
    plan = TRAINERS["ridge"].plan(size, TrainingBudget(TIMED_EPSILON, DELTA), TrainingChoices())
    noise = [TrainingBudget(epsilon, DELTA).noise_multiplier(plan.steps) for epsilon in EPSILONS]
    return plan, np.array(noise)


def fit_together(problem: Problem, plan: DescentPlan, noise: npt.NDArray[np.float64]) -> Floats:
    """Return the weights of all repetitions and privacy levels, shape (d, repetitions * levels)."""
    included = np.repeat(problem.trains.T, len(noise), axis=1).astype(np.float32)
    return descend(
        problem.features,
        problem.target,
        plan,
        n_models=included.shape[1],
        noise_multipliers=np.tile(noise, len(problem.trains)),
        rng=np.random.default_rng(1),
        included=included,
    )


def fit_in_opacus(problem: Problem, plan: DescentPlan, noise: float, engine: bool = False) -> Floats:
    """Return the weights of the first repetition at one privacy level, shape (d,)."""
    import torch

    features = torch.from_numpy(problem.features[problem.trains[0]])
    target = torch.from_numpy(problem.target[problem.trains[0]])
    linear = torch.nn.Linear(features.shape[1], 1, bias=False)
    torch.nn.init.zeros_(linear.weight)
    sgd = torch.optim.SGD(linear.parameters(), lr=plan.step_size, weight_decay=plan.penalty)
    prepare = _through_engine if engine else _bare
    module, optimizer, batches = prepare(linear, sgd, features, target, noise, plan.max_grad_norm)
    average = torch.zeros_like(linear.weight)
    for step in range(1, plan.steps + 1):
        for x, y in batches:
            optimizer.zero_grad()
            ((module(x)[:, 0] - y) ** 2 / 2).mean().backward()
            optimizer.step()
        if step >= plan.first_averaged:
            average += linear.weight.detach()
    weights: Floats = (average / (plan.steps - plan.first_averaged + 1)).numpy()[0]
    return weights


def _bare(linear: Any, sgd: Any, features: Any, target: Any, noise: float, max_grad_norm: float) -> Any:
    from opacus import GradSampleModule
    from opacus.optimizers import DPOptimizer

    module = GradSampleModule(linear, loss_reduction="mean")
    optimizer = DPOptimizer(sgd, noise_multiplier=noise, max_grad_norm=max_grad_norm, expected_batch_size=len(target))
    return module, optimizer, [(features, target)]


def _through_engine(linear: Any, sgd: Any, features: Any, target: Any, noise: float, max_grad_norm: float) -> Any:
    import torch
    from opacus import PrivacyEngine

    rows = torch.utils.data.TensorDataset(features, target)
    return PrivacyEngine().make_private(
        module=linear,
        optimizer=sgd,
        data_loader=torch.utils.data.DataLoader(rows, batch_size=len(rows)),
        noise_multiplier=noise,
        max_grad_norm=max_grad_norm,
        poisson_sampling=False,
    )


def error(problem: Problem, weights: Floats) -> float:
    """Return the root mean squared error on the rows that the first repetition left out, in rings."""
    tested = ~problem.trains[0]
    residuals = problem.features[tested] @ weights - problem.target[tested]
    return float(problem.spread * np.sqrt(np.mean(residuals**2)))


def seconds_of(runs: Sequence[Callable[[], object]], rounds: int) -> list[tuple[float, ...]]:
    """Time each run once per round after a warm-up; taking turns, all meet the same load of the machine."""
    for run in runs:
        run()
    return [tuple(map(seconds, runs)) for _ in range(rounds)]


def errors(problem: Problem, plan: DescentPlan) -> tuple[float, float, float]:
    """Return the error of both sides over draws of the noise, and how far their weights are without noise."""
    draws = len(problem.trains)
    same_split = dataclasses.replace(problem, trains=np.repeat(problem.trains[:1], draws, axis=0))
    ours = fit_together(same_split, plan, np.array([plan.noise_multiplier]))
    theirs = [fit_in_opacus(problem, plan, plan.noise_multiplier) for _ in range(draws)]
    silent = fit_together(problem, plan, np.zeros(1))[:, 0] - fit_in_opacus(problem, plan, 0.0)
    return (
        float(np.mean([error(problem, weights) for weights in ours.T])),
        float(np.mean([error(problem, weights) for weights in theirs])),
        float(np.abs(silent).max()),
    )


def compare(problem: Problem) -> dict[str, Any]:
    """Time both sides and measure both errors at the timed epsilon."""
    plan, noise = levels(problem)
    n_fits = len(problem.trains) * len(noise)
    timed = seconds_of(
        (
            lambda: fit_together(problem, plan, noise),
            lambda: fit_in_opacus(problem, plan, plan.noise_multiplier),
        ),
        rounds=7,
    )
    ((engine,),) = seconds_of((lambda: fit_in_opacus(problem, plan, plan.noise_multiplier, engine=True),), rounds=1)
    together, bare = (statistics.median(column) for column in zip(*timed, strict=True))
    our_error, opacus_error, apart = errors(problem, plan)
    return {
        "fits": n_fits,
        "rows": problem.n_train,
        "steps": plan.steps,
        "all fits together, seconds": together,
        "one Opacus fit, seconds": bare,
        "one Opacus fit with PrivacyEngine, seconds": engine,
        "times faster": statistics.median(one * n_fits / all_fits for all_fits, one in timed),
        "times faster than PrivacyEngine": engine * n_fits / together,
        "error together, rings": our_error,
        "error Opacus, rings": opacus_error,
        "weights apart with the noise off": apart,
    }


def main() -> int:
    import torch

    options = parser(__doc__ or "")
    options.add_argument("--repetitions", type=int, default=50)
    choice = options.parse_args()
    # Its steps are too small to share: one thread is at least as fast, and far steadier on a busy machine.
    torch.set_num_threads(1)
    for expected in ("Full backward hook is firing", "Secure RNG turned off"):
        warnings.filterwarnings("ignore", expected, UserWarning)
    result = compare(make_problem(choice))
    print(table_text([{"measure": name, "value": value} for name, value in result.items()]))
    ratio = result["times faster"]
    met = verdicts({f"{ratio:.0f} times faster than bare Opacus, wanted at least {WANTED}": ratio >= WANTED})
    write_json(choice.json, "training_speed", measures=result, met=met)
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
