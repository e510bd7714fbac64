"""Each way to pay for in-sample scores: its level, its widening, and the rule that chooses."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from dpcp_core.conformal.stability import StabilityFacts, predicted_cost, stability_factor
from dpcp_core.privacy.profile import GaussianProfile, gaussian_mu


def facts(epsilon: float = 1.0, movement: float | None = 0.01, alpha: float = 0.1) -> StabilityFacts:
    return StabilityFacts(alpha, epsilon, 1e-5, GaussianProfile(gaussian_mu(epsilon, 1e-5)), movement, 1.0)


@pytest.mark.parametrize(("epsilon", "level"), [(0.5, 0.061), (1, 0.037), (2, 0.014), (4, 0.0018)])
def test_the_published_level_is_the_published_level(epsilon: float, level: float) -> None:
    assert stability_factor("dp", facts(epsilon)).level == pytest.approx(level, rel=0.04)


@pytest.mark.parametrize(("epsilon", "level"), [(0.5, 0.077), (1, 0.061), (2, 0.037), (4, 0.014)])
def test_the_whole_profile_gives_the_normal_quantile_level(epsilon: float, level: float) -> None:
    found = stability_factor("profile", facts(epsilon)).level
    assert found == pytest.approx(level, rel=0.04)
    assert found == pytest.approx(norm.cdf(norm.ppf(0.1) - gaussian_mu(epsilon, 1e-5)), rel=1e-9)


@given(st.floats(0.05, 10), st.floats(0.01, 0.5))
def test_the_profile_is_never_worse_than_one_point_of_it(epsilon: float, alpha: float) -> None:
    given_facts = facts(epsilon, alpha=alpha)
    assert stability_factor("profile", given_facts).level >= stability_factor("dp", given_facts).level * (1 - 1e-9)


def test_coupling_keeps_the_level_and_widens_by_twice_the_movement() -> None:
    factor = stability_factor("coupling", facts(movement=0.25))
    assert (factor.level, factor.widening) == (0.1, 0.5)


def test_coupling_without_its_condition_falls_back_to_the_profile_and_says_so() -> None:
    factor = stability_factor("coupling", facts(movement=None))
    assert factor.name == "profile"
    assert factor.level < 0.1
    assert "does not hold" in factor.reason


def test_best_takes_the_cheaper() -> None:
    assert stability_factor("best", facts(movement=0.001)).name == "coupling"
    assert stability_factor("best", facts(movement=5.0)).name == "profile"


def test_split_costs_nothing() -> None:
    factor = stability_factor("split", facts())
    assert (factor.level, factor.widening, predicted_cost(factor, facts())) == (0.1, 0.0, pytest.approx(0.0))


def test_an_alpha_below_delta_leaves_no_level_worth_the_name() -> None:
    assert 0 < stability_factor("dp", facts(alpha=1e-6)).level < 1e-9


def test_a_widening_near_the_bound_of_the_scores_costs_more() -> None:
    factor = stability_factor("coupling", facts(movement=0.1))
    assert factor.widening > 0
    far, near = (dataclasses.replace(facts(), score_bound=bound) for bound in (100.0, 3 * factor.widening))
    assert predicted_cost(factor, near) > 2 * predicted_cost(factor, far) > 0
