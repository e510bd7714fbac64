"""Where the public defaults of linear classifiers come from: simulated tables only, never a user's rows.

Run ``python benchmarks/tune_classifiers.py`` (about three minutes), or with ``--trainer softmax`` for one of them. It
prints, for each candidate, relative to the non-private twin on simulated tables at several privacy levels:

* ``certified``: the mean size of sets whose threshold stands on the training rows, either widened by the coupling
  argument or at the level that the privacy of training leaves, whichever is smaller;
* ``plain``: the same with neither, as after a split;
* ``accuracy``: the share of right first guesses that is lost.

Means of sizes are geometric; it sorts by the product of the two and marks the defaults.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpcp_core.privacy.profile import stable_level
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.class_plan import ClassDefaults, ClassPlan
from dpcp_core.training.classifiers import LINEAR_SVM, LOGISTIC, SOFTMAX, ClassModels, LinearClassifier
from dpcp_core.training.protocol import ProblemSize, TrainingChoices

TRAVEL_PER_ROOT_ROW = (8.0, 16.0, 32.0)
TRAVEL_PER_SIGNAL = (0.25, 0.5, 1.0)
CLIP_NORMS = {"logistic": (math.inf, 0.5), "softmax": (math.inf, 0.7), "linear_svm": (math.inf, 0.5)}
EPSILONS = (0.25, 1.0, 4.0)
DELTA, ALPHA, MODELS, TEST_ROWS = 1e-5, 0.1, 2, 2000
# What a probability moves at most when the logits move by 1.
LIPSCHITZ = math.sqrt(2) / 4


@dataclass(frozen=True, eq=False)
class Table:
    """Encoded rows, the first ``n`` for training."""

    features: npt.NDArray[np.float32]
    codes: npt.NDArray[np.int64]
    n: int
    n_classes: int

    @property
    def size(self) -> ProblemSize:
        """Public size of the training problem."""
        return ProblemSize(self.n, self.features.shape[1], self.n_classes)


def simulated_table(n: int, d: int, correlation: float, n_classes: int, seed: int) -> Table:
    """Return rows of correlated features, sized as the encoder does, and classes that a linear model explains."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(n + TEST_ROWS, 1))
    x = math.sqrt(correlation) * shared + math.sqrt(1 - correlation) * rng.normal(size=(n + TEST_ROWS, d))
    logits = x @ rng.normal(size=(d, n_classes))
    logits *= 2.5 / logits.std()
    codes = np.argmax(logits + rng.gumbel(size=logits.shape), axis=1)
    rows = np.column_stack([np.ones(len(x)), np.clip(x, -3, 3)]) / math.sqrt(1.3 * (1 + d))
    rows /= np.maximum(np.linalg.norm(rows, axis=1) / (1 - 1e-6), 1)[:, None]
    return Table(rows.astype(np.float32), codes, n, n_classes)


def tables(trainer: LinearClassifier) -> list[Table]:
    """Return the simulated tables that candidates are compared on."""
    shapes = itertools.product((1000, 6000), ((5, 0.0), (12, 0.6), (60, 0.2)))
    classes = (2,) if trainer.most_classes == 2 else (3, 10)
    return [simulated_table(n, d, rho, k, 7) for (n, (d, rho)), k in itertools.product(shapes, classes)]


@dataclass(frozen=True)
class Quality:
    """Mean set sizes and the share of right first guesses."""

    certified: float
    plain: float
    accuracy: float


def quality(table: Table, models: ClassModels, movement: float, level: float) -> Quality:
    """Return how good models are on the test rows, with thresholds from the training rows."""
    n = table.n
    own = 1 - np.take_along_axis(models.predict(table.features[:n]), table.codes[:n, None, None], axis=2)[..., 0]
    new, truth = models.predict(table.features[n:]), table.codes[n:, None]

    def mean_size(alpha: float, widening: float = 0.0) -> float:
        threshold = np.quantile(own, 1 - alpha, axis=0) + widening
        return float((1 - new <= threshold[:, None]).sum(axis=2).mean())

    certified = min(mean_size(ALPHA, 2 * movement), mean_size(level))
    return Quality(certified, mean_size(ALPHA), float((new.argmax(axis=2) == truth).mean()))


class Comparison:
    """Private fits of one trainer on one table against its non-private twin; equal plans are fitted once."""

    def __init__(self, trainer: LinearClassifier, table: Table) -> None:
        self.trainer, self.table, self.known = trainer, table, dict[ClassPlan, Quality]()
        plan = trainer.plan(table.size, TrainingBudget(math.inf, DELTA), TrainingChoices())
        rows = table.features[: table.n], table.codes[: table.n]
        self.exact = quality(table, trainer.fit_exactly(*rows, plan, np.ones((table.n, 1))), 0.0, ALPHA)

    def private(self, defaults: ClassDefaults, epsilon: float) -> Quality:
        """Return the quality of private fits."""
        trainer, table = dataclasses.replace(self.trainer, defaults=defaults), self.table
        plan = trainer.plan(table.size, TrainingBudget(epsilon, DELTA), TrainingChoices())
        if plan not in self.known:
            rows = table.features[: table.n], table.codes[: table.n]
            models = trainer.fit(*rows, plan, n_models=MODELS, rng=np.random.default_rng(1))
            movement = LIPSCHITZ * (trainer.coupling_radius(plan) or math.inf)
            self.known[plan] = quality(table, models, movement, stable_level(trainer.profile(plan), ALPHA))
        return self.known[plan]

    def relative(self, defaults: ClassDefaults) -> Iterator[tuple[float, float, float]]:
        """Yield sizes over those of the twin, and lost accuracy, for each privacy level."""
        for epsilon in EPSILONS:
            found = self.private(defaults, epsilon)
            yield (
                found.certified / self.exact.plain,
                found.plain / self.exact.plain,
                self.exact.accuracy - found.accuracy,
            )


def candidates(trainer: LinearClassifier) -> list[ClassDefaults]:
    """Return what is compared: all combinations of the constants, and the defaults."""
    grid = itertools.product(CLIP_NORMS[trainer.name], TRAVEL_PER_ROOT_ROW, TRAVEL_PER_SIGNAL)
    tried = list(itertools.starmap(ClassDefaults, grid))
    return tried if trainer.defaults in tried else [trainer.defaults, *tried]


def compare(trainer: LinearClassifier) -> None:
    """Print the comparison for one trainer."""
    comparisons = [Comparison(trainer, table) for table in tables(trainer)]
    rows = []
    for candidate in candidates(trainer):
        found = np.array([cell for comparison in comparisons for cell in comparison.relative(candidate)])
        mean = np.append(np.exp(np.log(found[:, :2]).mean(axis=0)), found[:, 2].mean())
        rows.append((mean, found.max(axis=0), candidate))
    print(f"\n{trainer.name}: {len(comparisons)} simulated tables x epsilon {EPSILONS}, relative to the twin")
    print("certified (worst)   plain (worst)   accuracy lost (worst)   clip norm, per root row, per signal")
    for mean, worst, candidate in sorted(rows, key=lambda row: row[0][:2].prod()):
        cells = "   ".join(f"{a:9.3f} ({b:.3f})" for a, b in zip(mean, worst, strict=True))
        constants = (candidate.clip_norm, candidate.travel_per_root_row, candidate.travel_per_signal)
        mark = "  <- default" if candidate == trainer.defaults else ""
        print(f"{cells}   {', '.join(f'{c:g}' for c in constants)}{mark}", flush=True)


def main() -> None:
    """Print the comparisons."""
    trainers = {trainer.name: trainer for trainer in (LOGISTIC, SOFTMAX, LINEAR_SVM)}
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--trainer", choices=sorted(trainers), help="only this one")
    chosen = options.parse_args().trainer
    for trainer in trainers.values() if chosen is None else [trainers[chosen]]:
        compare(trainer)


if __name__ == "__main__":
    main()
