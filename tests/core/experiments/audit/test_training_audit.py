"""Audits of trainers: shipped ones keep to their claims, and broken ones are found out."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from dpcp_core.evaluation.audit.canaries import CanaryGame
from dpcp_core.evaluation.audit.distinguishing import epsilon_from_scores
from dpcp_core.experiments.audit.training import CASES, TRAINING, TRAINING_FAULTS
from dpcp_core.privacy.profile import GaussianProfile
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.registry import TRAINERS

DELTA = 1e-5
LONG = os.environ.get("DPCP_VALIDITY") == "long"
SEEDS = 20 if LONG else 4
AUDITS = {audited.name: audited for audited in TRAINING}
NETWORKS = ("mlp", "ft_transformer", "cnn")
LINEAR = [name for name in CASES if name not in NETWORKS]
# Of what is claimed, an audit of so many models proves at least this share; the first four have Gaussian noise, and of
# the others a part of the budget goes where an onlooker does not see it.
PROVED = {"ols": 0.75, "ridge": 0.75, "logistic": 0.75, "output_perturbation": 0.75, "adassp": 0.5, "softmax": 0.7}


def test_every_trainer_is_audited_under_its_own_name() -> None:
    assert set(CASES) == set(TRAINERS)
    assert {audited.name for audited in TRAINING if audited.name in TRAINERS} == set(TRAINERS)
    assert all(audited.kind == "training" for audited in (*TRAINING, *TRAINING_FAULTS))


@pytest.mark.parametrize("epsilon", [0.5, 4.0])
@pytest.mark.parametrize("name", [*LINEAR, "ridge_one_run"])
def test_a_shipped_trainer_keeps_to_its_claim_and_the_audit_comes_near_it(name: str, epsilon: float) -> None:
    finding = AUDITS[name].run(epsilon, DELTA, np.random.default_rng(0), "quick")
    assert not finding.is_broken
    assert finding.bound >= PROVED.get(name, 0.0) * epsilon
    assert (finding.claim, finding.epsilon, finding.delta, finding.fault) == (name, epsilon, DELTA, "")


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 4.0])
@pytest.mark.parametrize("fault", TRAINING_FAULTS, ids=lambda fault: fault.name)
def test_each_planted_fault_is_caught_at_each_epsilon(fault: object, epsilon: float) -> None:
    finding = fault.run(epsilon, DELTA, np.random.default_rng(1), "quick")
    assert finding.is_broken
    assert finding.bound > 1.5 * epsilon
    assert (finding.claim, finding.fault) == ("ridge", fault.name)


def quieter(game: CanaryGame, factor: float) -> CanaryGame:
    """Return the game with the noise times a factor."""
    plan = game.plan
    if hasattr(plan, "descent"):
        noise = factor * plan.descent.noise_multiplier
        return replace(game, plan=replace(plan, descent=replace(plan.descent, noise_multiplier=noise)))
    return replace(game, plan=replace(plan, noise_multiplier=factor * plan.noise_multiplier))


@pytest.mark.parametrize("name", [name for name in LINEAR if name != "posterior_sample"])
def test_half_the_noise_is_found_out_in_every_linear_trainer(name: str) -> None:
    case = CASES[name][-1]
    game = case.game(TrainingBudget(4.0, DELTA))
    is_gaussian = isinstance(game.trainer.profile(game.plan), GaussianProfile)
    seen, unseen = quieter(game, 0.5).scores(case.n_models["quick"], np.random.default_rng(2))
    assert epsilon_from_scores(seen, unseen, delta=DELTA, confidence=0.99, is_gaussian=is_gaussian).value > 4.0


def found_in_network(name: str, factor: float, n_models: int) -> float:
    game = quieter(CASES[name][0].game(TrainingBudget(4.0, DELTA)), factor)
    seen, unseen = game.scores(n_models, np.random.default_rng(3))
    return epsilon_from_scores(seen, unseen, delta=DELTA, confidence=0.99, is_gaussian=True).value


def test_a_small_network_without_most_of_its_noise_is_found_out() -> None:
    assert found_in_network("mlp", 0.2, 200) > 4.0
    assert found_in_network("mlp", 1.0, 200) <= 4.0


@pytest.mark.slow
@pytest.mark.validity
@pytest.mark.skipif(not LONG, reason="many networks, left to the long checks")
def test_a_network_through_opacus_without_its_noise_is_found_out() -> None:
    # The sign of what is left decides everything.
    assert found_in_network("cnn", 1e-3, CASES["cnn"][0].n_models["quick"]) > 4.0


@pytest.mark.slow
@pytest.mark.validity
@pytest.mark.parametrize("name", ["ridge", "logistic", "output_perturbation", "objective_perturbation", "adassp"])
def test_claims_that_hold_are_hardly_ever_said_to_be_broken(name: str) -> None:
    run = partial(AUDITS[name].run, 1.0, DELTA)
    broken = sum(run(np.random.default_rng(seed), "quick").is_broken for seed in range(SEEDS))
    assert broken <= 1
