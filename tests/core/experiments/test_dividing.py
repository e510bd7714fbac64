"""Rows of repetitions: divided without a row twice, picked column by column, the same with a reference at hand."""

from __future__ import annotations

import numpy as np
import pytest

from dpcp_core import load_sample
from dpcp_core.experiments.calibrate import calibrate
from dpcp_core.experiments.dividing import divide, included, picked, shuffled_rows
from dpcp_core.experiments.prepare import Prepared, prepare
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.trained import train, train_reference

SETTINGS = ConformalSettings(method="pscp", trainer="ridge", repetitions=4)


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    return prepare(load_sample("blood_pressure"))


def test_every_row_has_one_part_in_each_repetition() -> None:
    split = divide(shuffled_rows(200, SETTINGS.training_key()), SETTINGS.training_key())
    for repetition in range(4):
        parts = np.concatenate([part[:, repetition] for part in (split.train, split.rank, split.test)])
        assert sorted(parts.tolist()) == list(range(200))
    assert included(split.train, 200).sum(axis=0).tolist() == [len(split.train)] * 4


@pytest.mark.parametrize("shape", [(30, 3), (30, 3, 2)])
def test_picked_rows_are_those_that_numpy_takes(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    values, rows = rng.normal(size=shape), rng.integers(0, 30, size=(12, 3))
    wanted = np.take_along_axis(values, rows.reshape(12, 3, *[1] * (len(shape) - 2)), axis=0)
    np.testing.assert_array_equal(picked(values, rows), wanted)


def test_a_reference_at_hand_and_no_trace_change_no_result(prepared: Prepared) -> None:
    task = SETTINGS.training_key()
    alone = train(prepared, task)
    shared = train(prepared, task, train_reference(prepared, task), record=False)
    assert alone.trace is not None
    assert shared.trace is None
    found = calibrate(shared, SETTINGS)
    np.testing.assert_array_equal(found.size, calibrate(alone, SETTINGS).size)
    np.testing.assert_array_equal(found.coverage, calibrate(alone, SETTINGS).coverage)


def test_scores_with_their_groups_are_the_sorted_ones_with_their_rows_groups(prepared: Prepared) -> None:
    runs = train(prepared, SETTINGS.training_key())
    assert runs.grouped is not None
    assert prepared.groups is not None
    np.testing.assert_array_equal(np.sort(runs.grouped.scores, axis=0), runs.scores)
    split = divide(shuffled_rows(prepared.n_rows, runs.task), runs.task)
    np.testing.assert_array_equal(runs.grouped.groups, prepared.groups.codes[split.rank])
