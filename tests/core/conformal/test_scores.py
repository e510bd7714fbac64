"""Every score of a number: its bound holds, it moves as little as it says, and its interval is what it says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpcp_core.conformal.scores import SCORES, Score
from dpcp_core.data.target import ClassTarget, NumericTarget

SCALE = NumericTarget(centre=2.0, spread=1.5, lower=-3.0, upper=7.0)
inside = st.floats(SCALE.lower, SCALE.upper)
NUMERIC = {name: score for name, score in SCORES.items() if score.task == "regression"}
every_score = pytest.mark.parametrize("score", NUMERIC.values(), ids=list(NUMERIC))
SPREAD = 1.25


def one(score: Score, truth: float, predicted: float) -> float:
    return float(score.scores(np.array([[truth]]), outputs(predicted), SCALE, None)[0, 0])


def outputs(predicted: float) -> np.ndarray:
    """Return one prediction with a spread, which a score reads or not."""
    return np.array([[[predicted, SPREAD]]])


@every_score
@given(truth=inside, predicted=inside)
@example(truth=SCALE.lower, predicted=SCALE.upper)
@example(truth=SCALE.upper, predicted=SCALE.lower)
def test_no_score_is_negative_or_above_its_bound(score: Score, truth: float, predicted: float) -> None:
    assert 0 <= one(score, truth, predicted) <= score.bound(SCALE)


@every_score
def test_a_score_is_in_the_unit_of_the_target_if_it_grows_with_it(score: Score) -> None:
    wide = NumericTarget(centre=20.0, spread=15.0, lower=-30.0, upper=70.0)
    scored = score.scores(np.array([[40.0]]), 10 * outputs(1.0), wide, None)[0, 0]
    assert scored == pytest.approx(one(score, 4.0, 1.0) * (10 if score.in_target_unit else 1))


@every_score
@given(truth=inside, predicted=inside, moved=inside)
def test_a_score_moves_by_at_most_its_constant_times_the_move(
    score: Score, truth: float, predicted: float, moved: float
) -> None:
    allowed = score.movement(abs(predicted - moved) / SCALE.spread, SCALE)
    change = abs(one(score, truth, predicted) - one(score, truth, moved))
    assert allowed is None or change <= allowed + 1e-12


@every_score
@given(truth=inside, predicted=inside, share=st.floats(0, 1))
def test_the_interval_holds_just_the_values_that_score_at_most_the_threshold(
    score: Score, truth: float, predicted: float, share: float
) -> None:
    threshold = share * score.bound(SCALE)
    within = bool(score.region(outputs(predicted), threshold, SCALE, None).covers(np.array([[truth]]))[0, 0])
    scored = one(score, truth, predicted)
    if abs(scored - threshold) > 1e-12:
        assert within == (scored < threshold)
    elif scored <= threshold:
        assert within


@pytest.mark.parametrize("name", SCORES)
def test_a_score_has_a_smallest_spread_if_it_asks_for_one(name: str) -> None:
    target = SCALE if name in NUMERIC else ClassTarget(("a", "b"))
    floor = SCORES[name].floor(target)
    assert floor is None or floor > 0
    assert (floor is not None) == SCORES[name].needs_spread


@every_score
def test_the_largest_threshold_gives_the_whole_range(score: Score) -> None:
    predicted = np.linspace(SCALE.lower, SCALE.upper, 9)
    outputs_of_all = np.stack([predicted, np.full(9, SPREAD)], axis=1)[:, None]
    intervals = score.region(outputs_of_all, score.bound(SCALE), SCALE, None)
    assert (intervals.lower == SCALE.lower).all()
    assert (intervals.upper == SCALE.upper).all()


@every_score
def test_each_repetition_has_its_own_threshold(score: Score) -> None:
    flat = np.broadcast_to([0.0, SPREAD], (4, 3, 2))
    sizes = score.region(flat, np.array([0.5, 1.0, 2.0]), SCALE, None).size
    assert sizes.shape == (4, 3)
    assert (sizes[:, 0] < sizes[:, 1]).all()
