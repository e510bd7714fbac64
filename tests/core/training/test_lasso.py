"""Lasso: it is the lasso of scikit-learn where nothing is clipped or noised, and its penalty is public."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Lasso as ExactLasso

from dpcp_core.privacy.profile import GaussianProfile
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.lasso import Lasso, SparsityDefaults
from dpcp_core.training.protocol import ProblemSize, TrainingChoices

LASSO = Lasso()
BUDGET, NO_LIMIT = TrainingBudget(1.0, 1e-5), TrainingBudget(math.inf, 1e-5)
PENALTY = 0.01


def a_table(n: int = 400, d: int = 8) -> tuple[np.ndarray, np.ndarray]:
    """A constant, and d columns of which two tell something; rows of norm at most 1."""
    rng = np.random.default_rng(0)
    x = np.column_stack([np.full(n, 0.4), rng.uniform(-0.9, 0.9, size=(n, d)) / math.sqrt(d)])
    return x, 0.7 + 3 * x[:, 1] - 2 * x[:, 2] + 0.2 * rng.normal(size=n)


def objective(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> float:
    return float(np.mean((x @ weights - y) ** 2) / 2 + PENALTY * np.abs(weights[1:]).sum())


def scikit_learns(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """With an intercept, which is the constant column's weight up to that column's size."""
    model = ExactLasso(alpha=PENALTY, tol=1e-10, max_iter=100_000).fit(x[:, 1:], y)
    return np.array([model.intercept_ / 0.4, *model.coef_])


@pytest.mark.parametrize(("warmup_share", "decay"), [(0.0, "constant"), (0.2, "cosine")])
def test_without_noise_and_clipping_it_is_the_lasso_of_scikit_learn(warmup_share: float, decay: Any) -> None:
    x, y = a_table()
    choices = TrainingChoices(
        steps=6000, step_size=1.5, max_grad_norm=math.inf, penalty=PENALTY, warmup_share=warmup_share, decay=decay
    )
    plan = LASSO.plan(ProblemSize(400, 9), NO_LIMIT, choices)
    (weights,) = LASSO.fit(x, y, plan, n_models=1, rng=np.random.default_rng(0)).weights()
    expected = scikit_learns(x, y)
    assert 0 < (expected == 0).sum() < 8
    np.testing.assert_allclose(weights, expected, atol=1e-5)


def test_the_exact_fit_is_the_lasso_of_scikit_learn_on_the_included_rows() -> None:
    x, y = a_table()
    included = np.ones((400, 2))
    included[300:, 1] = 0
    plan = LASSO.plan(ProblemSize(400, 9), NO_LIMIT, TrainingChoices(penalty=PENALTY))
    models = LASSO.fit_exactly(x, y, plan, included)
    np.testing.assert_allclose(models.weights(0)[0], scikit_learns(x, y), atol=1e-5)
    np.testing.assert_allclose(models.weights(1)[0], scikit_learns(x[:300], y[:300]), atol=1e-5)


def test_the_exact_fit_minimises_its_objective_where_the_constant_varies_from_row_to_row() -> None:
    x, y = a_table()
    x *= np.random.default_rng(1).uniform(0.5, 1, size=(400, 1))
    plan = LASSO.plan(ProblemSize(400, 9), NO_LIMIT, TrainingChoices(penalty=PENALTY))
    (weights,) = LASSO.fit_exactly(x, y, plan, np.ones((400, 1))).weights()
    best = objective(x, y, weights)
    for seed in range(200):
        move = np.random.default_rng(seed).normal(size=9) * 10.0 ** -(1 + seed % 5)
        assert objective(x, y, weights + move) >= best


def test_the_exact_fit_takes_any_penalty_and_any_number_of_columns() -> None:
    x, y = a_table()
    plans = {p: LASSO.plan(ProblemSize(400, 9), NO_LIMIT, TrainingChoices(penalty=p)) for p in (0.0, 1e3)}
    everything, nothing = (LASSO.fit_exactly(x, y, plan, np.ones((400, 1))).weights()[0] for plan in plans.values())
    np.testing.assert_allclose(everything, np.linalg.lstsq(x, y, rcond=None)[0], atol=1e-8)
    np.testing.assert_allclose(nothing, [y.mean() / 0.4, *np.zeros(8)], atol=1e-8)
    alone = LASSO.fit_exactly(x[:, :1], y, plans[0.0], np.ones((400, 1))).weights()[0]
    assert alone == pytest.approx([y.mean() / 0.4])


def test_a_large_penalty_leaves_only_the_constant_in_private_fits_too() -> None:
    x, y = a_table()
    plan = LASSO.plan(ProblemSize(400, 9), TrainingBudget(8.0, 1e-5), TrainingChoices(penalty=5.0))
    predicted = LASSO.fit(x, y, plan, n_models=3, rng=np.random.default_rng(0)).predict(x)[:, :, 0]
    assert np.ptp(predicted, axis=0).max() < 1e-9
    np.testing.assert_allclose(predicted[0], np.clip(y, 0.7 - 2, 0.7 + 2).mean(), atol=0.15)


@given(st.integers(10, 10**7), st.integers(1, 1000), st.floats(1e-3, 100))
@settings(deadline=None)
def test_default_plans_are_coupled_and_spend_the_budget(n_rows: int, n_features: int, epsilon: float) -> None:
    spending = TrainingBudget(epsilon, 1e-5)
    plan = LASSO.plan(ProblemSize(n_rows, n_features), spending, TrainingChoices())
    profile = LASSO.profile(plan)
    assert plan.absolute_penalty > 0
    assert LASSO.coupling_radius(plan) is not None
    assert isinstance(profile, GaussianProfile)
    assert profile.mu == pytest.approx(spending.mu)


def test_the_default_penalty_falls_with_rows_and_budget_and_stays_where_privacy_is_off() -> None:
    penalty = SparsityDefaults().penalty
    size = ProblemSize(4000, 9)
    assert penalty(size, 0.2, 0.8) > penalty(ProblemSize(8000, 9), 0.2, 0.8) > 0
    assert penalty(size, 0.2, 0.8) > penalty(size, 2.0, 0.8) > penalty(size, math.inf, 0.8) > 0


def test_a_penalty_that_a_person_sets_wins() -> None:
    plan = LASSO.plan(ProblemSize(4000, 9), BUDGET, TrainingChoices(penalty=0.0))
    assert (plan.absolute_penalty, plan.penalty) == (0.0, 0.0)


def test_more_budget_fits_better() -> None:
    x, y = a_table(1000)
    plans = [
        LASSO.plan(ProblemSize(1000, 9), TrainingBudget(e, 1e-5), TrainingChoices()) for e in (0.1, 0.5, 2.0, 16.0)
    ]
    fits = [LASSO.fit(x, y, plan, n_models=200, rng=np.random.default_rng(0)).predict(x) for plan in plans]
    errors = [float(np.mean((fit[:, :, 0] - y[:, None]) ** 2)) for fit in fits]
    assert errors == sorted(errors, reverse=True)


def test_a_penalty_beats_none_under_noise_where_few_columns_tell_something() -> None:
    x, y = a_table(1000, 60)
    y = y + 5 * x[:, 3]
    truth = 0.7 + x[:, 1:4] @ [3, -2, 5]
    plans = [
        LASSO.plan(ProblemSize(1000, 61), BUDGET, TrainingChoices(steps=300, step_size=1.0, penalty=penalty))
        for penalty in (0.003, 0.0)
    ]
    fits = [LASSO.fit(x, y, plan, n_models=50, rng=np.random.default_rng(0)).predict(x)[:, :, 0] for plan in plans]
    errors = [float(np.mean((fit.T - truth) ** 2)) for fit in fits]
    assert errors[0] < 0.9 * errors[1]


def test_the_receipt_names_the_penalty() -> None:
    plan = LASSO.plan(ProblemSize(4000, 9), BUDGET, TrainingChoices())
    assert LASSO.describe(plan).mechanism == "Private gradient descent on least squares with a lasso penalty"
