"""Gradients summed from the rows near the clip alone: the same sums, from far fewer rows."""

from __future__ import annotations

import math
from unittest.mock import patch

import numpy as np
import pytest

from dpcp_core.training import near_rows
from dpcp_core.training.clipping import ScaledRows
from dpcp_core.training.descent import descend
from dpcp_core.training.descent_plan import DescentPlan
from dpcp_core.training.near_rows import NearSums

N = 6000


def scaled_rows(dtype: type = np.float64, max_grad_norm: float = 0.8) -> ScaledRows:
    rng = np.random.default_rng(0)
    x = np.column_stack([np.ones(N), rng.normal(size=(N, 4))]) / 2.5
    x /= np.maximum(1, np.linalg.norm(x, axis=1))[:, None]
    x[7] = 0
    y = 2 * x[:, 1] - x[:, 2] + 0.5 * rng.standard_t(3, size=N)
    return ScaledRows.of(x.astype(dtype), y.astype(dtype), max_grad_norm)


def walk(n_models: int, jumps: bool = False) -> list[np.ndarray]:
    """Weights that settle down, as in descent; with jumps, they leave every neighbourhood now and then."""
    rng = np.random.default_rng(1)
    weights, path = np.zeros((5, n_models)), []
    for step in range(120):
        weights = weights + (0.3 * 0.9**step + 1e-3) * rng.normal(size=weights.shape)
        if jumps and step % 40 == 39:
            weights = weights + 2
        path.append(weights)
    return path


@pytest.mark.parametrize("jumps", [False, True])
@pytest.mark.parametrize("some", [False, True])
def test_the_sums_are_those_over_all_rows(jumps: bool, some: bool) -> None:
    rows = scaled_rows()
    included = (np.random.default_rng(2).random((N, 3)) < 0.7).astype(float) if some else None
    near = NearSums(rows, 3, included)
    for weights in walk(3, jumps):
        np.testing.assert_allclose(near.clipped_sum(weights), rows.clipped_sum(weights, included), atol=1e-9)


def test_rows_in_single_precision_lose_no_more_than_that() -> None:
    rows, exact = scaled_rows(np.float32), scaled_rows()
    near = NearSums(rows, 2)
    for weights in walk(2):
        found = near.clipped_sum(weights.astype(np.float32))
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, exact.clipped_sum(weights), atol=2e-6 * N)


def test_most_steps_read_few_rows() -> None:
    rows, read = scaled_rows(), []
    near = NearSums(rows, 1)
    for weights in walk(1):
        near.clipped_sum(weights)
        here = near._near[0]._here
        read.append(N if here is None else len(here.rows.left))
    assert np.mean(read[60:]) < N / 10
    assert read[0] == N


def test_weights_that_are_no_numbers_are_looked_at_with_all_rows() -> None:
    rows = scaled_rows()
    near = NearSums(rows, 1)
    for weights in walk(1):
        near.clipped_sum(weights)
    assert np.isnan(near.clipped_sum(np.full((5, 1), math.nan))).all()


@pytest.mark.parametrize(("n", "n_models", "rate", "clip"), [(N, 1, 1, 0.8), (60_000, 20, 1, 0.8)])
def test_small_tables_and_many_models_are_summed_over_all_rows(n: int, n_models: int, rate: float, clip: float) -> None:
    rows = ScaledRows.of(np.zeros((n, 1)), np.zeros(n), clip)
    assert not NearSums.are_worth_it(rows, n_models, rate)


@pytest.mark.parametrize(("rate", "clip"), [(0.5, 0.8), (1, math.inf)])
def test_batches_and_gradients_that_are_not_clipped_are_not_for_it(rate: float, clip: float) -> None:
    rows = ScaledRows.of(np.zeros((60_000, 1)), np.zeros(60_000), clip)
    assert not NearSums.are_worth_it(rows, 1, rate)


def test_a_large_fit_is_the_same_as_with_all_rows_in_every_step() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(50_000, 3)) / 2.5
    x /= np.maximum(1, np.linalg.norm(x, axis=1))[:, None]
    y = x[:, 0] + rng.normal(size=50_000)
    plan = DescentPlan(50_000, 80, 1.5, 0.8, noise_multiplier=50.0)

    def fitted() -> np.ndarray:
        return descend(x, y, plan, n_models=1, rng=np.random.default_rng(3))

    near = fitted()
    with patch.object(near_rows, "_FEWEST_ROWS", 10**9):
        np.testing.assert_allclose(near, fitted(), rtol=1e-10)


@pytest.mark.parametrize(("clip", "size"), [(1e-4, 1.0), (1e-5, 1.0), (1e-6, 1.0), (1e-6, 100.0)])
def test_rounding_lets_no_row_add_more_than_the_clip_norm(clip: float, size: float) -> None:
    # Residuals near the clip are small differences of large numbers here, which single precision gets wrong.
    rng = np.random.default_rng(0)
    x = rng.normal(size=(N, 4)) / 2.5
    x /= np.maximum(1, np.linalg.norm(x, axis=1))[:, None]
    best = size * rng.normal(size=4)
    y = x @ best + 10 * clip * rng.normal(size=N)
    rows = ScaledRows.of(x.astype(np.float32), y.astype(np.float32), clip)
    near = NearSums(rows, 1)
    for _ in range(20):
        weights = (best + 0.1 * clip * rng.normal(size=4)).astype(np.float32)[:, None]
        found = near.clipped_sum(weights).astype(np.float64)
        residuals = rows.left.astype(np.float64) @ np.append(weights, -1.0)
        exact = rows.right.astype(np.float64) @ np.clip(residuals, -1, 1)
        if near._near[0]._here is not None:
            assert np.linalg.norm(found[:, 0] - exact) < 1e-2 * clip
        else:
            np.testing.assert_array_equal(found, rows.clipped_sum(weights))
