"""The certified quantile keeps its promise: a new exchangeable score is missed at most at the promised rate.

Without Monte-Carlo error: for a fixed bag of ``n + 1`` scores of which any is equally likely to be the new one,
the miss rate is an average over the bag of sums over the mechanism's exact distribution. What holds for every bag
holds for every exchangeable law. Two deliberately broken targets must be caught by the very same suite.
A plain simulation that draws thresholds from the generator stands beside it.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.losses import LOSSES
from dpcp_core.privacy.mechanisms import exponential_log_probabilities
from dpcp_core.privacy.quantile import certified_target, private_quantile, quantile_distribution_from_counts
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.privacy.targets import smallest_n
from tests.validity.bags import BOUND, LONG, Case, Mechanism, cases, exact_miss_rate, staircases, suite

pytestmark = pytest.mark.validity


def ours(above: np.ndarray, below: np.ndarray, n: int, case: Case) -> np.ndarray:
    return quantile_distribution_from_counts(
        above, below, n, case.grid, epsilon=case.epsilon, miss_rate=case.miss_rate, loss=case.loss
    ).log_probabilities


def aimed_at(target: float, above: np.ndarray, below: np.ndarray, n: int, case: Case) -> np.ndarray:
    loss = LOSSES[case.loss].aiming_at(target, n=n, guarantee="certified")
    return exponential_log_probabilities(loss.utility(above, below), loss.sensitivity, case.epsilon, loss.range_factor)


def by_the_older_correction(above: np.ndarray, below: np.ndarray, n: int, case: Case) -> np.ndarray:
    return quantile_distribution_from_counts(
        above,
        below,
        n,
        case.grid,
        epsilon=case.epsilon,
        miss_rate=case.miss_rate,
        loss=case.loss,
        guarantee="prediction_sets",
    ).log_probabilities


def without_the_bins_term(above: np.ndarray, below: np.ndarray, n: int, case: Case) -> np.ndarray:
    """Aim at ``(n + 1) beta - 1``: the rank of split conformal prediction, as if there were no noise."""
    target = (n + 1) * case.miss_rate - 1
    return aimed_at(target, above, below, n, case)


def with_half_the_bins_term(above: np.ndarray, below: np.ndarray, n: int, case: Case) -> np.ndarray:
    """Aim at ``(n + 1) beta - 1 - (1 / epsilon) ln M`` for a loss of range factor 2."""
    target = certified_target(n, case.miss_rate, 2 * case.epsilon, case.grid.bins, case.loss)
    if target <= 0:
        return ours(above, below, n, case)
    return aimed_at(target, above, below, n, case)


def nearest_count(above: np.ndarray, below: np.ndarray, n: int, case: Case) -> np.ndarray:
    """Prefer the edge with the count nearest to the target, from either side."""
    target = certified_target(n, case.miss_rate, case.epsilon, case.grid.bins)
    if target <= 0:
        return ours(above, below, n, case)
    return exponential_log_probabilities(-np.abs(above - target), 1.0, case.epsilon)


@pytest.mark.parametrize("loss", sorted(LOSSES))
@pytest.mark.parametrize("n", (30, 60, 100, 200, 500, 1000, 2000) if LONG else (30, 150, 500, 2000))
def test_no_exchangeable_scores_are_missed_more_often_than_promised(loss: str, n: int) -> None:
    worst = suite(ours, loss, (n,), seed=n)
    assert max(worst.values()) <= 1e-12, worst


@pytest.mark.parametrize("loss", sorted(LOSSES))
@pytest.mark.parametrize("n", (30, 60, 100, 200, 500, 1000, 2000) if LONG else (150,))
def test_the_correction_of_private_prediction_sets_keeps_its_promise_too(loss: str, n: int) -> None:
    worst = suite(by_the_older_correction, loss, (n,), seed=n)
    assert max(worst.values()) <= 1e-12, worst


def barely_enough(case: Case) -> tuple[int, ...]:
    """Return sizes at which the target is small, so that the cost of the bins is most of what is allowed."""
    least = smallest_n(case.miss_rate, case.epsilon, case.grid.bins, case.loss)
    assert least is not None
    return tuple(least + int(target / case.miss_rate) for target in (0, 1, 5, 20))


def worst_at_barely_enough(mechanism: Mechanism, loss: str) -> float:
    """Return the largest miss rate on staircases, as a share of the promised one."""
    return max(
        exact_miss_rate(bag, case, mechanism) / case.miss_rate
        for case in cases(loss)
        for n in barely_enough(case)
        for bag in staircases(n + 1, case).values()
    )


@pytest.mark.parametrize("loss", sorted(LOSSES))
def test_the_promise_is_kept_where_it_is_hardest(loss: str) -> None:
    assert 0.5 < worst_at_barely_enough(ours, loss) <= 1 + 1e-12


@pytest.mark.parametrize("loss", sorted(LOSSES))
def test_the_suite_catches_half_of_the_bins_term(loss: str) -> None:
    assert worst_at_barely_enough(with_half_the_bins_term, loss) > 1.02


@settings(max_examples=5000 if LONG else 300, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 8), st.booleans(), st.integers(1, 60)), min_size=1, max_size=6),
    st.sampled_from((0.2, 1.0, 5.0)),
    st.floats(0.02, 0.5),
    st.integers(1, 8),
    st.sampled_from(sorted(LOSSES)),
)
def test_no_bag_of_ties_is_missed_more_often_than_promised(
    heaps: list[tuple[int, bool, int]], epsilon: float, rate: float, bins: int, loss: str
) -> None:
    case = Case(Grid.uniform(largest=BOUND, bins=bins), epsilon, rate, loss)
    places = np.concatenate([np.full(times, min(place, bins) - 0.5 * between) for place, between, times in heaps])
    bag = np.maximum(places, 0) / bins
    if bag.size > 1:
        assert exact_miss_rate(bag, case, ours) <= rate + 1e-12


def test_the_promise_is_not_kept_by_being_careless_with_width() -> None:
    """With many rows the exact miss rate comes close to what is allowed."""
    case = Case(Grid.uniform(largest=BOUND, bins=1000), 5.0, 0.1, "bracket")
    bag = (np.arange(20_001) + 0.5) / 20_001
    assert exact_miss_rate(bag, case, ours) > 0.097


@pytest.mark.parametrize("loss", sorted(LOSSES))
def test_the_suite_catches_a_target_without_the_bins_term(loss: str) -> None:
    worst = suite(without_the_bins_term, loss, (60,))
    assert max(worst.values()) > 0.01, worst


def test_the_suite_catches_a_loss_that_rounds_to_the_nearest_count() -> None:
    worst = suite(nearest_count, "bracket", (150,))
    assert max(worst.values()) > 0.01, worst


def test_the_last_term_of_the_target_is_needed_as_well() -> None:
    """Already one row less of caution breaks the promise somewhere, without noise."""

    def one_row_bolder(above: np.ndarray, below: np.ndarray, n: int, case: Case) -> np.ndarray:
        loss = LOSSES["bracket"].aiming_at((n + 1) * case.miss_rate, n=n, guarantee="certified")
        return exponential_log_probabilities(loss.utility(above, below), 1.0, np.inf)

    case = Case(Grid.uniform(largest=BOUND, bins=1000), 1.0, 0.1, "bracket")
    bag = (np.arange(100) + 0.5) / 100
    assert exact_miss_rate(bag, case, one_row_bolder) > 0.1 + 1e-9


@pytest.mark.parametrize(
    ("loss", "n", "bins", "epsilon", "rate"),
    [("bracket", 100, 20, 1.0, 0.2), ("bracket", 400, 100, 0.5, 0.1), ("paper", 200, 10, 2.0, 0.1)],
)
def test_drawn_thresholds_miss_no_more_than_promised(loss: str, n: int, bins: int, epsilon: float, rate: float) -> None:
    """The whole road: real scores, the grid's own counting, a draw, a new score."""
    repetitions = 40_000 if LONG else 4000
    rng = simulation_generator(n, bins)
    grid = Grid.geometric(smallest=0.02, largest=BOUND, bins=bins)
    misses = 0
    for _ in range(repetitions):
        scores = np.minimum(np.abs(rng.normal(scale=0.3, size=n + 1)), BOUND)
        threshold = private_quantile(scores[:-1], grid, epsilon=epsilon, miss_rate=rate, loss=loss, rng=rng)
        misses += bool(scores[-1] > threshold)
    assert misses / repetitions <= rate + 4 * np.sqrt(rate * (1 - rate) / repetitions)
    assert misses > 0
