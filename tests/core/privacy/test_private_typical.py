from __future__ import annotations

import math

import numpy as np
import pytest

from dpcp_core.errors import InputError
from dpcp_core.privacy.private_typical import CELLS, candidates, private_typical, typical_log_probabilities
from dpcp_core.privacy.randomness import simulation_generator


def test_without_noise_it_is_the_middle_two_thirds() -> None:
    column = simulation_generator(0).normal(50, 10, 30_000)
    low, high = private_typical(column, (0, 100), epsilon=math.inf, rng=simulation_generator(1))
    assert low == pytest.approx(50 - 9.67, abs=0.5)
    assert high == pytest.approx(50 + 9.67, abs=0.5)


@pytest.mark.parametrize("seed", range(5))
def test_a_modest_budget_finds_the_middle(seed: int) -> None:
    column = simulation_generator(seed).normal(50, 10, 4000)
    low, high = private_typical(column, (0, 100), epsilon=0.05, rng=simulation_generator(seed, 1))
    assert abs((low + high) / 2 - 50) < 5
    assert 12 < high - low < 30


def test_empty_cells_count_nowhere() -> None:
    column = simulation_generator(0).normal(50, 10, 500)
    padded = np.concatenate([column, np.full(300, math.nan)])
    logs = [typical_log_probabilities(values, (0, 100), epsilon=0.5) for values in (column, padded)]
    assert np.array_equal(*logs)


def test_values_beyond_the_bounds_count_at_the_bound() -> None:
    column = simulation_generator(0).normal(50, 40, 500)
    logs = [typical_log_probabilities(values, (0, 100), epsilon=0.5) for values in (column, np.clip(column, 0, 100))]
    assert np.array_equal(*logs)


def test_the_range_lies_inside_the_bounds_and_is_never_empty() -> None:
    for seed in range(50):
        low, high = private_typical(np.zeros(3), (-1e-3, 7e6), epsilon=0.01, rng=simulation_generator(seed))
        assert -1e-3 <= low < high <= 7e6


def test_all_pairs_of_edges_can_be_drawn() -> None:
    low, high = candidates()
    assert len(low) == CELLS * (CELLS + 1) // 2
    assert (low < high).all()
    logs = typical_log_probabilities([math.nan], (0, 1), epsilon=1.0)
    assert np.allclose(np.exp(logs), 1 / len(low))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("epsilon", {"epsilon": 0}),
        ("bounds", {"bounds": (1, 1)}),
        ("bounds", {"bounds": (2, 1)}),
        ("bounds", {"bounds": (0, math.inf)}),
        ("values", {"values": "abc"}),
        ("rng", {"rng": 0}),
    ],
)
def test_what_is_wrong_is_named(name: str, change: dict[str, object]) -> None:
    arguments: dict[str, object] = {
        "values": [1.0],
        "bounds": (0, 2),
        "epsilon": 1.0,
        "rng": simulation_generator(0),
        **change,
    }
    with pytest.raises(InputError, match=name):
        private_typical(arguments.pop("values"), arguments.pop("bounds"), **arguments)  # type: ignore[arg-type]
