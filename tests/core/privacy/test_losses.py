from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dpcp_core.privacy.losses import GUARANTEES, LOSSES, BracketLoss, bracket_utility, paper_utility


@st.composite
def counted(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int]:
    """Return counts above and below each edge, and n, of scores that may lie on edges; some rows are empty."""
    n, bins = draw(st.integers(1, 60)), draw(st.integers(1, 12))
    places = draw(arrays.arrays(np.int64, draw(st.integers(0, n)), elements=st.integers(0, 2 * bins)))
    # Even places are on an edge, odd ones between two.
    edges = 2 * np.arange(1, bins + 1)
    above = (places[:, None] > edges).sum(axis=0)
    above[-1] = 0
    return above, (places[:, None] < edges).sum(axis=0), n


@given(counted(), st.floats(0.01, 1))
def test_some_edge_always_brackets_the_target(counts: tuple[np.ndarray, np.ndarray, int], share: float) -> None:
    above, _, n = counts
    utility = bracket_utility(above, n, share * n)
    assert utility.max() == 0
    assert (utility <= 0).all()


@given(counted(), st.floats(0.01, 1), st.sampled_from(sorted(LOSSES)))
def test_a_bad_edge_loses_to_some_edge_by_its_excess(
    counts: tuple[np.ndarray, np.ndarray, int], share: float, name: str
) -> None:
    """The one property that the certificate needs of a loss."""
    above, below, n = counts
    target = share * n
    loss = LOSSES[name].aiming_at(target, n=n, guarantee="certified")
    utility = loss.utility(above, below) / loss.sensitivity
    excess = np.maximum(above - target, 0)
    assert (utility.max() - utility >= excess - 1e-9).all()


@given(counted(), st.floats(0.01, 0.99), st.sampled_from(sorted(LOSSES)), st.sampled_from(GUARANTEES), st.data())
def test_emptying_a_row_moves_no_utility_by_more_than_the_sensitivity(
    counts: tuple[np.ndarray, np.ndarray, int], share: float, name: str, guarantee: str, data: st.DataObject
) -> None:
    above, below, n = counts
    bins = above.size
    loss = LOSSES[name].aiming_at(share * n, n=n, guarantee=guarantee)
    # The emptied row was above the first edges and below the last ones, on at most one in between.
    first = data.draw(st.integers(0, bins))
    last = data.draw(st.integers(first, min(first + 1, bins)))
    place = np.arange(bins)
    fewer_above = np.maximum(above - (place < first), 0)
    fewer_below = np.maximum(below - (place >= last), 0)
    change = loss.utility(above, below) - loss.utility(fewer_above, fewer_below)
    assert np.abs(change).max() <= loss.sensitivity * (1 + 1e-12)


def test_bracket_errs_upward_where_the_nearest_count_would_miss() -> None:
    above, target = np.array([14, 5, 0]), 10.0
    assert bracket_utility(above, 100, target).tolist() == [-4, 0, -5]
    assert (-np.abs(above - target)).argmax() == 0


def test_bracket_zero_edge_is_the_one_behind_all_ties() -> None:
    assert bracket_utility(np.array([50, 50, 50, 0, 0]), 100, 10.0).tolist() == [-40, -40, -40, 0, -10]


def test_paper_loss_is_that_of_the_paper() -> None:
    above, below = np.array([8, 2, 0]), np.array([2, 8, 10])
    assert paper_utility(above, below, 0.2).tolist() == [-40, -10, -12.5]
    loss = LOSSES["paper"].aiming_at(2.0, n=10, guarantee="paper")
    assert loss.sensitivity == 5
    assert loss.utility(above, below).tolist() == [-40, -10, -12.5]
    steep = LOSSES["paper"].aiming_at(8.0, n=10, guarantee="paper")
    assert steep.sensitivity == pytest.approx(5)


def test_rounded_up_scores_are_not_below_the_edge_of_their_bin() -> None:
    """Two of ten scores lie in the last bin, one on its edge: the others are below that edge, these are not."""
    above = np.array([8, 2, 0])
    rounded = LOSSES["paper"].aiming_at(2.0, n=10, guarantee="prediction_sets")
    assert rounded.utility(above, None).tolist() == paper_utility(above, np.array([0, 2, 8]), 0.2).tolist()
    assert rounded.utility(above, None).tolist() == [-40, -10, -10]
    assert rounded.sensitivity == 5


@given(counted(), st.floats(0.01, 1), st.sampled_from(sorted(LOSSES)), st.data())
def test_utilities_change_within_the_range_factor(
    counts: tuple[np.ndarray, np.ndarray, int], share: float, name: str, data: st.DataObject
) -> None:
    above, below, n = counts
    loss = LOSSES[name].aiming_at(share * n, n=n, guarantee="certified")
    first = data.draw(st.integers(0, above.size))
    last = data.draw(st.integers(first, min(first + 1, above.size)))
    place = np.arange(above.size)
    fewer = np.maximum(above - (place < first), 0), np.maximum(below - (place >= last), 0)
    change = (loss.utility(*fewer) - loss.utility(above, below)) / loss.sensitivity
    assert np.ptp(change) <= loss.range_factor + 1e-9


def test_certified_paper_level_is_never_above_one_half() -> None:
    for target in (0.01, 1.0, 50.0, 100.0):
        loss = LOSSES["paper"].aiming_at(target, n=100, guarantee="certified")
        assert loss.sensitivity == pytest.approx((100 + target) / target)


def test_rows_of_counts_are_independent() -> None:
    above = np.array([[9, 6, 0], [4, 2, 0]])
    both = bracket_utility(above, 10, 3.0)
    assert both.tolist() == [bracket_utility(row, 10, 3.0).tolist() for row in above]


def test_a_loss_says_which_counts_it_reads() -> None:
    assert not BracketLoss.reads_below
    with pytest.raises(TypeError, match="counts_below"):
        LOSSES["paper"].aiming_at(1.0, n=10, guarantee="paper").utility(np.array([1]), None)
