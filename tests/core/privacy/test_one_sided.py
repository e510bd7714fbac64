from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dpcp_core.privacy.losses import bracket_utility
from dpcp_core.privacy.one_sided import OneSidedLoss, one_sided_utility

Table = tuple[np.ndarray, int, int]  # places of the rows that are there, number of edges, n


@st.composite
def tables(draw: st.DrawFn, *, full: bool = False, on_edges: bool = True) -> Table:
    """Return scores as places: ``2 j`` is on edge ``j``, odd ones lie between two; some rows may be empty."""
    n, bins = draw(st.integers(1, 60)), draw(st.integers(1, 12))
    there = n if full else draw(st.integers(0, n))
    elements = st.integers(0, 2 * bins) if on_edges else st.integers(0, bins - 1).map(lambda place: 2 * place + 1)
    return draw(arrays.arrays(np.int64, there, elements=elements)), bins, n


def counts(places: np.ndarray, bins: int) -> tuple[np.ndarray, np.ndarray]:
    edges = 2 * np.arange(1, bins + 1)
    above = (places[:, None] > edges).sum(axis=0)
    above[-1] = 0
    return above, (places[:, None] < edges).sum(axis=0)


@given(tables(full=True, on_edges=False), st.floats(0.01, 1))
def test_with_every_row_there_it_is_the_bracket_loss(table: Table, share: float) -> None:
    places, bins, n = table
    above, below = counts(places, bins)
    ours, bracket = one_sided_utility(above, below, n, share * n), bracket_utility(above, n, share * n)
    np.testing.assert_allclose(ours, bracket, atol=1e-9)


@given(tables(full=True), st.floats(0.01, 1))
def test_scores_on_edges_never_make_it_stricter_than_the_bracket_loss(table: Table, share: float) -> None:
    places, bins, n = table
    above, below = counts(places, bins)
    assert (one_sided_utility(above, below, n, share * n) >= bracket_utility(above, n, share * n) - 1e-9).all()


@given(tables(), st.floats(0.01, 1))
def test_some_edge_fits_exactly_and_a_bad_one_loses_its_excess(table: Table, share: float) -> None:
    """What the certificate needs, with empty rows too."""
    places, bins, n = table
    above, below = counts(places, bins)
    utility = one_sided_utility(above, below, n, share * n)
    assert utility.max() == 0
    assert (-utility >= above - share * n).all()


@given(tables(), st.floats(0.01, 1))
def test_emptying_a_row_raises_every_utility_by_nought_to_one(table: Table, share: float) -> None:
    places, bins, n = table
    before = one_sided_utility(*counts(places, bins), n, share * n)
    for row in range(places.size):
        rise = one_sided_utility(*counts(np.delete(places, row), bins), n, share * n) - before
        assert rise.min() >= -1e-9
        assert rise.max() <= 1 + 1e-9


def test_replacing_a_row_moves_utilities_both_ways() -> None:
    """Why the weights without the factor 2 cost twice as much for that kind of neighbour."""
    places, bins, n, target = np.array([1, 1, 1, 1, 3, 5, 5, 5]), 3, 8, 2.0
    before = one_sided_utility(*counts(places, bins), n, target)
    places[0] = 5
    change = one_sided_utility(*counts(places, bins), n, target) - before
    assert change.min() == -1
    places[0], places[5] = 1, 1
    change = one_sided_utility(*counts(places, bins), n, target) - before
    assert change.max() == 1
    assert change.min() == 0


def test_an_empty_row_counts_on_neither_side() -> None:
    above, below = np.array([4, 1, 0]), np.array([4, 7, 8])
    assert one_sided_utility(above, below, 8, 2.0).tolist() == [-2, 0, -1]
    assert one_sided_utility(above, below, 10, 2.0).tolist() == [-2, 0, 0]
    assert bracket_utility(above, 10, 2.0).tolist() == [-2, 0, -1]


def test_the_first_edge_is_never_too_high() -> None:
    assert one_sided_utility(np.array([0, 0]), np.array([9, 9]), 9, 3.0).tolist() == [0, -3]


def test_rows_of_counts_are_independent() -> None:
    above, below = np.array([[9, 6, 0], [4, 2, 0]]), np.array([[1, 4, 10], [6, 8, 10]])
    loss = OneSidedLoss.aiming_at(3.0, n=10, guarantee="paper")
    each = [loss.utility(a, b).tolist() for a, b in zip(above, below, strict=True)]
    assert loss.utility(above, below).tolist() == each


def test_it_says_what_it_reads_and_how_the_weights_may_be_scaled() -> None:
    loss = OneSidedLoss.aiming_at(3.0, n=10, guarantee="certified")
    assert (loss.name, loss.sensitivity, loss.range_factor, loss.reads_below) == ("one_sided", 1.0, 1.0, True)
    with pytest.raises(TypeError, match="counts_below"):
        loss.utility(np.array([1]), None)
