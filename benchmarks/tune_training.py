"""Where the public defaults of training come from: simulated tables only, never a user's rows.

Run ``python benchmarks/tune_training.py`` (about a minute), or with ``--row-fill`` or ``--lasso`` (some seconds). It
prints, for each candidate, the mean and the worst width relative to the non-private full-data interval over simulated
tables and privacy levels, and marks the defaults. For the lasso, three columns tell something, or all do.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd

from dpcp_core import ConformalSettings, Dataset, Schema, simulate
from dpcp_core.data import encoding
from dpcp_core.training.descent_plan import DescentPlan
from dpcp_core.training.lasso import Lasso, SparsityDefaults
from dpcp_core.training.linear import LeastSquares, PublicDefaults
from dpcp_core.training.protocol import ProblemSize

CLIP_NORMS = (0.5, 0.8, 1.2)
TRAVEL_PER_ROOT_ROW = (0.8, 1.6, 3.2)
TRAVEL_PER_SIGNAL = (0.15, 0.3, 0.6)
SPARSITY_SHARES = (0.0, 0.1, 0.3, 1.0)
ROW_FILLS = (0.7, 1.0, 1.3, 1.6, 2.0, 3.0)
EPSILONS = (0.25, 1.0, 4.0)


@dataclass(frozen=True)
class Candidate:
    """Constants that are tried together; by default those in use."""

    clip_norm: float = PublicDefaults.clip_norm
    travel_per_root_row: float = PublicDefaults.travel_per_root_row
    travel_per_signal: float = PublicDefaults.travel_per_signal
    row_fill: float = encoding._ROW_FILL
    sparsity_share: float = SparsityDefaults.share
    trainer: str = "ridge"

    def plan(self, n_rows: int, n_features: int, settings: ConformalSettings) -> DescentPlan:
        """Return the trainer's plan under these constants."""
        ours = PublicDefaults(self.clip_norm, self.travel_per_root_row, self.travel_per_signal)
        trainers = {
            "ridge": LeastSquares("ridge", penalised=True, defaults=ours),
            "lasso": Lasso(defaults=ours, sparsity=SparsityDefaults(self.sparsity_share)),
        }
        size = ProblemSize(n_rows, n_features)
        return trainers[self.trainer].plan(size, settings.allocation.training, settings.training_choices)


def simulated_table(n: int, d: int, correlation: float, skewed: bool, seed: int, telling: int | None = None) -> Dataset:
    """Return rows of d correlated features and a target half explained by them, with a perfectly known scale.

    Only the first ``telling`` features explain anything, if that is given.
    """
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(n, 1))
    x = math.sqrt(correlation) * shared + math.sqrt(1 - correlation) * rng.normal(size=(n, d))
    signal = x[:, :telling] @ rng.normal(size=d)[:telling]
    noise = rng.exponential(size=n) - 1 if skewed else rng.normal(size=n)
    y = (signal / signal.std() + noise) / math.sqrt(2)
    columns = {f"x{i}": {"kind": "number", "bounds": [-6, 6], "typical": [-1, 1]} for i in range(d)}
    target = {"kind": "number", "bounds": [-5, 5], "typical": [-1, 1], "role": "target"}
    schema = Schema.from_dict({**columns, "y": target})
    return Dataset.from_frame(pd.DataFrame(x, columns=list(columns)).assign(y=y), schema)


def tables() -> list[Dataset]:
    """Return the simulated tables that candidates are compared on."""
    shapes = itertools.product((1000, 4000, 20_000), ((5, 0.0), (12, 0.7), (60, 0.3)), (False, True))
    return [simulated_table(n, d, rho, skewed, seed) for seed, (n, (d, rho), skewed) in enumerate(shapes)]


def sparse_tables() -> list[Dataset]:
    """Return simulated tables with many columns, of which three or all tell something."""
    shapes = itertools.product((1000, 4000), ((12, 0.0), (100, 0.2)), (3, None))
    return [simulated_table(n, d, rho, False, seed, few) for seed, (n, (d, rho), few) in enumerate(shapes)]


def settings_for(table: Dataset, epsilon: float, candidate: Candidate) -> ConformalSettings:
    """Return settings whose training follows a candidate's constants."""
    settings = ConformalSettings(epsilon=epsilon, repetitions=4)
    n_train = table.n_rows - round(settings.test_share * table.n_rows)
    plan = candidate.plan(n_train, len(table.schema.features), settings)
    return settings.replace(
        trainer=candidate.trainer,
        steps=plan.steps,
        step_size=plan.step_size,
        max_grad_norm=plan.max_grad_norm,
        penalty=plan.penalty + plan.absolute_penalty,
    )


@contextmanager
def filled(row_fill: float) -> Iterator[None]:
    """Size rows by another constant for a while."""
    ours, encoding._ROW_FILL = encoding._ROW_FILL, row_fill
    try:
        yield
    finally:
        encoding._ROW_FILL = ours


def ratios(data: Sequence[Dataset], candidate: Candidate) -> list[float]:
    """Return the width relative to the non-private interval of ridge on each table at each privacy level."""
    found = []
    with filled(candidate.row_fill):
        for table, epsilon in itertools.product(data, EPSILONS):
            result = simulate(table, settings_for(table, epsilon, candidate))
            # A penalty that widens the non-private interval too must not look harmless.
            plain = result
            if candidate.trainer != "ridge":
                plain = simulate(table, settings_for(table, epsilon, Candidate()))
            found.append(plain.width_ratio * result.width_mean / plain.width_mean)
    return found


def candidates(choice: argparse.Namespace) -> list[Candidate]:
    """Return what is compared: all combinations of the constants of descent, or one other constant alone."""
    if choice.row_fill:
        return [Candidate(row_fill=fill) for fill in ROW_FILLS]
    if choice.lasso:
        return [Candidate(sparsity_share=share, trainer="lasso") for share in SPARSITY_SHARES]
    return list(itertools.starmap(Candidate, itertools.product(CLIP_NORMS, TRAVEL_PER_ROOT_ROW, TRAVEL_PER_SIGNAL)))


def main() -> None:
    """Print the comparison."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--row-fill", action="store_true", help="compare sizes of rows, not constants of descent")
    options.add_argument("--lasso", action="store_true", help="compare penalties of the lasso")
    choice = options.parse_args()
    data = sparse_tables() if choice.lasso else tables()
    rows = [(ratios(data, candidate), candidate) for candidate in candidates(choice)]
    print(f"{len(data)} simulated tables x epsilon {EPSILONS}: width relative to the non-private interval")
    print(f"{'mean':>7} {'worst':>7}  {', '.join(asdict(Candidate()))}")
    for found, candidate in sorted(rows, key=lambda row: np.mean(row[0])):
        constants = ", ".join(
            f"{value:g}" if isinstance(value, float) else value for value in asdict(candidate).values()
        )
        mark = "  <- default" if candidate == Candidate(trainer=candidate.trainer) else ""
        print(f"{np.mean(found):7.3f} {np.max(found):7.3f}  {constants}{mark}")


if __name__ == "__main__":
    main()
