from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from dpcp_core.errors import InputError
from dpcp_core.privacy.binary_search import (
    BinarySearchQuantile,
    certified_search_target,
    mean_excess,
    noisy_search,
    search_log_probabilities,
    search_noise,
    search_steps,
)
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.profile import GaussianProfile
from dpcp_core.privacy.quantile_task import QuantileTask
from dpcp_core.privacy.randomness import simulation_generator

SEARCH = BinarySearchQuantile()


def task(n: int = 1000, bins: int = 50, epsilon: float = 1.0, guarantee: str = "certified") -> QuantileTask:
    return QuantileTask(
        Grid.uniform(largest=1.0, bins=bins), n, epsilon, miss_rate=0.1, guarantee=guarantee, delta=1e-5
    )


@given(st.lists(st.integers(0, 30), min_size=1, max_size=40), st.floats(0, 30))
def test_without_noise_it_finds_the_first_edge_with_few_enough_scores_above(falls: list[int], target: float) -> None:
    counts = np.append(np.sort(falls)[::-1], 0)[None]
    (found,) = noisy_search(counts, target, 0.0, simulation_generator(0))
    assert found == np.flatnonzero(counts[0] <= target)[0]
    assert search_log_probabilities(counts, target, 0.0)[0, found] == 0


@settings(max_examples=60)
@given(st.integers(1, 70), st.floats(0, 40), st.floats(0.01, 30), st.integers(0, 1000))
def test_its_probabilities_are_one_in_total(bins: int, target: float, noise: float, seed: int) -> None:
    counts = np.sort(simulation_generator(seed).integers(0, 50, (3, bins)), axis=1)[:, ::-1]
    total = np.exp(search_log_probabilities(counts, target, noise)).sum(axis=1)
    assert total == pytest.approx(np.ones(3), rel=1e-12)


def test_the_probability_of_an_edge_is_the_product_along_its_path() -> None:
    counts, target, noise = np.array([9, 5, 2, 0]), 4.0, 3.0
    # The second edge is counted first, then the first or the third.
    enough = norm.cdf((target - counts) / noise)
    expected = [enough[1] * enough[0], enough[1] * (1 - enough[0]), (1 - enough[1]) * enough[2]]
    expected.append((1 - enough[1]) * (1 - enough[2]))
    assert np.exp(search_log_probabilities(counts, target, noise)) == pytest.approx(np.array(expected))


@given(st.integers(1, 5000), st.floats(0.01, 20))
def test_its_counts_together_are_as_concentrated_as_the_exponential_mechanism(bins: int, epsilon: float) -> None:
    steps, noise = search_steps(bins), search_noise(epsilon, bins)
    assert 2**steps >= bins > 2 ** (steps - 1) * (bins > 1)
    if steps:
        assert steps / (2 * noise**2) == pytest.approx(epsilon**2 / 8)


def test_the_receipt_states_the_cost_at_the_tasks_delta() -> None:
    note = SEARCH.describe(task(epsilon=1.0))
    assert note.mu == 0.5
    assert note.epsilon == GaussianProfile(0.5).epsilon(1e-5)
    assert 1.9 < note.epsilon < 2.1
    assert math.isinf(note.bounded_range)
    assert "6 counts with Gaussian noise of 4.899 rows" in note.detail
    pure = QuantileTask(Grid.uniform(largest=1.0, bins=4), 100, 1.0, 0.1)
    assert math.isinf(SEARCH.describe(pure).epsilon)


@pytest.mark.parametrize(("target", "noise", "steps"), [(0.0, 2.0, 1), (3.0, 2.0, 5), (40.0, 2.0, 10), (1.0, 30.0, 3)])
def test_the_mean_of_the_largest_noise_is_what_draws_say(target: float, noise: float, steps: int) -> None:
    drawn = np.maximum(target + noise * simulation_generator(0).standard_normal((200_000, steps)).max(axis=1), 0)
    assert mean_excess(target, noise, steps) == pytest.approx(drawn.mean(), abs=5 * drawn.std() / math.sqrt(200_000))


@given(st.integers(1, 10**7), st.floats(0.001, 0.6), st.floats(0.01, 50), st.integers(1, 3) | st.integers(1, 5000))
@settings(max_examples=200)
def test_the_certified_target_leaves_room_for_the_largest_noise(n: int, rate: float, epsilon: float, m: int) -> None:
    target = certified_search_target(n, rate, epsilon, m)
    room = (n + 1) * rate - 1
    noise, steps = search_noise(epsilon, m), search_steps(m)
    if target > 0:
        assert room - 1e-5 <= mean_excess(target, noise, steps) <= room
    else:
        assert mean_excess(0.0, noise, steps) >= room - 1e-5


def test_as_published_it_misses_more_often_than_certified() -> None:
    scores = simulation_generator(1).random((1000, 400))
    missed = {}
    for guarantee in SEARCH.guarantees:
        spread = SEARCH.draw(scores, task(bins=400, guarantee=guarantee), simulation_generator(2)).distribution
        assert spread is not None
        missed[guarantee] = float((1 - spread.edges) @ spread.probabilities.mean(axis=0))
    assert missed["certified"] < 0.096 < missed["paper"] < 0.1


def test_too_few_rows_get_the_whole_range_and_the_number_that_would_do() -> None:
    drawn = SEARCH.draw(np.full((20, 3), 0.1), task(n=20), simulation_generator(0))
    assert drawn.thresholds.tolist() == [1.0] * 3
    assert drawn.note.startswith(
        "With n = 20, epsilon = 1 and 50 bins nothing narrower can be certified; it needs n >= "
    )
    needed = int(drawn.note.split(">= ")[1].rstrip("."))
    assert certified_search_target(needed, 0.1, 1.0, 50) > 0 >= certified_search_target(needed - 1, 0.1, 1.0, 50)
    assert "nothing" in SEARCH.describe(task(n=20)).sensitivity
    assert "it needs n >= 9" in SEARCH.draw([0.1], task(n=5, guarantee="paper"), simulation_generator(0)).note


def test_it_refuses_a_guarantee_that_it_has_not() -> None:
    with pytest.raises(InputError, match='guarantee is "prediction_sets" but the noisy binary search has only "paper"'):
        SEARCH.describe(task(guarantee="prediction_sets"))


def test_a_target_far_below_the_noise_is_exceeded_by_nothing() -> None:
    assert mean_excess(-1e6, 1.0, 20) == 0
