from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget

epsilons = st.floats(1e-3, 1e3)
deltas = st.floats(0, 0.4)
shares = st.floats(0.001, 0.999)


@given(epsilons, deltas, shares)
def test_the_parts_of_a_split_add_up_to_the_whole(epsilon: float, delta: float, share: float) -> None:
    whole = PrivacyBudget(epsilon, delta)
    training, quantile = whole.split(share)
    joint = training + quantile
    assert whole.covers(joint)
    assert joint.covers(whole)
    assert quantile.delta == 0
    assert training.epsilon == pytest.approx(share * epsilon)


def test_sums_of_tenths_are_covered_in_spite_of_rounding() -> None:
    tenth = PrivacyBudget(0.1, 1e-6)
    three = tenth + tenth + tenth
    assert three.epsilon != 0.3
    assert PrivacyBudget(0.3, 3e-6).covers(three)
    assert not PrivacyBudget(0.2999, 3e-6).covers(three)
    assert not PrivacyBudget(0.3, 2e-6).covers(three)


@pytest.mark.parametrize("epsilon", [0, -1, -math.inf, math.nan, "abc", None])
def test_epsilon_must_be_above_zero(epsilon: object) -> None:
    with pytest.raises(InputError, match="epsilon"):
        PrivacyBudget(epsilon)  # type: ignore[arg-type]


@pytest.mark.parametrize("delta", [-1e-9, 1, 2, math.nan, math.inf])
def test_delta_must_be_a_small_share(delta: float) -> None:
    with pytest.raises(InputError, match="delta"):
        PrivacyBudget(1.0, delta)


@pytest.mark.parametrize("share", [0, 1, -0.1, 1.5])
def test_neither_part_of_a_split_may_be_empty(share: float) -> None:
    with pytest.raises(InputError, match="training_share"):
        PrivacyBudget(1.0).split(share)


def parts(whole: PrivacyBudget, share: float) -> tuple[PrivacyBudget, PrivacyBudget] | str:
    """Return the parts of a split, or why there are none."""
    try:
        return whole.split(share)
    except InputError as refusal:
        return str(refusal)


@given(st.floats(0, exclude_min=True), st.floats(0, 0.9), st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_any_budget_is_split_into_two_parts_within_it_or_the_share_is_refused(
    epsilon: float, delta: float, share: float
) -> None:
    whole = PrivacyBudget(epsilon, delta)
    split = parts(whole, share)
    if isinstance(split, str):
        assert "training_share" in split
        return
    training, quantile = split
    assert whole.covers(training + quantile)
    assert math.isinf(epsilon) or max(training.epsilon, quantile.epsilon) < epsilon


amounts = st.builds(PrivacyBudget, st.floats(0, exclude_min=True), st.floats(0, 0.3))


@given(amounts, amounts, amounts)
def test_a_sum_covers_its_parts_in_whatever_order_they_are_added(
    one: PrivacyBudget, other: PrivacyBudget, third: PrivacyBudget
) -> None:
    whole = one + other + third
    assert all(whole.covers(part) for part in (one, other, third, one + other, other + third))
    for again in (third + other + one, one + (other + third)):
        assert whole.covers(again)
        assert again.covers(whole)


def test_what_is_not_private_stays_so_in_sums_and_splits() -> None:
    nothing = PrivacyBudget.infinite()
    assert not nothing.is_finite
    assert not (nothing + PrivacyBudget(1.0)).is_finite
    assert [part.is_finite for part in nothing.split(0.5)] == [False, False]
    assert nothing.covers(PrivacyBudget(1e9))
    assert not PrivacyBudget(1e9).covers(nothing)


def test_deltas_that_promise_nothing_are_refused() -> None:
    with pytest.raises(InputError, match="deltas add up"):
        PrivacyBudget(1.0, 0.6) + PrivacyBudget(1.0, 0.6)


def test_a_budget_reads_as_people_write_it() -> None:
    assert str(PrivacyBudget(0.5)) == "epsilon = 0.5"
    assert str(PrivacyBudget(2, 1e-6)) == "epsilon = 2, delta = 1e-06"
    assert "not private" in str(PrivacyBudget.infinite())


def test_a_budget_is_added_to_budgets_only() -> None:
    with pytest.raises(TypeError):
        PrivacyBudget(1.0) + 1  # type: ignore[operator]
