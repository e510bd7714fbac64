"""Weights for another population: what the two steps cost is exact, what they promise is exact given who was kept.

Coverage: for rows that were kept, of which any is equally likely to be the new one, the miss rate is a sum over the
law of the noisy number and the law of the threshold. A plain simulation of a shift stands beside it.
"""

from __future__ import annotations

import numpy as np
import pytest

from dpcp_core.conformal.shift import COUNT_SHARE, private_quantile_under_shift
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.noisy_count import distribution_given_count
from dpcp_core.privacy.quantile import private_quantile
from dpcp_core.privacy.randomness import simulation_generator
from tests.validity.bags import BOUND, LONG, Case, exact_miss_rate, shapes, staircases

pytestmark = pytest.mark.validity


def noise_law(epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of two-sided geometric noise and their probabilities, to within one in a million."""
    reach = int(14 / epsilon) + 2
    steps, q = np.arange(-reach, reach + 1), np.exp(-epsilon)
    return steps, (1 - q) / (1 + q) * q ** np.abs(steps)


def logs_given(above: np.ndarray, heard: int, case: Case, count_epsilon: float) -> np.ndarray:
    return distribution_given_count(
        above, heard, case.grid, epsilon=case.epsilon, miss_rate=case.miss_rate, count_epsilon=count_epsilon
    ).log_probabilities


def averaged_miss_rate(bag: np.ndarray, case: Case, *, too_many: float = 0.0) -> float:
    """Return the miss rate, averaged over the noisy number; ``too_many`` (in noise scales) are added to break it."""
    count_epsilon = case.epsilon * COUNT_SHARE / (1 - COUNT_SHARE)
    steps, chances = noise_law(count_epsilon)
    bias = round(too_many / count_epsilon)

    def mechanism(above: np.ndarray, _: np.ndarray, m: int, case: Case) -> np.ndarray:
        total = sum(
            chance * np.exp(logs_given(above, m + int(step) + bias, case, count_epsilon))
            for step, chance in zip(steps, chances, strict=True)
        )
        with np.errstate(divide="ignore"):
            return np.log(total)

    return exact_miss_rate(bag, case, mechanism)


SETTINGS = [
    Case(Grid.uniform(largest=BOUND, bins=bins), epsilon, rate, "bracket")
    for bins, epsilon, rate in ((2, 1.0, 0.3), (5, 3.0, 0.1), (30, 2.0, 0.1), (30, 8.0, 0.02))
]
by_setting = pytest.mark.parametrize("case", SETTINGS, ids=lambda case: f"{case.grid.bins}-{case.epsilon}")


def sizes(case: Case) -> list[int]:
    """Return numbers of kept rows from one to many more than are needed."""
    least = (1 + 2 / case.epsilon * np.log(case.grid.bins)) / case.miss_rate
    return [int(max(1, share * least)) for share in (0.02, 0.3, 0.8, 1.0, 1.2, 3.0)]


@by_setting
def test_kept_rows_are_missed_no_more_often_than_promised(case: Case) -> None:
    rng = simulation_generator(1)
    for m in sizes(case):
        bags = staircases(m + 1, case)
        if LONG:
            bags |= shapes(m + 1, case.grid.edges, rng)
        for name, bag in bags.items():
            assert averaged_miss_rate(bag, case) <= case.miss_rate + 1e-6, (m, name)


def test_the_check_catches_a_number_that_is_too_large_on_average() -> None:
    case = Case(Grid.uniform(largest=BOUND, bins=30), 2.0, 0.1, "bracket")
    bags = staircases(61, case).values()
    assert max(averaged_miss_rate(bag, case, too_many=12.0) for bag in bags) > 0.11


@by_setting
def test_number_and_threshold_together_cost_epsilon(case: Case) -> None:
    count_epsilon = case.epsilon * COUNT_SHARE / (1 - COUNT_SHARE)
    allowed = case.epsilon + count_epsilon
    assert allowed == pytest.approx(case.epsilon / (1 - COUNT_SHARE))
    found = largest_log_ratio(case, count_epsilon, count_epsilon)
    assert 0.5 * allowed < found <= allowed * (1 + 1e-9)


def test_the_check_catches_a_number_with_half_of_its_noise() -> None:
    case = Case(Grid.uniform(largest=BOUND, bins=2), 1.0, 0.3, "bracket")
    count_epsilon = 2.0
    assert largest_log_ratio(case, count_epsilon, 2 * count_epsilon) > case.epsilon + count_epsilon + 0.1


def largest_log_ratio(case: Case, claimed: float, noise: float) -> float:
    """Return the largest change of a log-probability of (number, threshold) when one kept row is emptied."""
    rng, worst = simulation_generator(2), 0.0
    # For two-sided geometric noise the number's own log-probability changes by its epsilon, up or down.
    for m in sizes(case):
        for _ in range(20):
            places = rng.choice(rng.integers(0, case.grid.bins, 3), m)
            above = np.array([(places > edge).sum() for edge in range(case.grid.bins)])
            gone = np.array([(places[1:] > edge).sum() for edge in range(case.grid.bins)])
            for heard in (m - 20, m - 1, m, m + 20):
                one, other = (logs_given(counts, heard, case, claimed) for counts in (above, gone))
                possible = np.isfinite(one)
                change = noise * (abs(heard - m + 1) - abs(heard - m)) + (one[possible] - other[possible])
                worst = max(worst, float(np.abs(change).max()))
    return worst


def drawn_miss_rates(*, weighted: bool, n: int = 1500, epsilon: float = 1.0) -> np.ndarray:
    """Return miss rates among the old of thresholds made from people of all ages."""
    rng, grid = simulation_generator(5), Grid.geometric(smallest=0.1, largest=12.0, bins=60)
    rates = []
    for _ in range(2000 if LONG else 400):
        age, new = rng.random(n), np.sqrt(rng.random(1000))
        scores, others = (np.minimum(np.abs(rng.normal(size=len(a))) * (0.3 + 2 * a), 12.0) for a in (age, new))
        if weighted:
            drawn = private_quantile_under_shift(
                scores, 2 * age, grid, epsilon=epsilon, miss_rate=0.1, largest_weight=2.0, rng=rng
            ).threshold
        else:
            drawn = private_quantile(scores, grid, epsilon=epsilon, miss_rate=0.1, rng=rng)
        rates.append(np.mean(others > drawn))
    return np.array(rates)


def test_another_population_is_covered_with_its_weights_and_not_without() -> None:
    weighted, plain = drawn_miss_rates(weighted=True), drawn_miss_rates(weighted=False)
    assert weighted.mean() <= 0.1 + 4 * weighted.std() / np.sqrt(len(weighted))
    assert plain.mean() > 0.12
