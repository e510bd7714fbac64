"""Private descent: what one row can do to it, how much noise it gets, how far a coupled run strays."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcp_core.errors import InputError
from dpcp_core.training._trace import TraceRecorder
from dpcp_core.training.clipping import Batches
from dpcp_core.training.descent import clipped_gradient_sum, descend, soft_threshold
from dpcp_core.training.descent_plan import DescentPlan


def fitted(x: np.ndarray, y: np.ndarray, plan: DescentPlan, seed: int = 0, **options: Any) -> np.ndarray:
    options.setdefault("n_models", 1)
    return descend(x, y, plan, rng=np.random.default_rng(seed), **options)


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


@pytest.mark.parametrize("rate", [1.0, 0.2])
def test_noise_on_the_sum_has_the_standard_deviation_that_was_paid_for(rate: float) -> None:
    x, y = np.zeros((10, 1)), np.zeros(10)
    plan = DescentPlan(10, 1, 1.0, 0.5, noise_multiplier=3.0, sampling_rate=rate, averaged_share=1.0)
    noisy = fitted(x, y, plan, n_models=40_000)
    # One step of size 1 on the average of 10 * rate rows: the weights are minus the noise over that.
    assert noisy.std() * 10 * rate == pytest.approx(3.0 * 0.5, rel=0.02)


def test_a_column_without_noise_stays_without_beside_noisy_ones() -> None:
    rng = np.random.default_rng(1)
    x, y = rows_of_norm_at_most_one(rng, 30, 3), rng.normal(size=30)
    plan = DescentPlan(30, 20, 1.0, 1.0)
    both = fitted(x, y, plan, n_models=2, noise_multipliers=[0.0, 2.0])
    alone = fitted(x, y, plan, seed=5)
    np.testing.assert_allclose(both[:, 0], alone[:, 0])
    assert np.abs(both[:, 1] - alone[:, 0]).max() > 1e-3


@pytest.mark.parametrize(("warmup_share", "decay"), [(0.0, "constant"), (0.1, "constant"), (0.0, "cosine")])
def test_descent_without_noise_or_clipping_finds_least_squares(warmup_share: float, decay: Any) -> None:
    rng = np.random.default_rng(2)
    x, y = rows_of_norm_at_most_one(rng, 200, 3), rng.normal(size=200)
    plan = DescentPlan(200, 4000, 1.5, math.inf, warmup_share=warmup_share, decay=decay)
    np.testing.assert_allclose(fitted(x, y, plan)[:, 0], np.linalg.lstsq(x, y, rcond=None)[0], atol=1e-6)


def test_noise_without_a_clip_norm_is_refused() -> None:
    plan = DescentPlan(10, 5, 1.0, math.inf, noise_multiplier=1.0)
    with pytest.raises(InputError, match="max_grad_norm is infinite"):
        fitted(np.ones((10, 1)), np.ones(10), plan)


def test_steps_that_grow_without_end_are_refused() -> None:
    x = np.ones((10, 1))
    with pytest.raises(InputError, match="diverged"):
        fitted(x, np.ones(10), DescentPlan(10, 3000, 3.0, math.inf))


def test_steps_start_from_public_weights() -> None:
    rng = np.random.default_rng(3)
    x, y, start = rows_of_norm_at_most_one(rng, 50, 3), rng.normal(size=50), np.array([3.0, -1.0, 2.0])
    plan = DescentPlan(50, 1, 0.5, 0.7)
    expected = start - 0.5 / 50 * clipped_gradient_sum(x, y, start[:, None], 0.7)[:, 0]
    np.testing.assert_allclose(fitted(x, y, plan, n_models=2, start=start), np.stack([expected] * 2, axis=1))


@pytest.mark.parametrize("start", [np.zeros(4), np.zeros((3, 1)), np.array([0.0, np.nan, 0.0])], ids=str)
def test_a_start_that_does_not_fit_the_table_is_refused(start: np.ndarray) -> None:
    with pytest.raises(InputError, match="start holds weights"):
        fitted(np.zeros((10, 3)), np.zeros(10), DescentPlan(10, 1, 1.0, 1.0), start=start)


def test_every_step_has_the_length_of_the_schedule() -> None:
    # A row whose gradient is always 1 in size: the last weight is the sum of the steps.
    x, y = np.ones((1, 1)), np.array([1e6])
    plan = DescentPlan(1, 8, 0.5, 1.0, warmup_share=0.5, decay="cosine", averaged_share=0.0)
    lengths = 0.5 * np.array([0.25, 0.5, 0.75, 1, 1, *((1 + np.cos(np.pi * np.array([1, 2, 3]) / 4)) / 2)])
    assert fitted(x, y, plan)[0, 0] == pytest.approx(lengths.sum())


def test_the_average_of_the_last_iterates_is_returned() -> None:
    x, y = np.ones((1, 1)), np.array([1e6])
    plan = DescentPlan(1, 4, 1.0, 1.0)
    assert fitted(x, y, plan)[0, 0] == pytest.approx((3 + 4) / 2)


def test_each_row_of_each_model_is_drawn_by_itself_with_the_sampling_rate() -> None:
    drawn = Batches(0.3, np.random.default_rng(0)).draw((400, 500))
    assert drawn.mean() == pytest.approx(0.3, abs=0.005)
    assert np.abs(np.corrcoef(drawn[:20]) - np.eye(20)).max() < 0.25
    assert np.abs(np.corrcoef(drawn.T[:20]) - np.eye(20)).max() < 0.25
    # A batch of a fixed size would have no spread here.
    assert drawn.sum(axis=0).std() == pytest.approx(math.sqrt(400 * 0.3 * 0.7), rel=0.15)


def test_batches_are_drawn_afresh_and_average_to_the_full_batch() -> None:
    rng = np.random.default_rng(4)
    x, y = rows_of_norm_at_most_one(rng, 60, 3), rng.normal(size=60)
    whole = DescentPlan(60, 1, 1.0, 0.4)
    batches = fitted(x, y, dataclasses.replace(whole, sampling_rate=0.25), n_models=40_000)
    np.testing.assert_allclose(batches.mean(axis=1), fitted(x, y, whole)[:, 0], atol=0.002)
    twice = fitted(x, y, dataclasses.replace(whole, steps=2, sampling_rate=0.25, averaged_share=0.0), n_models=2)
    assert np.abs(twice[:, 0] - twice[:, 1]).max() > 1e-3


@pytest.mark.parametrize("rate", [1.0, 0.5])
def test_a_row_that_is_left_out_changes_nothing_whatever_it_holds(rate: float) -> None:
    rng = np.random.default_rng(5)
    x, y = rows_of_norm_at_most_one(rng, 30, 3), rng.normal(size=30)
    included = np.ones((30, 2))
    included[9] = 0
    plan = DescentPlan(30, 15, 1.0, 0.5, noise_multiplier=1.0, sampling_rate=rate)
    before = fitted(x, y, plan, n_models=2, included=included)
    x[9], y[9] = 0.5, 1e4
    np.testing.assert_array_equal(fitted(x, y, plan, n_models=2, included=included), before)


@given(st.floats(0.0, 3.0), st.integers(0, 1000))
@settings(deadline=None)
def test_soft_thresholding_minimises_its_penalty_plus_half_the_squared_move(threshold: float, seed: int) -> None:
    given_weights = np.random.default_rng(seed).normal(size=4)
    weights = given_weights.copy()
    soft_threshold(weights, threshold)
    grid = np.linspace(-5, 5, 2001)
    for before, after in zip(given_weights, weights, strict=True):
        best = (threshold * np.abs(grid) + (grid - before) ** 2 / 2).min()
        assert threshold * abs(after) + (after - before) ** 2 / 2 <= best + 1e-12


def test_a_trace_tells_how_the_first_model_trains() -> None:
    rng = np.random.default_rng(6)
    x = rows_of_norm_at_most_one(rng, 100, 3)
    y = x @ np.ones(3) + 0.1 * rng.normal(size=100)
    included = np.ones((100, 2))
    included[50:, 0] = 0
    recorder = TraceRecorder(200)
    plan = DescentPlan(100, 200, 1.0, 0.3)
    silent = fitted(x, y, plan, n_models=2, included=included)
    watched = fitted(x, y, plan, n_models=2, included=included, recorder=recorder)
    np.testing.assert_array_equal(watched, silent)
    trace = recorder.trace()
    norms = np.abs(y[:50]) * np.linalg.norm(x[:50], axis=1)
    assert (len(trace.step), trace.step[0], trace.step[-1]) == (50, 1, 200)
    assert trace.loss[0] == pytest.approx(np.mean(y[:50] ** 2) / 2)
    assert trace.clipped_share[0] == pytest.approx(np.mean(norms > 0.3))
    assert trace.gradient_norm[0] == pytest.approx(np.median(norms))
    assert trace.loss[-1] < 0.1 * trace.loss[0]
