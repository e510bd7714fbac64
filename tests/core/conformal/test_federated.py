"""The quantile of several sites: the sum of their messages is all that anybody sees, and it is as good as one table."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ks_2samp

from dpcp_core import InputError, federated_quantile
from dpcp_core.conformal.federated import add_up, first_edge, masked
from dpcp_core.privacy.grid import Grid

GRID = Grid.geometric(smallest=0.1, largest=8.0, bins=40)


def scores(n: int, seed: int = 0) -> np.ndarray:
    return np.minimum(np.abs(np.random.default_rng(seed).normal(size=n)), 8.0)


def draw(sites: list, seed: int = 0, **choices: object):
    wanted = {"epsilon": 1.0, "miss_rate": 0.1} | choices
    return federated_quantile(sites, GRID, rng=np.random.default_rng(seed), **wanted)


def test_without_noise_the_sites_find_the_quantile_of_all_their_rows() -> None:
    rows = scores(1999)
    drawn = draw([rows[:10], rows[10:10], rows[10:900], rows[900:]], epsilon=float("inf"))
    # At most (n + 1) beta - 1 = 199 scores may lie above.
    assert drawn.threshold == GRID.edges[np.argmax(GRID.counts_above(rows) <= 199)]
    np.testing.assert_array_equal(drawn.noisy_counts, -np.diff(GRID.counts_above(rows)))


def test_how_the_rows_are_spread_over_sites_does_not_matter() -> None:
    rows = scores(800)
    together = [draw([rows], seed, epsilon=0.5).threshold for seed in range(600)]
    apart = [draw([rows[:100], rows[100:150], rows[150:]], seed + 9999, epsilon=0.5).threshold for seed in range(600)]
    assert ks_2samp(together, apart).pvalue > 1e-3
    assert len(set(together)) > 3


def test_masks_cancel_in_the_sum_and_nowhere_else() -> None:
    counts = [np.array([3, 0, 12, -4]), np.array([0, 1, 5, 2]), np.array([-7, 0, 0, 40])]
    messages = masked(counts, np.random.default_rng(0))
    np.testing.assert_array_equal(add_up(messages), np.sum(counts, axis=0))
    for left_out in range(3):
        rest = add_up([message for site, message in enumerate(messages) if site != left_out])
        assert (np.abs(rest.astype(float)) > 1e12).all()


def test_a_single_message_looks_the_same_whatever_is_in_it() -> None:
    large = np.full(2000, 10**6)
    hidden, _ = masked([large, large], np.random.default_rng(1))
    assert abs((hidden >> np.uint64(63)).mean() - 0.5) < 0.05
    assert abs((hidden & np.uint64(1)).mean() - 0.5) < 0.05


def test_the_last_edge_is_taken_where_no_other_has_few_enough() -> None:
    grid = Grid.uniform(largest=1.0, bins=4)
    assert first_edge(np.array([5, 5, 5]), 2.0, grid) == 1.0
    assert first_edge(np.array([5, 5, 1]), 2.0, grid) == 0.75
    assert first_edge(np.array([5, -9, 1]), 2.0, grid) == 0.25


def test_too_few_rows_give_the_whole_range_and_one_sentence() -> None:
    drawn = draw([[0.1, 0.2], [0.3]])
    assert drawn.threshold == 8.0
    assert drawn.target_count < 0
    assert drawn.note.startswith("With n = 3, epsilon = 1 and 40 bins nothing narrower can be certified; it needs n >=")
    assert drawn.entry.sensitivity == "nothing: the whole range is returned whatever the rows"


def test_with_too_few_rows_no_noise_makes_the_threshold_smaller() -> None:
    assert {draw([[0.1, 0.2], [0.3]], seed).threshold for seed in range(30)} == {8.0}


def test_the_n_that_the_sentence_names_is_enough_and_no_more_than_that() -> None:
    needed = int(draw([[0.1]]).note.rpartition(">= ")[2].removesuffix("."))
    assert draw([scores(needed)]).target_count > 0
    assert draw([scores(needed - 1)]).target_count <= 0


def test_counting_on_fewer_sites_costs_rows() -> None:
    sites = [scores(300, seed) for seed in range(4)]
    assert draw(sites, trusted=2).target_count < draw(sites, trusted=3).target_count < draw(sites).target_count
    assert "2 of 4 sites suffice" in draw(sites, trusted=2).entry.detail


def test_empty_rows_are_among_n() -> None:
    assert draw([scores(400)], n=500).target_count == draw([scores(500)]).target_count


@pytest.mark.parametrize(
    ("sites", "choices", "words"),
    [
        ([], {}, "site_scores is empty"),
        ([[0.1], [0.2]], {"trusted": 3}, "trusted is 3 but must be a whole number of at most 2"),
        ([[0.1], [0.2]], {"n": 1}, "n is 1 but there are 2 scores"),
        ([[0.1], [[0.2]]], {}, "one list of numbers per site"),
        ([[-0.1]], {}, "scores"),
        ([[0.1]], {"miss_rate": 1.0}, "miss_rate is 1"),
        ([[0.1]], {"epsilon": 0}, "epsilon is 0"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(sites: list, choices: dict, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        draw(sites, **choices)
    assert str(caught.value).count(". ") == 0
