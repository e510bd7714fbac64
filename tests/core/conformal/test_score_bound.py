"""A bound of the scores that is bought: it sharpens a coarse grid, keeps the promise and stands on the receipt."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpcp_core import Column, ConformalSettings, Dataset, Schema, simulate
from dpcp_core.conformal.score_bound import draw_with_bought_bound
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.quantile_mechanisms import QUANTILES
from dpcp_core.privacy.quantile_task import QuantileTask

PUBLIC = 1000.0


def task(epsilon: float = 1.0, n: int = 3000, bins: int = 40) -> QuantileTask:
    return QuantileTask(Grid.geometric(smallest=0.05, largest=PUBLIC, bins=bins), n, epsilon, 0.1)


def scores(n: int = 3000, columns: int = 300, seed: int = 0) -> np.ndarray:
    return np.sort(np.abs(np.random.default_rng(seed).normal(size=(n, columns))), axis=0)


def draw(values: np.ndarray, wanted: QuantileTask, share: float = 0.3, seed: int = 0):
    return draw_with_bought_bound(values, wanted, share, 0.05, np.random.default_rng(seed))


def test_the_two_steps_cost_what_one_would() -> None:
    _, notes = draw(scores(columns=2), task(epsilon=0.8))
    assert [note.epsilon for note in notes] == pytest.approx([0.24, 0.56])
    assert notes[0].mechanism.startswith("Bound of the scores, bought")
    assert "below the bought bound" in notes[1].detail


def test_candidates_lie_closer_below_a_bought_bound() -> None:
    # Of many sizes, so that where the candidates happen to lie does not matter.
    scales = np.geomspace(0.5, 5.0, 300)
    values, wanted = scores() * scales, task(epsilon=4.0, bins=20)
    bought = draw(values, wanted)[0].thresholds / scales
    plain = QUANTILES["exponential"].draw(values, wanted, np.random.default_rng(0)).thresholds / scales
    # A perfect draw would give 1.645.
    assert 1.645 < np.mean(bought) < np.mean(plain) - 0.1


@pytest.mark.parametrize(("n", "epsilon"), [(300, 1.0), (3000, 1.0), (3000, 0.2)])
def test_new_scores_are_missed_no_more_often_than_promised(n: int, epsilon: float) -> None:
    thresholds = draw(scores(n), task(epsilon, n))[0].thresholds
    new = np.abs(np.random.default_rng(1).normal(size=(5000, 300)))
    missed = (new > thresholds).mean(axis=0)
    assert missed.mean() <= 0.1 + 4 * missed.std() / np.sqrt(300)


def test_where_scores_reach_the_public_bound_it_stays_the_last_candidate() -> None:
    values = np.full((3000, 20), PUBLIC)
    assert (draw(values, task())[0].thresholds == PUBLIC).all()


def test_too_few_rows_still_give_the_whole_range() -> None:
    values = scores(20, columns=5)
    drawn, _ = draw(values, task(n=20))
    assert (drawn.thresholds == PUBLIC).all()
    assert drawn.note.startswith("With n = 20")


def test_a_simulation_buys_a_bound_where_the_target_has_a_far_too_wide_one() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(3000, 2))
    schema = Schema(
        (
            Column("a", "number", bounds=(-3, 3)),
            Column("b", "number", bounds=(-3, 3)),
            Column("y", "number", bounds=(-1e6, 1e6), typical=(-2, 2), role="target"),
        )
    )
    frame = {"a": x[:, 0], "b": x[:, 1], "y": x @ [1, -1] + 0.5 * rng.normal(size=3000)}
    data = Dataset.from_frame(pd.DataFrame(frame), schema=schema, name="wide")
    plain, bought = (
        simulate(data, ConformalSettings(bound_share=share, repetitions=10, epsilon=2.0, bins=60, stability="split"))
        for share in (0.0, 0.2)
    )
    assert bought.certificate.holds
    assert bought.coverage_mean >= 0.9 - 2 * bought.coverage_se
    assert bought.size_mean < plain.size_mean
    assert len(bought.receipt.entries) == 3
    assert bought.receipt.total == plain.receipt.total
