from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

from dpcp_core.errors import InputError
from dpcp_core.evaluation.audit.subtraction import belief, counted, left_over, log_likelihoods

ROWS = pd.DataFrame(
    {
        "age": [30, 41, 30, 77],
        "dose": [1.25, np.nan, 0.1, 2.0],
        "job": ["nurse", None, "pilot", "CEO"],
        "code": pd.Series([1, 1.0, True, "1"], dtype=object),
        "ill": [True, False, True, True],
    }
)


@pytest.mark.parametrize("place", range(4))
def test_subtracting_all_other_rows_from_shuffled_columns_leaves_exactly_the_one(place):
    rng = np.random.default_rng(place)
    shuffled = pd.DataFrame({name: ROWS[name].to_numpy()[rng.permutation(4)] for name in ROWS})
    shuffled["age"] = shuffled["age"].astype("Int64")
    left = left_over(shuffled, ROWS.drop(index=place))
    alone = counted(ROWS.iloc[[place]])
    assert left == {name: tuple(counts) for name, counts in alone.items()}
    assert left_over(shuffled, counted(ROWS.drop(index=place))) == left


def test_kinds_of_ones_are_told_apart_as_the_schema_reads_them():
    assert counted(ROWS)["code"] == {"1": 3, "true": 1}
    assert counted(ROWS)["dose"] == {"1.25": 1, None: 1, "0.1": 1, "2": 1}


def test_a_column_that_nobody_knows_cannot_be_subtracted():
    with pytest.raises(InputError, match="lack the column 'dose'"):
        left_over(ROWS, ROWS.drop(columns="dose"))


def test_likelihoods_of_noisy_counts_are_those_of_the_normal_distribution():
    left, noise = [np.array([0.7, -1.2]), np.array([0.1, 2.2, -0.4])], [1.5, 3.0]
    cells = np.array(list(itertools.product((-1, 0, 1), (-1, 0, 1, 2))))
    expected = []
    for row in cells:
        total = 0.0
        for counts, spread, cell in zip(left, noise, row, strict=True):
            with_row = counts - np.eye(len(counts))[cell] * (cell >= 0)
            total += (np.sum(counts**2) - np.sum(with_row**2)) / (2 * spread**2)
        expected.append(total)
    assert log_likelihoods(left, noise, cells) == pytest.approx(expected)


def test_belief_is_bayes_rule_and_almost_no_noise_is_certainty():
    left, prior = np.array([0.2, 1.1, 0.0]), np.array([0.5, 0.2, 0.3])
    weights = prior * np.exp(left / 2.0**2)
    assert belief(left, 2.0, prior) == pytest.approx(weights / weights.sum())
    assert belief(left, 0.0, prior).tolist() == [0.0, 1.0, 0.0]
