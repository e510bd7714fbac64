"""Private descent: what one row can do to it, how much noise it gets, how far a coupled run strays."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcp_core.training.descent import DescentPlan, clipped_gradient_sum, coupling_radius, descend
from dpcp_core.training.linear import LeastSquares
from dpcp_core.training.protocol import TrainingChoices


def rows_of_norm_at_most_one(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    x = rng.normal(size=(n, d))
    return x / np.maximum(np.linalg.norm(x, axis=1), 1)[:, None]


@given(st.integers(0, 10_000), st.floats(0.01, 10))
@settings(max_examples=50, deadline=None)
def test_emptying_a_row_moves_the_gradient_sum_by_at_most_the_clip_norm(seed: int, clip: float) -> None:
    rng = np.random.default_rng(seed)
    x = rows_of_norm_at_most_one(rng, 20, 4)
    y = 10 * rng.normal(size=20)
    weights = 5 * rng.normal(size=(4, 3))
    included = np.ones((20, 3))
    whole = clipped_gradient_sum(x, y, weights, clip, included)
    included[7] = 0
    without = clipped_gradient_sum(x, y, weights, clip, included)
    assert np.linalg.norm(whole - without, axis=0).max() <= clip * (1 + 1e-9)


def test_without_a_clip_norm_the_sum_is_the_plain_gradient() -> None:
    rng = np.random.default_rng(0)
    x, y, w = rng.normal(size=(50, 3)), rng.normal(size=50), rng.normal(size=(3, 2))
    expected = x.T @ (x @ w - y[:, None])
    np.testing.assert_allclose(clipped_gradient_sum(x, y, w, math.inf), expected, rtol=1e-10)


def test_blocks_of_rows_give_the_sum_of_all_rows() -> None:
    rng = np.random.default_rng(0)
    x, y, w = rng.normal(size=(3000, 3)), rng.normal(size=3000), rng.normal(size=(3, 400))
    residuals = x @ w - y[:, None]
    factor = np.minimum(1, 0.7 / (np.abs(residuals) * np.linalg.norm(x, axis=1)[:, None]))
    np.testing.assert_allclose(clipped_gradient_sum(x, y, w, 0.7), x.T @ (factor * residuals), rtol=1e-9)


def test_a_zero_row_adds_nothing_and_breaks_nothing() -> None:
    x = np.zeros((1, 2))
    assert not clipped_gradient_sum(x, np.array([5.0]), np.ones((2, 1)), 1.0).any()


def test_noise_on_the_sum_has_the_standard_deviation_that_was_paid_for() -> None:
    x, y = np.zeros((10, 1)), np.zeros(10)
    plan = DescentPlan(steps=1, step_size=1.0, max_grad_norm=0.5, averaged_share=1.0)
    k = 40_000
    noisy = descend(x, y, plan, n_rows=10, noise_multipliers=np.full(k, 3.0), rng=np.random.default_rng(0))
    # One step of size 1 on the average of 10 rows: the weights are minus the noise over 10.
    assert noisy.std() * 10 == pytest.approx(3.0 * 0.5, rel=0.02)


def test_a_column_without_noise_stays_without_beside_noisy_ones() -> None:
    rng = np.random.default_rng(1)
    x, y = rows_of_norm_at_most_one(rng, 30, 3), rng.normal(size=30)
    plan = DescentPlan(20, 1.0, 1.0)
    both = descend(x, y, plan, n_rows=30, noise_multipliers=[0.0, 2.0], rng=np.random.default_rng(0))
    alone = descend(x, y, plan, n_rows=30, noise_multipliers=[0.0], rng=np.random.default_rng(5))
    np.testing.assert_allclose(both[:, 0], alone[:, 0])
    assert np.abs(both[:, 1] - alone[:, 0]).max() > 1e-3


def test_descent_without_noise_or_clipping_finds_least_squares() -> None:
    rng = np.random.default_rng(2)
    x, y = rows_of_norm_at_most_one(rng, 200, 3), rng.normal(size=200)
    plan = DescentPlan(4000, 1.5, math.inf)
    fitted = descend(x, y, plan, n_rows=200, noise_multipliers=[0.0], rng=rng)[:, 0]
    np.testing.assert_allclose(fitted, np.linalg.lstsq(x, y, rcond=None)[0], atol=1e-6)


@pytest.mark.parametrize("penalty", [0.0, 0.02, 0.2])
@pytest.mark.parametrize("noise", [0.0, 5.0])
@pytest.mark.parametrize("step_size", [0.5, 1.6])
def test_one_more_row_never_moves_the_weights_further_than_the_radius(
    penalty: float, noise: float, step_size: float
) -> None:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        n, d = 40, 6
        x = rows_of_norm_at_most_one(rng, n + 1, d)
        x[-1] /= np.linalg.norm(x[-1])
        y = rng.normal(size=n + 1)
        y[-1] = 1e3  # the worst row always pulls with the whole clip norm
        plan = DescentPlan(60, step_size, 0.7, penalty=penalty)
        assert distance_with_one_more_row(x, y, plan, noise) <= coupling_radius(plan, n) * (1 + 1e-9)


def distance_with_one_more_row(x: np.ndarray, y: np.ndarray, plan: DescentPlan, noise: float) -> float:
    n = len(x) - 1
    with_it, without = (
        descend(x[:m], y[:m], plan, n_rows=n, noise_multipliers=[noise], rng=np.random.default_rng(99))
        for m in (n + 1, n)
    )
    return float(np.linalg.norm(with_it - without))


@pytest.mark.parametrize("penalty", [0.0, 0.05])
def test_the_radius_is_reached_where_nothing_pulls_back(penalty: float) -> None:
    x, y = np.zeros((11, 2)), np.zeros(11)
    x[-1, 0], y[-1] = 1.0, 1e6
    plan = DescentPlan(50, 0.8, 0.7, penalty=penalty)
    assert distance_with_one_more_row(x, y, plan, 0.0) == pytest.approx(coupling_radius(plan, 10), rel=1e-9)


def test_a_step_too_long_to_be_non_expansive_has_no_radius() -> None:
    assert coupling_radius(DescentPlan(10, 2.1, 1.0), 100) is None
    assert coupling_radius(DescentPlan(10, 1.9, 1.0, penalty=0.2), 100) is None
    assert coupling_radius(DescentPlan(10, 1.0, math.inf), 100) is None


def test_a_penalty_bounds_the_radius_however_many_steps() -> None:
    plan = DescentPlan(100_000, 1.0, 0.8, penalty=0.05)
    radius = coupling_radius(plan, 1000)
    assert radius is not None
    assert radius <= 0.8 / (0.05 * 1000) * (1 + 1e-9)


@given(st.integers(10, 10**7), st.integers(1, 500), st.floats(0.001, 20))
@settings(deadline=None)
def test_default_plans_always_satisfy_the_coupling_condition(n_rows: int, d: int, mu: float) -> None:
    for trainer in (LeastSquares("ols", penalised=False), LeastSquares("ridge", penalised=True)):
        plan = trainer.plan(n_rows, d, mu, TrainingChoices())
        assert trainer.coupling_radius(plan, n_rows) is not None
        assert math.sqrt(plan.steps) / plan.noise_multiplier == pytest.approx(mu)


def test_an_exact_fit_is_least_squares_on_the_included_rows() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(60, 3)), rng.normal(size=60)
    included = np.ones((60, 2))
    included[40:, 1] = 0
    plan = DescentPlan(1, 1.0, 1.0)
    models = LeastSquares("ols", penalised=False).fit_exactly(x, y, plan, included)
    np.testing.assert_allclose(models.weights[:, 0], np.linalg.lstsq(x, y, rcond=None)[0], atol=1e-6)
    np.testing.assert_allclose(models.weights[:, 1], np.linalg.lstsq(x[:40], y[:40], rcond=None)[0], atol=1e-6)
