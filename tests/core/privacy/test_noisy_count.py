"""A number of rows told with noise: what it costs, and from where on a promise may rest on it."""

from __future__ import annotations

import numpy as np
import pytest

from dpcp_core.errors import InputError
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.noisy_count import distribution_given_count, noisy_count, smallest_trusted
from dpcp_core.privacy.quantile import quantile_distribution_from_counts

EPSILONS = (0.03, 0.1, 0.3, 1.0, 4.0)


def trusted_mean(true: int, least: int, epsilon: float) -> float:
    """Return ``E[X; X >= least]`` of the true number plus two-sided geometric noise."""
    reach = int(60 / epsilon) + 5
    steps = np.arange(-reach, reach + 1)
    q = np.exp(-epsilon)
    chances = (1 - q) / (1 + q) * q ** np.abs(steps)
    heard = true + steps
    return float((heard * chances)[heard >= least].sum())


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_from_the_smallest_trusted_number_on_the_noise_favours_nobody(epsilon: float) -> None:
    least = smallest_trusted(epsilon)
    for begin in (least, least + 1, 2 * least):
        assert all(trusted_mean(true, begin, epsilon) <= true + 1e-9 for true in range(1, 4 * least))


@pytest.mark.parametrize("epsilon", [0.03, 0.1, 0.3])
def test_one_number_earlier_would_be_too_early(epsilon: float) -> None:
    least = smallest_trusted(epsilon) - 1
    assert max(trusted_mean(true, least, epsilon) - true for true in range(1, least)) > 1e-4


def test_the_noise_is_two_sided_geometric() -> None:
    rng = np.random.default_rng(0)
    heard = np.array([noisy_count(100, 0.5, rng) for _ in range(20_000)]) - 100
    q = np.exp(-0.5)
    for step in (-3, -1, 0, 1, 3):
        expected = (1 - q) / (1 + q) * q ** abs(step)
        assert np.mean(heard == step) == pytest.approx(expected, abs=4 * np.sqrt(expected / 20_000))


def test_no_noise_without_privacy_and_a_number_below_0_is_possible() -> None:
    assert noisy_count(7, float("inf"), np.random.default_rng(0)) == 7
    assert min(noisy_count(0, 0.1, np.random.default_rng(seed)) for seed in range(20)) < 0


def test_a_count_below_0_is_refused() -> None:
    with pytest.raises(InputError, match="count is -1"):
        noisy_count(-1, 1.0, np.random.default_rng(0))


def test_too_few_rows_give_the_last_edge_and_a_sentence() -> None:
    grid = Grid.uniform(largest=1.0, bins=4)
    spread = distribution_given_count(
        np.array([9, 5, 1, 0]), smallest_trusted(0.1) - 2, grid, epsilon=5.0, miss_rate=0.4, count_epsilon=0.1
    )
    assert spread.probabilities.tolist() == [0, 0, 0, 1]
    assert spread.note == "About 30 rows are there, too few to tell a threshold from; bring more rows."


def test_enough_rows_give_the_certified_quantile_of_the_noisy_number() -> None:
    grid = Grid.uniform(largest=1.0, bins=4)
    above = np.array([300, 90, 20, 0])
    spread = distribution_given_count(above, 700, grid, epsilon=1.0, miss_rate=0.1, count_epsilon=0.1)
    plain = quantile_distribution_from_counts(above, None, 700, grid, epsilon=1.0, miss_rate=0.1)
    np.testing.assert_array_equal(spread.log_probabilities, plain.log_probabilities)
    assert spread.certified
