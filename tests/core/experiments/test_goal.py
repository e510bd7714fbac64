"""A search that starts from what is wanted finds what a sweep finds, and says so when there is nothing to find."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from joblib import parallel_config
from threadpoolctl import threadpool_info, threadpool_limits

from dpcp_core import ConformalSettings, Dataset, Goal, GoalAnswer, InputError, find_epsilon, load_sample, simulate
from dpcp_core.experiments.goal import REASONS, Look
from dpcp_core.experiments.goal.search import steps_down
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.experiments.sweep.result import Progress

QUICK = ConformalSettings(repetitions=10)


@pytest.fixture(scope="module")
def patients() -> Dataset:
    return load_sample("diabetes")


@pytest.fixture(scope="module")
def found(patients: Dataset) -> GoalAnswer:
    return find_epsilon(patients, QUICK, goal=Goal(coverage=0.9, width=225))


def look(size: list[float], coverage: list[float], *, certified: bool = True, most: float = 10.0) -> Look:
    """Return a look of one seed with these repetitions, against a goal of 90 %."""
    settings = ConformalSettings(repetitions=len(size))
    cell = CellResult(settings, n_test=100, coverage=np.array(coverage), size=np.array(size), certified=certified)
    return Look(1.0, 0.5, Goal(0.9, most), (cell,))


def test_the_answer_meets_the_goal_with_room(found: GoalAnswer) -> None:
    assert (found.status, found.reached, found.why) == ("reached", True, "")
    assert found.best is not None
    assert found.best.meets
    assert found.best.epsilon == found.epsilon == found.high == found.settings.epsilon
    assert found.best.size_mean + found.best.margin <= 225
    assert len(found.best.cells) >= 3
    assert found.low is not None
    assert 0.2 < found.low < found.epsilon < 1.5


def test_everything_that_was_looked_at_is_told(found: GoalAnswer) -> None:
    epsilons = [each.epsilon for each in found.looks]
    assert epsilons == sorted(epsilons)
    assert max(epsilons) == found.largest_epsilon == 10.0
    missed = [each.epsilon for each in found.looks if each.epsilon < (found.epsilon or 0) and not each.may_meet]
    assert max(missed) == found.low
    assert min(epsilons) >= found.feasibility.smallest_epsilon
    low, high = found.reference_interval
    assert low < found.reference_size < high


def test_a_look_is_what_simulate_says(patients: Dataset, found: GoalAnswer) -> None:
    for cell in found.best.cells[:2]:
        result = simulate(patients, cell.settings)
        np.testing.assert_array_equal(cell.size, result.size)
        np.testing.assert_array_equal(cell.coverage, result.coverage)
    assert len({cell.settings.seed for cell in found.best.cells}) == len(found.best.cells)


def test_a_search_repeats_itself(patients: Dataset, found: GoalAnswer) -> None:
    again = find_epsilon(patients, QUICK, goal=Goal(coverage=0.9, width=225))
    assert (again.epsilon, again.low) == (found.epsilon, found.low)
    assert [each.size_mean for each in again.looks] == [each.size_mean for each in found.looks]


def test_the_goals_coverage_is_the_confidence_level(patients: Dataset) -> None:
    answer = find_epsilon(patients, QUICK.replace(confidence_level=0.5), goal=Goal(0.8, width=190), largest_epsilon=4.0)
    assert answer.settings.confidence_level == 0.8
    assert {cell.settings.confidence_level for each in answer.looks for cell in each.cells} == {0.8}


def test_a_curve_that_turns_is_followed_to_its_dip(patients: Dataset) -> None:
    settings = QUICK.replace(stability="dp")
    answer = find_epsilon(patients, settings, goal=Goal(0.8, width=215))
    assert answer.status == "reached"
    assert answer.epsilon is not None
    assert answer.until is not None
    assert 0.2 < answer.epsilon < answer.until < 5.0
    assert simulate(patients, settings.replace(confidence_level=0.8, epsilon=10.0)).size_mean > 215


def test_a_dip_above_the_goal_is_said_to_turn(patients: Dataset) -> None:
    answer = find_epsilon(patients, QUICK.replace(stability="dp"), goal=Goal(0.8, width=170))
    assert (answer.status, answer.why, answer.epsilon) == ("unreachable", "turns", None)
    assert answer.best is not None
    assert 0.3 < answer.best.epsilon < 2.5


def test_no_budget_is_narrower_than_without_privacy(patients: Dataset) -> None:
    answer = find_epsilon(patients, QUICK, goal=Goal(0.9, width=150))
    assert (answer.status, answer.why) == ("unreachable", "without_privacy")
    assert answer.reference_size > 150
    assert answer.rows is None


def test_a_goal_beyond_the_largest_epsilon_says_how_much_and_how_many(patients: Dataset) -> None:
    answer = find_epsilon(patients, QUICK, goal=Goal(0.9, width=225), largest_epsilon=0.4)
    assert (answer.status, answer.why) == ("unreachable", "epsilon")
    assert answer.needed_epsilon is not None
    assert answer.needed_epsilon > 0.4
    assert answer.rows is not None
    assert patients.n_rows < answer.rows.low <= answer.rows.about <= answer.rows.high
    # Private cost depends on rows times epsilon, nearly.
    assert answer.rows.about == pytest.approx(patients.n_rows * answer.needed_epsilon / 0.4, rel=0.6)


def test_the_guess_of_rows_is_what_a_larger_part_of_the_table_shows() -> None:
    data = load_sample("blood_pressure")
    goal, part = Goal(0.9, width=34), 1000
    answer = find_epsilon(rows_of(data, part), QUICK, goal=goal, largest_epsilon=0.5)
    assert not answer.reached
    assert answer.rows is not None
    met = [n for n in (1400, 1800, 2300, 3000, 4000) if mean_width(rows_of(data, n), epsilon=0.5) <= 34]
    assert answer.rows.low <= met[0]
    assert answer.rows.high >= met[0] / 1.3
    assert met[0] / 2 <= answer.rows.about <= met[0] * 2


def rows_of(data: Dataset, n_rows: int) -> Dataset:
    frame = data.frame.sample(n_rows, random_state=1).reset_index(drop=True)
    return Dataset.from_frame(frame, data.schema, data.name)


def mean_width(data: Dataset, **settings: float) -> float:
    return simulate(data, QUICK.replace(**settings)).size_mean


def test_too_few_rows_to_certify_anything_are_named(patients: Dataset) -> None:
    answer = find_epsilon(patients, QUICK, goal=Goal(0.9, width=230), largest_epsilon=0.2)
    assert (answer.status, answer.why) == ("unreachable", "certificate")
    assert answer.feasibility is not None
    assert not answer.feasibility.narrows
    assert answer.feasibility.smallest_n is not None
    assert answer.feasibility.smallest_n > answer.n
    assert answer.rows is not None
    assert answer.rows.about > answer.feasibility.smallest_n


def test_a_goal_below_the_methods_own_limit_is_told_from_one_below_privacy(patients: Dataset) -> None:
    answer = find_epsilon(patients, QUICK.replace(bins=8), goal=Goal(0.9, width=185))
    assert (answer.status, answer.why, answer.needed_epsilon) == ("unreachable", "limit", None)
    assert set(REASONS) >= {"limit", "turns", "epsilon", "certificate", "without_privacy", "narrowly", "coverage"}


def test_the_share_that_needs_least_wins(patients: Dataset) -> None:
    goal, shares = Goal(0.9, width=230), (0.8, 0.3)
    answer = find_epsilon(patients, QUICK, goal=goal, shares=shares, largest_epsilon=2.0)
    alone = find_epsilon(patients, QUICK.replace(training_share=0.3), goal=goal, largest_epsilon=2.0)
    assert answer.epsilon is not None
    assert answer.epsilon <= (alone.epsilon or np.inf) * 1.1
    assert answer.training_share == answer.settings.training_share
    assert {each.training_share for each in answer.looks} == set(shares)


def test_classes_have_a_goal_in_classes() -> None:
    data = load_sample("breast_cancer")
    answer = find_epsilon(data, QUICK.replace(repetitions=5), goal=Goal(0.9, size=1.5), largest_epsilon=1.0)
    assert answer.status == "reached"
    assert answer.task == "classification"
    assert answer.best is not None
    assert 1 <= answer.best.size_mean <= 1.5


def test_progress_is_told_cell_by_cell(patients: Dataset) -> None:
    told: list[tuple[Progress, tuple[CellResult, ...]]] = []
    answer = find_epsilon(
        patients, QUICK, goal=Goal(0.9, width=150), on_progress=lambda progress, cells: told.append((progress, cells))
    )
    assert [progress.done for progress, _ in told] == list(range(1, len(told) + 1))
    assert all(progress.done <= progress.total for progress, _ in told)
    assert sum(len(cells) for _, cells in told) == sum(len(each.cells) for each in answer.looks)


@pytest.mark.parametrize("after", [0, 3, 12])
def test_a_search_that_is_stopped_keeps_what_it_has(patients: Dataset, after: int) -> None:
    done: list[int] = []
    answer = find_epsilon(
        patients,
        QUICK,
        goal=Goal(0.9, width=225),
        on_progress=lambda progress, _cells: done.append(progress.done),
        should_stop=lambda: len(done) >= after,
    )
    assert (answer.status, answer.epsilon) == ("stopped", None)
    assert sum(len(each.cells) for each in answer.looks) == after


def test_a_look_meets_a_goal_only_with_room_for_the_noise() -> None:
    steady, shaky = [9.0, 9.1, 8.9, 9.0], [5.0, 13.0, 6.0, 12.0]
    covered = [0.91, 0.92, 0.93, 0.92]
    assert look(steady, covered).meets
    assert not look(shaky, covered).meets
    assert look(shaky, covered).may_meet
    assert look(shaky, covered).meets_on_average
    assert not look([11.0, 11.1, 10.9, 11.0], covered).may_meet
    assert look([10.0] * 4, covered).meets


def test_a_look_that_covers_too_little_does_not_meet_a_goal() -> None:
    size, short = [9.0, 9.1, 8.9, 9.0], [0.85, 0.86, 0.85, 0.86]
    assert not look(size, short).meets
    assert look(size, short).misses_coverage
    # A proof is believed where the measured coverage does not speak against it.
    nearly = [0.89, 0.90, 0.91, 0.89]
    assert look(size, nearly).meets
    assert not look(size, nearly, certified=False).meets


def test_more_seeds_make_a_look_surer() -> None:
    one = look([9.0, 9.6, 8.4, 9.0], [0.92, 0.93, 0.92, 0.93])
    many = dataclasses.replace(one, cells=one.cells * 4)
    assert many.margin < one.margin
    assert many.n_repetitions == 16


def test_steps_end_where_nothing_can_be_certified() -> None:
    assert steps_down(8.0, 0.0)[-1] == 8.0
    assert len(steps_down(8.0, 1e-9)) == 8
    assert steps_down(8.0, 3.0) == [3.0, 4.0, 8.0]
    assert steps_down(8.0, 8.0) == [8.0]


@pytest.mark.parametrize(
    ("goal", "sentence"),
    [
        ({"width": 0}, "width is 0 but must be a number above 0"),
        ({"width": -3}, "width is -3 but must be a number above 0"),
        ({"width": "wide"}, "width is 'wide' but must be a number above 0"),
        ({"width": float("nan")}, "width is not a number"),
        ({"width": float("inf")}, "width is inf but must be a number above 0"),
        ({}, "A goal needs one size"),
        ({"width": 3, "size": 4}, "A goal needs one size"),
        ({"width": 3, "coverage": 1}, "coverage is 1 but must be a number between 0 and 1"),
        ({"width": 3, "coverage": 0}, "coverage is 0 but must be a number between 0 and 1"),
        ({"width": 3, "coverage": "most"}, "coverage is 'most' but must be"),
    ],
    ids=str,
)
def test_a_goal_that_makes_no_sense_is_refused(goal: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        Goal(**goal)


@pytest.mark.parametrize(
    ("sample", "goal", "sentence"),
    [
        ("diabetes", Goal(width=400), "width is 400 but must be below 400, the whole range of"),
        ("breast_cancer", Goal(size=0.9), "size is 0.9 but must be at least 1"),
        ("breast_cancer", Goal(size=2), "size is 2 but must be below 2, the number of classes"),
    ],
)
def test_a_goal_that_a_target_cannot_have_is_refused(sample: str, goal: Goal, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        find_epsilon(load_sample(sample), QUICK, goal=goal)


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({"settings": QUICK.replace(method="oracle")}, "'oracle' spends no epsilon"),
        ({"settings": QUICK.replace(repetitions=2)}, "repetitions is 2 but must be at least 5"),
        ({"settings": QUICK.replace(score="aps")}, "does not suit a target of numbers"),
        ({"settings": QUICK.replace(row_share=0.001, method="pscp")}, "cannot be split with row_share = 0.001"),
        ({"settings": QUICK.replace(smallest_width=1000)}, "smallest_width is 1000"),
        ({"largest_epsilon": 0}, "largest_epsilon is 0 but must be a number above 0"),
        ({"shares": [0.5, 1.5]}, "training_share is 1.5 but must be"),
    ],
    ids=str,
)
def test_a_search_that_cannot_be_run_is_refused(patients: Dataset, choices: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        find_epsilon(patients, **{"settings": QUICK, "goal": Goal(width=225)} | choices)


def test_a_search_in_threads_leaves_the_threads_of_linear_algebra_as_they_were() -> None:
    def threads() -> list[int]:
        return sorted(library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas")

    within: list[int] = []
    with threadpool_limits(limits=2, user_api="blas"):
        before = threads()
        with parallel_config("threading", n_jobs=3):
            find_epsilon(
                load_sample("diabetes"),
                ConformalSettings(repetitions=5),
                goal=Goal(coverage=0.8, width=230),
                on_progress=lambda *_: within.extend(threads()),
            )
        assert threads() == before
    assert set(within) == {1}
