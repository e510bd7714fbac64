"""The experiment with smooth sensitivity: its noise is large enough, exactly, and not larger than it has to be."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dpcp_core.errors import InputError
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.privacy.smooth_quantile import (
    noisy_edge_log_probabilities,
    order_statistic,
    smooth_quantile_distribution,
    smooth_sensitivity,
)

GRID = Grid.uniform(largest=1.0, bins=40)
tables = arrays.arrays(np.float64, st.integers(1, 25), elements=st.floats(0, 1.2).map(lambda x: round(x, 2)))
targets = st.floats(0, 30)


def by_definition(scores: np.ndarray, target: float, bound: float, smoothing: float) -> float:
    n, rank = len(scores), math.floor(target) + 1
    ordered = [bound] * 200 + sorted(np.minimum(scores, bound), reverse=True) + [0.0] * 200
    place = 199 + rank
    assert n + rank < 150
    return max(
        math.exp(-smoothing * k) * (ordered[place - t] - ordered[place - t + k + 1])
        for k in range(150)
        for t in range(k + 2)
    )


@settings(max_examples=60)
@given(tables, targets, st.floats(0.05, 5))
def test_smooth_sensitivity_is_its_definition(scores: np.ndarray, target: float, smoothing: float) -> None:
    expected = by_definition(scores, target, 1.0, smoothing)
    assert smooth_sensitivity(scores, target, 1.0, smoothing) == pytest.approx(max(expected, 1e-12), rel=1e-9)


@given(tables, targets, st.floats(0.05, 5))
def test_one_row_moves_the_order_statistic_by_no_more(scores: np.ndarray, target: float, smoothing: float) -> None:
    here, centre = smooth_sensitivity(scores, target, 1.0, smoothing), order_statistic(scores, target, 1.0)
    for row in range(len(scores)):
        without = np.delete(scores, row)
        there = smooth_sensitivity(without, target, 1.0, smoothing)
        assert abs(centre - order_statistic(without, target, 1.0)) <= min(here, there) + 1e-12
        assert abs(math.log(here / there)) <= smoothing * (1 + 1e-9)


@given(tables, targets, st.floats(0.01, 20))
def test_an_emptied_row_moves_no_log_probability_by_more_than_epsilon(
    scores: np.ndarray, target: float, epsilon: float
) -> None:
    here = smooth_quantile_distribution(scores, GRID, epsilon=epsilon, target=target)
    assert np.exp(here).sum() == pytest.approx(1)
    for row in range(len(scores)):
        there = smooth_quantile_distribution(np.delete(scores, row), GRID, epsilon=epsilon, target=target)
        assert np.abs(here - there).max() <= epsilon * (1 + 1e-6)


def straining_tables() -> list[np.ndarray]:
    """Return tables of heaps around the order statistic of rank 300, with gaps that one row can open or close."""
    shapes = itertools.product((0.002, 0.01, 0.03), (0, 1, 4), (1, 2), (0, 1))
    return [
        np.repeat([0.4 + gap + up * gap, 0.4 + gap, 0.4, 0.4 - down * gap], [299, 1, few, 300])
        for gap, down, few, up in shapes
    ]


def worst_ratio(epsilon: float, noise: float, smoothing: float) -> float:
    """Return the largest log-ratio, over epsilon, of the mechanism with this share of its noise."""
    grid = Grid.uniform(largest=1.0, bins=400)

    def logs(scores: np.ndarray) -> np.ndarray:
        spread = smooth_sensitivity(scores, 299.0, 1.0, smoothing)
        scale = noise * 4 / math.sqrt(3) / epsilon * spread
        return noisy_edge_log_probabilities(order_statistic(scores, 299.0, 1.0), scale, grid.edges)

    worst = 0.0
    for scores in straining_tables():
        here = logs(scores)
        worst = max(worst, *(float(np.abs(here - logs(np.delete(scores, row))).max()) for row in (0, 299, 300)))
    return worst / epsilon


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_most_of_epsilon_is_used_and_less_noise_or_smoothness_is_caught(epsilon: float) -> None:
    """The proof adds two worst cases that do not meet in one table, so that half the noise would just pass."""
    assert 0.55 < worst_ratio(epsilon, noise=1.0, smoothing=epsilon / 6) <= 1
    assert worst_ratio(epsilon, noise=1 / 3, smoothing=epsilon / 6) > 1.2
    assert worst_ratio(epsilon, noise=1.0, smoothing=3 * epsilon) > 1.2


def test_the_ratios_are_those_of_the_public_function() -> None:
    scores, grid = straining_tables()[0], Grid.uniform(largest=1.0, bins=400)
    logs = smooth_quantile_distribution(scores, grid, epsilon=2.0, target=299.0)
    spread = smooth_sensitivity(scores, 299.0, 1.0, 1 / 3)
    by_hand = noisy_edge_log_probabilities(order_statistic(scores, 299.0, 1.0), 2 / math.sqrt(3) * spread, grid.edges)
    np.testing.assert_allclose(logs, by_hand, rtol=1e-12)


def test_among_many_close_scores_the_noise_is_small() -> None:
    scores = simulation_generator(1).random(5000)
    crowded = smooth_sensitivity(scores, 500.0, 1.0, 0.1)
    assert crowded < 0.01
    assert smooth_sensitivity(scores[:50], 5.0, 1.0, 0.1) > 10 * crowded
    logs = smooth_quantile_distribution(scores, GRID, epsilon=1.0, target=500.0)
    assert float(np.exp(logs) @ GRID.edges) == pytest.approx(0.912, abs=0.02)


def test_too_few_rows_or_no_row_at_all_give_noise_around_nought() -> None:
    assert order_statistic([], 3.0, 1.0) == 0
    assert smooth_sensitivity([], 0.0, 1.0, 0.5) == 1
    assert smooth_sensitivity([0.5], 1e9, 1.0, 0.5) == pytest.approx(1e-12)
    logs = smooth_quantile_distribution([], GRID, epsilon=1.0, target=10.0)
    assert np.exp(logs).sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("epsilon", {"epsilon": 0}),
        ("epsilon", {"epsilon": math.inf}),
        ("target", {"target": -1}),
        ("scores", {"scores": [0.1, math.nan]}),
        ("scores", {"scores": [[0.1]]}),
        ("scores", {"scores": ["a"]}),
    ],
)
def test_what_is_wrong_is_named(name: str, change: dict[str, object]) -> None:
    values: dict[str, object] = {"scores": [0.1, 0.2], "epsilon": 1.0, "target": 1.0, **change}
    with pytest.raises(InputError, match=name):
        smooth_quantile_distribution(values.pop("scores"), GRID, **values)  # type: ignore[arg-type]
