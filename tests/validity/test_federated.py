"""The quantile of several sites keeps both promises, also towards sites that pool what they know.

Privacy: the law of the summed noise is known, so neighbours are compared without drawing. Coverage: thresholds made
from drawn noise, on bags of scores of which any is equally likely to be the new one.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import nbinom

from dpcp_core.conformal.federated import federated_quantile
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.randomness import simulation_generator
from tests.validity.bags import BOUND, LONG, shapes

pytestmark = pytest.mark.validity

EPSILONS = (0.2, 1.0, 3.0)


def law_of_shares(shares: int, trusted: int, epsilon: float) -> np.ndarray:
    """Return the probabilities of the sum of so many shares, in the order of its values, from the smallest up."""
    one_sided = nbinom(shares / trusted, -math.expm1(-epsilon)).pmf(np.arange(int(30 / epsilon) + 30))
    return np.convolve(one_sided, one_sided[::-1])


def cost(law: np.ndarray) -> float:
    """Return the largest log-ratio of the noisy counts of neighbours: the law against itself, moved by one."""
    middle = len(law) // 2
    near = slice(middle - 40, middle + 41)
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


def miss_rate(bag: np.ndarray, grid: Grid, *, epsilon: float, rate: float, spare: float, seed: int) -> float:
    """Return how often a score of the bag exceeds the threshold of the others; ``spare`` rows more are allowed."""
    rng, repetitions, missed = simulation_generator(seed), 4000 if LONG else 1200, 0
    for _ in range(repetitions):
        new = rng.integers(len(bag))
        others = np.delete(bag, new)
        sites = [others[:20], others[20:90], others[90:]]
        bolder = min(rate + spare / len(bag), 0.99)
        drawn = federated_quantile(sites, grid, epsilon=epsilon, miss_rate=bolder, rng=rng, trusted=2)
        missed += bool(bag[new] > drawn.threshold)
    return missed / repetitions


@pytest.mark.parametrize("name", ["uniform", "two atoms", "on few edges", "near the bound", "half normal"])
@pytest.mark.parametrize(("n", "bins", "epsilon", "rate"), [(250, 20, 1.0, 0.15), (120, 5, 1.0, 0.2)])
def test_a_new_score_is_missed_no_more_often_than_promised(
    name: str, n: int, bins: int, epsilon: float, rate: float
) -> None:
    grid = Grid.uniform(largest=BOUND, bins=bins)
    bag = shapes(n + 1, grid.edges, simulation_generator(n))[name]
    found = miss_rate(bag, grid, epsilon=epsilon, rate=rate, spare=0.0, seed=n)
    assert found <= rate + 4 * math.sqrt(rate * (1 - rate) / (4000 if LONG else 1200))


def test_the_check_catches_a_target_that_forgets_the_noise() -> None:
    """Noise of which only the lucky side is heard: everything lies above one edge or in its bin."""
    grid = Grid.uniform(largest=BOUND, bins=20)
    bag = np.concatenate([np.full(60, 0.96), np.full(191, 0.01)])
    honest = miss_rate(bag, grid, epsilon=0.5, rate=0.2, spare=0.0, seed=0)
    broken = miss_rate(bag, grid, epsilon=0.5, rate=0.2, spare=22.0, seed=0)
    allowed = 0.2 + 4 * math.sqrt(0.16 / 1200)
    assert honest <= allowed < broken
