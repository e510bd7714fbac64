"""The one-sided loss: no emptied row reveals more than epsilon, and half of the usual allowance keeps the promise.

Everything is exact. Privacy: log-probabilities of neighbouring tables, random ones and ones found by a search, are
compared edge by edge. Promise: for a fixed bag of ``n + 1`` scores of which any is equally likely to be the new one
the miss rate is an average of sums over the mechanism's distribution. Broken mechanisms must be caught by the same
checks: the bracket loss with this loss's weights, weights that are still heavier, an allowance that is smaller.
"""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.losses import bracket_utility
from dpcp_core.privacy.mechanisms import exponential_log_probabilities
from dpcp_core.privacy.one_sided import OneSidedLoss, one_sided_utility
from dpcp_core.privacy.quantile import quantile_distribution, quantile_distribution_from_counts
from dpcp_core.privacy.randomness import simulation_generator

pytestmark = pytest.mark.validity

LONG = os.environ.get("DPCP_VALIDITY") == "long"
ROUNDING = 1e-9

# Log-probabilities (..., M) from counts above and below, (..., M) each.
Mechanism = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Setting:
    """One quantile, all of it public; scores are places, ``2 j`` on edge ``j`` and odd ones between."""

    n: int
    bins: int
    epsilon: float
    target: float

    def ours(self, above: np.ndarray, below: np.ndarray) -> np.ndarray:
        loss = OneSidedLoss.aiming_at(self.target, n=self.n, guarantee="certified")
        utility = loss.utility(above, below)
        return exponential_log_probabilities(utility, loss.sensitivity, self.epsilon, loss.range_factor)

    def twice_the_weight(self, above: np.ndarray, below: np.ndarray) -> np.ndarray:
        utility = one_sided_utility(above, below, self.n, self.target)
        return exponential_log_probabilities(utility, 1.0, 2 * self.epsilon, 1.0)

    def two_sided_with_these_weights(self, above: np.ndarray, below: np.ndarray) -> np.ndarray:  # noqa: ARG002 - called like the loss's own
        return exponential_log_probabilities(bracket_utility(above, self.n, self.target), 1.0, self.epsilon, 1.0)


def count(places: np.ndarray, bins: int) -> tuple[np.ndarray, np.ndarray]:
    edges = 2 * np.arange(1, bins + 1)
    above = (places[..., None] > edges).sum(axis=-2)
    above[..., -1] = 0
    return above, (places[..., None] < edges).sum(axis=-2)


def emptied(places: np.ndarray, bins: int) -> tuple[np.ndarray, np.ndarray]:
    """Return counts (rows, M) after each kind of row is emptied."""
    above, below = count(places, bins)
    kinds, edges = np.unique(places)[:, None], 2 * np.arange(1, bins + 1)
    fewer = above - (kinds > edges)
    fewer[:, -1] = 0
    return fewer, below - (kinds < edges)


def log_ratios(places: np.ndarray, bins: int, mechanism: Mechanism) -> np.ndarray:
    return mechanism(*emptied(places, bins)) - mechanism(*count(places, bins))


def climb(setting: Setting, mechanism: Mechanism, steps: int, rng: np.random.Generator) -> float:
    """Return the largest log-ratio that moving a few rows at a time finds, from a random table."""
    highest = 2 * setting.bins + 1
    places = rng.integers(0, highest, setting.n)
    worst = 0.0
    for _ in range(steps):
        tried = places.copy()
        rows = rng.integers(0, setting.n, rng.integers(1, 4))
        tried[rows] = rng.choice(places) if rng.random() < 0.5 else rng.integers(0, highest)
        ratio = float(np.abs(log_ratios(tried, setting.bins, mechanism)).max())
        if ratio >= worst:
            places, worst = tried, ratio
    return worst


SETTINGS = [Setting(12, 3, 3.0, 4.0), Setting(20, 8, 1.5, 9.5), Setting(40, 30, 0.7, 20.0), Setting(60, 5, 3.0, 8.3)]


@pytest.mark.parametrize("setting", SETTINGS)
def test_no_table_found_by_search_reveals_more_than_epsilon(setting: Setting) -> None:
    rng = simulation_generator(0)
    for _ in range(20 if LONG else 2):
        assert climb(setting, setting.ours, 400, rng) <= setting.epsilon + ROUNDING


@pytest.mark.parametrize("broken", [Setting.twice_the_weight, Setting.two_sided_with_these_weights])
def test_the_search_catches_weights_that_are_too_heavy(
    broken: Callable[[Setting, np.ndarray, np.ndarray], np.ndarray],
) -> None:
    """The bracket loss moves both ways, so it needs the factor 2 that this loss does without."""
    rng = simulation_generator(1)
    excess = [climb(s, lambda a, b, s=s: broken(s, a, b), 400, rng) / s.epsilon for s in SETTINGS]
    assert max(excess) > 1.3


@settings(max_examples=3000 if LONG else 250, deadline=None)
@given(
    st.integers(1, 8).flatmap(
        lambda bins: st.tuples(
            st.just(bins), arrays.arrays(np.int64, st.integers(1, 40), elements=st.integers(0, 2 * bins + 1))
        )
    ),
    st.integers(0, 5),
    st.floats(0.01, 20),
    st.floats(0.01, 1),
)
def test_no_table_at_all_reveals_more_than_epsilon_or_has_a_longer_range(
    table: tuple[int, np.ndarray], empty: int, epsilon: float, share: float
) -> None:
    """The range is what tight composition with training rests on."""
    bins, places = table
    n = places.size + empty
    ratios = log_ratios(places, bins, Setting(n, bins, epsilon, share * n).ours)
    assert np.abs(ratios).max() <= epsilon * (1 + 1e-12) + ROUNDING
    assert np.ptp(ratios, axis=1).max() <= epsilon * (1 + 1e-12) + ROUNDING


EDGES = 3000
# n = 100, target 40: how many rows lie where, so that emptying one moves the probability of an edge up or down.
EXTREMES = {
    "a row above, one poor edge beside many good ones": ({1: 59, 3: 1, 2 * EDGES: 40}, 1),
    "a row below, one poor edge beside many good ones": ({1: 60, 2 * EDGES - 3: 1, 2 * EDGES: 39}, 1),
    "a row above, one good edge beside many poor ones": ({1: 59, 2 * EDGES - 1: 41}, -1),
    "a row below, one good edge beside many poor ones": ({1: 61, 2 * EDGES: 39}, -1),
}


@pytest.mark.parametrize("case", EXTREMES)
def test_it_can_use_all_of_its_epsilon_either_way(case: str) -> None:
    rows, sign = EXTREMES[case]
    places, epsilon = np.repeat(list(rows), list(rows.values())), 0.5
    ratios = sign * log_ratios(places, EDGES, Setting(100, EDGES, epsilon, 40.0).ours)
    assert 0.98 * epsilon < ratios.max() <= epsilon + ROUNDING


def test_a_replaced_row_can_reveal_more_than_epsilon() -> None:
    """One poor edge gets better while many good ones get worse."""
    epsilon, bins = 0.5, 3000
    setting = Setting(100, bins, epsilon, 40.0)
    one = np.repeat([1, 3, 2 * bins - 1], [59, 1, 40])
    other = np.repeat([1, 2 * bins - 1], [61, 39])
    ratios = setting.ours(*count(other, bins)) - setting.ours(*count(one, bins))
    assert 1.9 * epsilon < np.abs(ratios).max() <= 2 * epsilon + ROUNDING


def test_with_every_row_there_it_is_the_bracket_loss_at_twice_the_epsilon() -> None:
    scores, grid = simulation_generator(5).random(700), Grid.geometric(smallest=0.01, largest=1.0, bins=60)
    ours = quantile_distribution(scores, grid, epsilon=0.5, miss_rate=0.1, loss="one_sided")
    bracket = quantile_distribution(scores, grid, epsilon=1.0, miss_rate=0.1, loss="bracket")
    assert ours.target == pytest.approx(bracket.target)
    np.testing.assert_allclose(ours.probabilities, bracket.probabilities, atol=1e-12)


# The promise. An allowance is how many rows of the target count are given away for the noise.


@dataclass(frozen=True)
class Case:
    """One setting of the certified quantile on ``bins`` edges of (0, 1]; scores are places as above."""

    bins: int
    epsilon: float
    miss_rate: float

    @property
    def allowance(self) -> float:
        return math.log(self.bins) / self.epsilon

    def target(self, n: int, share: float = 1.0) -> float:
        return (n + 1) * self.miss_rate - 1 - share * self.allowance

    def distribution(self, above: np.ndarray, below: np.ndarray, n: int, share: float) -> np.ndarray:
        if share == 1.0:
            grid = Grid.uniform(largest=1.0, bins=self.bins)
            return quantile_distribution_from_counts(
                above, below, n, grid, epsilon=self.epsilon, miss_rate=self.miss_rate, loss="one_sided"
            ).log_probabilities
        target = self.target(n, share)
        if target <= 0:
            return np.where(np.arange(self.bins) == self.bins - 1, 0.0, -np.inf) + np.zeros(above.shape)
        return Setting(n, self.bins, self.epsilon, target).ours(above, below)


def bags(size: int, case: Case, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Yield bags of places that could be hard: smooth, crowded, tied, on edges, and staircases at the target."""
    top, uniform = 2 * case.bins, rng.random(size)
    yield np.floor(uniform * top).astype(int)
    yield np.floor(uniform**0.2 * top).astype(int)
    yield np.floor(uniform**5 * top).astype(int)
    yield np.minimum(np.abs(rng.normal(scale=0.2, size=size)) * top, top).astype(int)
    yield np.where(uniform < 0.08, top, np.where(uniform < 0.12, top // 2, 1))
    yield 2 * rng.integers(1, case.bins + 1, size)
    for constant in (0, top // 2, top):
        yield np.full(size, constant)
    for share in (0.0, 0.3, 0.6, 0.8, 0.9, 1.0, 1.15, 1.3, 1.5, 1.8):
        high = int(np.clip(np.ceil(case.target(size - 1) + share * case.allowance), 0, size))
        yield np.where(np.arange(size) < high, top, 1)


def exact_miss_rate(places: np.ndarray, case: Case, share: float = 1.0) -> float:
    """Return the chance that one of the bag exceeds the threshold that is made from the others."""
    kinds, times = np.unique(places, return_counts=True)
    logs = case.distribution(*emptied(places, case.bins), len(places) - 1, share)
    exceeds = kinds[:, None] > 2 * np.arange(1, case.bins + 1)
    return float(times @ (np.exp(logs) * exceeds).sum(axis=1) / len(places))


def cases() -> list[Case]:
    bins = (2, 3, 5, 10, 30, 100, 300) if LONG else (2, 5, 30, 100)
    epsilons = (0.2, 0.5, 1.0, 2.0, 5.0) if LONG else (0.2, 1.0, 5.0)
    rates = (0.02, 0.05, 0.1, 0.2, 0.3) if LONG else (0.02, 0.1, 0.3)
    return [Case(*numbers) for numbers in itertools.product(bins, epsilons, rates)]


@pytest.mark.parametrize("n", (30, 60, 150, 500, 1000) if LONG else (30, 150, 500))
def test_no_exchangeable_scores_are_missed_more_often_than_promised(n: int) -> None:
    rng = simulation_generator(n)
    for case in cases():
        for bag in bags(n + 1, case, rng):
            assert exact_miss_rate(bag, case) <= case.miss_rate + 1e-12, case


def worst_where_the_target_is_small(share: float) -> float:
    """Return the largest miss rate, as a share of the promised one, where the allowance is most of what is there."""
    worst = 0.0
    for case in (Case(bins, epsilon, rate) for bins in (2, 30, 1000) for epsilon in (0.2, 5.0) for rate in (0.1, 0.3)):
        for target in (0, 1, 5, 20):
            size = math.ceil((1 + case.allowance + target) / case.miss_rate) + 1
            rng = simulation_generator(size)
            worst = max(worst, *(exact_miss_rate(bag, case, share) / case.miss_rate for bag in bags(size, case, rng)))
    return worst


def test_the_promise_is_kept_where_it_is_hardest() -> None:
    assert 0.5 < worst_where_the_target_is_small(1.0) <= 1 + 1e-12


@pytest.mark.parametrize("share", [0.5, 0.0])
def test_a_smaller_allowance_is_caught(share: float) -> None:
    assert worst_where_the_target_is_small(share) > 1.02


@settings(max_examples=2000 if LONG else 200, deadline=None)
@given(
    st.lists(st.integers(0, 20), min_size=1, max_size=80),
    st.integers(1, 10),
    st.floats(0.05, 5),
    st.floats(0.1, 1),
)
def test_the_number_of_scores_above_has_the_promised_tail(
    places: list[int], bins: int, epsilon: float, share: float
) -> None:
    """Step 2 of the proof, for each table: ``P(k_J >= c + t)`` is at most its bound."""
    table = np.minimum(places, 2 * bins)
    above, below = count(table, bins)
    setting = Setting(table.size, bins, epsilon, share * table.size)
    chances = np.exp(setting.ours(above, below))
    for excess in np.unique(above - setting.target):
        if excess > 0:
            bad = (bins - 1) * math.exp(-epsilon * excess)
            assert chances[above >= setting.target + excess].sum() <= bad / (1 + bad) + ROUNDING


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 2000), st.floats(0.05, 10), st.floats(0, 1))
def test_the_allowance_is_the_integral_of_the_tail_and_above_its_sum(bins: int, epsilon: float, offset: float) -> None:
    """Counts are whole numbers, so the mean excess is a sum of the tail; the integral is never below it."""
    bad = lambda t: (bins - 1) * np.exp(-epsilon * t)  # noqa: E731
    ends = np.linspace(0, (math.log(bins) + 40) / epsilon, 200_001)
    tail = bad(ends) / (1 + bad(ends))
    integral = float(((tail[1:] + tail[:-1]) / 2 * np.diff(ends)).sum())
    allowance = math.log(bins) / epsilon
    assert integral == pytest.approx(allowance, rel=1e-6, abs=1e-6)
    # A target c between two whole numbers: floor(c) plus the tail at whole numbers above c.
    steps = np.arange(1, (math.log(bins) + 40) / epsilon + 2) - offset
    assert float((bad(steps) / (1 + bad(steps))).sum()) <= offset + allowance + 1e-9
