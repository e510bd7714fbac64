"""Games against trainers: the row made up to be found uses all of the budget, and models tell of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpcp_core.evaluation.audit.canaries import alone, in_a_network, leaning, network_rows, one_run_scores
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.problem import ProblemSize, TrainingChoices
from dpcp_core.training.registry import TRAINERS

BUDGET, N = TrainingBudget(4.0, 1e-5), 20_000
ONE = TrainingChoices(steps=1)
SOLVED = TrainingChoices(penalty=1.0)


def distance(seen: np.ndarray, unseen: np.ndarray) -> float:
    """Return how far the two samples lie apart, in standard deviations."""
    return float((seen.mean() - unseen.mean()) / np.sqrt((seen.var() + unseen.var()) / 2))


@pytest.mark.parametrize(
    ("name", "choices", "n_classes", "n_rows"),
    [
        ("ols", ONE, 0, 1),
        ("ridge", ONE, 0, 1),
        ("lasso", ONE, 0, 1),
        ("logistic", ONE, 2, 1),
        ("linear_svm", ONE, 2, 1),
        ("output_perturbation", SOLVED, 0, 10),
        ("output_perturbation", SOLVED, 2, 10),
    ],
)
def test_the_row_moves_what_is_predicted_by_all_that_its_privacy_allows(
    name: str, choices: TrainingChoices, n_classes: int, n_rows: int
) -> None:
    game = alone(TRAINERS[name], BUDGET, choices, n_classes=n_classes, n_rows=n_rows)
    apart = distance(*game.scores(N, np.random.default_rng(0)))
    assert apart == pytest.approx(BUDGET.mu, abs=5 * np.sqrt(2 / N))


def test_a_row_that_is_there_twice_moves_it_twice_as_far() -> None:
    game = alone(TRAINERS["ridge"], BUDGET, ONE)
    twice = replace(game, features=np.repeat(game.features, 2, 0), targets=np.repeat(game.targets, 2), n_copies=2)
    assert distance(*twice.scores(N, np.random.default_rng(0))) == pytest.approx(2 * BUDGET.mu, abs=0.06)


def test_the_row_moves_a_network_by_most_of_what_its_privacy_allows() -> None:
    choices = TrainingChoices(steps=1, step_size=1e-3, sampling_rate=1.0)
    game = in_a_network(TRAINERS["mlp"], BUDGET, choices)
    # Adam leaves hardly more than the signs of a gradient: of its signal, the square root of 2 / pi.
    apart = distance(*game.scores(400, np.random.default_rng(0)))
    assert apart == pytest.approx(np.sqrt(2 / np.pi) * BUDGET.mu, abs=0.25)


def test_models_lean_towards_the_targets_of_rows() -> None:
    ridge = TRAINERS["ridge"]
    plan = ridge.plan(ProblemSize(1, 2), TrainingBudget(np.inf, 1e-5), ONE)
    rows, targets = np.array([[1.0, 0.0]]), np.array([-3.0])
    fitted = ridge.fit(rows, targets, plan, n_models=1, rng=np.random.default_rng(0))
    assert leaning(fitted, rows, targets)[0, 0] == pytest.approx(-float(fitted.predict(rows)[0, 0, 0]))
    logistic = TRAINERS["logistic"]
    plan = logistic.plan(ProblemSize(1, 2, 2), TrainingBudget(np.inf, 1e-5), ONE)
    fitted = logistic.fit(rows, np.array([1]), plan, n_models=1, rng=np.random.default_rng(0))
    chance = float(fitted.predict(rows)[0, 0, 1])
    assert leaning(fitted, rows, np.array([1]))[0, 0] == pytest.approx(np.log(chance / (1 - chance)))


def test_rows_for_networks_are_no_longer_than_rows_may_be() -> None:
    rows, targets = network_rows(500, np.random.default_rng(0))
    assert rows.shape == (500, 17)
    assert np.linalg.norm(rows, axis=1).max() <= 1
    assert set(np.sign(targets)) == {-1, 1}


def test_in_one_run_each_row_with_a_column_of_its_own_moves_by_its_whole_budget() -> None:
    n, ridge = 2000, TRAINERS["ridge"]
    plan = ridge.plan(ProblemSize(n, n), BUDGET, ONE)
    rows, targets = np.eye(n, dtype=np.float32), np.full(n, 100.0, np.float32)
    scores, included = one_run_scores(ridge, plan, rows, targets, np.random.default_rng(0), n_empty=30)
    assert 0.45 < included.mean() < 0.55
    assert distance(scores[included], scores[~included]) == pytest.approx(BUDGET.mu, abs=0.2)
