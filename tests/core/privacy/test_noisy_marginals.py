from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from dpcp_core.errors import InputError
from dpcp_core.privacy.mean_square import MeanSquarePlan, noisy_mean_square
from dpcp_core.privacy.noisy_marginals import CountsPlan, noisy_counts, projected
from dpcp_core.privacy.noisy_pairs import PairsPlan, best_tree, noisy_joint, noisy_score
from dpcp_core.privacy.randomness import simulation_generator

SIZES = (64, 2, 9, 100)


def test_the_noise_of_all_histograms_together_is_what_was_allowed():
    plan = CountsPlan.of(("a", "b", "c", "d"), SIZES, 0.12)
    assert math.sqrt(sum(1 / noise**2 for noise in plan.noise)) == pytest.approx(0.12)


def test_without_privacy_there_is_no_noise():
    plan = CountsPlan.of(("a", "b"), (2, 3), math.inf)
    assert plan.noise == (0.0, 0.0)
    assert plan.mu == math.inf


def test_no_other_division_of_the_noise_has_a_smaller_total_error():
    plan = CountsPlan.of(("a", "b", "c", "d"), SIZES, 0.12)

    def error(logs: np.ndarray) -> float:
        weights = np.exp(logs) / np.exp(logs).sum()
        return float(np.sum(np.array(SIZES) / np.sqrt(weights)) / 0.12)

    best = minimize(error, np.zeros(4)).fun
    assert np.dot(SIZES, plan.noise) == pytest.approx(best, rel=1e-4)


def test_counts_carry_the_noise_that_the_plan_says():
    plan = CountsPlan(("a", "b"), (20_000, 30_000), (5.0, 50.0))
    drawn = noisy_counts((np.zeros(20_000), np.full(30_000, 7)), plan, simulation_generator(0))
    assert drawn[0].std() == pytest.approx(5.0, rel=0.03)
    assert drawn[1].std() == pytest.approx(50.0, rel=0.03)
    assert drawn[1].mean() == pytest.approx(7, abs=1)
    assert all((part == np.rint(part)).all() for part in drawn)


def test_histograms_of_other_sizes_are_refused():
    with pytest.raises(InputError, match="numbers of cells"):
        noisy_counts((np.zeros(3),), CountsPlan(("a",), (4,), (1.0,)), simulation_generator(0))


@given(st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=30), st.integers(1, 10**6))
def test_projected_counts_are_the_nearest_possible_ones(noisy, total):
    values = np.array(noisy)
    found = projected(values, float(total))
    assert (found >= 0).all()
    assert found.sum() == pytest.approx(total, rel=1e-6)
    # The nearest point of a simplex: where a count is kept, all were lowered by the same.
    lowered = (values - found)[found > 0]
    assert np.ptp(lowered) <= 1e-6 * max(1.0, np.abs(values).max(), total)
    assert (values[found == 0] <= lowered.max() + 1e-6 * total).all()


def test_scores_of_all_pairs_move_by_no_more_than_their_noise_hides():
    """One emptied row moves each score by at most 1, so all of them by sqrt(their number) at most."""
    rng = np.random.default_rng(0)
    plan = PairsPlan(3, 2, 1e-12, 1e-12)
    for _ in range(50):
        joint = rng.integers(1, 9, (4, 5))
        expected = rng.random((4, 5)) * 9
        fewer = joint.copy()
        fewer[rng.integers(4), rng.integers(5)] -= 1
        draws = [noisy_score(table, expected, plan, simulation_generator(0)) for table in (joint, fewer)]
        assert abs(draws[0] - draws[1]) <= 1 + 1e-9


def test_pairs_spend_what_they_are_given():
    plan = PairsPlan.of(7, 0.2)
    assert plan.mu == pytest.approx(0.2)
    assert plan.mu**2 == pytest.approx(21 / plan.score_noise**2 + 6 / plan.count_noise**2)
    drawn = noisy_joint(np.zeros((300, 300)), plan, simulation_generator(0))
    assert drawn.std() == pytest.approx(plan.count_noise, rel=0.02)


def test_a_tree_has_no_circle_and_no_pair_without_a_gain():
    rng = np.random.default_rng(1)
    gains = {(i, j): float(rng.normal()) for i in range(8) for j in range(i + 1, 8)}
    tree = best_tree(gains, 8)
    assert len(tree) <= 7
    assert all(gains[pair] > 0 for pair in tree)
    home = list(range(8))
    for one, other in tree:
        assert home[one] != home[other]
        home = [home[one] if place == home[other] else place for place in home]


def test_a_mean_square_is_near_the_truth_and_its_noise_is_what_the_plan_says():
    values = np.random.default_rng(0).normal(0, 0.5, 5000)
    plan = MeanSquarePlan.of(3.0, 5000, 0.05)
    drawn = np.array([noisy_mean_square(values, plan, simulation_generator(seed)) for seed in range(2000)])
    assert plan.profile.mu == pytest.approx(0.05)
    assert drawn.mean() == pytest.approx(0.25, abs=0.01)
    assert drawn.std() * 5000 == pytest.approx(9 / 0.05, rel=0.05)
