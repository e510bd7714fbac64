"""The privacy of bought bounds and typical ranges, exactly: nothing is sampled.

Bounds are a function of noisy counts, so on a grid of three bins the distribution of the bounds themselves is summed
up over all noisy counts that matter. Typical ranges are drawn by an exponential mechanism whose distribution is known
in closed form. Neighbours are a table and the same table with one row emptied. Both checks must fail when the
mechanism adds half of the noise that its claim needs.
"""

from __future__ import annotations

import itertools
import math
import os
from functools import lru_cache

import numpy as np
import pytest

from dpcp_core.privacy.private_bounds import bounds_from_counts
from dpcp_core.privacy.private_typical import typical_log_probabilities
from dpcp_core.privacy.randomness import simulation_generator

pytestmark = pytest.mark.validity

LONG = os.environ.get("DPCP_VALIDITY") == "long"
ROUNDING = 1e-9

EPSILON = 1.5
MOST_ROWS, REACH = 5, 14
"""Rows per bin, and how far noise is followed: what lies beyond has a probability below exp(-20)."""
GRID = np.array([1.0])
"""Three bins: negative, 0, positive."""


@lru_cache(maxsize=1)
def bounds_of_all_noisy_counts() -> tuple[np.ndarray, int]:
    """Return a number for the bounds that follow from each triple of noisy counts, and how many bounds there are."""
    counts = range(-REACH, MOST_ROWS + REACH + 1)
    found = [bounds_from_counts(np.array(triple), EPSILON, GRID) for triple in itertools.product(counts, repeat=3)]
    names = sorted(set(found))
    return np.array([names.index(pair) for pair in found]), len(names)


def distribution(table: tuple[int, ...], noise_epsilon: float, outcome: np.ndarray, outcomes: int) -> np.ndarray:
    """Return the probability of each pair of bounds for a table with these counts per bin."""
    counts = np.arange(-REACH, MOST_ROWS + REACH + 1)
    ratio = math.exp(-noise_epsilon)
    marginals = [(1 - ratio) / (1 + ratio) * ratio ** np.abs(counts - count) for count in table]
    joint = np.einsum("i,j,k->ijk", *marginals).ravel()
    return np.bincount(outcome, weights=joint, minlength=outcomes)


def worst_log_ratio(noise_epsilon: float) -> float:
    """Return the largest change of any outcome's log-probability over all tables and all emptied rows."""
    outcome, outcomes = bounds_of_all_noisy_counts()
    assert outcomes == 3
    tables = {
        table: distribution(table, noise_epsilon, outcome, outcomes)
        for table in itertools.product(range(MOST_ROWS + 1), repeat=3)
    }
    worst = 0.0
    for table, place in itertools.product(tables, range(3)):
        if table[place]:
            emptied = tuple(count - (bin_ == place) for bin_, count in enumerate(table))
            worst = max(worst, float(np.abs(np.log(tables[table] / tables[emptied])).max()))
    return worst


def test_no_table_reveals_more_than_epsilon_by_its_bounds() -> None:
    worst = worst_log_ratio(EPSILON)
    assert 0.9 * EPSILON < worst <= EPSILON + 1e-6


def test_half_the_noise_in_the_counts_is_caught() -> None:
    assert worst_log_ratio(2 * EPSILON) > 1.2 * EPSILON


def worst_typical_ratio(epsilon: float, range_factor: float) -> float:
    """Return the largest change of a log-probability over random tables, with ties and on few values."""
    rng, worst = simulation_generator(0), 0.0
    for _ in range(400 if LONG else 40):
        size = int(rng.integers(1, 25))
        column = rng.choice([0.0, 1.0, 3.3, 7.0, 8.0], size) if rng.random() < 0.5 else rng.uniform(-1, 9, size)
        whole = typical_log_probabilities(column, (0, 8), epsilon=epsilon, range_factor=range_factor)
        for row in range(size):
            emptied = np.where(np.arange(size) == row, np.nan, column)
            other = typical_log_probabilities(emptied, (0, 8), epsilon=epsilon, range_factor=range_factor)
            worst = max(worst, float(np.abs(whole - other).max()))
    return worst


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 6.0])
def test_no_table_reveals_more_than_epsilon_by_its_typical_range(epsilon: float) -> None:
    assert worst_typical_ratio(epsilon, 2.0) <= epsilon + ROUNDING


def test_half_the_noise_in_a_typical_range_is_caught() -> None:
    assert worst_typical_ratio(1.0, 1.0) > 1.0 + ROUNDING
