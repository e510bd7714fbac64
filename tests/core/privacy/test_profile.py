from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import (
    GaussianProfile,
    NoPrivacyProfile,
    PrivacyProfile,
    SubsampledGaussianProfile,
    gaussian_mu,
    noise_multiplier,
    paper_level,
    stable_level,
)


class Tabulated:
    """A Gaussian profile that hides its closed form."""

    def __init__(self, mu: float) -> None:
        self.inner = GaussianProfile(mu)

    def delta(self, epsilon: float) -> float:
        return self.inner.delta(epsilon)

    def epsilon(self, delta: float) -> float:
        return self.inner.epsilon(delta)


@given(st.floats(0.01, 8), st.floats(0.01, 0.5))
def test_closed_form_of_the_stable_level_is_the_supremum(mu: float, alpha: float) -> None:
    closed = stable_level(GaussianProfile(mu), alpha)
    searched = stable_level(Tabulated(mu), alpha)
    assert searched <= closed * (1 + 1e-9)
    assert searched >= closed * 0.99
    assert closed == pytest.approx(norm.cdf(norm.ppf(alpha) - mu), rel=1e-9)


@given(st.floats(0.05, 8), st.floats(0.02, 0.4), st.floats(0, 20))
def test_every_epsilon_gives_a_valid_lower_bound_of_the_stable_level(mu: float, alpha: float, e: float) -> None:
    bound = math.exp(-e) * (alpha - GaussianProfile(mu).delta(e))
    assert stable_level(GaussianProfile(mu), alpha) >= bound - 1e-12


@pytest.mark.parametrize("epsilon", [0.25, 0.5, 1.0, 2.0, 4.0, 8.0])
@pytest.mark.parametrize("delta", [1e-7, 1e-5, 1e-3])
def test_the_profile_never_gives_less_than_the_paper(epsilon: float, delta: float) -> None:
    profile = GaussianProfile(gaussian_mu(epsilon, delta))
    for alpha in (0.02, 0.1, 0.3):
        assert paper_level(epsilon, delta, alpha) <= stable_level(profile, alpha) <= alpha


def test_levels_are_those_of_the_method_description() -> None:
    levels = [stable_level(GaussianProfile(gaussian_mu(e, 1e-5)), 0.1) for e in (0.5, 1, 2, 4)]
    assert np.round(levels, 3).tolist() == [0.077, 0.061, 0.037, 0.014]
    assert [round(paper_level(e, 0, 0.1), 4) for e in (0.5, 1, 2, 4)] == [0.0607, 0.0368, 0.0135, 0.0018]


def test_nothing_private_gives_no_level() -> None:
    assert stable_level(NoPrivacyProfile(), 0.1) == 0
    assert stable_level(GaussianProfile(math.inf), 0.1) == 0
    assert NoPrivacyProfile().epsilon(0.5) == math.inf
    assert paper_level(1.0, 0.2, 0.1) == 0


@pytest.mark.parametrize(
    "profile", [GaussianProfile(1.0), SubsampledGaussianProfile(1.0, 0.1, 10), NoPrivacyProfile(), Tabulated(1.0)]
)
def test_all_profiles_keep_the_same_contract(profile: PrivacyProfile) -> None:
    assert isinstance(profile, PrivacyProfile)
    deltas = [profile.delta(e) for e in (0.0, 0.5, 1.0, 3.0)]
    assert all(0 <= b <= a <= 1 for a, b in itertools.pairwise(deltas))
    if not isinstance(profile, NoPrivacyProfile):
        assert profile.delta(profile.epsilon(1e-4)) <= 1e-4


@pytest.mark.parametrize("epsilon", [1e-3, 0.1, 1.0, 10.0, 1000.0])
@pytest.mark.parametrize("steps", [1, 7, 100, 10_000])
def test_full_batch_noise_is_on_the_private_side(epsilon: float, steps: int) -> None:
    noise = noise_multiplier(epsilon, 1e-5, steps)
    assert GaussianProfile(math.sqrt(steps) / noise).delta(epsilon) <= 1e-5
    assert GaussianProfile(math.sqrt(steps) / (0.99 * noise)).delta(epsilon) > 1e-5


@pytest.mark.parametrize(
    ("epsilon", "delta", "steps", "rate"),
    [(1.0, 1e-5, 100, 0.1), (0.05, 1e-5, 100, 0.01), (3.0, 1e-6, 1000, 0.02), (20.0, 1e-5, 10, 0.5)],
)
def test_poisson_noise_is_on_the_private_side_and_within_a_hundredth(
    epsilon: float, delta: float, steps: int, rate: float
) -> None:
    from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent
    from dp_accounting.pld import PLDAccountant

    noise = noise_multiplier(epsilon, delta, steps, rate)
    assert SubsampledGaussianProfile(noise, rate, steps).delta(epsilon) <= delta
    accountant = PLDAccountant(value_discretization_interval=1e-3)
    accountant.compose(PoissonSampledDpEvent(rate, GaussianDpEvent(0.99 * noise)), steps)
    assert accountant.get_delta(epsilon) > delta
    assert noise <= noise_multiplier(epsilon, delta, steps)


@pytest.mark.parametrize("mu", [0.1, 1.0, 3.0])
def test_sampling_everything_is_the_full_batch(mu: float) -> None:
    profile = SubsampledGaussianProfile(5 / mu, 1, 25)
    for epsilon in (0.0, 0.1, 1.0):
        exact = GaussianProfile(mu).delta(epsilon)
        assert exact - 1e-14 <= profile.delta(epsilon) <= exact * 1.01 + 1e-9
    assert stable_level(profile, 0.1) == pytest.approx(stable_level(GaussianProfile(mu), 0.1), rel=0.001)


def test_no_noise_goes_with_an_infinite_budget_only() -> None:
    assert noise_multiplier(math.inf, 1e-5, 10) == 0
    assert noise_multiplier(math.inf, 1e-5, 10, 0.1) == 0
    for rate in (1.0, 0.1):
        with pytest.raises(InputError, match="delta is 0"):
            noise_multiplier(1.0, 0.0, 10, rate)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("noise_multiplier", (0.0, 0.1, 10)),
        ("sampling_rate", (1.0, 0.0, 10)),
        ("sampling_rate", (1.0, 1.2, 10)),
        ("steps", (1.0, 0.1, 0)),
    ],
)
def test_a_training_run_is_checked_when_described(name: str, values: tuple[float, float, int]) -> None:
    with pytest.raises(InputError, match=name):
        SubsampledGaussianProfile(*values)


def test_mu_must_not_be_negative() -> None:
    with pytest.raises(InputError, match="mu"):
        GaussianProfile(-1.0)
