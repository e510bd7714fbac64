"""Counts must be those of a comparison with every edge, whatever the arithmetic behind them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dpcp_core.errors import InputError
from dpcp_core.privacy import _counting
from dpcp_core.privacy.grid import Grid


def compared(edges: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    above = np.array([(scores > edge).sum(axis=0) for edge in edges])
    below = np.array([(scores < edge).sum(axis=0) for edge in edges])
    above[-1] = 0
    return above.T, below.T


def assert_exact(grid: Grid, scores: np.ndarray) -> None:
    above, below = compared(grid.edges, scores)
    assert np.array_equal(grid.counts_above(scores), above)
    assert np.array_equal(grid.counts_below(scores), below)


@pytest.fixture(autouse=True)
def _ruler_for_few_scores_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_counting, "_SMALL", 1)


def make_grid(kind: str, largest: float, decades: float, bins: int) -> Grid:
    if kind == "uniform":
        return Grid.uniform(largest=largest, bins=bins)
    return Grid.geometric(smallest=largest * 10**-decades, largest=largest, bins=bins)


def beside(values: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Move each value by so many floats up or down."""
    moved = values.copy()
    for step in range(np.abs(steps).max(initial=0)):
        direction = np.where(steps > 0, np.inf, -np.inf)
        moved = np.where(np.abs(steps) > step, np.nextafter(moved, direction), moved)
    return moved


@pytest.mark.parametrize("kind", ["uniform", "geometric"])
@pytest.mark.parametrize("bins", [1, 2, 3, 10, 100, 1000, 1999, 2000, 2500])
def test_counts_are_exact_on_and_beside_every_edge(kind: str, bins: int) -> None:
    rng = np.random.default_rng(bins)
    for largest, decades in ((1.0, 3.0), (1e-6, 0.01), (7.3e8, 9.0), (1.0000001, 2.0)):
        grid = make_grid(kind, largest, decades, bins)
        at = rng.choice(grid.edges, 3000)
        scores = np.concatenate(
            [
                grid.edges,
                beside(at, rng.integers(-3, 4, at.size)),
                at * (1 + rng.normal(scale=1e-7, size=at.size)),
                rng.random(1000) * largest,
                rng.random(100) * largest * 20,
                [0.0, -0.0, 5e-324, largest, np.inf, 1.7e308],
            ]
        )
        assert_exact(grid, scores)


def test_the_arithmetic_index_is_in_use_and_rarely_has_to_compare() -> None:
    for kind in ("uniform", "geometric"):
        ruler = make_grid(kind, 1.0, 3.0, 1000)._counter.ruler
        assert ruler is not None
        assert ruler.zone / 2**ruler.bits < 0.005


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(["uniform", "geometric"]),
    st.floats(1e-9, 1e9),
    st.floats(1e-3, 12),
    st.integers(1, 60),
    arrays.arrays(np.float64, st.integers(1, 60), elements=st.floats(0, 2, allow_subnormal=True)),
)
def test_counts_are_exact_for_any_scores(
    kind: str, largest: float, decades: float, bins: int, shares: np.ndarray
) -> None:
    assert_exact(make_grid(kind, largest, decades, bins), shares * largest)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.floats(1e-300, 1e300), min_size=1, max_size=40, unique=True).map(sorted),
    arrays.arrays(np.float64, 30, elements=st.floats(0, 1e300)),
)
def test_counts_are_exact_on_uneven_edges(edges: list[float], scores: np.ndarray) -> None:
    assert_exact(Grid(np.array(edges)), np.concatenate([scores, edges]))


@pytest.mark.parametrize("edge", [1.0, 1e10, 1e-20])
def test_edges_one_float_apart_are_told_apart(edge: float) -> None:
    edges = np.array([edge, np.nextafter(edge, np.inf)])
    assert_exact(Grid(edges), np.concatenate([edges, edges, [0.0, np.nextafter(edge, 0), 2 * edge]]))


@pytest.mark.parametrize("shape", [(1, 7), (500, 3), (3000, 50), (2, 40_000)])
def test_columns_are_counted_each_for_itself(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    grid = Grid.geometric(smallest=0.01, largest=1.0, bins=30)
    scores = rng.choice(np.concatenate([grid.edges, rng.random(50) * 1.2, [0.0]]), shape)
    assert_exact(grid, scores)
    assert_exact(grid, np.asfortranarray(scores))


@pytest.mark.parametrize("kind", ["uniform", "geometric"])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_many_scores_are_counted_exactly_by_any_number_of_threads(
    kind: str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_counting, "_PER_THREAD", 1 << 17)
    monkeypatch.setattr(_counting, "_threads", lambda: threads)
    rng = np.random.default_rng(threads)
    grid = make_grid(kind, 1.0, 3.0, 200)
    scores = np.concatenate([rng.random(700_001), rng.choice(grid.edges, 100_000), np.full(50_000, 3.0)])
    bins = np.searchsorted(grid.edges, scores)
    expected = scores.size - np.cumsum(np.bincount(bins, minlength=201))[:-1]
    expected[-1] = 0
    assert np.array_equal(grid.counts_above(scores), expected)


def test_memory_that_is_not_shared_is_not_relied_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np, "shares_memory", lambda *_: False)
    scores = np.random.default_rng(0).random(300_000)
    grid = Grid.uniform(largest=1.0, bins=4)
    assert grid.counts_above(scores).tolist() == [*((scores > edge).sum() for edge in grid.edges[:3]), 0]


@pytest.mark.parametrize("kind", ["uniform", "geometric"])
@pytest.mark.parametrize("bad", [-1.0, -1e-12, -1e-30, np.nan, -np.inf])
def test_a_negative_or_missing_score_is_refused_wherever_it_hides(kind: str, bad: float) -> None:
    grid = make_grid(kind, 1.0, 3.0, 100)
    for size in (1, 5000, 300_000):
        scores = np.random.default_rng(0).random(size)
        scores[size // 2] = bad
        for count in (grid.counts_above, grid.counts_below):
            with pytest.raises(InputError, match="scores must be 0 or more"):
                count(scores)


@pytest.mark.parametrize("bad", ["high", [["a", "b"]], None, [object()]])
def test_scores_that_are_no_numbers_are_refused(bad: object) -> None:
    with pytest.raises(InputError, match="scores"):
        Grid.uniform(largest=1.0, bins=3).counts_above(bad)  # type: ignore[arg-type]


def test_no_scores_count_nowhere() -> None:
    grid = Grid.uniform(largest=1.0, bins=3)
    assert grid.counts_above([]).tolist() == [0, 0, 0]
    assert grid.counts_above(np.empty((0, 2))).tolist() == [[0, 0, 0]] * 2
    assert grid.counts_above(np.empty((4, 0))).shape == (0, 3)


def test_whole_numbers_and_single_precision_are_taken_as_they_are() -> None:
    grid = Grid.uniform(largest=4.0, bins=4)
    assert grid.counts_above(np.array([1, 2, 3, 4])).tolist() == [3, 2, 1, 0]
    third = np.float32(1) / np.float32(3)
    assert Grid(np.array([float(third), 1.0])).counts_above(np.array([third])).tolist() == [0, 0]
