"""Noisy binary search and noisy histogram: what they reveal and what they promise, exactly.

Both have a distribution that can be worked out without drawing. Privacy of the search: no neighbour is told apart
better than by a Gaussian of its mu, at any epsilon. Privacy of the histogram: no probability changes by more than
epsilon. Promise: the exact miss rate over bags of scores. Each check must fail for half of the noise or of the
correction.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import chisquare

from dpcp_core.evaluation.audit.lattice import crossing_probabilities
from dpcp_core.privacy.binary_search import (
    certified_search_target,
    mean_excess,
    noisy_search,
    search_log_probabilities,
    search_noise,
    search_steps,
)
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.noisy_histogram import certified_histogram_target, mean_highest_walk, noisy_crossing
from dpcp_core.privacy.profile import GaussianProfile
from dpcp_core.privacy.quantile import all_on_last
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.privacy.targets import published_target
from tests.validity.bags import BOUND, LONG, Case, exact_miss_rate, shapes, suite

pytestmark = pytest.mark.validity


def hockey_stick(one: np.ndarray, other: np.ndarray, epsilon: float) -> float:
    """Return the smallest delta at this epsilon, from log-probabilities."""
    return float(np.maximum(np.exp(one) - np.exp(epsilon + other), 0).sum())


def largest_delta(counts: np.ndarray, target: float, epsilon: float, noise: float) -> float:
    """Return the largest share by which an emptied row's delta exceeds that of the search's Gaussian."""
    whole = search_log_probabilities(counts, target, noise)
    worst = -1.0
    for edge in range(len(counts)):
        # A row between this edge and the one before is emptied, if there is one.
        if edge and counts[edge - 1] == counts[edge]:
            continue
        without = search_log_probabilities(counts - (np.arange(len(counts)) < edge), target, noise)
        for level, (one, two) in itertools.product((0.0, 0.3, 1.0, 2.0), ((whole, without), (without, whole))):
            allowed = GaussianProfile(epsilon / 2).delta(level * epsilon)
            worst = max(worst, hockey_stick(one, two, level * epsilon) / allowed - 1)
    return worst


def random_counts(rng: np.random.Generator, n: int, bins: int) -> np.ndarray:
    """Return counts above each edge of scores that lie anywhere or in heaps."""
    places = rng.integers(0, bins, n) if rng.random() < 0.5 else rng.choice(rng.integers(0, bins, 3), n)
    return (places[:, None] > np.arange(bins)).sum(axis=0)


def test_no_search_tells_neighbours_apart_better_than_its_gaussian() -> None:
    rng = simulation_generator(0)
    for bins, epsilon in itertools.product((2, 3, 8, 33), (0.5, 2.0, 6.0)):
        for _ in range(100 if LONG else 15):
            counts = random_counts(rng, 40, bins)
            assert largest_delta(counts, rng.uniform(0, 20), epsilon, search_noise(epsilon, bins)) <= 1e-9


def test_the_search_uses_what_it_is_given() -> None:
    """One count of two edges is a Gaussian test: where the target cuts best, all of delta is spent."""
    epsilon = 2.0
    counts, noise = np.array([10, 0]), search_noise(epsilon, 2)
    ratios = [largest_delta(counts, 10 + shift, epsilon, noise) for shift in np.linspace(-3, 3, 61)]
    assert -0.01 < max(ratios) <= 1e-9


def test_the_check_of_the_search_catches_half_of_its_noise() -> None:
    for bins, epsilon in itertools.product((2, 8), (0.5, 2.0)):
        counts = np.where(np.arange(bins) < bins - 1, 10, 0)
        noise = search_noise(epsilon, bins) / 2
        assert max(largest_delta(counts, target, epsilon, noise) for target in np.arange(6.0, 15.0)) > 0.2


def test_the_search_draws_what_its_distribution_says() -> None:
    counts = random_counts(simulation_generator(1), 60, 11)
    noise, times = search_noise(1.0, 11), 40_000
    drawn = noisy_search(np.tile(counts, (times, 1)), 7.0, noise, simulation_generator(2))
    expected = times * np.exp(search_log_probabilities(counts, 7.0, noise))
    assert chisquare(*grouped(np.bincount(drawn, minlength=11), expected)).pvalue > 1e-4


def grouped(seen: np.ndarray, expected: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return both without rare cells, which are taken together."""
    often = expected > 10
    parts = [np.append(values[often], values[~often].sum()) for values in (seen, expected)]
    return parts[0] + 1e-9, parts[1] * (parts[0].sum() / parts[1].sum()) + 1e-9


def searched(above: np.ndarray, below: np.ndarray, n: int, case: Case) -> np.ndarray:  # noqa: ARG001 - called like the others
    target = certified_search_target(n, case.miss_rate, case.epsilon, case.grid.bins)
    if target <= 0:
        return all_on_last(above.shape)
    return search_log_probabilities(above, target, search_noise(case.epsilon, case.grid.bins))


def searched_as_published(above: np.ndarray, below: np.ndarray, n: int, case: Case) -> np.ndarray:  # noqa: ARG001 - called like the others
    target = max(published_target(n, case.miss_rate), 0)
    return search_log_probabilities(above, target, search_noise(case.epsilon, case.grid.bins))


@pytest.mark.parametrize("n", (30, 100, 500, 2000) if LONG else (60, 200))
def test_no_exchangeable_scores_are_missed_by_a_certified_search(n: int) -> None:
    worst = suite(searched, "bracket", (n,), seed=n)
    assert max(worst.values()) <= 1e-12, worst


def test_the_suite_catches_the_published_search() -> None:
    worst = suite(searched_as_published, "bracket", (60,))
    assert max(worst.values()) > 0.01, worst


def rising(n: int, bins: int, start: float, slope: float) -> np.ndarray:
    """Return a bag whose counts above the edges fall by ``slope`` from edge to edge, down to ``start`` at the last."""
    counts = np.clip(np.round(start + slope * np.arange(bins - 1)[::-1]), 0, n + 1).astype(int)
    places = np.concatenate([[n + 1 - counts[0]], -np.diff(counts), counts[-1:]])
    return np.repeat((np.arange(bins) + 0.5) / bins, places)


def share_missed(bag: np.ndarray, case: Case, mechanism: Callable[..., np.ndarray], *numbers: float) -> float:
    """Return the miss rate over the promised one; the mechanism gets the counts above the edges and the numbers."""
    return exact_miss_rate(bag, case, lambda above, *_: mechanism(above, *numbers)) / case.miss_rate


def worst_of_searches(share: float) -> float:
    """Return the largest miss rate over the promised one, if only a share of the noise's height is allowed for."""
    worst = 0.0
    for bins, epsilon, n in itertools.product((2, 9, 65), (0.3, 1.0), (100, 300)):
        case = Case(Grid.uniform(largest=BOUND, bins=bins), epsilon, 0.3, "bracket")
        noise, steps = search_noise(epsilon, bins), search_steps(bins)
        plain = (n + 1) * case.miss_rate - 1
        target = plain - share * (plain - certified_search_target(n, case.miss_rate, epsilon, bins))
        if target <= 0:
            continue
        spread = mean_excess(0.0, noise, steps)
        for start, slope in itertools.product((0.0, 0.3, 0.6, 1.0, 1.5), (0.0, 0.02, 0.1)):
            bag = rising(n, bins, target + start * spread, slope * spread)
            worst = max(worst, share_missed(bag, case, search_log_probabilities, target, noise))
    return worst


def test_the_certified_search_is_held_where_it_is_hardest() -> None:
    assert worst_of_searches(1.0) <= 1 + 1e-12


def test_the_hardest_bags_catch_a_search_with_a_quarter_of_its_correction() -> None:
    assert worst_of_searches(0.25) > 1.02


def largest_ratio(counts: np.ndarray, target: float, epsilon: float, believed: float) -> float:
    """Return the largest change of a log-probability by an emptied row, over ``epsilon``; noise is for ``believed``."""
    whole = crossing_probabilities(counts, target, believed)
    worst = 0.0
    for edge in range(1, len(counts)):
        if counts[edge - 1] > counts[edge]:
            without = crossing_probabilities(counts - (np.arange(len(counts)) < edge), target, believed)
            seen = np.minimum(whole, without) > 1e-9
            worst = max(worst, float(np.abs(np.log(whole[seen] / without[seen])).max()) / epsilon)
    return worst


def test_no_histogram_reveals_more_than_epsilon() -> None:
    rng = simulation_generator(3)
    for bins, epsilon in itertools.product((2, 4, 7), (0.5, 1.0, 2.0)):
        for _ in range(30 if LONG else 4):
            counts = random_counts(rng, 15, bins)
            assert largest_ratio(counts, float(rng.integers(0, 12)), epsilon, epsilon) <= 1 + 1e-6


def test_the_histogram_uses_what_it_is_given_and_the_check_catches_half_of_its_noise() -> None:
    counts = np.array([10, 0])
    assert largest_ratio(counts, 9.0, 1.0, 1.0) == pytest.approx(1, abs=1e-6)
    assert largest_ratio(counts, 9.0, 1.0, 2.0) == pytest.approx(2, abs=1e-6)


def test_the_histogram_draws_what_its_distribution_says() -> None:
    counts, times = random_counts(simulation_generator(4), 40, 6), 40_000
    drawn = noisy_crossing(np.tile(counts, (times, 1)), 6.0, 0.7, simulation_generator(5))
    expected = times * crossing_probabilities(counts, 6.0, 0.7)
    assert expected.sum() == pytest.approx(times)
    assert chisquare(*grouped(np.bincount(drawn, minlength=6), expected)).pvalue > 1e-4


def crossing_at(above: np.ndarray, target: float, epsilon: float) -> np.ndarray:
    if target <= 0:
        return all_on_last(above.shape)
    with np.errstate(divide="ignore"):
        return np.log([crossing_probabilities(counts, target, epsilon) for counts in above])


def worst_of_histograms(share: float, rng: np.random.Generator) -> float:
    """Return the largest miss rate over the promised one, if only a share of the noise's height is allowed for."""
    worst = 0.0
    for bins, epsilon, n, rate in itertools.product((2, 5, 14), (0.3, 1.0), (40, 90), (0.15, 0.4)):
        case = Case(Grid.uniform(largest=BOUND, bins=bins), epsilon, rate, "bracket")
        height = mean_highest_walk(bins, epsilon)
        target = certified_histogram_target(n, case.miss_rate, epsilon, bins) + (1 - share) * height
        bags = [rising(n, bins, target + start * height, slope * height) for start in (0.2, 0.6) for slope in (0, 0.1)]
        bags += list(shapes(n + 1, case.grid.edges, rng).values()) if LONG else []
        for bag in bags:
            worst = max(worst, share_missed(bag, case, crossing_at, target, epsilon))
    return worst


def test_no_exchangeable_scores_are_missed_by_a_certified_histogram() -> None:
    assert worst_of_histograms(1.0, simulation_generator(6)) <= 1 + 1e-9


def test_the_hardest_bags_catch_a_histogram_with_a_quarter_of_its_correction() -> None:
    assert worst_of_histograms(0.25, simulation_generator(6)) > 1.1
