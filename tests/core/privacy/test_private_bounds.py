from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.stats import chisquare

from dpcp_core.errors import InputError
from dpcp_core.privacy.private_bounds import (
    MAGNITUDES,
    bin_counts,
    bounds_from_counts,
    one_step_wider,
    private_bounds,
    rows_needed,
)
from dpcp_core.privacy.randomness import release_generator, simulation_generator
from dpcp_core.privacy.whole_noise import whole_laplace

FINITE = st.floats(allow_nan=False, allow_infinity=False)
columns = arrays.arrays(np.float64, st.integers(1, 60), elements=st.one_of(FINITE, st.just(0.0), st.just(math.nan)))


@given(columns, st.integers(0, 59))
def test_an_emptied_row_lowers_one_count_by_one_or_was_empty_already(column: np.ndarray, row: int) -> None:
    row %= len(column)
    emptied = column.copy()
    emptied[row] = math.nan
    change = bin_counts(column) - bin_counts(emptied)
    assert (change >= 0).all()
    assert change.sum() == (0 if math.isnan(column[row]) else 1)


@given(columns)
def test_every_value_is_counted_once(column: np.ndarray) -> None:
    assert bin_counts(column).sum() == np.count_nonzero(~np.isnan(column))


@pytest.mark.parametrize("number", [1.0, 0.002, 5e14, 3.7, 99.999, 1e-9])
def test_a_value_lies_in_a_bin_that_ends_at_the_next_size_and_mirrors_its_negative(number: float) -> None:
    place = int(bin_counts([number]).argmax()) - MAGNITUDES.size
    assert MAGNITUDES[place - 1] >= number
    assert place == 1 or MAGNITUDES[place - 2] < number
    assert bin_counts([-number]).argmax() - MAGNITUDES.size == -place


@settings(max_examples=200)
@given(arrays.arrays(np.float64, st.integers(1, 30), elements=st.floats(-1e15, 1e15)))
def test_without_noise_the_bounds_hold_every_row(column: np.ndarray) -> None:
    low, high = private_bounds(column, epsilon=math.inf, rng=simulation_generator(0))
    assert low < high
    assert low <= column.min()
    assert column.max() <= high


def test_bounds_are_round_numbers_next_to_the_data() -> None:
    ages = simulation_generator(0).uniform(18, 95, 3000)
    assert private_bounds(ages, epsilon=math.inf, rng=simulation_generator(0)) == (10.0, 100.0)
    assert private_bounds(-ages, epsilon=math.inf, rng=simulation_generator(0)) == (-100.0, -10.0)
    assert private_bounds(ages * 1e-5, epsilon=math.inf, rng=simulation_generator(0)) == (1e-4, 1e-3)


def test_a_column_of_zeros_gets_a_range_that_can_be_computed_with() -> None:
    assert private_bounds(np.zeros(500), epsilon=1.0, rng=simulation_generator(0)) == (0.0, 1.0)


def test_a_column_without_any_value_gets_some_range_and_no_error() -> None:
    low, high = private_bounds(np.full(500, math.nan), epsilon=1.0, rng=simulation_generator(0))
    assert low < high


def test_infinite_values_count_as_very_large() -> None:
    low, high = private_bounds([1.0, 2.0, math.inf], epsilon=math.inf, rng=simulation_generator(0))
    assert (low, high) == (0.0, 1e15)


@pytest.mark.parametrize("seed", range(5))
def test_with_the_rows_that_it_asks_for_it_keeps_nearly_all_of_them(seed: int) -> None:
    epsilon = 0.05
    draw = simulation_generator(seed)
    for column in (draw.normal(0, 12, rows_needed(epsilon)), np.exp(draw.normal(10, 0.9, rows_needed(epsilon)))):
        low, high = private_bounds(column, epsilon=epsilon, rng=draw)
        assert ((column >= low) & (column <= high)).mean() > 0.9


def test_more_budget_keeps_more_rows() -> None:
    kept = []
    for budget in (20, 60, 400):
        shares = []
        for seed in range(40):
            draw = simulation_generator(seed)
            column = draw.normal(0, 12, 2000)
            low, high = private_bounds(column, epsilon=budget / 2000, rng=draw)
            shares.append(((column >= low) & (column <= high)).mean())
        kept.append(np.mean(shares))
    assert kept[0] < kept[1] - 0.05
    assert kept[1] < kept[2] - 0.01


def test_a_far_bin_must_stand_out_more_than_a_near_one() -> None:
    noisy = np.zeros(2 * MAGNITUDES.size + 1, dtype=np.int64)
    middle = MAGNITUDES.size + 30
    noisy[middle], noisy[middle + 1] = 1000, 30
    assert bounds_from_counts(noisy, 0.1) == (MAGNITUDES[28], MAGNITUDES[30])
    noisy[middle + 1], noisy[middle + 20] = 0, 30
    assert bounds_from_counts(noisy, 0.1) == (MAGNITUDES[28], MAGNITUDES[29])
    noisy[middle + 20] = 300
    assert bounds_from_counts(noisy, 0.1) == (0.0, MAGNITUDES[49])


@pytest.mark.parametrize(
    ("bounds", "wider"),
    [
        ((20.0, 100.0), (10.0, 200.0)),
        ((-50.0, -2.0), (-100.0, -1.0)),
        ((0.0, 1e15), (0.0, 1e15)),
        ((1e-9, 2e-9), (0.0, 5e-9)),
        ((2e-9, 5e-9), (1e-9, 1e-8)),
        ((-1e15, 0.0), (-1e15, 0.0)),
    ],
)
def test_a_step_outward_never_cuts(bounds: tuple[float, float], wider: tuple[float, float]) -> None:
    assert one_step_wider(bounds) == wider
    assert all(math.copysign(1, end) == 1 for end in one_step_wider(bounds) if end == 0)


@pytest.mark.parametrize("rng", [simulation_generator(3), release_generator()], ids=["simulation", "release"])
def test_noise_has_the_distribution_that_privacy_needs(rng: np.random.Generator) -> None:
    epsilon, draws = 0.7, 200_000
    noise = whole_laplace(epsilon, (draws,), rng)
    values = np.arange(-8, 9)
    ratio = math.exp(-epsilon)
    expected = (1 - ratio) / (1 + ratio) * ratio ** np.abs(values)
    counts = np.array([(noise == value).sum() for value in values])
    rest = draws - counts.sum()
    tail = 1 - expected.sum()
    assert chisquare([*counts, rest], [*(expected * draws), tail * draws]).pvalue > 1e-6


def test_draws_come_from_the_given_generator_alone() -> None:
    column = simulation_generator(0).normal(size=100)
    pairs = [private_bounds(column, epsilon=0.2, rng=simulation_generator(seed)) for seed in (5, 5, 6, 7, 8)]
    assert pairs[0] == pairs[1]
    assert len(set(pairs)) > 1


@pytest.mark.parametrize(("epsilon", "rows"), [(1.0, 75), (0.01, 7500), (math.inf, 1)])
def test_rows_needed_are_inverse_to_epsilon(epsilon: float, rows: int) -> None:
    assert rows_needed(epsilon) == rows


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("epsilon", {"epsilon": 0}),
        ("epsilon", {"epsilon": 1e-12}),
        ("epsilon", {"epsilon": "much"}),
        ("values", {"values": ["a", "b"]}),
        ("values", {"values": [[1.0], [2.0]]}),
        ("rng", {"rng": 0}),
    ],
)
def test_what_is_wrong_is_named(name: str, change: dict[str, object]) -> None:
    arguments: dict[str, object] = {"values": [1.0], "epsilon": 1.0, "rng": simulation_generator(0), **change}
    with pytest.raises(InputError, match=name):
        private_bounds(arguments.pop("values"), **arguments)  # type: ignore[arg-type]


def test_the_smallest_epsilon_does_not_overflow() -> None:
    low, high = private_bounds(np.ones(10), epsilon=1e-9, rng=simulation_generator(0))
    assert -1e15 <= low < high <= 1e15
