from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core.errors import InputError
from dpcp_core.privacy.grid import Grid, bins_from_rule

bounds = st.floats(1e-6, 1e9)


@given(bounds, st.integers(1, 3000))
def test_uniform_edges_are_equal_shares_of_the_bound(largest: float, bins: int) -> None:
    edges = Grid.uniform(largest=largest, bins=bins).edges
    assert len(edges) == bins
    assert edges[-1] == largest
    assert np.allclose(edges, np.arange(1, bins + 1) * largest / bins, rtol=1e-14)
    assert (np.diff(edges) > 0).all()


@given(bounds, st.floats(1e-9, 0.99), st.integers(2, 2000))
def test_geometric_edges_have_equal_ratios(largest: float, share: float, bins: int) -> None:
    edges = Grid.geometric(smallest=share * largest, largest=largest, bins=bins).edges
    assert edges[0] == share * largest
    assert edges[-1] == largest
    ratios = edges[1:] / edges[:-1]
    assert np.allclose(ratios, share ** (-1 / (bins - 1)), rtol=1e-9)
    assert (ratios > 1).all()


def test_a_single_bin_is_the_whole_range() -> None:
    assert Grid.uniform(largest=3.0, bins=1).edges.tolist() == [3.0]
    assert Grid.geometric(smallest=1.0, largest=3.0, bins=1).edges.tolist() == [3.0]


def test_a_hundred_thousand_bins_are_no_trouble() -> None:
    grid = Grid.geometric(smallest=1e-6, largest=1.0, bins=100_000)
    scores = np.random.default_rng(0).random(1000)
    assert grid.counts_above(scores)[:-1].tolist() == (scores[:, None] > grid.edges[:-1]).sum(axis=0).tolist()


def test_edges_cannot_be_changed_behind_the_grids_back() -> None:
    own = np.array([1.0, 2.0])
    grid = Grid(own)
    own[0] = 1.5
    assert grid.edges.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        grid.edges[0] = 5


def test_grids_are_equal_by_value_and_survive_pickling() -> None:
    grid = Grid.uniform(largest=1.0, bins=10)
    same, other = Grid.uniform(largest=1.0, bins=10), Grid.uniform(largest=1.0, bins=11)
    assert grid == same
    assert hash(grid) == hash(same)
    assert grid != other
    assert grid != "grid"
    copy = pickle.loads(pickle.dumps(grid))
    assert copy == grid
    assert copy.counts_above([0.05, 0.35]).tolist() == grid.counts_above([0.05, 0.35]).tolist()


@pytest.mark.parametrize("edges", [[], [[1.0, 2.0]], [0.0, 1.0], [-1.0, 1.0], [1.0, 1.0], [2.0, 1.0], [1.0, math.inf]])
def test_edges_must_increase_from_above_zero(edges: list[float]) -> None:
    with pytest.raises(InputError, match="edges"):
        Grid(np.array(edges))


def test_bins_too_fine_for_floats_are_refused() -> None:
    with pytest.raises(InputError, match="fewer bins"):
        Grid.geometric(smallest=1.0, largest=1.0 + 1e-15, bins=100)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("largest", lambda: Grid.uniform(largest=0, bins=5)),
        ("largest", lambda: Grid.uniform(largest=math.inf, bins=5)),
        ("bins", lambda: Grid.uniform(largest=1, bins=0)),
        ("bins", lambda: Grid.uniform(largest=1, bins=2.5)),
        ("smallest", lambda: Grid.geometric(smallest=2, largest=1, bins=5)),
        ("smallest", lambda: Grid.geometric(smallest=0, largest=1, bins=5)),
    ],
)
def test_a_wrong_grid_names_the_parameter(name: str, make: object) -> None:
    with pytest.raises(InputError, match=name):
        make()  # type: ignore[operator]


def test_rules_for_the_number_of_bins() -> None:
    assert bins_from_rule(37, 1000, 0.1) == 37
    assert bins_from_rule("37", 1000, 0.1) == 37
    assert bins_from_rule("sqrt", 10_000, 0.1) == 100
    assert bins_from_rule("sqrt", 10_001, 0.1) == 101
    assert bins_from_rule("cbrt", 1000, 0.1) == 10
    assert bins_from_rule("alpha", 1000, 0.3) == 34
    assert bins_from_rule("sqrt", 1, 0.1) == 2
    for wrong in ("many", 0, "-1", 2.5):
        with pytest.raises(InputError, match="bins"):
            bins_from_rule(wrong, 1000, 0.1)  # type: ignore[arg-type]
