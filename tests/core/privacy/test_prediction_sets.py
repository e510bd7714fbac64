from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcp_core.errors import InputError
from dpcp_core.privacy.grid import bins_from_rule
from dpcp_core.privacy.losses import PaperLoss
from dpcp_core.privacy.mechanisms import exponential_log_probabilities
from dpcp_core.privacy.prediction_sets import (
    adjusted_level,
    best_bins,
    prediction_sets_target,
    public_code_overspend,
    spared_share,
)
from dpcp_core.privacy.targets import certified_target

sizes, rates = st.integers(5, 10**6), st.floats(0.01, 0.5)
epsilons, bins = st.floats(0.01, 50), st.integers(1, 10**6)


@given(sizes, rates, epsilons)
def test_what_is_spared_solves_the_papers_quadratic(n: int, alpha: float, epsilon: float) -> None:
    gamma = spared_share(n, alpha, epsilon) / alpha
    linear = alpha * epsilon * (n + 1) * (1 - alpha) / 2 + 2 * alpha
    assert 0 < gamma * alpha < 1
    assert alpha**2 * gamma**2 + 1 == pytest.approx(linear * gamma, rel=1e-6)


@given(sizes, rates, epsilons, bins, st.floats(0.05, 20))
def test_no_other_part_to_spare_gives_a_lower_level(n: int, alpha: float, epsilon: float, m: int, off: float) -> None:
    def level(spared: float) -> float:
        return (n + 1) * (1 - alpha) / (n * (1 - spared)) + 2 / (epsilon * n) * math.log(m / spared)

    best = spared_share(n, alpha, epsilon)
    assert adjusted_level(n, alpha, epsilon, m) == pytest.approx(level(best), rel=1e-9, abs=1e-9)
    if off * best < 1:
        assert level(best) <= level(off * best) * (1 + 1e-9)


@given(sizes, rates, epsilons, bins)
def test_our_certificate_always_aims_lower(n: int, alpha: float, epsilon: float, m: int) -> None:
    assert prediction_sets_target(n, alpha, epsilon, m) <= certified_target(n, alpha, epsilon, m) + 1e-9 * n


def test_without_noise_it_is_the_split_conformal_rank() -> None:
    assert prediction_sets_target(99, 0.1, math.inf, 1000) == pytest.approx(9)


@pytest.mark.parametrize(("n", "epsilon", "factor"), [(5000, 8.0, 1.01), (5000, 1.0, 1.08), (1000, 1.0, 1.50)])
def test_the_public_code_spends_more_than_its_theorem_pays_for(n: int, epsilon: float, factor: float) -> None:
    assert public_code_overspend(n, 0.1, epsilon, 10_000) == pytest.approx(factor, abs=0.005)


def largest_ratio(n: int, level: float, scale: float) -> float:
    """Return the largest change of a log-probability, one row moved, over tables of two heaps; epsilon is 1.

    Most edges lie between the heaps, and a row of the upper heap moves to the lower one.
    """
    worst = 0.0
    loss = PaperLoss(level, n)
    for high in range(1, 200):
        above = np.array([[h] * 20_000 + [h // 2, 0] for h in (high, high - 1)])
        logs = exponential_log_probabilities(loss.utility(above, None), scale, 1.0)
        worst = max(worst, float(np.abs(logs[0] - logs[1]).max()))
    return worst


@pytest.mark.parametrize(("n", "factor", "truly"), [(400, 3.10, 1.60), (1000, 1.41, 0.76)])
def test_the_public_code_overspends_where_the_level_comes_near_one(n: int, factor: float, truly: float) -> None:
    """Its weights move by 1 / (1 - q) one way and 1 / q the other, so half of a sensitivity is to spare."""
    spared = 1 - adjusted_level(n, 0.1, 1.0, 1000)
    assert public_code_overspend(n, 0.1, 1.0, 1000) == pytest.approx(factor, abs=0.01)
    assert largest_ratio(n, spared, 1 / 0.1) == pytest.approx(0.1 / (2 * spared * (1 - spared)), rel=1e-6)
    assert largest_ratio(n, spared, 1 / 0.1) == pytest.approx(truly, abs=0.01)
    assert largest_ratio(n, spared, PaperLoss(spared).sensitivity) < 1


@settings(max_examples=15, deadline=None)
@given(st.integers(20, 5000), st.floats(0.02, 0.4), st.floats(0.05, 5))
def test_the_best_number_of_bins_is_in_range_and_the_same_each_time(n: int, alpha: float, epsilon: float) -> None:
    best = best_bins(n, alpha, epsilon)
    assert 10 <= best <= max(10, 10 * n * epsilon)
    assert best == best_bins.__wrapped__(n, alpha, epsilon)


def test_more_rows_and_more_budget_bear_more_bins() -> None:
    assert best_bins(500, 0.1, 1.0) < best_bins(2000, 0.1, 1.0) < best_bins(20_000, 0.1, 1.0)
    assert best_bins(2000, 0.1, 0.5) < best_bins(2000, 0.1, 2.0) < best_bins(2000, 0.1, 8.0)


def test_the_rule_needs_an_epsilon() -> None:
    assert bins_from_rule("prediction_sets", 2000, 0.1, epsilon=1.0) == best_bins(2000, 0.1, 1.0)
    with pytest.raises(InputError, match="epsilon is missing"):
        bins_from_rule("prediction_sets", 2000, 0.1)
