"""Where the public defaults of the trainers without descent come from: simulated tables only, never a user's rows.

Run ``python benchmarks/tune_erm.py`` (some two minutes), or with the names of trainers. It prints, for each candidate,
the mean and the worst loss relative to the non-private twin over simulated tables and privacy levels, and marks the
defaults. The twin has next to no penalty. The loss of classes is log loss, of numbers half the width of a 90 % interval
with what in-sample scores have to pay for, by coupling or by the profile, whichever is less (``adassp`` and
``posterior_sample`` have no coupling: root mean squared error). With ``--twin`` it prints the defaults' losses by
privacy level, with root mean squared errors for all numbers.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from dpcp_core.privacy.profile import stable_level
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.adassp import AdaSSP, AdaSSPDefaults
from dpcp_core.training.objective_perturbation import ObjectiveDefaults, ObjectivePerturbation
from dpcp_core.training.output_perturbation import OutputDefaults, OutputPerturbation
from dpcp_core.training.posterior import PosteriorDefaults, PosteriorSample
from dpcp_core.training.protocol import ProblemSize, Trainer, TrainingChoices

EPSILONS = (0.5, 1.0, 4.0, 16.0)
ALPHA, DELTA, MODELS, TEST_ROWS = 0.1, 1e-5, 10, 2000
ROOTS = (0.1, 0.3, 0.5, 1.0, 2.0)
FILL = 1.3  # rows are sized as the library's encoding does


@dataclass(frozen=True, eq=False)
class Simulated:
    """Encoded rows with a target half explained by them (a number, or classes), and as many as wanted to test on."""

    features: np.ndarray
    targets: np.ndarray
    n_rows: int
    n_classes: int

    @property
    def size(self) -> ProblemSize:
        """Public size of what trains."""
        return ProblemSize(self.n_rows, self.features.shape[1], self.n_classes)

    def half_width(self, predicted: np.ndarray, radius: float | None, level: float) -> float:
        """Return the mean half width of intervals at 90 %, by coupling or at the level of the profile."""
        residuals = np.abs(predicted[:, :, 0] - self.targets[self.n_rows :, None])
        widths = np.quantile(residuals, 1 - level, axis=0).mean() if level else math.inf
        coupled = math.inf if radius is None else np.quantile(residuals, 1 - ALPHA, axis=0).mean() + 2 * radius
        return float(min(widths, coupled))

    def loss(self, predicted: np.ndarray) -> float:
        """Return the mean over models of the loss on the test rows."""
        truth = self.targets[self.n_rows :]
        if self.n_classes == 0:
            errors = np.sqrt(np.mean((predicted[:, :, 0] - truth[:, None]) ** 2, axis=0))
            return float(errors.mean())
        chance = np.take_along_axis(predicted, truth[:, None, None].astype(int), axis=2)
        return float(-np.log(np.maximum(chance, 1e-6)).mean())


def simulated(n: int, d: int, correlation: float, n_classes: int, seed: int) -> Simulated:
    """Return a table of n training rows with d correlated features and a constant."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(n + TEST_ROWS, 1))
    x = math.sqrt(correlation) * shared + math.sqrt(1 - correlation) * rng.normal(size=(n + TEST_ROWS, d))
    signal = x @ rng.normal(size=(d, max(n_classes, 1)))
    signal /= signal.std(axis=0)
    if n_classes:
        targets = np.argmax(2 * signal + rng.gumbel(size=signal.shape), axis=1)
    else:
        targets = ((signal[:, 0] + rng.normal(size=len(x))) / math.sqrt(2)).astype(np.float32)
    rows = np.column_stack([np.ones(len(x)), np.clip(x, -3, 3)]) / math.sqrt(FILL * (1 + d))
    rows /= np.maximum(np.linalg.norm(rows, axis=1), 1)[:, None] * (1 + 1e-6)
    return Simulated(rows.astype(np.float32), targets, n, n_classes)


def tables(n_classes: int) -> list[Simulated]:
    """Return the tables that candidates are compared on."""
    shapes = [(600, 5), (3000, 8), (3000, 25), (20000, 12)]
    return [simulated(n, d, c, n_classes, seed) for seed, ((n, d), c) in enumerate(itertools.product(shapes, (0, 0.5)))]


def ratio(trainer: Trainer[Any], table: Simulated, epsilon: float, width: bool = False) -> float:
    """Return the private loss (for numbers, perhaps the half width) over that of the trainer's non-private twin."""
    train = table.features[: table.n_rows], table.targets[: table.n_rows]
    test = table.features[table.n_rows :]
    plan = trainer.plan(table.size, TrainingBudget(epsilon, DELTA), TrainingChoices())
    models = trainer.fit(*train, plan, n_models=MODELS, rng=np.random.default_rng(0))
    best = trainer.plan(table.size, TrainingBudget(math.inf, DELTA), TrainingChoices(penalty=1e-6))
    twin = trainer.fit_exactly(*train, best, np.ones((table.n_rows, 1), np.float32))
    radius = trainer.coupling_radius(plan)
    if not width or table.n_classes or radius is None:
        return table.loss(models.predict(test)) / table.loss(twin.predict(test))
    level = stable_level(trainer.profile(plan), ALPHA)
    private = table.half_width(models.predict(test), radius, level)
    return private / table.half_width(twin.predict(test), 0.0, ALPHA)


def output_candidates() -> Iterator[Trainer[Any]]:
    for clip, (scale, power), root in itertools.product((0.3, 0.5, 0.8), ((0.2, 0.5), (0.4, 0.5), (0.8, 0.67)), ROOTS):
        yield OutputPerturbation(OutputDefaults(clip, scale, power, penalty_per_root_row=root))


def output_class_candidates() -> Iterator[Trainer[Any]]:
    for scale, power in itertools.product((0.05, 0.1, 0.2, 0.4), (0.33, 0.5, 0.67)):
        yield OutputPerturbation(OutputDefaults(class_scale=scale, class_power=power))


def objective_candidates() -> Iterator[Trainer[Any]]:
    for clip, share, root in itertools.product((0.3, 0.5, 0.8), (1.0, 4.0), ROOTS):
        yield ObjectivePerturbation(ObjectiveDefaults(clip, share, penalty_per_root_row=root))


def objective_class_candidates() -> Iterator[Trainer[Any]]:
    for share, stretch in itertools.product((0.1, 0.25, 0.5, 1.0), (0.2, 0.4)):
        yield ObjectivePerturbation(ObjectiveDefaults(class_penalty_per_signal=share, largest_stretch=stretch))


def adassp_candidates() -> Iterator[Trainer[Any]]:
    for bound in (0.7, 1.0, 1.5, 2.0, 3.0):
        yield AdaSSP(AdaSSPDefaults(bound))


def posterior_candidates() -> Iterator[Trainer[Any]]:
    for bound, noise, prior in itertools.product((1.0, 1.5, 2.0), (2.0, 4.0, 8.0), (1.0, 2.0, 4.0, 8.0)):
        yield PosteriorSample(PosteriorDefaults(bound, noise, prior))


FAMILIES: dict[str, tuple[Callable[[], Iterator[Trainer[Any]]], int]] = {
    "output_perturbation": (output_candidates, 0),
    "output_perturbation/2": (output_class_candidates, 2),
    "output_perturbation/4": (output_class_candidates, 4),
    "objective_perturbation": (objective_candidates, 0),
    "objective_perturbation/2": (objective_class_candidates, 2),
    "adassp": (adassp_candidates, 0),
    "posterior_sample": (posterior_candidates, 0),
}


def constants(trainer: Any) -> str:
    return ", ".join(f"{field.name} {getattr(trainer.defaults, field.name):g}" for field in fields(trainer.defaults))


def compare(name: str) -> None:
    """Print all candidates of a family, the best first."""
    candidates, n_classes = FAMILIES[name]
    data = tables(n_classes)
    found = []
    for trainer in candidates():
        ratios = [ratio(trainer, table, epsilon, width=True) for table in data for epsilon in EPSILONS]
        found.append((float(np.mean(np.log(ratios))), max(ratios), trainer))
    print(f"{name}: loss over that of the non-private twin, {len(data)} tables x epsilon {EPSILONS}")
    for mean, worst, trainer in sorted(found, key=lambda row: row[0])[:12]:
        mark = "  <- default" if trainer.defaults == type(trainer)().defaults else ""
        print(f"{math.exp(mean):7.3f} {worst:7.3f}  {constants(trainer)}{mark}")


def against_twin(name: str) -> None:
    """Print the losses of the defaults by privacy level."""
    n_classes = FAMILIES[name][1]
    trainer = type(next(FAMILIES[name][0]()))()
    for table in tables(n_classes):
        ratios = " ".join(f"{ratio(trainer, table, epsilon):7.3f}" for epsilon in EPSILONS)
        print(f"{name:25} n {table.n_rows:6} d {table.features.shape[1]:3} {ratios}")


def main() -> None:
    """Print the comparison."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("names", nargs="*", metavar="NAME", help=", ".join(FAMILIES))
    options.add_argument("--twin", action="store_true", help="show the defaults by privacy level")
    choice = options.parse_args()
    with threadpool_limits(limits=1, user_api="blas"):
        for name in choice.names or FAMILIES:
            (against_twin if choice.twin else compare)(name)


if __name__ == "__main__":
    main()
