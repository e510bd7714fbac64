"""Whoever sees a trained model cannot tell whether a row was there better than the profile allows.

The worst case is tried: a table of one row, or of none, and weights read along the very direction in which that row
pulls. The share of right guesses gives a lower confidence bound of delta at a chosen epsilon; it must stay below the
profile's, and must exceed it where the noise is halved on purpose. Neural networks take their steps through Adam, where
this direction is lost: their games are in ``tests/core/training/test_mlp_privacy.py`` and ``test_opacus_modules.py``,
those of perturbed minimisers in ``test_erm_distinguishing.py``.
"""

from __future__ import annotations

import dataclasses
import math
import os
from typing import Any

import numpy as np
import pytest
from scipy.stats import beta

from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.protocol import ProblemSize, TrainingChoices, Weights
from dpcp_core.training.registry import TRAINERS

pytestmark = [pytest.mark.validity, pytest.mark.slow]

LONG = os.environ.get("DPCP_VALIDITY") == "long"
CONFIDENCE = 0.999
FULL_BATCH = {"steps": 1}
# Half of the batches hold the row: where batches are drawn, a part of the noise is chance.
DRAWN = {"steps": 1, "sampling_rate": 0.5}
CASES: dict[str, tuple[str, int, dict[str, Any], int]] = {
    # name of the case: trainer, classes, choices, models of each kind in the short form
    "ridge": ("ridge", 0, FULL_BATCH, 6000),
    "ridge, several steps": ("ridge", 0, {"steps": 5}, 6000),
    "ridge, drawn batches": ("ridge", 0, DRAWN, 6000),
    "lasso": ("lasso", 0, FULL_BATCH, 6000),
    "logistic": ("logistic", 2, FULL_BATCH, 6000),
    "softmax": ("softmax", 3, FULL_BATCH, 6000),
    "softmax, drawn batches": ("softmax", 3, DRAWN, 6000),
    "linear_svm": ("linear_svm", 3, FULL_BATCH, 6000),
}
EPSILON, DELTA = 6.0, 1e-3


@dataclasses.dataclass(frozen=True)
class Game:
    """One row against none."""

    trainer: Any
    plan: Any
    features: np.ndarray
    targets: np.ndarray
    start: Weights

    def weights(self, present: float, n_models: int, plan: Any, rng: np.random.Generator) -> np.ndarray:
        """Return the weights of fits that see the row, or do not; one model a line."""
        included = np.full((1, n_models), present, dtype=np.float32)
        models = self.trainer.fit(
            self.features, self.targets, plan, n_models=n_models, rng=rng, included=included, start=self.start
        )
        return np.stack([flat(models.weights(model)) for model in range(n_models)])


def flat(weights: Weights) -> np.ndarray:
    return np.concatenate([np.ravel(part).astype(np.float64) for part in weights])


def game_of(case: str) -> Game:
    name, n_classes, choices, _ = CASES[case]
    trainer, n_features = TRAINERS[name], 4
    size = ProblemSize(1, n_features, n_classes)
    plan = trainer.plan(size, TrainingBudget(EPSILON, DELTA), TrainingChoices(**choices))
    features = np.zeros((1, n_features), dtype=np.float32)
    features[0, 0], features[0, 1:] = 0.6, 0.8 / math.sqrt(n_features - 1)
    targets = np.array([5.0], dtype=np.float32) if n_classes == 0 else np.array([1], dtype=np.int64)
    first = trainer.fit_exactly(features, targets, plan, np.ones((1, 1), dtype=np.float32))
    start = tuple(mistaken(part, features[0], n_classes) for part in first.weights())
    return Game(trainer, plan, features, targets, start)


def mistaken(part: np.ndarray, row: np.ndarray, n_classes: int) -> np.ndarray:
    """Return weights that are sure of a wrong class, so that the row pulls as hard as it can."""
    start = np.zeros_like(part)
    if n_classes and part.ndim == 2 and part.shape[1] > 1:
        start[:, 0] = 60 * row
    elif n_classes:
        start[...] = (-60 * row).reshape(part.shape)
    return start


def largest_delta(game: Game, epsilon: float, n_models: int, noise: float = 1.0) -> float:
    """Return a lower confidence bound of delta at epsilon, with the noise multiplied by ``noise``."""
    quiet = dataclasses.replace(game.plan, noise_multiplier=1e-9 * game.plan.noise_multiplier)
    pull = game.weights(1.0, 64, quiet, np.random.default_rng(5)).mean(axis=0) - flat(game.start)
    plan = dataclasses.replace(game.plan, noise_multiplier=noise * game.plan.noise_multiplier)
    seen, unseen = (game.weights(p, n_models, plan, np.random.default_rng(7 + int(p))) @ pull for p in (1.0, 0.0))
    half = n_models // 2
    # The threshold is chosen on one half and judged on the other.
    candidates = np.quantile(np.concatenate([seen[:half], unseen[:half]]), np.linspace(0.02, 0.98, 97))
    gains = [(seen[:half] > t).mean() - math.exp(epsilon) * (unseen[:half] > t).mean() for t in candidates]
    at = candidates[int(np.argmax(gains))]
    hits, alarms = int((seen[half:] > at).sum()), int((unseen[half:] > at).sum())
    rest = n_models - half
    lowest = beta.ppf(1 - CONFIDENCE, hits, rest - hits + 1) if hits else 0.0
    highest = beta.ppf(CONFIDENCE, alarms + 1, rest - alarms)
    return float(lowest - math.exp(epsilon) * highest)


@pytest.mark.parametrize("case", CASES)
def test_no_guess_beats_the_profile_and_halved_noise_is_found_out(case: str) -> None:
    game = game_of(case)
    n_models = CASES[case][3] * (4 if LONG else 1)
    epsilon = 1.0
    claim = game.trainer.profile(game.plan).delta(epsilon)
    assert largest_delta(game, epsilon, n_models) <= claim
    assert largest_delta(game, epsilon, n_models, noise=0.5) > claim
