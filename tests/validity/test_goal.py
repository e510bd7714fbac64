"""A goal-first answer keeps its word: new simulations meet the goal, and a dense sweep finds the same epsilon."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcp_core import ConformalSettings, Dataset, Goal, GoalAnswer, find_epsilon, load_sample, simulate, sweep

pytestmark = pytest.mark.validity

CASES = [
    ("diabetes", {"width": 225.0}, {}),
    ("diabetes", {"width": 215.0, "coverage": 0.8}, {"stability": "dp"}),
    ("blood_pressure", {"width": 33.0}, {}),
    ("breast_cancer", {"size": 1.2}, {}),
]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: f"{case[0]} {case[2]}")
def answered(request: pytest.FixtureRequest) -> tuple[Dataset, GoalAnswer]:
    sample, goal, settings = request.param
    data = load_sample(sample)
    return data, find_epsilon(data, ConformalSettings(**settings), goal=Goal(**goal))


def meets(data: Dataset, answer: GoalAnswer, **changes: Any) -> bool:
    result = simulate(data, answer.settings.replace(**changes))
    return result.size_mean <= answer.goal.most and result.coverage_interval[1] >= answer.goal.coverage


def test_new_simulations_meet_the_goal_18_times_in_20(answered: tuple[Dataset, GoalAnswer]) -> None:
    data, answer = answered
    assert answer.reached
    assert sum(meets(data, answer, seed=seed) for seed in range(1000, 1020)) >= 18


def test_well_below_the_answer_they_do_not(answered: tuple[Dataset, GoalAnswer]) -> None:
    data, answer = answered
    assert answer.low is not None
    assert not any(meets(data, answer, seed=seed, epsilon=answer.low * 0.9) for seed in range(1000, 1003))


def test_a_dense_sweep_finds_the_same_epsilon(answered: tuple[Dataset, GoalAnswer]) -> None:
    data, answer = answered
    assert answer.epsilon is not None
    assert answer.low is not None
    tried = np.geomspace(answer.low * 0.8, answer.epsilon * 1.2, 20).tolist()
    found = sweep(data, answer.settings.replace(seed=77), epsilons=tried, repetitions=60)
    first = next(cell.settings.epsilon for cell in found.cells if cell.size_mean <= answer.goal.most)
    assert answer.low <= first <= answer.epsilon * 1.05
