"""One row taken out: exact chances, on a public grid and among the scores."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dpcp_core.data.samples import load_sample
from dpcp_core.errors import InputError
from dpcp_core.experiments.prepare import prepare
from dpcp_core.experiments.row_out import RankedRows, RowOut, likeliest_place, ranked_rows, take_row_out
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.quantile import quantile_distribution


@pytest.fixture(scope="module")
def rows() -> RankedRows:
    return ranked_rows(prepare(load_sample("diabetes")), n=200)


def out_of(rows: RankedRows, which: int | None = None, epsilon: float = 1.0) -> RowOut:
    place = likeliest_place(rows, epsilon=epsilon) if which is None else which
    return take_row_out(rows, place=place, epsilon=epsilon)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 4.0])
def test_no_row_moves_a_chance_on_the_grid_by_more_than_epsilon(rows: RankedRows, epsilon: float) -> None:
    worst = max(out_of(rows, place, epsilon).on_grid.largest_log_ratio for place in range(1, 201, 7))
    assert 0.3 * epsilon < worst <= epsilon + 1e-9


@pytest.mark.parametrize("epsilon", [1.0, 4.0])
def test_any_row_is_told_for_sure_where_scores_are_the_candidates(rows: RankedRows, epsilon: float) -> None:
    for place in (1, 20, 200):
        worlds = out_of(rows, place, epsilon).among_scores
        assert math.isinf(worlds.largest_log_ratio)
        assert worlds.candidates[np.isneginf(worlds.without_row)].tolist() == [rows.scores[-place]]


def test_the_row_most_at_risk_is_the_one_whose_score_is_likeliest(rows: RankedRows) -> None:
    chances = [out_of(rows, place).among_scores.telltale for place in range(1, 201)]
    assert likeliest_place(rows, epsilon=1.0) == 1 + int(np.argmax(chances))
    assert max(chances) > 0.15


def test_chances_are_those_of_the_mechanism_with_n_public(rows: RankedRows) -> None:
    out = out_of(rows, 5)
    grid = Grid.geometric(smallest=rows.smallest, largest=rows.bound, bins=100)
    left = np.delete(rows.scores, -5)
    direct = quantile_distribution(left, grid, epsilon=1.0, miss_rate=0.1, n=200)
    assert out.on_grid.without_row == pytest.approx(direct.log_probabilities)
    assert out.score == rows.scores[-5]
    for world in (out.on_grid.with_row, out.on_grid.without_row, out.among_scores.with_row):
        assert np.exp(world).sum() == pytest.approx(1)


def test_equal_scores_hide_each_other(rows: RankedRows) -> None:
    scores = rows.scores.copy()
    scores[-30:-20] = scores[-25]
    worlds = take_row_out(replace(rows, scores=np.sort(scores)), place=25, epsilon=1.0).among_scores
    assert worlds.telltale == 0
    assert math.isfinite(worlds.largest_log_ratio)
    assert len(worlds.candidates) == 191


def test_the_best_guess_never_beats_the_promise(rows: RankedRows) -> None:
    for place in range(1, 201, 11):
        advantage = out_of(rows, place).on_grid.advantage
        assert 0 <= advantage <= (math.e - 1) / (math.e + 1)


def test_where_nothing_is_certified_no_row_shows_on_the_grid_and_the_largest_score_is_told(rows: RankedRows) -> None:
    few = replace(rows, scores=rows.scores[::4])
    out = out_of(few, 1, epsilon=0.5)
    assert "certified" in out.note
    assert out.on_grid.largest_log_ratio == 0
    assert out.among_scores.telltale == 1


def test_rows_keep_the_shape_of_all_scores(rows: RankedRows) -> None:
    everybody = ranked_rows(prepare(load_sample("diabetes")))
    assert (rows.n, everybody.n) == (200, 354)
    assert set(rows.scores) <= set(everybody.scores)
    assert rows.scores[-1] == everybody.scores[-1]
    assert np.median(rows.scores) == pytest.approx(np.median(everybody.scores), rel=0.05)
    assert (rows.scores <= rows.bound).all()


def test_classes_have_scores_too() -> None:
    out = out_of(ranked_rows(prepare(load_sample("breast_cancer")), n=100), 1, 4.0)
    assert out.ranked.bound == 1
    assert out.on_grid.largest_log_ratio <= 4


@pytest.mark.parametrize(("place", "said"), [(0, "place is 0"), (201, "place is 201"), (1.5, "place is 1.5")])
def test_a_row_that_is_not_there_is_refused(rows: RankedRows, place: int, said: str) -> None:
    with pytest.raises(InputError, match=said):
        take_row_out(rows, place=place, epsilon=1.0)


def test_too_few_rows_are_refused() -> None:
    with pytest.raises(InputError, match="n is 1"):
        ranked_rows(prepare(load_sample("diabetes")), n=1)
