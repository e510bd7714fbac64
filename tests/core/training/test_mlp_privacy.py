"""What the privacy of the network trainer rests on: bounded sums, Poisson batches, noise of the stated size."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, kstest

from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import PrivacyProfile
from dpcp_core.training.dense_descent import Adam, DenseData, descend
from dpcp_core.training.dense_engine import DenseNetwork
from dpcp_core.training.descent_plan import DescentPlan, descent_profile

LINE = DenseNetwork((1, 1), "regression")
# With so large a number beside it the size of a gradient counts for nothing: weights add up the noisy averages.
PLAIN = Adam(momentum=0.0, smallest_spread=1e9)
NOWHERE = (np.zeros((1, 1)), np.zeros(1))
CONFIDENCE = 1e-4


def norm_of(arrays: tuple[np.ndarray, ...]) -> float:
    return math.sqrt(sum(float((part.astype(np.float64) ** 2).sum()) for part in arrays))


@given(st.integers(0, 10**6), st.floats(-6, 6), st.sampled_from(["regression", "classification"]))
def test_one_row_moves_the_sum_by_at_most_the_clip_norm(seed: int, size: float, task: str) -> None:
    rng = np.random.default_rng(seed)
    network = DenseNetwork((4, 8, 5, 3 if task == "classification" else 1), task, input_scale=3.0)
    x = rng.normal(size=(20, 4))
    x[-1] *= 10**size  # even a row that is longer than any encoded one
    y = rng.integers(0, 3, 20) if task == "classification" else 10**size * rng.normal(size=20)
    weights = tuple(part + rng.normal(size=part.shape) for part in network.initial(rng, np.float64))
    with_it, without = (network.clipped_gradient_sum(x[:n], y[:n], weights, 0.7).total for n in (20, 19))
    moved = norm_of(tuple(a - b for a, b in zip(with_it, without, strict=True)))
    assert moved <= 0.7 * (1 + 1e-9)


def test_a_row_without_a_gradient_adds_nothing() -> None:
    network = DenseNetwork((2, 4, 1), "regression")
    weights = network.initial(np.random.default_rng(0), np.float64)
    found = network.clipped_gradient_sum(np.zeros((3, 2)), np.zeros(3), weights, 1.0)
    assert norm_of(found.total) == 0


def test_batches_hold_each_row_independently_with_the_sampling_rate() -> None:
    rng, rows = np.random.default_rng(0), np.arange(3, 43)
    data = DenseData(np.arange(50.0)[:, None], np.arange(50), rows)
    drawn = np.zeros((4000, 50))
    for line in drawn:
        x, y = data.batch(0.3, rng)
        np.testing.assert_array_equal(x[:, 0], y)
        assert len(np.unique(y)) == len(y)
        line[y] = 1
    assert drawn[:, :3].sum() == drawn[:, 43:].sum() == 0
    shares = drawn[:, rows].mean(axis=0)
    assert np.abs(shares - 0.3).max() < 4.5 * math.sqrt(0.21 / 4000)
    sizes = drawn.sum(axis=1)
    assert sizes.mean() == pytest.approx(12, abs=4 * math.sqrt(8.4 / 4000))
    assert sizes.var() == pytest.approx(40 * 0.21, rel=0.1)
    between = np.corrcoef(drawn[:, rows].T)[np.triu_indices(40, 1)]
    assert np.abs(between).max() < 5 / math.sqrt(4000)


def released(plan: DescentPlan, data: DenseData, network: DenseNetwork, seed: int) -> np.ndarray:
    """Return all weights after training from zero, in units of one step's noisy average."""
    start = tuple(np.zeros(shape) for shape in network.shapes)
    weights = descend(network, data, plan, rng=np.random.default_rng(seed), adam=PLAIN, start=start)
    scale = plan.step_size / (PLAIN.smallest_spread * plan.max_grad_norm)
    return np.concatenate([part.ravel() for part in weights]) / scale


@pytest.mark.parametrize("sampling_rate", [1.0, 0.25])
def test_noise_on_the_sum_is_the_noise_multiplier_times_the_clip_norm(sampling_rate: float) -> None:
    network = DenseNetwork((40, 50, 2), "classification")
    nobody = DenseData(np.zeros((8, 40)), np.zeros(8, dtype=int), np.zeros(0, dtype=np.intp))
    plan = DescentPlan(8, 1, 0.1, 0.5, noise_multiplier=3.0, sampling_rate=sampling_rate)
    noise = released(plan, nobody, network, 0) * (-1 * sampling_rate * 8) / (3.0 * 0.5)
    assert len(noise) == 40 * 50 + 50 + 50 * 2 + 2
    assert kstest(noise, "norm").pvalue > 0.001
    again = released(replace(plan, steps=4, averaged_share=1e-9), nobody, network, 1) * (sampling_rate * 8) / 1.5
    assert again.std() == pytest.approx(2.0, rel=0.06)


def test_averages_are_over_the_public_number_of_rows() -> None:
    x, y = np.full((10, 1), 0.6), np.full(10, 9.0)
    few, many = (
        released(DescentPlan(n_rows, 1, 1.0, 1.0), DenseData(x, y, np.arange(5)), LINE, 0) for n_rows in (10, 20)
    )
    assert norm_of((few,)) == pytest.approx(0.5)  # five rows of clipped length 1 over ten
    np.testing.assert_allclose(many, few / 2)


def test_steps_follow_the_public_schedule() -> None:
    plan = DescentPlan(10, 8, 0.5, 1.0, warmup_share=0.5, decay="cosine", averaged_share=1e-9)
    found = released(plan, DenseData(np.full((1, 1), 0.6), np.full(1, 1e9)), LINE, 0)
    assert norm_of((found,)) == pytest.approx(plan.step_sizes.sum() / 0.5 / 10)


def test_the_last_iterates_are_averaged() -> None:
    plan = DescentPlan(10, 8, 0.5, 1.0, averaged_share=0.5)
    found = released(plan, DenseData(np.full((1, 1), 0.6), np.full(1, 1e9)), LINE, 0)
    assert norm_of((found,)) == pytest.approx((5 + 6 + 7 + 8) / 4 / 10)


def test_noise_without_a_clip_norm_is_refused() -> None:
    plan = DescentPlan(10, 1, 1.0, math.inf, noise_multiplier=1.0)
    with pytest.raises(InputError, match="max_grad_norm is infinite"):
        descend(LINE, DenseData(np.zeros((1, 1)), np.zeros(1)), plan, rng=np.random.default_rng(0), adam=Adam())


def outputs(plan: DescentPlan, present: bool, trials: int, seed: int) -> np.ndarray:
    """Return what an attacker sees of training on one worst row or on nobody: how far the weights went its way."""
    rows = np.arange(1 if present else 0)
    data = DenseData(np.ones((1, 1)), np.full(1, 1e6), rows)
    rng, adam = np.random.default_rng(seed), PLAIN
    found = [descend(LINE, data, plan, rng=rng, adam=adam, start=NOWHERE) for _ in range(trials)]
    return np.array([float(matrix[0, 0] + constants[0]) for matrix, constants in found])


def worst_excess(plan: DescentPlan, claimed: PrivacyProfile, trials: int) -> float:
    """Return by how much a threshold attack surely beats (epsilon, delta(epsilon)), at most over both directions."""
    absent, there = (outputs(plan, present, trials, seed=present) for present in (False, True))
    excess = -1.0
    for likely, other, side in ((there, absent, 1), (absent, there, -1)):
        for threshold in np.quantile(side * likely, [0.02, 0.1, 0.3, 0.5, 0.7, 0.9]):
            hits, false = int((side * likely > threshold).sum()), int((side * other > threshold).sum())
            surely = beta.ppf(CONFIDENCE, hits, trials - hits + 1) if hits else 0.0
            at_most = beta.ppf(1 - CONFIDENCE, false + 1, trials - false) if false < trials else 1.0
            allowed = min(math.exp(e) * at_most + claimed.delta(e) for e in (0.0, 0.3, 0.7, 1.2, 2.0, 3.0))
            excess = max(excess, surely - allowed)
    return excess


@pytest.mark.validity
@pytest.mark.parametrize("sampling_rate", [1.0, 0.5])
def test_an_attack_on_the_worst_row_stays_below_the_claim_and_beats_it_with_half_the_noise(
    sampling_rate: float,
) -> None:
    plan = DescentPlan(1, 3, 1.0, 1.0, noise_multiplier=1.5, sampling_rate=sampling_rate, averaged_share=1e-9)
    claimed = descent_profile(plan)
    assert worst_excess(plan, claimed, trials=1000) <= 0
    assert worst_excess(replace(plan, noise_multiplier=0.75), claimed, trials=1000) > 0
