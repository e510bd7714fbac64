"""Attacks on models of a real table stay below what the budget allows, and the worst row comes near it."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import pytest

from dpcp_core.data.samples import load_sample
from dpcp_core.errors import InputError
from dpcp_core.experiments.membership import (
    MembershipReference,
    MembershipResult,
    membership_attack,
    membership_reference,
)
from dpcp_core.experiments.prepare import Prepared, prepare

DELTA = 1e-5


@lru_cache(maxsize=4)
def prepared(name: str = "diabetes") -> Prepared:
    return prepare(load_sample(name))


@lru_cache(maxsize=4)
def reference(n_models: int) -> MembershipReference:
    return membership_reference(prepared(), "ridge", n_models=n_models, n_rows=200)


@lru_cache(maxsize=8)
def result(epsilon: float, n_models: int = 128) -> MembershipResult:
    shared = reference(n_models)
    return membership_attack(
        prepared(), "ridge", epsilon=epsilon, delta=DELTA, n_models=n_models, n_rows=200, reference=shared
    )


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 4.0, 20.0])
def test_no_attack_surely_beats_the_limit(epsilon: float) -> None:
    found = result(epsilon)
    for curve in (found.likelihood, found.loss, found.worst_row):
        assert curve.advantage.low <= found.largest_advantage
        assert curve.tpr_at_1_percent.low <= found.largest_tpr_at_1_percent
        # Measured shares are off by a little, in both directions.
        limit = np.interp(curve.fpr + 0.005, found.bound_fpr, found.bound_tpr)
        assert (curve.tpr <= limit + 0.03).all()


@pytest.mark.parametrize("epsilon", [4.0, 20.0])
def test_the_worst_row_comes_near_the_limit_and_the_tables_own_rows_do_not(epsilon: float) -> None:
    found = result(epsilon)
    assert found.worst_row.advantage.value > 0.85 * found.largest_advantage
    assert found.likelihood.advantage.high < 0.5 * found.largest_advantage


def test_models_without_privacy_tell_who_was_in_and_a_small_budget_hides_most_of_it() -> None:
    found = result(0.5)
    assert found.without_privacy.advantage.low > 0.05
    assert found.likelihood.advantage.high < found.without_privacy.advantage.low
    assert found.without_privacy.advantage == reference(128).curve.advantage


def test_more_budget_allows_more_and_the_worst_row_uses_it() -> None:
    found = [result(epsilon) for epsilon in (0.5, 4.0, 20.0)]
    limits = [one.largest_advantage for one in found]
    assert limits == sorted(limits)
    assert found[0].worst_row.advantage.high < found[1].worst_row.advantage.low
    assert found[1].worst_row.advantage.high < found[2].worst_row.advantage.low


def test_a_reference_at_hand_changes_nothing() -> None:
    alone = membership_attack(prepared(), "ridge", epsilon=4.0, delta=DELTA, n_models=128, n_rows=200)
    np.testing.assert_array_equal(alone.likelihood.tpr, result(4.0).likelihood.tpr)
    assert alone.worst_row.advantage == result(4.0).worst_row.advantage


def test_without_a_budget_the_worst_row_is_always_found() -> None:
    found = result(math.inf)
    assert found.largest_advantage == pytest.approx(1)
    assert found.worst_row.advantage.value == pytest.approx(1)


@pytest.mark.parametrize("trainer", ["logistic", "output_perturbation"])
def test_classes_are_attacked_as_numbers_are(trainer: str) -> None:
    found = membership_attack(prepared("breast_cancer"), trainer, epsilon=8.0, delta=DELTA, n_models=32, n_rows=60)
    assert found.task == "classification"
    assert found.worst_row.advantage.value > 0.5 * found.largest_advantage
    assert found.likelihood.advantage.low <= found.largest_advantage


@pytest.mark.slow
def test_a_network_is_attacked_too() -> None:
    found = membership_attack(prepared(), "mlp", epsilon=4.0, delta=DELTA, n_models=16, n_rows=40)
    assert found.trainer == "mlp"
    assert found.likelihood.advantage.low <= found.largest_advantage


def test_what_does_not_fit_is_refused_in_one_sentence() -> None:
    with pytest.raises(InputError, match=r"^This reference is of other models"):
        membership_attack(prepared(), "ridge", epsilon=1.0, delta=DELTA, n_models=64, reference=reference(128))
    with pytest.raises(InputError, match=r"^n_models is 3"):
        membership_reference(prepared(), n_models=3)
    with pytest.raises(InputError, match=r"^epsilon is -1"):
        membership_attack(prepared(), epsilon=-1, delta=DELTA)
