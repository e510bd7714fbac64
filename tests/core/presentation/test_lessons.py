"""Lessons, scenarios and glossary in words and pictures."""

from __future__ import annotations

import numpy as np
import pytest

from dpcp_core import load_sample
from dpcp_core.errors import InputError
from dpcp_core.experiments.lessons.copying import Traces
from dpcp_core.experiments.lessons.counting import hide_one
from dpcp_core.experiments.lessons.sharing import widths_by_share
from dpcp_core.experiments.scenarios import SCENARIOS, Scenario
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.presentation.figures.lessons.counts import count_curves
from dpcp_core.presentation.figures.lessons.dots import belief_dots, trace_dots
from dpcp_core.presentation.figures.lessons.shares import share_curve
from dpcp_core.presentation.wording.learn import reply_to_check
from dpcp_core.presentation.wording.lessons import LESSONS, Option, Question, budget, noise, synthetic
from dpcp_core.presentation.wording.scenarios import SCENARIO_WORDS

QUESTIONS = [question for lesson in LESSONS.values() for question in (lesson.guess, lesson.check)]


def n_filled(picture, field: int) -> int:
    """Return how many dots of a field are filled."""
    return len(picture.figure.data[2 * field].x)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.text[:30])
def test_every_answer_has_its_own_reply(question):
    replies = [option.reply for option in question.options]
    assert len(set(replies)) == len(replies) >= 3
    assert question.answer.reply.startswith("Yes")
    assert not any(option.reply.startswith("Yes") for option in question.options if option is not question.answer)


def test_a_wrong_answer_says_so_and_may_be_mended():
    check = LESSONS["noise"].check
    assert reply_to_check(check, 0).endswith("Try another answer.")
    assert "Try" not in reply_to_check(check, check.right)
    assert "The answer is “Just as much”." in reply_to_check(check, None)


def test_a_question_without_a_right_answer_is_refused():
    with pytest.raises(InputError, match="right is 2"):
        Question("?", (Option("a", "b"), Option("c", "d")), right=2)


def test_the_right_answer_is_not_always_in_the_same_place():
    assert {question.right for question in QUESTIONS} == {0, 1, 2}


@pytest.mark.parametrize("dark", [False, True])
def test_the_two_curves_lie_one_person_apart_and_agree_with_the_table(dark):
    hidden = hide_one(1068, 0.5)
    picture = count_curves(hidden, dark=dark)
    without, having, dots = picture.figure.data
    assert having.x[np.argmax(having.y)] - without.x[np.argmax(without.y)] == 1
    assert picture.table[noise.TABLE_COLUMNS[1]].to_numpy() == pytest.approx(np.asarray(having.y) / 100)
    assert len(dots.x) == len(hidden.drawn) == 20
    for words in (picture.alt, noise.seen(hidden)):
        assert f"right {100 * hidden.best_guess:.0f} times in 100" in words


@pytest.mark.parametrize(("epsilon", "filled"), [(0.1, 52), (1.0, 73), (5.0, 99), (10.0, 99)])
def test_as_many_dots_are_filled_as_the_belief_says(epsilon, filled):
    picture = belief_dots(hide_one(1068, epsilon), 0.5)
    assert (n_filled(picture, 0), n_filled(picture, 1)) == (50, filled)
    assert picture.table.iloc[2, 1] == pytest.approx(100 * hide_one(1068, epsilon).beliefs(0.5)[1])


def test_tables_are_counted_as_they_were_found():
    found = np.arange(40) < 17
    traces = Traces("marginals", 1.0, 1e-5, found, found[::-1] & (np.arange(40) > 30))
    picture = trace_dots(traces)
    assert (n_filled(picture, 0), n_filled(picture, 1)) == (traces.n_with, traces.n_without) == (17, 9)
    assert "17 of 40" in picture.alt
    assert "of the 26 tables that have one, 17 were made with Ana" in synthetic.seen(traces)


def test_the_share_in_use_is_marked_and_told():
    curve = widths_by_share(load_sample("diabetes"), ConformalSettings(repetitions=5), (0.3, 0.9))
    picture = share_curve(curve, 0.9)
    assert (list(picture.figure.data[1].x), list(picture.figure.data[1].y)) == ([90], [curve.width_of(0.9)])
    assert "The narrowest" in budget.seen(curve, 0.9)
    assert "the narrowest here" in budget.seen(curve, curve.best)
    assert picture.table.shape == (2, 2)


def test_every_scenario_has_its_words_and_asks_a_question():
    assert list(SCENARIOS) == list(SCENARIO_WORDS)
    assert len(SCENARIOS) == 10
    assert all("?" in words.question and words.notice.endswith(".") for words in SCENARIO_WORDS.values())


@pytest.mark.parametrize("wrong", [{"page": "moon"}, {"sample": "moon"}, {"epsilon": -1.0}])
def test_a_scenario_that_cannot_be_opened_is_refused(wrong):
    with pytest.raises(InputError, match=r"moon|epsilon"):
        Scenario(**({"name": "x", "page": "coverage", "sample": "diabetes"} | wrong))
