"""Least squares: its public defaults, what a person's choices change, and its words on the receipt."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import GaussianProfile, SubsampledGaussianProfile
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.descent_plan import DescentPlan
from dpcp_core.training.linear import LeastSquares, PublicDefaults
from dpcp_core.training.protocol import ProblemSize, TrainingChoices, require_task

RIDGE, OLS = LeastSquares("ridge", penalised=True), LeastSquares("ols", penalised=False)
BOTH = pytest.mark.parametrize("trainer", [OLS, RIDGE], ids=lambda trainer: trainer.name)
NOTHING_SET = TrainingChoices()
BUDGET = TrainingBudget(1.0, 1e-5)
NO_LIMIT = TrainingBudget(math.inf, 1e-5)
SIZE = ProblemSize(4000, 9)
ROWS, EPSILONS = st.integers(10, 10**7), st.floats(1e-3, 100)


def a_table(n: int, d: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, d))
    x /= np.linalg.norm(x, axis=1)[:, None]
    return x, x @ np.linspace(-1, 1, d) + 0.2 * rng.normal(size=n)


@given(ROWS, EPSILONS)
@settings(deadline=None)
def test_steps_times_step_size_is_the_travel_that_the_rule_gives(n_rows: int, epsilon: float) -> None:
    spending = TrainingBudget(epsilon, 1e-5)
    plan = RIDGE.plan(ProblemSize(n_rows, 9), spending, NOTHING_SET)
    travel = max(2.0, min(1.6 * math.sqrt(n_rows), 0.3 * n_rows * spending.mu))
    assert plan.steps * plan.step_size == pytest.approx(travel)
    assert plan.step_size <= 1.7


@given(ROWS, EPSILONS)
@settings(deadline=None)
def test_only_ridge_has_a_penalty_and_it_falls_with_travel(n_rows: int, epsilon: float) -> None:
    size, spending = ProblemSize(n_rows, 9), TrainingBudget(epsilon, 1e-5)
    travel = PublicDefaults().travel(n_rows, spending.mu)
    assert RIDGE.plan(size, spending, NOTHING_SET).penalty == pytest.approx(min(0.25 / travel, 0.05))
    assert OLS.plan(size, spending, NOTHING_SET).penalty == 0


@given(ROWS, EPSILONS)
@settings(deadline=None)
def test_default_plans_are_coupled_and_spend_the_budget(n_rows: int, epsilon: float) -> None:
    spending = TrainingBudget(epsilon, 1e-5)
    for trainer in (OLS, RIDGE):
        plan = trainer.plan(ProblemSize(n_rows, 9), spending, NOTHING_SET)
        profile = trainer.profile(plan)
        assert trainer.coupling_radius(plan) is not None
        assert isinstance(profile, GaussianProfile)
        assert profile.mu == pytest.approx(spending.mu)
        assert spending.admits(profile)


@BOTH
def test_what_a_person_sets_wins_over_the_defaults(trainer: LeastSquares) -> None:
    choices = TrainingChoices(
        steps=7,
        step_size=0.3,
        max_grad_norm=2.0,
        penalty=0.01,
        noise_multiplier=90.0,
        sampling_rate=0.5,
        warmup_share=0.2,
        decay="cosine",
    )
    assert trainer.plan(SIZE, BUDGET, choices) == DescentPlan(
        4000, 7, 0.3, 2.0, 90.0, 0.01, sampling_rate=0.5, warmup_share=0.2, decay="cosine"
    )


@BOTH
def test_batches_get_the_noise_and_the_profile_of_poisson_sampling(trainer: LeastSquares) -> None:
    plan = trainer.plan(SIZE, BUDGET, TrainingChoices(batch_size=200, epochs=5))
    profile = trainer.profile(plan)
    assert (plan.steps, plan.sampling_rate) == (100, 0.05)
    assert isinstance(profile, SubsampledGaussianProfile)
    assert profile.delta(1.0) == pytest.approx(1e-5, rel=0.05)
    assert BUDGET.admits(profile)
    assert trainer.coupling_radius(plan) is None


def test_a_penalty_of_nothing_is_a_choice_too() -> None:
    assert RIDGE.plan(SIZE, BUDGET, TrainingChoices(penalty=0.0)).penalty == 0


@pytest.mark.parametrize("name", ["steps", "step_size", "max_grad_norm"])
def test_a_choice_of_zero_is_refused_and_not_taken_for_the_default(name: str) -> None:
    with pytest.raises(InputError, match=name):
        RIDGE.plan(SIZE, BUDGET, TrainingChoices(**{name: 0}))


def test_a_plan_without_privacy_adds_no_noise_but_still_clips() -> None:
    plan = RIDGE.plan(SIZE, NO_LIMIT, NOTHING_SET)
    assert (plan.noise_multiplier, plan.max_grad_norm) == (0, 0.8)


@BOTH
def test_a_fit_clipped_without_noise_predicts_like_the_exact_one(trainer: LeastSquares) -> None:
    x, y = a_table(2000)
    plan = trainer.plan(ProblemSize(2000, 3), NO_LIMIT, NOTHING_SET)
    clipped = trainer.fit(x, y, plan, n_models=1, rng=np.random.default_rng(0)).predict(x)
    exact = trainer.fit_exactly(x, y, plan, np.ones((2000, 1))).predict(x)
    assert np.abs(clipped - exact).max() < 0.02


@BOTH
def test_batches_without_noise_come_close_to_the_exact_fit(trainer: LeastSquares) -> None:
    x, y = a_table(2000)
    plan = trainer.plan(ProblemSize(2000, 3), NO_LIMIT, TrainingChoices(batch_size=200))
    batches = trainer.fit(x, y, plan, n_models=20, rng=np.random.default_rng(0)).predict(x)
    exact = trainer.fit_exactly(x, y, plan, np.ones((2000, 1))).predict(x)
    assert np.abs(batches.mean(axis=1, keepdims=True) - exact).max() < 0.05
    assert np.abs(batches - exact).mean() < 0.05


def test_more_budget_fits_better() -> None:
    x, y = a_table(1000)
    plans = [RIDGE.plan(ProblemSize(1000, 3), TrainingBudget(e, 1e-5), NOTHING_SET) for e in (0.1, 0.5, 2.0, 16.0)]
    fits = [RIDGE.fit(x, y, plan, n_models=200, rng=np.random.default_rng(0)).predict(x) for plan in plans]
    errors = [float(np.mean((fit[:, :, 0] - y[:, None]) ** 2)) for fit in fits]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 1.05 * 0.2**2


def test_each_model_gets_noise_of_its_own() -> None:
    x, y = a_table(50)
    plan = RIDGE.plan(ProblemSize(50, 3), BUDGET, NOTHING_SET)
    models = RIDGE.fit(x, y, plan, n_models=4, rng=np.random.default_rng(1))
    predicted = models.predict(x)
    assert predicted.shape == (50, 4, 1)
    assert len(np.unique(predicted[0])) == 4
    assert models.trace is None


def test_the_weights_of_a_model_predict_and_start_the_next_fit() -> None:
    x, y = a_table(500)
    plan = RIDGE.plan(ProblemSize(500, 3), NO_LIMIT, NOTHING_SET)
    models = RIDGE.fit(x, y, plan, n_models=2, rng=np.random.default_rng(1), included=np.eye(2)[np.arange(500) % 2])
    (weights,) = models.weights(1)
    np.testing.assert_allclose(x @ weights, models.predict(x)[:, 1, 0])
    short = RIDGE.plan(ProblemSize(500, 3), NO_LIMIT, TrainingChoices(steps=1, step_size=1e-9))
    warm = RIDGE.fit(x, y, short, n_models=1, rng=np.random.default_rng(1), start=models.weights(1))
    np.testing.assert_allclose(warm.weights()[0], weights, atol=1e-6)


def test_a_warm_start_needs_fewer_steps_under_the_same_noise() -> None:
    x, y = a_table(500)
    choices = TrainingChoices(steps=5, step_size=0.3)
    plan = OLS.plan(ProblemSize(500, 3), TrainingBudget(4.0, 1e-5), choices)
    good = OLS.fit_exactly(x[:100], y[:100], plan, np.ones((100, 1))).weights()
    warm, cold = (
        OLS.fit(x[100:], y[100:], plan, n_models=50, rng=np.random.default_rng(1), start=start).predict(x[100:])
        for start in (good, None)
    )
    errors = [np.mean((fit[:, :, 0] - y[100:, None]) ** 2) for fit in (warm, cold)]
    assert errors[0] < 0.5 * errors[1]


def test_a_trace_is_kept_on_request() -> None:
    x, y = a_table(500)
    plan = RIDGE.plan(ProblemSize(500, 3), BUDGET, NOTHING_SET)
    trace = RIDGE.fit(x, y, plan, n_models=2, rng=np.random.default_rng(1), record=True).trace
    assert trace is not None
    assert trace.step.tolist() == list(range(1, plan.steps + 1))
    assert trace.loss[-1] < trace.loss[0]


def test_an_exact_fit_is_least_squares_on_the_included_rows() -> None:
    x, y = a_table(60)
    included = np.ones((60, 2))
    included[40:, 1] = 0
    models = OLS.fit_exactly(x, y, DescentPlan(60, 1, 1.0, 1.0), included)
    np.testing.assert_allclose(models.weights(0)[0], np.linalg.lstsq(x, y, rcond=None)[0], atol=1e-6)
    np.testing.assert_allclose(models.weights(1)[0], np.linalg.lstsq(x[:40], y[:40], rcond=None)[0], atol=1e-6)


def test_classes_are_refused_with_a_sentence() -> None:
    with pytest.raises(InputError, match="'ridge' predicts numbers"):
        require_task(RIDGE, ProblemSize(100, 3, n_classes=2))


def test_the_receipt_states_the_noise_and_what_one_row_can_move() -> None:
    plan = RIDGE.plan(SIZE, BUDGET, TrainingChoices(max_grad_norm=0.6))
    note = RIDGE.describe(plan)
    assert note.mechanism == "Private gradient descent on least squares"
    assert note.sensitivity.startswith("0.6 ")
    assert note.detail.startswith(f"{plan.steps} steps; noise of {plan.noise_multiplier:.4g} times")
    assert f"mu = {BUDGET.mu:.4g}" in note.detail


def test_the_receipt_of_batches_names_the_sampling_rate_and_the_schedule() -> None:
    choices = TrainingChoices(sampling_rate=0.05, warmup_share=0.1, decay="cosine")
    detail = RIDGE.describe(RIDGE.plan(SIZE, BUDGET, choices)).detail
    assert "chance 0.05" in detail
    assert "mu =" not in detail


def test_the_receipt_of_a_fit_without_noise_says_so() -> None:
    note = RIDGE.describe(RIDGE.plan(SIZE, NO_LIMIT, NOTHING_SET))
    assert "no noise" in note.detail
    assert "private" not in note.mechanism.lower()
