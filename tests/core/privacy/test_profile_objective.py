from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from dpcp_core.errors import InputError
from dpcp_core.privacy.gaussian import gaussian_delta
from dpcp_core.privacy.profile_objective import ObjectivePerturbationProfile, objective_noise
from dpcp_core.privacy.spending import TrainingBudget

GRID = np.linspace(-14, 14, 280_001)
EPSILONS = (0.0, 0.05, 0.2, 0.5, 1.0, 2.0, 3.0)


def exact_deltas(shift: np.ndarray, epsilon: float) -> tuple[float, float]:
    """Return delta in both directions of telling t ~ N(0, 1) from t - shift(t) ~ N(0, 1), by a sum over the grid."""
    step = GRID[1] - GRID[0]
    without = np.exp(-(GRID**2) / 2) / math.sqrt(2 * math.pi)
    moved = GRID - shift
    with_row = np.exp(-(moved**2) / 2) / math.sqrt(2 * math.pi) * (1 - np.gradient(shift, step))
    added = np.maximum(without - math.exp(epsilon) * with_row, 0).sum() * step
    removed = np.maximum(with_row - math.exp(epsilon) * without, 0).sum() * step
    return float(added), float(removed)


def random_shift(rng: np.random.Generator, mu: float, slope: float) -> np.ndarray:
    """Return a random function that never increases, never faster falls than the slope, and stays within mu."""
    knots = np.sort(rng.normal(scale=2, size=6))
    falls = slope * (rng.random(7) < 0.5) * rng.random(7) ** 0.3
    rate = falls[np.searchsorted(knots, GRID)]
    falling = -np.cumsum(rate) * (GRID[1] - GRID[0])
    return np.clip(falling - falling[rng.integers(len(GRID))] + rng.normal(scale=mu / 2), -mu, mu)


@pytest.mark.parametrize("mu", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("slope", [0.05, 1.0, 20.0])
def test_no_admissible_row_costs_more_than_the_profile(mu: float, slope: float) -> None:
    rng, profile = np.random.default_rng(0), ObjectivePerturbationProfile(1 / mu, math.log1p(slope))
    shifts = [np.clip(-slope * (GRID - c), -mu, mu) for c in (-2.0, 0.0, 0.7)]
    shifts += [np.full_like(GRID, mu), *(random_shift(rng, mu, slope) for _ in range(12))]
    for shift in shifts:
        for epsilon in EPSILONS:
            assert max(exact_deltas(shift, epsilon)) <= profile.delta(epsilon) + 1e-6


def test_the_bounds_are_reached_by_a_steep_row_and_exceeded_with_less_noise() -> None:
    mu, epsilon = 1.0, 1.0
    steep, gentle = np.clip(-200.0 * GRID, -mu, mu), np.full_like(GRID, mu)
    assert exact_deltas(steep, epsilon)[0] == pytest.approx(2 * gaussian_delta(mu, epsilon), rel=0.01)
    assert exact_deltas(gentle, epsilon)[1] == pytest.approx(gaussian_delta(mu, epsilon), rel=1e-4)
    claimed_with_too_little_noise = ObjectivePerturbationProfile(2 / mu, 0.1)
    assert exact_deltas(gentle, epsilon)[0] > claimed_with_too_little_noise.delta(epsilon)


def test_delta_falls_and_epsilon_is_its_inverse() -> None:
    profile = ObjectivePerturbationProfile(2.0, 0.3)
    deltas = [profile.delta(e) for e in np.linspace(0, 8, 400)]
    assert all(a >= b for a, b in itertools.pairwise(deltas))
    for delta in (1e-9, 1e-5, 1e-2):
        epsilon = profile.epsilon(delta)
        assert profile.delta(epsilon) <= delta < profile.delta(epsilon * (1 - 1e-6))
    assert profile.epsilon(0.99) == 0


@pytest.mark.parametrize("budget", [TrainingBudget(e, 1e-5) for e in (0.1, 1, 16)] + [TrainingBudget(2, 1e-6, 0.7)])
def test_the_noise_is_the_least_that_the_budget_admits(budget: TrainingBudget) -> None:
    stretch = 0.3 * budget.point.epsilon
    noise = objective_noise(budget, stretch)
    assert budget.admits(ObjectivePerturbationProfile(noise, stretch))
    assert not budget.admits(ObjectivePerturbationProfile(noise * (1 - 1e-4), stretch))
    assert noise > 1 / budget.mu


def test_no_noise_is_needed_without_privacy() -> None:
    assert objective_noise(TrainingBudget(math.inf, 1e-5), 3.0) == 0


def test_a_penalty_that_no_noise_makes_up_for_is_refused() -> None:
    with pytest.raises(InputError, match=r"^penalty is too small for this budget"):
        objective_noise(TrainingBudget(1.0, 1e-5), 1.0)


@pytest.mark.parametrize("stretch", [0.0, 0.01, 1.0])
def test_the_profile_is_never_below_either_of_the_two_bounds_that_are_proved(stretch: float) -> None:
    profile = ObjectivePerturbationProfile(2.0, stretch)
    for epsilon in np.linspace(0.01, 6, 50):
        proved = max(2 * gaussian_delta(0.5, epsilon), gaussian_delta(0.5, epsilon - stretch))
        assert min(1.0, proved) <= profile.delta(epsilon) <= 1


def test_a_delta_that_needs_no_epsilon_gets_none() -> None:
    assert ObjectivePerturbationProfile(50.0, 0.1).epsilon(0.9) == 0
    assert ObjectivePerturbationProfile(50.0, 0.1).delta(0.0) <= 0.9
