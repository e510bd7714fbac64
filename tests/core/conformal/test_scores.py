"""Every registered score: its bound holds, it moves as little as it says, and its interval is what it says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpcp_core.conformal.scores import SCORES, Score
from dpcp_core.data.encoding import TargetScale

SCALE = TargetScale(centre=2.0, spread=1.5, lower=-3.0, upper=7.0)
inside = st.floats(SCALE.lower, SCALE.upper)
every_score = pytest.mark.parametrize("score", SCORES.values(), ids=list(SCORES))


def one(score: Score, truth: float, predicted: float) -> float:
    return float(score.scores(np.array([truth]), np.array([predicted]))[0])


@every_score
@given(truth=inside, predicted=inside)
@example(truth=SCALE.lower, predicted=SCALE.upper)
@example(truth=SCALE.upper, predicted=SCALE.lower)
def test_no_score_is_negative_or_above_its_bound(score: Score, truth: float, predicted: float) -> None:
    assert 0 <= one(score, truth, predicted) <= score.bound(SCALE)


@every_score
@given(truth=inside, predicted=inside, moved=inside)
def test_a_score_moves_by_at_most_its_constant_times_the_move(
    score: Score, truth: float, predicted: float, moved: float
) -> None:
    change = abs(one(score, truth, predicted) - one(score, truth, moved))
    assert change <= score.lipschitz * abs(predicted - moved) + 1e-12


@every_score
@given(truth=inside, predicted=inside, share=st.floats(0, 1))
def test_the_interval_holds_just_the_values_that_score_at_most_the_threshold(
    score: Score, truth: float, predicted: float, share: float
) -> None:
    threshold = share * score.bound(SCALE)
    lower, upper = score.interval(np.array([predicted]), threshold, SCALE)
    within = bool(lower[0] <= truth <= upper[0])
    scored = one(score, truth, predicted)
    if abs(scored - threshold) > 1e-12:
        assert within == (scored < threshold)
    elif scored <= threshold:
        assert within


@every_score
def test_the_largest_threshold_gives_the_whole_range(score: Score) -> None:
    lower, upper = score.interval(np.linspace(SCALE.lower, SCALE.upper, 9), score.bound(SCALE), SCALE)
    assert (lower == SCALE.lower).all()
    assert (upper == SCALE.upper).all()


@every_score
def test_each_repetition_has_its_own_threshold(score: Score) -> None:
    lower, upper = score.interval(np.zeros((4, 3)), np.array([0.5, 1.0, 2.0]), SCALE)
    assert lower.shape == upper.shape == (4, 3)
    assert ((upper - lower)[:, 0] < (upper - lower)[:, 1]).all()
