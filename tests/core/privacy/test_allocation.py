from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core.errors import InputError
from dpcp_core.privacy.allocation import allocate, allocate_nothing, allocate_training_only
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.composition import composed_delta
from dpcp_core.privacy.profile import GaussianProfile

epsilons, shares = st.floats(1e-2, 50), st.floats(0.05, 0.95)


@given(epsilons, shares)
def test_steps_on_the_same_rows_stay_within_the_budget_together(epsilon: float, share: float) -> None:
    budget = PrivacyBudget(epsilon, 1e-5)
    for composition in ("basic", "tight"):
        parts = allocate(budget, share, composition)
        assert parts.quantile_epsilon == pytest.approx((1 - share) * epsilon)
        assert composed_delta(parts.training.mu, parts.quantile_epsilon, epsilon) <= 1e-5 * (1 + 1e-8)
        assert parts.training.admits(GaussianProfile(parts.training.mu))
        assert not parts.training.admits(GaussianProfile(1.01 * parts.training.mu))


@given(epsilons, shares)
def test_steps_on_different_rows_may_each_spend_everything(epsilon: float, share: float) -> None:
    budget = PrivacyBudget(epsilon, 1e-5)
    parts = allocate(budget, share, "parallel")
    assert parts.quantile_epsilon == epsilon
    assert GaussianProfile(parts.training.mu).delta(epsilon) <= 1e-5
    assert parts.training.mu == allocate_training_only(budget).training.mu
    tight, basic = (allocate(budget, share, composition).training.mu for composition in ("tight", "basic"))
    assert parts.training.mu > tight > basic


def test_what_is_not_private_is_marked_as_such() -> None:
    nothing = allocate_nothing()
    assert nothing.training.mu == math.inf
    assert nothing.training.noise_multiplier(100) == 0
    assert nothing.quantile_epsilon is None
    assert allocate_training_only(PrivacyBudget(1.0, 1e-5)).quantile_epsilon is None


def test_training_cannot_be_private_without_a_delta() -> None:
    with pytest.raises(InputError, match="delta is 0"):
        _ = allocate(PrivacyBudget(1.0), 0.5, "tight").training.mu
