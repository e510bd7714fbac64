"""A private step of the network 108-64-64-2 on batches of 1,024 rows: this library, Opacus, and torch without privacy.

Ours and Opacus run the same mechanism: Poisson batches by index, clipping, noise on the sum, Adam. Opacus runs bare,
GradSampleModule and DPOptimizer without its data loader, which is the harder comparison. Torch without privacy runs as
its documentation shows: a DataLoader over a TensorDataset. All take turns; torch gets the number of threads that serves
it best. The ratios are medians over rounds. The clipped sums of ours and Opacus are compared as well.
"""

from __future__ import annotations

import statistics
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from common import parser, seconds, table_text, verdicts, write_json

from dpcp_core.training.dense_descent import Adam, DenseData, descend
from dpcp_core.training.dense_engine import DenseNetwork
from dpcp_core.training.descent_plan import DescentPlan

NETWORK = DenseNetwork((108, 64, 64, 2), "classification")
N_ROWS, BATCH, STEP_SIZE, NOISE, CLIP = 20_480, 1024, 0.01, 1.0, 1.0
STEPS = round(N_ROWS / BATCH)
TIMES_OPACUS, TIMES_LOADER, APART = 10, 1, 1e-6


@dataclass(frozen=True, eq=False)
class Problem:
    """Rows of norm about 1 and classes, for numpy and for torch."""

    features: npt.NDArray[np.float32]
    targets: npt.NDArray[np.int64]

    @classmethod
    def simulated(cls) -> Problem:
        """Draw Gaussian rows, two classes."""
        rng = np.random.default_rng(0)
        features = rng.standard_normal((N_ROWS, NETWORK.widths[0]), dtype=np.float32) / np.sqrt(NETWORK.widths[0])
        return cls(features.astype(np.float32), (features[:, :8].sum(axis=1) > 0).astype(np.int64))

    @property
    def tensors(self) -> tuple[Any, Any]:
        """The same numbers for torch."""
        import torch

        return torch.from_numpy(self.features), torch.from_numpy(self.targets)


def ours(problem: Problem) -> None:
    plan = DescentPlan(N_ROWS, STEPS, STEP_SIZE, CLIP, noise_multiplier=NOISE, sampling_rate=BATCH / N_ROWS)
    data = DenseData(problem.features, problem.targets)
    descend(NETWORK, data, plan, rng=np.random.default_rng(1), adam=Adam())


def module() -> Any:
    import torch

    layers: list[Any] = []
    for n_in, n_out in pairwise(NETWORK.widths):
        layers += [torch.nn.Linear(n_in, n_out), torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-1])


def in_opacus(problem: Problem) -> None:
    import torch
    from opacus import GradSampleModule
    from opacus.optimizers import DPOptimizer

    network, (features, targets) = GradSampleModule(module()), problem.tensors
    adam = torch.optim.Adam(network.parameters(), lr=STEP_SIZE)
    optimizer = DPOptimizer(adam, noise_multiplier=NOISE, max_grad_norm=CLIP, expected_batch_size=BATCH)
    for _ in range(STEPS):
        rows = torch.nonzero(torch.rand(N_ROWS) < BATCH / N_ROWS)[:, 0]
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(network(features[rows]), targets[rows]).backward()
        optimizer.step()


def without_privacy(problem: Problem) -> None:
    import torch

    network = module()
    optimizer = torch.optim.Adam(network.parameters(), lr=STEP_SIZE)
    rows = torch.utils.data.TensorDataset(*problem.tensors)
    for features, targets in torch.utils.data.DataLoader(rows, batch_size=BATCH, shuffle=True):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(network(features), targets).backward()
        optimizer.step()


def fastest_threads(call: Callable[[], object]) -> int:
    """Return the number of threads that torch does best with."""
    import torch

    counts = sorted({1, torch.get_num_threads()})
    return min(counts, key=lambda count: in_threads(call, count))


def in_threads(call: Callable[[], object], count: int) -> float:
    import torch

    torch.set_num_threads(count)
    return seconds(call)


def sums_apart(problem: Problem) -> float:
    """Return how far one clipped sum of a batch is from that of Opacus's per-row gradients, per row."""
    import torch
    from opacus import GradSampleModule

    network = module().double()
    weights = tuple(parameter.detach().numpy().T for parameter in network.parameters())
    x, y = problem.features[:BATCH].astype(np.float64), problem.targets[:BATCH]
    hooked = GradSampleModule(network, loss_reduction="sum")
    loss = torch.nn.functional.cross_entropy(hooked(torch.from_numpy(x)), torch.from_numpy(y), reduction="sum")
    loss.backward()
    gradients = [parameter.grad_sample for parameter in hooked.parameters()]
    lengths = torch.sqrt(sum((part.flatten(1) ** 2).sum(1) for part in gradients))
    clip = float(lengths.median())
    factors = torch.clamp(clip / lengths, max=1)
    theirs = [torch.tensordot(factors, part, dims=1).numpy().T for part in gradients]
    found = NETWORK.clipped_gradient_sum(x, y, weights, clip)
    return max(float(np.abs(a - b).max()) for a, b in zip(found.total, theirs, strict=True)) / BATCH


def compare(problem: Problem, rounds: int) -> tuple[list[dict[str, object]], float, float]:
    """Return the table, and how many times faster a step is than in Opacus and than in the plain loop."""
    rivals = (in_opacus, without_privacy)
    threads = [fastest_threads(lambda rival=rival: rival(problem)) for rival in rivals]
    ours(problem)
    timed = []
    for _ in range(rounds):
        theirs = [in_threads(lambda rival=rival: rival(problem), n) for rival, n in zip(rivals, threads, strict=True)]
        timed.append((seconds(lambda: ours(problem)), *theirs))
    titles = ("this library, private", "Opacus, private", "torch and DataLoader, not private")
    steps = [1000 * statistics.median(column) / STEPS for column in zip(*timed, strict=True)]
    rows: list[dict[str, object]] = [
        {"what": title, "ms per step": step, "threads": count}
        for title, step, count in zip(titles, steps, (1, *threads), strict=True)
    ]
    to_opacus = statistics.median(opacus / mine for mine, opacus, _ in timed)
    return rows, to_opacus, statistics.median(plain / mine for mine, _, plain in timed)


def main() -> int:
    options = parser(__doc__ or "", needs_data=False)
    options.add_argument("--rounds", type=int, default=5)
    choice = options.parse_args()
    for expected in ("Full backward hook is firing", "Secure RNG turned off"):
        warnings.filterwarnings("ignore", expected, UserWarning)
    problem = Problem.simulated()
    rows, to_opacus, to_plain = compare(problem, choice.rounds)
    apart = sums_apart(problem)
    print(table_text(rows))
    checks = {
        f"{to_opacus:.1f} times faster than Opacus, wanted at least {TIMES_OPACUS}": to_opacus >= TIMES_OPACUS,
        f"{to_plain:.1f} times faster than torch without privacy, wanted at least {TIMES_LOADER}": to_plain
        >= TIMES_LOADER,
        f"clipped sums {apart:.1e} per row from Opacus's, wanted at most {APART:g}": apart <= APART,
    }
    met = verdicts(checks)
    write_json(choice.json, "mlp_speed", measures=rows, checks=checks)
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
