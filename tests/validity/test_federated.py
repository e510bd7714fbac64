"""The quantile of several sites keeps both promises, also towards sites that pool what they know.

Privacy: the law of the summed noise is known, so neighbours are compared without drawing. Coverage: thresholds made
from drawn noise, on bags of scores of which any is equally likely to be the new one. A target that is bolder by what
it should have paid for the noise must be caught.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import nbinom

from dpcp_core.conformal.federated import federated_quantile
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.noise_shares import mean_highest_walk_of_shares, noise_share
from dpcp_core.privacy.randomness import simulation_generator
from tests.validity.bags import BOUND, LONG, shapes

pytestmark = pytest.mark.validity

EPSILONS = (0.2, 1.0, 3.0)


def law_of_shares(shares: int, trusted: int, epsilon: float) -> np.ndarray:
    """Return the probabilities of the sum of so many shares, in the order of its values, from the smallest up."""
    one_sided = nbinom(shares / trusted, -math.expm1(-epsilon)).pmf(np.arange(int(60 / epsilon) + 60))
    return np.convolve(one_sided, one_sided[::-1])


def cost(law: np.ndarray) -> float:
    """Return the largest log-ratio of the noisy counts of neighbours: the law against itself, moved by one."""
    middle = len(law) // 2
    near = slice(middle - 20, middle + 21)
    return float(np.abs(np.diff(np.log(law[near]))).max())


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("sites", [1, 3, 10])
def test_the_sum_of_all_shares_costs_epsilon(sites: int, epsilon: float) -> None:
    assert cost(law_of_shares(sites, sites, epsilon)) == pytest.approx(epsilon, rel=1e-6)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize(("secret", "trusted"), [(4, 4), (5, 4), (9, 4)])
def test_enough_secret_shares_cost_no_more_than_epsilon(secret: int, trusted: int, epsilon: float) -> None:
    assert cost(law_of_shares(secret, trusted, epsilon)) <= epsilon * (1 + 1e-6)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize(("secret", "trusted"), [(3, 4), (2, 4), (1, 4), (9, 10)])
def test_too_few_secret_shares_cost_more_but_no_more_than_is_said(secret: int, trusted: int, epsilon: float) -> None:
    spent = cost(law_of_shares(secret, trusted, epsilon))
    assert epsilon * 1.01 < spent <= epsilon + math.log(trusted / secret)


def miss_rate(bag: np.ndarray, grid: Grid, *, epsilon: float, rate: float, seed: int) -> float:
    """Return how often a score of the bag exceeds the threshold of the others at three sites."""
    rng, repetitions, missed = simulation_generator(seed), 4000 if LONG else 800, 0
    for _ in range(repetitions):
        new = rng.integers(len(bag))
        others = np.delete(bag, new)
        sites = [others[:20], others[20:90], others[90:]]
        drawn = federated_quantile(sites, grid, epsilon=epsilon, miss_rate=rate, rng=rng, trusted=2)
        missed += bool(bag[new] > drawn.threshold)
    return missed / repetitions


@pytest.mark.parametrize("name", ["uniform", "two atoms", "on few edges", "near the bound", "half normal"])
@pytest.mark.parametrize(("n", "bins", "epsilon", "rate"), [(250, 20, 1.0, 0.15), (120, 5, 1.0, 0.2)])
def test_a_new_score_is_missed_no_more_often_than_promised(
    name: str, n: int, bins: int, epsilon: float, rate: float
) -> None:
    grid = Grid.uniform(largest=BOUND, bins=bins)
    bag = shapes(n + 1, grid.edges, simulation_generator(n))[name]
    found = miss_rate(bag, grid, epsilon=epsilon, rate=rate, seed=n)
    assert found <= rate + 4 * math.sqrt(rate * (1 - rate) / (4000 if LONG else 800))


def worst_of_crowded_bags(target: float, rows: int, bins: int, epsilon: float) -> float:
    """Return the largest miss rate where some scores lie in the last bin and the others in the first.

    Then one of the others' edges is taken if the noise above it ever falls low enough.
    """
    rng = simulation_generator(7)
    noise = sum(noise_share(epsilon, 2, (40_000, bins - 1), rng) for _ in range(3))
    lowest = np.sort(np.cumsum(noise[:, ::-1], axis=1).min(axis=1))
    highs = np.arange(1, rows)
    too_low = np.searchsorted(lowest, target - (highs - 1), side="right") / len(lowest)
    return float((too_low * highs).max() / rows)


@pytest.mark.parametrize(("bins", "epsilon"), [(20, 0.5), (60, 1.0)])
def test_the_hardest_bags_are_covered_and_a_bolder_target_is_caught(bins: int, epsilon: float) -> None:
    rate, walk = 0.1, mean_highest_walk_of_shares(bins, epsilon, wholes=1.5)
    n = math.ceil((walk + 3) / rate)
    grid = Grid.uniform(largest=BOUND, bins=bins)
    sites = [np.zeros(n - 2), [0.1], [0.2]]
    drawn = federated_quantile(sites, grid, epsilon=epsilon, miss_rate=rate, rng=simulation_generator(0), trusted=2)
    assert 0 < drawn.target_count < 3
    assert worst_of_crowded_bags(drawn.target_count, n + 1, bins, epsilon) <= rate
    # The target without noise, and as much again.
    assert worst_of_crowded_bags(drawn.target_count + 2 * walk, n + 1, bins, epsilon) > 1.1 * rate
