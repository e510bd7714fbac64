from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from dpcp_core.errors import InputError
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.quantile import quantile_distribution
from dpcp_core.privacy.quantile_mechanisms import QUANTILES, QuantileTask
from dpcp_core.privacy.randomness import simulation_generator

GRID = Grid.geometric(smallest=0.01, largest=1.0, bins=60)
TASK = QuantileTask(GRID, n=2000, epsilon=1.0, miss_rate=0.1, delta=1e-5)
every_mechanism = pytest.mark.parametrize("name", sorted(QUANTILES))


def half_normal(n: int, sets: int, seed: int = 0) -> np.ndarray:
    drawn = np.abs(simulation_generator(seed).normal(scale=0.2, size=(n, sets)))
    return np.sort(np.minimum(drawn, 1.0), axis=0)


@every_mechanism
def test_thresholds_are_edges_of_the_grid_near_the_wanted_quantile(name: str) -> None:
    scores = half_normal(2000, 40)
    drawn = QUANTILES[name].draw(scores, TASK, simulation_generator(1))
    assert np.isin(drawn.thresholds, GRID.edges).all()
    missed = (scores > drawn.thresholds).mean(axis=0)
    assert 0.05 < missed.mean() < 0.1
    assert drawn.certified
    assert drawn.bins == 60
    assert drawn.note == ""


@every_mechanism
def test_a_draw_is_repeated_by_its_seed_and_sets_are_drawn_apart(name: str) -> None:
    scores = np.repeat(half_normal(2000, 1), 50, axis=1)
    first, again = (QUANTILES[name].draw(scores, TASK, simulation_generator(2)).thresholds for _ in range(2))
    assert first.tolist() == again.tolist()
    assert len(set(first)) > 1


@every_mechanism
def test_one_list_of_scores_is_one_set(name: str) -> None:
    drawn = QUANTILES[name].draw(half_normal(2000, 1)[:, 0], TASK, simulation_generator(3))
    assert drawn.thresholds.shape == (1,)


@every_mechanism
def test_where_a_distribution_is_given_it_is_the_draws_own(name: str) -> None:
    scores = np.repeat(half_normal(2000, 1), 4000, axis=1)
    drawn = QUANTILES[name].draw(scores, TASK, simulation_generator(4))
    if drawn.distribution is None:
        assert name == "histogram"
        return
    assert drawn.distribution.mechanism == name
    assert drawn.distribution.target == drawn.target
    expected = float(drawn.distribution.probabilities[0] @ GRID.edges)
    assert drawn.thresholds.mean() == pytest.approx(expected, abs=5 * drawn.thresholds.std() / np.sqrt(4000))


@every_mechanism
def test_an_empty_row_counts_in_n_and_nowhere_else(name: str) -> None:
    scores = half_normal(1000, 20)
    some_empty = QUANTILES[name].draw(scores, TASK, simulation_generator(5)).thresholds
    all_there = QUANTILES[name].draw(np.vstack([scores * 0, scores]), TASK, simulation_generator(5)).thresholds
    assert some_empty.tolist() == all_there.tolist()
    with pytest.raises(InputError, match="n is 2000 but there are 2001 scores"):
        QUANTILES[name].draw(half_normal(2001, 1), TASK, simulation_generator(0))


@every_mechanism
def test_the_note_says_what_runs_on_how_many_candidates(name: str) -> None:
    note = QUANTILES[name].describe(TASK)
    assert note.mechanism.startswith("Private quantile (")
    assert "60" in note.detail
    assert "geometric grid" in note.detail
    assert note.sensitivity.startswith("1 ")
    assert note.epsilon >= TASK.epsilon
    assert note.delta in (0.0, TASK.delta)


@every_mechanism
def test_words_for_people_are_short(name: str) -> None:
    mechanism = QUANTILES[name]
    assert mechanism.name == name
    assert len(mechanism.title.split()) <= 5
    assert mechanism.sentence.endswith(".")


@every_mechanism
def test_too_few_rows_are_said_in_one_sentence(name: str) -> None:
    small = dataclasses.replace(TASK, n=12)
    drawn = QUANTILES[name].draw(half_normal(12, 3), small, simulation_generator(6))
    assert drawn.thresholds.tolist() == [1.0] * 3
    assert "nothing narrower can be certified; it needs n >= " in drawn.note
    assert "nothing" in QUANTILES[name].describe(small).sensitivity


def test_the_exponential_mechanism_is_quantile_distribution() -> None:
    scores = half_normal(2000, 1)
    for loss, guarantee in [("paper", "paper"), ("bracket", "certified"), ("paper", "prediction_sets")]:
        task = dataclasses.replace(TASK, loss=loss, guarantee=guarantee)
        drawn = QUANTILES["exponential"].draw(scores, task, simulation_generator(7))
        direct = quantile_distribution(scores[:, 0], GRID, epsilon=1.0, miss_rate=0.1, loss=loss, guarantee=guarantee)
        assert drawn.distribution is not None
        assert drawn.distribution.log_probabilities[0].tolist() == direct.log_probabilities.tolist()
        assert QUANTILES["exponential"].describe(task).bounded_range == 1.0


@pytest.mark.parametrize(
    ("name", "value"),
    [("n", 0), ("epsilon", 0.0), ("miss_rate", 1.0), ("loss", "none"), ("guarantee", "none"), ("delta", 1.0)],
)
def test_a_wrong_number_is_named(name: str, value: object) -> None:
    with pytest.raises(InputError, match=name):
        dataclasses.replace(TASK, **{name: value})  # type: ignore[arg-type]


@every_mechanism
def test_scores_come_as_one_list_or_a_set_per_column(name: str) -> None:
    with pytest.raises(InputError, match="one dimension, or two"):
        QUANTILES[name].draw(np.zeros((4, 3, 2)), TASK, simulation_generator(0))
