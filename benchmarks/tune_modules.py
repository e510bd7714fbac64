"""Compares the public defaults of ``ft_transformer`` and ``cnn`` with others, on simulated rows, never on a user's.

Run ``python benchmarks/tune_modules.py tables`` or ``images`` (some minutes each). It prints, for each candidate, the
part of the variance explained (tables) or the accuracy (images) on fresh rows at two privacy levels, and marks the
defaults.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.opacus_modules import CNN, FT_TRANSFORMER, OpacusTrainer
from dpcp_core.training.protocol import ProblemSize, TrainingChoices

EPSILONS, DELTA = (1.0, 4.0), 1e-5
N_FRESH = 1000
NOISE_TO_SIGNAL = (1.0, 2.0)
STEP_SIZES = (0.5, 1.0, 2.0)


@dataclass(frozen=True, eq=False)
class Rows:
    """Simulated rows, the last ``N_FRESH`` of which are never trained on; 0 classes for a number."""

    features: npt.NDArray[np.float32]
    targets: npt.NDArray[np.generic]
    n_classes: int

    @property
    def size(self) -> ProblemSize:
        """Public size of the training part."""
        return ProblemSize(len(self.features) - N_FRESH, self.features.shape[1], self.n_classes)

    def quality(self, outputs: npt.NDArray[np.floating]) -> float:
        """Return the accuracy, or the part of the variance explained, on the fresh rows."""
        truth = self.targets[-N_FRESH:]
        if self.n_classes:
            return float((outputs.argmax(1) == truth).mean())
        numbers = truth.astype(np.float64)
        return float(1 - np.mean((outputs[:, 0] - numbers) ** 2) / numbers.var())


def encoded(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """Return values of size about 1 as rows with a constant and a norm of at most 1."""
    rows = np.column_stack([np.ones(len(values)), values]) / math.sqrt(1.3 * (values.shape[1] + 1))
    rows /= np.maximum(1, np.linalg.norm(rows, axis=1))[:, None]
    return rows.astype(np.float32)


def table(n: int, d: int, bent: bool, seed: int) -> Rows:
    """Return rows whose target is two thirds explained by a plane or by bends and products."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n + N_FRESH, d))
    plane = x @ rng.normal(size=d)
    signal = 3 * np.tanh(plane) + x[:, 0] * x[:, 1] + 2 * np.abs(x[:, 2]) if bent else plane
    targets = 0.7 * (signal - signal.mean()) / signal.std() + 0.5 * rng.normal(size=n + N_FRESH)
    return Rows(encoded(np.clip(x, -3, 3)), targets, 0)


def images(n: int, side: int, seed: int) -> Rows:
    """Return noisy images of ten strokes, each moved by up to an eighth of the side."""
    rng = np.random.default_rng(seed)
    place = (np.arange(side) - side / 2) / side
    codes = rng.integers(0, 10, n + N_FRESH)
    angles, rings = np.pi * codes / 5, codes % 2
    off = rng.uniform(-0.125, 0.125, size=(2, n + N_FRESH, 1, 1))
    across, down = place[None, None, :] - off[0], place[None, :, None] - off[1]
    turn = angles[:, None, None]
    line = np.abs(across * np.sin(turn) - down * np.cos(turn)) + 2 * (across * np.cos(turn) + down * np.sin(turn) < 0)
    ring = np.abs(np.hypot(across, down) - 0.25)
    ink = np.exp(-((np.minimum(line, np.where(rings[:, None, None], ring, 9)) / 0.07) ** 2))
    shades = np.clip(2 * ink - 1 + 0.4 * rng.normal(size=ink.shape), -1, 1)
    return Rows(encoded(shades.reshape(len(codes), -1)), codes, 10)


def candidates(trainer: OpacusTrainer) -> Iterator[OpacusTrainer]:
    """Yield the trainer with other constants, its own among them."""
    ours = trainer.defaults
    for ratio, factor in itertools.product(NOISE_TO_SIGNAL, STEP_SIZES):
        changed = replace(ours, noise_to_signal=ratio, step_size=ours.step_size * factor)
        yield replace(trainer, defaults=changed)


def quality(trainer: OpacusTrainer, data: Rows, epsilon: float) -> float:
    """Return how well one private fit does."""
    plan = trainer.plan(data.size, TrainingBudget(epsilon, DELTA), TrainingChoices())
    features, targets = data.features[:-N_FRESH], data.targets[:-N_FRESH]
    models = trainer.fit(features, targets, plan, n_models=1, rng=np.random.default_rng(0))
    return data.quality(models.predict(data.features[-N_FRESH:])[:, 0])


def main() -> None:
    """Print the comparison."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("kind", choices=["tables", "images"])
    tables = options.parse_args().kind == "tables"
    trainer = FT_TRANSFORMER if tables else CNN
    shapes = itertools.product((1000, 4000), (False, True)) if tables else ()
    data = [table(n, 10, bent, seed) for seed, (n, bent) in enumerate(shapes)]
    data = data or [images(n, side, side) for n, side in ((2000, 8), (8000, 14))]
    names = [f"n={rows.size.n_rows} eps={epsilon:g}" for rows in data for epsilon in EPSILONS]
    print("  mean   noise to signal, step size   " + ", ".join(names))
    for candidate in candidates(trainer):
        found = [quality(candidate, rows, epsilon) for rows in data for epsilon in EPSILONS]
        ours = candidate.defaults
        mark = "  <- default" if ours == trainer.defaults else ""
        print(
            f"{np.mean(found):7.3f}  {ours.noise_to_signal:g}, {ours.step_size:g}   {np.round(found, 3)}{mark}",
            flush=True,
        )


if __name__ == "__main__":
    main()
