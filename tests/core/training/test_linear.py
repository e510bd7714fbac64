"""Least squares: its public defaults, what a person's choices change, and its line on the receipt."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core.privacy.allocation import allocate, allocate_nothing
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.training.linear import LeastSquares, PublicDefaults
from dpcp_core.training.protocol import TrainingChoices
from dpcp_core.training.registry import TRAINERS

RIDGE, OLS = LeastSquares("ridge", penalised=True), LeastSquares("ols", penalised=False)
NOTHING_SET = TrainingChoices()


@given(st.integers(10, 10**7), st.floats(1e-3, 20))
def test_steps_times_step_size_is_the_travel_that_the_rule_gives(n_rows: int, mu: float) -> None:
    plan = RIDGE.plan(n_rows, 9, mu, NOTHING_SET)
    assert plan.steps * plan.step_size == pytest.approx(max(2.0, min(1.6 * math.sqrt(n_rows), 0.3 * n_rows * mu)))
    assert plan.step_size <= 1.7


@given(st.integers(10, 10**7), st.floats(1e-3, 20))
def test_only_ridge_has_a_penalty_and_it_falls_with_travel(n_rows: int, mu: float) -> None:
    travel = PublicDefaults().travel(n_rows, mu)
    assert RIDGE.plan(n_rows, 9, mu, NOTHING_SET).penalty == pytest.approx(min(0.25 / travel, 0.05))
    assert OLS.plan(n_rows, 9, mu, NOTHING_SET).penalty == 0


@pytest.mark.parametrize("trainer", TRAINERS.values(), ids=list(TRAINERS))
def test_what_a_person_sets_wins_over_the_defaults(trainer: LeastSquares) -> None:
    plan = trainer.plan(4000, 9, 0.2, TrainingChoices(steps=7, step_size=0.3, max_grad_norm=2.0, penalty=0.01))
    assert (plan.steps, plan.step_size, plan.max_grad_norm, plan.penalty) == (7, 0.3, 2.0, 0.01)


def test_a_penalty_of_nothing_is_a_choice_too() -> None:
    assert RIDGE.plan(4000, 9, 0.2, TrainingChoices(penalty=0.0)).penalty == 0


def test_a_plan_without_privacy_adds_no_noise() -> None:
    assert RIDGE.plan(4000, 9, math.inf, NOTHING_SET).noise_multiplier == 0


def test_each_model_gets_noise_of_its_own() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(50, 3))
    x /= np.linalg.norm(x, axis=1)[:, None]
    plan = RIDGE.plan(50, 3, 1.0, NOTHING_SET)
    models = RIDGE.fit(x, rng.normal(size=50), plan, n_rows=50, n_models=4, rng=np.random.default_rng(1))
    assert models.weights.shape == (3, 4)
    assert len(np.unique(models.weights[0])) == 4


def test_the_receipt_states_the_cost_and_what_one_row_can_move() -> None:
    allocation = allocate(PrivacyBudget(1.0, 1e-5), 0.5, "basic")
    plan = RIDGE.plan(4000, 9, allocation.mu, TrainingChoices(max_grad_norm=0.6))
    entry = RIDGE.receipt_entry(plan, allocation, 4000)
    assert (entry.epsilon, entry.delta) == (allocation.epsilon_1, 1e-5)
    assert entry.reads == "features and target of 4,000 rows"
    assert str(entry.sensitivity).startswith("0.6 ")
    assert f"{plan.steps} steps" in entry.detail


def test_the_receipt_of_an_exact_fit_is_infinite() -> None:
    plan = RIDGE.plan(4000, 9, math.inf, NOTHING_SET)
    assert not RIDGE.receipt_entry(plan, allocate_nothing(), 4000).cost.is_finite
