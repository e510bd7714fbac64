"""Every score of classes: within its bound, as steady as it says, and its sets hold just what scores low enough."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core.conformal.regions import LabelSets
from dpcp_core.conformal.scores import SCORES, Score
from dpcp_core.data.target import ClassTarget

CLASSES = {name: score for name, score in SCORES.items() if score.task == "classification"}
every_score = pytest.mark.parametrize("score", CLASSES.values(), ids=list(CLASSES))
logits = st.lists(st.floats(-6, 6), min_size=2, max_size=6)
coin = st.floats(0, 1)


def softmax(values: np.ndarray) -> np.ndarray:
    powers = np.exp(values - values.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def scores_of_all(score: Score, values: list[float], u: float) -> np.ndarray:
    """Return the score that each class would have."""
    target = ClassTarget(tuple("abcdef"[: len(values)]))
    predicted = np.repeat(softmax(np.array(values))[None, None], len(values), axis=0)
    truth = np.arange(len(values))[:, None]
    return score.scores(truth, predicted, target, np.full(truth.shape, u))[:, 0]


@every_score
@given(values=logits, u=coin)
def test_no_score_is_negative_or_above_its_bound(score: Score, values: list[float], u: float) -> None:
    found = scores_of_all(score, values, u)
    assert (found >= 0).all()
    assert (found <= score.bound(ClassTarget(tuple("abcdef"[: len(values)])))).all()


@every_score
@given(values=logits, u=coin, threshold=st.floats(0, 1))
def test_a_set_holds_just_the_classes_that_score_at_most_the_threshold(
    score: Score, values: list[float], u: float, threshold: float
) -> None:
    target = ClassTarget(tuple("abcdef"[: len(values)]))
    predicted = softmax(np.array(values))[None, None]
    region = score.region(predicted, threshold, target, np.full((1, 1), u))
    assert region.members[0, 0].tolist() == (scores_of_all(score, values, u) <= threshold).tolist()


@every_score
@given(values=logits, u=coin)
def test_the_largest_threshold_holds_every_class(score: Score, values: list[float], u: float) -> None:
    target = ClassTarget(tuple("abcdef"[: len(values)]))
    region = score.region(softmax(np.array(values))[None, None], score.bound(target), target, np.full((1, 1), u))
    assert region.size.tolist() == [[float(len(values))]]


@every_score
@given(values=logits, push=st.lists(st.floats(-1, 1), min_size=6, max_size=6))
def test_a_score_moves_by_no_more_than_it_says(score: Score, values: list[float], push: list[float]) -> None:
    moved = np.array(values) + np.array(push[: len(values)])
    allowed = score.movement(float(np.linalg.norm(push[: len(values)])), ClassTarget(tuple("abcdef"[: len(values)])))
    change = np.abs(scores_of_all(score, values, 1.0) - scores_of_all(score, moved.tolist(), 1.0)).max()
    assert allowed is None or change <= allowed + 1e-12


def test_the_probability_score_can_move_nearly_as_far_as_it_says() -> None:
    step = 1e-4
    before, after = (scores_of_all(SCORES["probability"], [z, -z], 1.0)[0] for z in (0.0, step / np.sqrt(2)))
    assert before - after > 0.99 * SCORES["probability"].movement(step, ClassTarget(("a", "b")))


def test_cumulative_scores_may_jump_and_say_so() -> None:
    assert SCORES["aps"].movement(1e-9, ClassTarget(("a", "b"))) is None
    before, after = (scores_of_all(SCORES["aps"], [0.0, z], 1.0)[1] for z in (-1e-9, 1e-9))
    assert before - after > 0.4


def test_an_empty_set_gets_the_likeliest_class_and_others_stay() -> None:
    members = np.array([[[False, False, False]], [[False, True, True]]])
    likelihood = np.array([[[0.2, 0.5, 0.3]], [[0.8, 0.1, 0.1]]])
    filled = LabelSets(members).never_empty(likelihood)
    assert filled.members[:, 0].tolist() == [[False, True, False], [False, True, True]]
