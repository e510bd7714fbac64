from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dpcp_core.errors import InputError
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.losses import GUARANTEES, LOSSES
from dpcp_core.privacy.quantile import private_quantile, quantile_distribution, quantile_distribution_from_counts
from dpcp_core.privacy.randomness import simulation_generator

GRID = Grid.uniform(largest=1.0, bins=50)
every_kind = pytest.mark.parametrize(
    ("loss", "guarantee"), [(loss, guarantee) for loss in sorted(LOSSES) for guarantee in GUARANTEES]
)


@settings(max_examples=50)
@given(
    arrays.arrays(np.float64, st.integers(1, 200), elements=st.floats(0, 1.5)),
    st.floats(1e-3, 1e3),
    st.floats(0.01, 0.6),
    st.sampled_from(sorted(LOSSES)),
    st.sampled_from(GUARANTEES),
    st.booleans(),
)
def test_the_distribution_is_one_whatever_the_scores(
    scores: np.ndarray, epsilon: float, miss_rate: float, loss: str, guarantee: str, geometric: bool
) -> None:
    grid = Grid.geometric(smallest=1e-3, largest=1.0, bins=40) if geometric else GRID
    spread = quantile_distribution(scores, grid, epsilon=epsilon, miss_rate=miss_rate, loss=loss, guarantee=guarantee)
    assert spread.probabilities.sum() == pytest.approx(1, rel=1e-9)
    assert not np.isnan(spread.log_probabilities).any()
    if spread.target <= 0:
        assert spread.probabilities[-1] == 1
        assert "nothing narrower" in spread.note
    else:
        assert spread.note == ""
    assert spread.certified == (guarantee != "paper")


@every_kind
def test_higher_scores_move_the_threshold_up(loss: str, guarantee: str) -> None:
    scores = simulation_generator(0).random(800) * 0.6
    low, high = (
        quantile_distribution(s, GRID, epsilon=1.0, miss_rate=0.15, loss=loss, guarantee=guarantee)
        for s in (scores, np.minimum(scores * 1.5, 1))
    )
    assert low.probabilities @ low.edges < high.probabilities @ high.edges - 0.05


@every_kind
def test_more_privacy_budget_narrows_the_distribution_around_the_quantile(loss: str, guarantee: str) -> None:
    scores = simulation_generator(1).random(20_000)
    entropies = []
    for epsilon in (0.02, 0.1, 5.0):
        spread = quantile_distribution(scores, GRID, epsilon=epsilon, miss_rate=0.11, loss=loss, guarantee=guarantee)
        entropies.append(-float(spread.probabilities @ np.maximum(spread.log_probabilities, -1e3)))
    assert entropies[0] > entropies[1] > entropies[2]
    assert spread.edges[spread.probabilities.argmax()] == pytest.approx(0.91, abs=0.0101)
    assert spread.probabilities.max() > 0.99


def test_many_sets_at_once_are_the_sets_one_by_one() -> None:
    table = simulation_generator(2).random((300, 4))
    for loss in LOSSES:
        together = quantile_distribution(table, GRID, epsilon=1.0, miss_rate=0.2, loss=loss)
        assert together.log_probabilities.shape == (4, 50)
        for column in range(4):
            alone = quantile_distribution(table[:, column], GRID, epsilon=1.0, miss_rate=0.2, loss=loss)
            assert np.array_equal(alone.log_probabilities, together.log_probabilities[column])
        assert together.sample(simulation_generator(0)).shape == (4,)  # type: ignore[union-attr]


def test_counts_are_all_that_is_needed() -> None:
    scores = simulation_generator(3).random(500)
    direct = quantile_distribution(scores, GRID, epsilon=0.7, miss_rate=0.1)
    counted = quantile_distribution_from_counts(GRID.counts_above(scores), None, 500, GRID, epsilon=0.7, miss_rate=0.1)
    assert np.array_equal(direct.log_probabilities, counted.log_probabilities)


def test_empty_rows_count_in_n_and_nowhere_else() -> None:
    scores = simulation_generator(4).random(99)
    spread = quantile_distribution(scores, GRID, epsilon=1.0, miss_rate=0.3, n=100)
    assert spread.n == 100
    by_hand = quantile_distribution_from_counts(GRID.counts_above(scores), None, 100, GRID, epsilon=1.0, miss_rate=0.3)
    assert np.array_equal(spread.log_probabilities, by_hand.log_probabilities)
    with pytest.raises(InputError, match="n is 98"):
        quantile_distribution(scores, GRID, epsilon=1.0, miss_rate=0.3, n=98)


def test_without_privacy_it_is_the_split_conformal_edge() -> None:
    scores = simulation_generator(5).random(1000)
    spread = quantile_distribution(scores, GRID, epsilon=math.inf, miss_rate=0.1)
    rank = math.ceil(1001 * 0.9 - 1e-9)
    expected = GRID.edges[np.searchsorted(GRID.edges, np.sort(scores)[rank - 1])]
    assert spread.edges[spread.probabilities.argmax()] == expected
    assert private_quantile(scores, GRID, epsilon=math.inf, miss_rate=0.1, rng=simulation_generator(0)) == expected


@pytest.mark.parametrize("n", [1, 2, 5])
@every_kind
def test_tiny_tables_get_the_whole_range_and_a_reason(n: int, loss: str, guarantee: str) -> None:
    spread = quantile_distribution(np.full(n, 0.1), GRID, epsilon=0.5, miss_rate=0.1, loss=loss, guarantee=guarantee)
    assert spread.sample(simulation_generator(0)) == 1.0
    assert f"n = {n}" in spread.note
    assert "it needs n >=" in spread.note


def test_draws_come_from_the_given_generator_alone() -> None:
    scores = simulation_generator(6).random(500)
    spread = quantile_distribution(scores, GRID, epsilon=0.5, miss_rate=0.2)
    first, again = (spread.sample(simulation_generator(9), size=20) for _ in range(2))
    assert np.array_equal(first, again)
    assert np.unique(spread.sample(simulation_generator(10), size=20)).size > 1
    assert isinstance(spread.sample(simulation_generator(9)), float)


def test_extreme_budgets_and_grids_stay_finite() -> None:
    grid = Grid.geometric(smallest=1e-6, largest=1.0, bins=100_000)
    scores = simulation_generator(7).random(2000)
    for epsilon in (1e-3, 1e3):
        for loss in LOSSES:
            for guarantee in GUARANTEES:
                spread = quantile_distribution(
                    scores, grid, epsilon=epsilon, miss_rate=0.1, loss=loss, guarantee=guarantee
                )
                assert spread.probabilities.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("epsilon", {"epsilon": 0}),
        ("epsilon", {"epsilon": "abc"}),
        ("miss_rate", {"miss_rate": 0}),
        ("miss_rate", {"miss_rate": 1.0}),
        ("loss", {"loss": "square"}),
        ("guarantee", {"guarantee": "none"}),
        ("scores", {"scores": []}),
        ("scores", {"scores": [0.1, np.nan]}),
        ("scores", {"scores": [[[0.1]]]}),
    ],
)
def test_what_is_wrong_is_named(name: str, change: dict[str, object]) -> None:
    given_values: dict[str, object] = {"scores": [0.1, 0.2], "epsilon": 1.0, "miss_rate": 0.1, **change}
    scores = given_values.pop("scores")
    with pytest.raises(InputError, match=name):
        quantile_distribution(scores, GRID, **given_values)  # type: ignore[arg-type]


def test_one_threshold_comes_from_one_set_only() -> None:
    table = np.zeros((10, 2))
    with pytest.raises(InputError, match="one list"):
        private_quantile(table, GRID, epsilon=1.0, miss_rate=0.1, rng=simulation_generator(0))
    with pytest.raises(InputError, match="size"):
        quantile_distribution(table, GRID, epsilon=1.0, miss_rate=0.1).sample(simulation_generator(0), size=3)
