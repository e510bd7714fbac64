from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import binom

from dpcp_core.errors import InputError
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.noisy_histogram import (
    HistogramQuantile,
    certified_histogram_target,
    mean_highest_walk,
    noisy_crossing,
)
from dpcp_core.privacy.quantile_task import QuantileTask
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.privacy.targets import certified_target
from dpcp_core.privacy.whole_noise import whole_laplace

HISTOGRAM = HistogramQuantile()


def task(n: int = 1000, bins: int = 50, epsilon: float = 1.0, guarantee: str = "certified") -> QuantileTask:
    return QuantileTask(Grid.uniform(largest=1.0, bins=bins), n, epsilon, miss_rate=0.1, guarantee=guarantee)


@given(st.lists(st.integers(0, 30), min_size=1, max_size=40), st.floats(0, 30))
def test_without_noise_it_finds_the_first_edge_with_few_enough_scores_above(falls: list[int], target: float) -> None:
    counts = np.append(np.sort(falls)[::-1], 0)[None]
    (found,) = noisy_crossing(counts, target, math.inf, simulation_generator(0))
    assert found == np.flatnonzero(counts[0] <= target)[0]


def test_its_noise_is_two_sided_geometric() -> None:
    drawn = whole_laplace(0.8, (200_000,), simulation_generator(0))
    assert (drawn == np.round(drawn)).all()
    ratio = math.exp(-0.8)
    for value in range(-4, 5):
        chance = (1 - ratio) / (1 + ratio) * ratio ** abs(value)
        assert (drawn == value).mean() == pytest.approx(chance, abs=5 * math.sqrt(chance / 200_000))


def test_noise_adds_up_over_the_bins_above() -> None:
    """Far below the top the noisy count has the variance of all bins above it."""
    counts = np.full((40_000, 41), 100)
    first_edges = noisy_crossing(counts, 100.0, 1.0, simulation_generator(1))
    assert (first_edges == 0).mean() == pytest.approx(0.5 + 0.5 * at_zero(40, 1.0), abs=0.01)


def at_zero(steps: int, epsilon: float) -> float:
    """Return the chance that a sum of two-sided geometric noises is 0."""
    reach = np.arange(-400, 401)
    ratio = math.exp(-epsilon)
    angle = np.linspace(0, 2 * np.pi, 4001)[:-1]
    one = ((1 - ratio) / (1 + ratio) * ratio ** np.abs(reach)) @ np.cos(np.outer(reach, angle))
    return float((one**steps).mean())


@pytest.mark.parametrize("bins", [1, 2, 3, 20, 150])
def test_the_mean_height_of_a_walk_is_what_draws_say(bins: int) -> None:
    steps = simulation_generator(2).laplace(scale=0.5, size=(40_000, bins - 1))
    highest = np.maximum(np.cumsum(steps, axis=1), 0).max(axis=1, initial=0)
    assert mean_highest_walk(bins, 2.0) == pytest.approx(highest.mean(), abs=5 * highest.std() / 200 + 1e-12)


@given(st.integers(2, 400))
def test_the_mean_height_is_the_sum_of_spitzers_identity(bins: int) -> None:
    terms = [binom(2 * k, k) / 4.0**k for k in range(1, bins)]
    assert mean_highest_walk(bins, 1.0) == pytest.approx(sum(terms), rel=1e-9)


@pytest.mark.parametrize(("bins", "epsilon"), [(2, 0.1), (30, 0.5), (30, 3.0)])
def test_whole_numbers_climb_no_higher(bins: int, epsilon: float) -> None:
    steps = whole_laplace(epsilon, (40_000, bins - 1), simulation_generator(3))
    highest = np.maximum(np.cumsum(steps, axis=1), 0).max(axis=1)
    assert highest.mean() <= mean_highest_walk(bins, epsilon) + 4 * highest.std() / 200
    assert highest.mean() > 0.3 * mean_highest_walk(bins, epsilon)


def test_it_costs_fewer_rows_than_the_exponential_mechanism_for_few_bins_only() -> None:
    assert certified_histogram_target(1000, 0.1, 1.0, 20) > certified_target(1000, 0.1, 1.0, 20)
    assert certified_histogram_target(1000, 0.1, 1.0, 200) < certified_target(1000, 0.1, 1.0, 200)


def test_as_published_it_misses_more_often_than_certified() -> None:
    scores = simulation_generator(1).random((1000, 500))
    tasks = {name: task(bins=400, epsilon=0.3, guarantee=name) for name in HISTOGRAM.guarantees}
    drawn = {name: HISTOGRAM.draw(scores, tasks[name], simulation_generator(2)).thresholds for name in tasks}
    assert 1 - drawn["certified"].mean() < 0.08
    assert 1 - drawn["paper"].mean() > 0.105


def test_the_receipt_warns_of_twice_the_range() -> None:
    note = HISTOGRAM.describe(task())
    assert (note.epsilon, note.delta, note.mu, note.bounded_range) == (1.0, 0.0, None, 2.0)
    assert "on each of 50 bins of a public uniform grid" in note.detail


def test_too_few_rows_get_the_whole_range_and_the_number_that_would_do() -> None:
    drawn = HISTOGRAM.draw(np.full((20, 3), 0.1), task(n=20), simulation_generator(0))
    assert drawn.thresholds.tolist() == [1.0] * 3
    needed = int(drawn.note.split(">= ")[1].rstrip("."))
    assert certified_histogram_target(needed, 0.1, 1.0, 50) > 0 >= certified_histogram_target(needed - 1, 0.1, 1.0, 50)
    assert "it needs n >= 9" in HISTOGRAM.draw([0.1], task(n=5, guarantee="paper"), simulation_generator(0)).note


def test_it_refuses_a_guarantee_that_it_has_not() -> None:
    with pytest.raises(InputError, match="noisy histogram has only"):
        HISTOGRAM.draw([0.1], task(guarantee="prediction_sets"), simulation_generator(0))
