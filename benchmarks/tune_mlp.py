"""Where the public defaults of ``mlp`` come from: simulated tables only, never a user's rows.

Run ``python benchmarks/tune_mlp.py`` (some minutes), or with the names of constants, to compare only those. One
constant at a time is moved away from its default. Printed are the mean and the worst loss relative to the twin without
noise, over simulated tables, and the mean at each privacy level (classes: log loss; numbers: root mean squared error).
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.dense_descent import Adam
from dpcp_core.training.mlp import Mlp
from dpcp_core.training.mlp_plan import MlpDefaults
from dpcp_core.training.protocol import ProblemSize, TrainingChoices

EPSILONS = (0.5, 1.0, 4.0, 16.0, 64.0, math.inf)
DELTA, MODELS, TEST_ROWS = 1e-5, 2, 4000
FILL = 1.3  # rows are sized as the library's encoding does
SHAPES = (
    (400, 10, 2, 0.5),
    (1000, 20, 0, 1.5),
    (4000, 60, 2, 1.5),
    (4000, 10, 0, 0.5),
    (4000, 20, 10, 0.5),
    (12_000, 100, 2, 0.5),
)
"""Rows, columns, classes (0 for a number), and how much the target bends for each straight part of it."""
CANDIDATES: dict[str, Sequence[Any]] = {
    "hidden": [(16,), (64,), (32, 32)],
    "input_scale": [2.5, 6.0],
    "clip_norm": [1.0, 3.5, 7.0, 10.0],
    "steps_per_root_signal": [0.75, 3.0],
    "fewest_steps": [30, 120],
    "travel": [1.0, 1.5, 3.0, 4.0],
    "rate_per_signal": [1.0, 4.0],
    "most_clip_growth": [1.0, 2.0],
    "most_epochs": [20.0, 40.0, 150.0],
    "averaged_share": [0.25, 0.5],
    "adam": [Adam(0.8, 0.99), Adam(0.95, 0.99), Adam(0.9, 0.95), Adam(0.9, 0.999)],
}


@dataclass(frozen=True, eq=False)
class Simulated:
    """Encoded rows and targets, those of the test last."""

    features: npt.NDArray[np.float32]
    targets: npt.NDArray[Any]
    size: ProblemSize

    @property
    def training(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[Any]]:
        """Rows and targets that train."""
        return self.features[: self.size.n_rows], self.targets[: self.size.n_rows]

    def loss(self, models: Any) -> float:
        """Return the mean loss of the models on the test rows."""
        predicted = models.predict(self.features[self.size.n_rows :])
        truth = self.targets[self.size.n_rows :]
        if self.size.n_classes == 0:
            return float(np.sqrt(np.mean((predicted[:, :, 0] - truth[:, None]) ** 2, axis=0)).mean())
        chance = np.take_along_axis(predicted, truth[:, None, None], axis=2)
        return float(-np.log(np.maximum(chance, 1e-6)).mean())


def simulated(n: int, d: int, n_classes: int, bend: float, seed: int) -> Simulated:
    """Return correlated numbers and centred 0/1 columns, and a target of straight and bent parts of them and noise."""
    rng = np.random.default_rng(seed)
    numbers = 0.8 * rng.normal(size=(n + TEST_ROWS, d // 2)) + 0.6 * rng.normal(size=(n + TEST_ROWS, 1))
    shares = rng.uniform(0.1, 0.9, size=d - d // 2)
    flags = (rng.random((n + TEST_ROWS, len(shares))) < shares) - shares
    columns = np.column_stack([numbers, flags])
    straight = unit(columns @ rng.normal(size=(d, max(1, n_classes))))
    units = np.tanh(2 * columns @ rng.normal(size=(d, 6)) / math.sqrt(d))
    bent = unit(units @ rng.normal(size=(6, max(1, n_classes))))
    signal = unit(straight + bend * bent)
    features = np.column_stack([np.ones(len(columns)), columns]) / math.sqrt(FILL * (d + 1))
    features /= np.maximum(np.linalg.norm(features, axis=1), 1)[:, None]
    targets = (2 * signal + rng.gumbel(size=signal.shape) + np.linspace(0, 1.2, max(1, n_classes))).argmax(axis=1)
    if n_classes == 0:
        targets = np.clip(unit(signal + 0.7 * rng.normal(size=signal.shape))[:, 0], -3, 3)
    return Simulated(features.astype(np.float32), targets, ProblemSize(n, d + 1, n_classes))


def unit(columns: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return columns with a spread of 1."""
    return columns / columns.std(axis=0)


def twin_loss(table: Simulated) -> float:
    """Return the loss of the default network without noise or clipping."""
    plan = Mlp().plan(table.size, TrainingBudget(math.inf, DELTA), TrainingChoices())
    return table.loss(Mlp().fit_exactly(*table.training, plan, np.ones((table.size.n_rows, 1))))


def loss(table: Simulated, epsilon: float, defaults: MlpDefaults) -> float:
    """Return the loss of private models under these constants."""
    trainer = Mlp(defaults=defaults)
    plan = trainer.plan(table.size, TrainingBudget(epsilon, DELTA), TrainingChoices())
    rng = np.random.default_rng(table.size.n_rows)
    return table.loss(trainer.fit(*table.training, plan, n_models=MODELS, rng=rng))


def candidates(names: Sequence[str]) -> Iterator[tuple[str, MlpDefaults]]:
    """Yield the defaults, then each of these constants moved by itself."""
    yield "defaults", MlpDefaults()
    for name in names:
        for value in CANDIDATES[name]:
            yield f"{name} = {value}", replace(MlpDefaults(), **{name: value})


def main() -> None:
    """Print the comparison."""
    known = [field.name for field in fields(MlpDefaults) if field.name in CANDIDATES]
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("names", nargs="*", metavar="NAME", help=f"constants to move: {', '.join(known)}")
    names = options.parse_args().names or known
    tables = [simulated(*shape, seed=seed) for seed, shape in enumerate(SHAPES)]
    twins = np.array([twin_loss(table) for table in tables])[:, None]
    print(f"{len(tables)} simulated tables: loss relative to the twin without noise")
    print(f"{'mean':>7} {'worst':>7}  " + " ".join(f"{f'eps {epsilon:g}':>7}" for epsilon in EPSILONS))
    for title, defaults in candidates(names):
        found = np.array([[loss(table, epsilon, defaults) for epsilon in EPSILONS] for table in tables]) / twins
        levels = " ".join(f"{mean:7.3f}" for mean in found.mean(axis=0))
        print(f"{found.mean():7.3f} {found.max():7.3f}  {levels}  {title}", flush=True)


if __name__ == "__main__":
    main()
