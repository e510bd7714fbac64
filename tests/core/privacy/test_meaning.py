"""What a promise means: every limit is held against the best attack there is, worked out exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.gaussian import gaussian_mu
from dpcp_core.privacy.joint_profile import AddedProfile
from dpcp_core.privacy.meaning import attack_limits, posterior
from dpcp_core.privacy.profile import GaussianProfile, NoPrivacyProfile, PrivacyProfile, SubsampledGaussianProfile
from dpcp_core.privacy.profile_objective import ObjectivePerturbationProfile


@dataclass(frozen=True, eq=False)
class Discrete:
    """The exact profile of a mechanism with few results: chances with the row and without it."""

    present: np.ndarray
    absent: np.ndarray

    def delta(self, epsilon: float) -> float:
        gaps = (self.present - math.exp(epsilon) * self.absent, self.absent - math.exp(epsilon) * self.present)
        return max(float(np.maximum(gap, 0).sum()) for gap in gaps)

    def epsilon(self, delta: float) -> float:
        low, high = 0.0, float(np.abs(np.log(self.present / self.absent)).max())
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if self.delta(middle) > delta else (low, middle)
        return high

    def rates(self) -> tuple[np.ndarray, np.ndarray]:
        """False alarms and hits of every best test: results are accused in the order of their likelihood ratio."""
        order = np.argsort(-self.present / self.absent)
        return np.cumsum(self.absent[order]), np.cumsum(self.present[order])


weights = st.lists(st.floats(0.001, 1), min_size=2, max_size=8)


@st.composite
def mechanisms(draw) -> Discrete:
    present = np.array(draw(weights))
    absent = np.array(draw(st.lists(st.floats(0.001, 1), min_size=len(present), max_size=len(present))))
    return Discrete(present / present.sum(), absent / absent.sum())


def point(profile: PrivacyProfile, delta: float):
    return attack_limits(PrivacyBudget(max(profile.epsilon(delta), 1e-9), delta))


PROFILES = (
    GaussianProfile(0.3),
    GaussianProfile(3.0),
    SubsampledGaussianProfile(1.0, 0.1, 10),
    ObjectivePerturbationProfile(5.0, 0.1),
    AddedProfile(GaussianProfile(0.5), ObjectivePerturbationProfile(5.0, 0.1)),
    Discrete(np.array([0.7, 0.2, 0.1]), np.array([0.3, 0.3, 0.4])),
)


@pytest.mark.parametrize(
    ("epsilon", "factor", "half", "rare"),
    [
        (0.1, 1.1, 52.5, 1.1),
        (0.5, 1.6, 62, 1.6),
        (1, 2.7, 73, 2.7),
        (2, 7.4, 88, 7.0),
        (5, 148, 99.3, 60),
        (10, 22026, 99.995, 99.6),
    ],
)
def test_the_odds_table_is_that_of_the_literature(epsilon: float, factor: float, half: float, rare: float) -> None:
    believed = posterior(epsilon)
    assert believed / (1 - believed) == pytest.approx(factor, rel=0.04)
    assert 100 * believed == pytest.approx(half, abs=0.5)
    assert 100 * posterior(epsilon, prior=0.01) == pytest.approx(rare, abs=0.06)


@settings(max_examples=30)
@given(mechanisms(), st.floats(1e-6, 0.2))
def test_no_attack_on_a_mechanism_passes_its_limits(mechanism: Discrete, delta: float) -> None:
    false, hits = mechanism.rates()
    budget = point(mechanism, delta)
    for limits in (attack_limits(mechanism, delta=delta), budget):
        assert (hits <= limits.tpr(np.minimum(false, 1.0)) + 1e-9).all()
        assert float((hits - false).max()) <= limits.advantage + 1e-9


@settings(max_examples=30)
@given(mechanisms(), st.floats(0.02, 0.98))
def test_no_guess_is_right_more_often_than_the_limit(mechanism: Discrete, prior: float) -> None:
    best = float(np.maximum(prior * mechanism.present, (1 - prior) * mechanism.absent).sum())
    for limits in (attack_limits(mechanism), point(mechanism, 0.01)):
        assert best <= limits.chance_right(prior) + 1e-9


@settings(max_examples=30)
@given(mechanisms(), st.floats(0.0, 3.0), st.floats(1e-6, 0.2))
def test_odds_grow_by_more_only_as_rarely_as_stated(mechanism: Discrete, factor: float, delta: float) -> None:
    losses = np.log(mechanism.present / mechanism.absent)
    chance = float(mechanism.present[losses > factor + 1e-12].sum())
    for limits in (attack_limits(mechanism, delta=delta), point(mechanism, delta)):
        assert chance <= limits.chance_of_more(factor) + 1e-9


def test_with_delta_a_result_may_give_everything_away() -> None:
    """Why no posterior is promised then: this mechanism keeps to (1, 1e-3), and names the row with that chance."""
    delta, tells = 1e-3, 1 - 1e-3
    flips = math.e / (1 + math.e)
    present = np.array([delta, tells * flips, tells * (1 - flips)])
    absent = np.array([0.0, tells * (1 - flips) + delta, tells * flips])
    assert Discrete(present, absent).delta(1.0) <= delta + 1e-12
    assert present[0] / (present[0] + absent[0]) == 1 > posterior(1.0)
    limits = attack_limits(PrivacyBudget(1.0, delta))
    assert np.maximum(present, absent).sum() / 2 <= limits.chance_right()
    assert limits.chance_of_more(1.0) == 1.0
    assert limits.chance_of_more(4.0) >= delta


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("delta", [1e-8, 1e-5, 1e-3, 0.05])
def test_a_whole_profile_is_never_looser_than_one_point_of_it(profile: PrivacyProfile, delta: float) -> None:
    whole, one = attack_limits(profile, delta=delta), point(profile, delta)
    rates = np.concatenate([[0.0], np.geomspace(1e-9, 1, 300), np.linspace(0, 1, 101)])
    assert (whole.tpr(rates) <= one.tpr(rates) + 1e-12).all()
    assert whole.advantage <= one.advantage + 1e-12
    for prior in (0.01, 0.5, 0.9):
        assert whole.chance_right(prior) <= one.chance_right(prior) + 1e-12


@settings(max_examples=50)
@given(st.floats(0.05, 4), st.floats(1e-8, 0.1), st.floats(1e-6, 1))
def test_for_gaussian_noise_the_profile_is_strictly_tighter(mu: float, delta: float, fpr: float) -> None:
    profile = GaussianProfile(mu)
    assert attack_limits(profile, delta=delta).tpr(fpr) <= point(profile, delta).tpr(fpr) + 1e-12
    assert attack_limits(profile).advantage < point(profile, delta).advantage


@pytest.mark.parametrize("mu", [0.1, 0.5, 1.0, 4.0])
def test_gaussian_limits_are_the_best_test_of_two_bells(mu: float) -> None:
    """The oracle: N(mu, 1) against N(0, 1), accused above a cut."""
    limits = attack_limits(GaussianProfile(mu))
    cuts = np.linspace(-3, 5, 33)
    assert limits.tpr(norm.sf(cuts)) == pytest.approx(norm.sf(cuts - mu), abs=1e-12)
    assert limits.advantage == pytest.approx(2 * norm.cdf(mu / 2) - 1, abs=1e-12)
    assert limits.chance_of_more(1.0) == pytest.approx(norm.sf((1 - mu**2 / 2) / mu), abs=1e-12)
    prior, cut = 0.2, mu / 2 + math.log(0.8 / 0.2) / mu
    right = prior * norm.sf(cut - mu) + (1 - prior) * norm.cdf(cut)
    assert limits.chance_right(prior) == pytest.approx(right, abs=1e-9)


@pytest.mark.parametrize("mu", [0.1, 1.0, 4.0])
def test_points_of_a_profile_come_close_to_the_closed_form(mu: float) -> None:
    @dataclass(frozen=True)
    class Tabulated:
        inner: GaussianProfile

        def delta(self, epsilon: float) -> float:
            return self.inner.delta(epsilon)

        def epsilon(self, delta: float) -> float:
            return self.inner.epsilon(delta)

    rates = np.geomspace(1e-5, 0.9, 60)
    exact, found = (
        attack_limits(profile).tpr(rates) for profile in (GaussianProfile(mu), Tabulated(GaussianProfile(mu)))
    )
    assert (found >= exact - 1e-12).all()
    assert (found <= 1.02 * exact + 1e-6).all()


def test_sampled_batches_agree_with_the_accountant() -> None:
    """The oracle: total variation and one line of the trade-off, straight from dp-accounting."""
    from dp_accounting.pld import privacy_loss_distribution

    one = privacy_loss_distribution.from_gaussian_mechanism(1.0, sampling_prob=0.1, value_discretization_interval=1e-3)
    run = one.self_compose(10)
    limits = attack_limits(SubsampledGaussianProfile(1.0, 0.1, 10))
    assert limits.advantage == pytest.approx(run.get_delta_for_epsilon(0.0), rel=0.02)
    steps = np.linspace(0, 4, 400)
    line = min(run.get_delta_for_epsilon(float(e)) + math.exp(e) * 0.01 for e in steps)
    assert limits.tpr(0.01) == pytest.approx(line, rel=0.02)


@settings(max_examples=50)
@given(st.floats(0.01, 12), st.floats(0, 0.4))
def test_one_point_says_what_randomised_response_reaches(epsilon: float, delta: float) -> None:
    """The worst mechanism of (epsilon, delta): the truth openly with chance delta, else randomised response."""
    limits, lie = attack_limits(PrivacyBudget(epsilon, delta)), 1 / (1 + math.exp(epsilon))
    hits = delta + (1 - delta) * (1 - lie)
    assert limits.tpr((1 - delta) * lie) == pytest.approx(hits, abs=1e-9)
    assert limits.chance_right() == pytest.approx(hits, abs=1e-9)
    assert limits.advantage == pytest.approx(2 * hits - 1, abs=1e-9)


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 4.0, 2000.0])
@pytest.mark.parametrize("blind", [0.01, 0.5])
def test_one_of_many_is_named_no_more_often_than_the_limit(epsilon: float, blind: float) -> None:
    """Randomised response, an empty cell being any value, is epsilon-private and names the truth this often."""
    odds, others = math.exp(min(epsilon, 700.0)), round(1 / blind) - 1
    named = attack_limits(PrivacyBudget(epsilon)).chance_named(blind)
    assert odds / (odds + others) <= named + 1e-12
    assert named <= attack_limits(PrivacyBudget(epsilon, 0.01)).chance_named(blind) <= 1


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_the_shape_of_gaussian_noise_names_fewer_than_its_one_pair(epsilon: float) -> None:
    point, whole = (attack_limits(each) for each in (PrivacyBudget(epsilon, 1e-5),
                                                     GaussianProfile(gaussian_mu(epsilon, 1e-5))))  # fmt: skip
    for blind in (0.001, 0.02, 0.5, 0.99):
        assert blind < whole.chance_named(blind) <= point.chance_named(blind)


def test_nothing_is_limited_where_nothing_is_promised() -> None:
    nothing = (PrivacyBudget.infinite(), NoPrivacyProfile(), GaussianProfile(math.inf))
    for limits in map(attack_limits, nothing):
        assert limits.tpr(0.0) == limits.advantage == limits.chance_right() == limits.chance_of_more(3.0) == 1
        assert limits.chance_named(0.0) == 1
    assert posterior(math.inf) == 1


def test_perfect_privacy_leaves_a_coin() -> None:
    limits = attack_limits(GaussianProfile(0.0))
    assert limits.tpr(0.3) == pytest.approx(0.3)
    assert limits.chance_right() == 0.5
    assert limits.chance_of_more(0.1) == 0


@pytest.mark.parametrize("wrong", [-0.1, math.nan, "much"])
def test_bad_numbers_are_refused_in_a_sentence(wrong: object) -> None:
    for call in (posterior, attack_limits(PrivacyBudget(1.0)).chance_of_more):
        with pytest.raises(InputError, match="epsilon"):
            call(wrong)
    with pytest.raises(InputError, match="prior"):
        posterior(1.0, prior=wrong)
    with pytest.raises(InputError, match="delta"):
        attack_limits(GaussianProfile(1.0), delta=wrong)
