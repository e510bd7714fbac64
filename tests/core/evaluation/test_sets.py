"""Sets of classes, counted: sizes, singletons, empty ones, and which classes they confuse."""

from __future__ import annotations

import numpy as np
import pytest

from dpcp_core.evaluation.sets import summarise_sets


def random_sets(n: int = 300, repetitions: int = 3, classes: int = 4) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.random((n, repetitions, classes)) < 0.4, rng.integers(0, classes, (n, repetitions))


def test_counts_are_those_of_a_loop() -> None:
    members, truth = random_sets()
    summary = summarise_sets(members, truth)
    sizes = members.sum(axis=-1)
    for repetition in range(3):
        assert summary.singleton_share[repetition] == np.mean(sizes[:, repetition] == 1)
        assert summary.empty_share[repetition] == np.mean(sizes[:, repetition] == 0)
    assert summary.size_counts.tolist() == [int((sizes == size).sum()) for size in range(5)]
    for true in range(4):
        rows = members[truth == true]
        assert summary.class_counts[true] == len(rows)
        np.testing.assert_allclose(summary.holds[true], rows.mean(axis=0))


def test_the_coverage_of_all_rows_is_that_of_the_classes_by_their_numbers() -> None:
    members, truth = random_sets()
    summary = summarise_sets(members, truth)
    covered = np.take_along_axis(members, truth[..., None], axis=-1).mean()
    assert np.average(summary.class_coverage, weights=summary.class_counts) == pytest.approx(covered)


def test_a_class_without_rows_is_not_a_number_and_harms_no_other() -> None:
    members = np.array([[[True, False, False]], [[True, True, False]]])
    summary = summarise_sets(members, np.array([[0], [1]]))
    assert np.isnan(summary.holds[2]).all()
    assert summary.class_counts.tolist() == [1, 1, 0]
    assert summary.holds[:2].tolist() == [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]


def test_full_and_empty_sets_are_counted_at_the_ends() -> None:
    full = summarise_sets(np.ones((5, 2, 3), dtype=bool), np.zeros((5, 2), dtype=int))
    empty = summarise_sets(np.zeros((5, 2, 3), dtype=bool), np.zeros((5, 2), dtype=int))
    assert full.size_counts.tolist() == [0, 0, 0, 10]
    assert empty.size_counts.tolist() == [10, 0, 0, 0]
    assert empty.empty_share.tolist() == [1.0, 1.0]
