from __future__ import annotations

import pytest

from dpcp_core.conformal.feasibility import certified_feasibility
from dpcp_core.experiments.goal import RowsNeeded
from dpcp_core.presentation.figures.goal import goal
from dpcp_core.presentation.figures.theme import LIGHT
from dpcp_core.presentation.wording.goal import goal_alt, goal_detail, goal_headline, search_key, take_epsilon_label
from tests.core.presentation.answers import answer, look, nothing_computed
from tests.core.presentation.maps import plain


def test_what_is_enough_is_said_in_one_sentence():
    assert plain(goal_headline(answer())) == "ε = 0.4 is enough for intervals of at most 40 mmHg with 90 % coverage"


def test_the_answer_says_what_was_measured_and_how_sure_it_is():
    words = plain(goal_detail(answer(), "patient"))
    assert "intervals are 38.0 mmHg wide on average (38.0 to 38.0) and hold the truth in 91.0 % of held-out" in words
    assert "met from somewhere between ε = 0.2 and 0.4 on" in words
    assert "missed again" not in words


def test_a_goal_that_more_budget_misses_again_says_so():
    assert "Above ε = 4 the goal is missed again." in plain(goal_detail(answer(until=4.0), "patient"))


def test_sets_hold_classes():
    made = answer(task="classification", sizes={0.4: 1.4, 1.0: 1.2}, reference_size=1.1)
    assert plain(goal_headline(made)) == "ε = 0.4 is enough for sets of at most 1.5 classes with 90 % coverage"
    assert "sets hold 1.4 classes on average" in plain(goal_detail(made, "patient"))


def test_a_share_that_was_searched_for_is_part_of_the_answer():
    made = answer()
    both = (*made.looks, look(0.4, 50.0, made.goal, training_share=0.2))
    words = plain(goal_headline(answer(looks=both)))
    assert words.startswith("ε = 0.4, with 50 % of it for the model, is enough")
    assert plain(take_epsilon_label(answer(looks=both))) == "Use ε = 0.4 with 50 % for the model"
    assert plain(take_epsilon_label(made)) == "Use ε = 0.4"


def test_what_is_not_reached_says_why_and_how_many_rows_would_do():
    made = answer(epsilon=None, needed_epsilon=14.2, rows=RowsNeeded(5200, 4700, 6000))
    assert plain(goal_headline(made)) == "Not reachable: intervals of at most 40 mmHg with 90 % coverage"
    words = plain(goal_detail(made, "patient"))
    assert "With 3,200 patients and ε up to 10, intervals stay wider than that; at best they are 31.0 mmHg" in words
    assert words.endswith("What would do: ε of about 14, or about 5,200 patients (4,700 to 6,000) at ε = 10.")


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("without_privacy", "Even without privacy intervals are 30.0 mmHg wide on average."),
        ("certificate", "coverage cannot be certified"),
        ("coverage", "This method promises no coverage"),
        ("turns", "more budget makes intervals wider again"),
        ("narrowly", "met on average, but not by most simulations"),
        ("epsilon", "ε up to 10"),
    ],
)
def test_every_reason_has_its_sentence(why, said):
    words = plain(goal_detail(answer(epsilon=None, why=why), "patient"))
    assert said in words
    assert "What would do" not in words


def test_a_certified_method_is_not_told_that_it_promises_nothing():
    proved = certified_feasibility(3200, epsilon=10.0)
    assert "promises no" not in goal_detail(answer(epsilon=None, why="coverage", feasibility=proved), "patient")


def test_a_stopped_search_has_no_answer():
    stopped = answer(epsilon=None, status="stopped", why="")
    assert goal_headline(stopped) == "Stopped before there was an answer"
    assert "search again" in goal_detail(stopped, "patient")
    assert goal(answer(epsilon=None, status="stopped", why="", looks=(), best=None)).table.empty


def test_the_alt_tells_the_run_of_sizes():
    words = plain(goal_alt(answer(), "patient"))
    assert words.startswith("ε = 0.4 is enough")
    assert words.endswith(
        "Of 5 values of ε looked at, from 0.1 to 10, the mean width runs from 31.0 mmHg to 60.0 mmHg."
    )


@pytest.mark.parametrize("dark", [False, True])
def test_the_picture_shows_goal_reference_answer_and_every_look_inside_its_axes(dark):
    made = answer(sizes={0.05: 180.0, **dict.fromkeys((0.1, 0.2), 60.0), 0.4: 38.0, 10.0: 31.0})
    picture = goal(made, noun="patient", dark=dark)
    layout = picture.figure.layout
    line, diamond = picture.figure.data
    for drawn in (line, diamond):
        assert all(layout.xaxis.range[0] <= x <= layout.xaxis.range[1] for x in drawn.x)
        assert all(layout.yaxis.range[0] <= y <= layout.yaxis.range[1] for y in drawn.y)
    assert line.marker.symbol[0] == "triangle-up"
    assert set(line.marker.symbol[1:]) == {"circle"}
    assert diamond.y[0] == pytest.approx(38.0)
    levels = {shape.y0 for shape in layout.shapes if shape.type == "line"}
    assert levels == {40.0, 30.0}
    assert [note.text.replace("\u00a0", " ") for note in layout.annotations] == [
        "goal 40 mmHg",
        "without privacy 30.0 mmHg",
    ]
    assert layout.dragmode is False
    assert len(picture.table) == 5


def test_where_the_least_epsilon_may_lie_is_shaded_and_named():
    (shade,) = [shape for shape in goal(answer()).figure.layout.shapes if shape.type == "rect"]
    assert (shade.x0, shade.x1) == pytest.approx((-0.699, -0.398), abs=1e-3)
    assert shade.fillcolor == LIGHT.miss_band
    assert "Shaded" in search_key(answer())
    assert "Shaded" not in search_key(answer(epsilon=None))


def test_a_look_that_could_not_be_computed_is_left_out():
    made = answer()
    picture = goal(answer(looks=(nothing_computed(made.goal), *made.looks)))
    assert len(picture.table) == 5
    assert len(picture.figure.data[0].x) == 5
