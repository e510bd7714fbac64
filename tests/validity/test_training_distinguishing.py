"""Whoever sees a trained model cannot tell whether a row was there better than its profile allows, at any point of it.

The games are those of ``dpcp audit``: a row that pulls as hard as a row can, in a table of nothing else or against a
crowd, read off in the very direction in which it pulls. The bounds must stay below the profile's own epsilons, and
exceed one where the noise is halved on purpose. Perturbed minimisers are looked at in other directions, too, in
``test_erm_distinguishing.py``.
"""

from __future__ import annotations

import dataclasses
import os

import numpy as np
import pytest

from dpcp_core.evaluation.audit.canaries import CanaryGame, alone
from dpcp_core.evaluation.audit.distinguishing import epsilon_from_scores
from dpcp_core.experiments.audit.training import CASES
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.problem import TrainingChoices
from dpcp_core.training.registry import TRAINERS

pytestmark = [pytest.mark.validity, pytest.mark.slow]

LONG = os.environ.get("DPCP_VALIDITY") == "long"
CONFIDENCE = 0.9999
BUDGET = TrainingBudget(4.0, 1e-3)
DELTAS = (1e-4, 1e-3, 0.01, 0.05, 0.2)
NETWORKS = ("mlp", "ft_transformer", "cnn")
# Batches of classifiers are drawn model by model, which takes its time.
DRAWN = "softmax, drawn batches"
GAMES = {f"{name}, {case.words}": case.game for name, cases in CASES.items() if name not in NETWORKS for case in cases}
GAMES[DRAWN] = lambda budget: alone(
    TRAINERS["softmax"], budget, TrainingChoices(steps=1, sampling_rate=0.5), n_classes=3
)


def bounds(game: CanaryGame, n_models: int, seed: int) -> list[float]:
    """Return a lower bound of epsilon at each delta, valid for any mechanism."""
    seen, unseen = game.scores(n_models, np.random.default_rng(seed))
    return [epsilon_from_scores(seen, unseen, delta=delta, confidence=CONFIDENCE).value for delta in DELTAS]


@pytest.mark.parametrize("name", GAMES)
def test_no_guess_beats_the_profile_and_halved_noise_is_found_out(name: str) -> None:
    game = GAMES[name](BUDGET)
    n_models = (6_000 if name == DRAWN else 100_000) * (4 if LONG else 1)
    profile = game.trainer.profile(game.plan)
    claims = [profile.epsilon(delta) for delta in DELTAS]
    assert all(found <= claim for found, claim in zip(bounds(game, n_models, 1), claims, strict=True))
    too_little = dataclasses.replace(game.plan, noise_multiplier=game.plan.noise_multiplier / 2)
    halved = bounds(dataclasses.replace(game, plan=too_little), n_models, 2)
    assert any(found > claim for found, claim in zip(halved, claims, strict=True))
