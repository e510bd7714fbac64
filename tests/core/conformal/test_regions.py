"""Intervals and sets: what they hold, how large they are, and sets that are not left empty."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.procedure import finished
from dpcp_core.conformal.regions import Intervals, LabelSets

members = arrays.arrays(bool, st.tuples(st.integers(1, 6), st.integers(1, 3), st.integers(2, 5)))


def test_intervals_hold_both_ends() -> None:
    lower, upper = np.array([[0.0, 1.0, 2.0]]), np.array([[1.0, 1.0, 4.0]])
    intervals = Intervals(lower, upper)
    assert intervals.covers(lower).all()
    assert intervals.covers(upper).all()
    assert intervals.covers(np.array([[-0.1, 1.1, 3.0]])).tolist() == [[False, False, True]]
    assert intervals.size.tolist() == [[1.0, 0.0, 2.0]]


@given(members)
def test_a_set_covers_the_classes_that_it_holds(held: np.ndarray) -> None:
    sets = LabelSets(held)
    for code in range(held.shape[-1]):
        np.testing.assert_array_equal(sets.covers(np.full(held.shape[:2], code)), held[..., code])
    np.testing.assert_array_equal(sets.size, held.sum(axis=-1))


@given(members, st.integers(0, 1000))
def test_an_empty_set_gets_its_likeliest_class_and_others_stay(held: np.ndarray, seed: int) -> None:
    likelihood = np.random.default_rng(seed).random(held.shape)
    filled = LabelSets(held).never_empty(likelihood).members
    empty = ~held.any(axis=-1)
    np.testing.assert_array_equal(filled[~empty], held[~empty])
    assert (filled[empty].sum(axis=-1) == 1).all()
    np.testing.assert_array_equal(filled[empty].argmax(axis=-1), likelihood[empty].argmax(axis=-1))


def test_filling_empty_sets_never_lowers_coverage() -> None:
    rng = np.random.default_rng(0)
    held, likelihood = rng.random((50, 4, 3)) < 0.3, rng.random((50, 4, 3))
    truth = rng.integers(0, 3, (50, 4))
    before, after = LabelSets(held).covers(truth), LabelSets(held).never_empty(likelihood).covers(truth)
    assert (after >= before).all()
    assert after.sum() > before.sum()


def test_sets_are_left_empty_only_where_that_is_wanted() -> None:
    nothing, likelihood = LabelSets(np.zeros((2, 1, 3), dtype=bool)), np.array([[[0.2, 0.5, 0.3]], [[0.6, 0.4, 0.0]]])
    assert finished(nothing, likelihood, ConformalChoices(allow_empty=True)).size.tolist() == [[0.0], [0.0]]
    assert finished(nothing, likelihood, ConformalChoices()).members.argmax(axis=-1).tolist() == [[1], [0]]


def test_intervals_are_shown_as_they_are() -> None:
    intervals = Intervals(np.zeros((2, 1)), np.ones((2, 1)))
    assert finished(intervals, np.zeros((2, 1, 1)), ConformalChoices()) is intervals
