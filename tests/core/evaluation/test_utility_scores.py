"""Scores of predictions against scikit-learn and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn import metrics

from dpcp_core.errors import InputError
from dpcp_core.evaluation.utility.scores import score_classes, score_numbers


def test_two_classes_score_as_scikit_learn_says() -> None:
    rng = np.random.default_rng(0)
    truth, chance = rng.integers(0, 2, 400), rng.random(400)
    predicted = (chance > 0.5).astype(int)
    scores = score_classes(np.column_stack([1 - chance, chance]), truth)
    assert scores.accuracy == pytest.approx(metrics.accuracy_score(truth, predicted))
    assert scores.f1 == pytest.approx(metrics.f1_score(truth, predicted))
    assert scores.auc == pytest.approx(metrics.roc_auc_score(truth, chance))
    assert scores.balanced_accuracy == pytest.approx(metrics.balanced_accuracy_score(truth, predicted))


def test_f1_is_of_the_second_class() -> None:
    # Of three found, two are right; of four that there are, two are found: precision 2/3, recall 1/2.
    truth, predicted = np.array([1, 1, 1, 1, 0, 0]), np.array([1, 1, 0, 0, 1, 0])
    assert score_classes(np.eye(2)[predicted], truth).f1 == pytest.approx(4 / 7)
    assert score_classes(np.eye(2)[1 - predicted], 1 - truth).f1 == pytest.approx(0.4)


def test_three_classes_score_by_the_mean_over_classes() -> None:
    rng = np.random.default_rng(1)
    truth, ranks = rng.integers(0, 3, 300), rng.dirichlet(np.ones(3), 300)
    predicted = ranks.argmax(axis=1)
    scores = score_classes(ranks, truth)
    assert scores.f1 == pytest.approx(metrics.f1_score(truth, predicted, average="macro"))
    assert scores.auc == pytest.approx(metrics.roc_auc_score(truth, ranks, multi_class="ovr"))
    assert scores.balanced_accuracy == pytest.approx(metrics.balanced_accuracy_score(truth, predicted))


def test_held_out_rows_of_one_class_have_no_auc() -> None:
    scores = score_classes(np.eye(2)[[0, 1, 0, 0]], np.zeros(4, dtype=int))
    assert math.isnan(scores.auc)
    assert (scores.accuracy, scores.balanced_accuracy, scores.f1) == (0.75, 0.75, 0.0)


def test_a_class_that_no_held_out_row_has_harms_no_mean() -> None:
    truth = np.array([0, 0, 1, 1])
    scores = score_classes(np.eye(3)[[0, 0, 1, 2]], truth)
    assert scores.balanced_accuracy == pytest.approx(0.75)
    assert scores.f1 == pytest.approx((1 + 2 / 3) / 2)


def test_numbers_score_as_scikit_learn_says() -> None:
    rng = np.random.default_rng(2)
    truth, predicted = rng.normal(size=200), rng.normal(size=200)
    scores = score_numbers(predicted, truth)
    assert scores.rmse == pytest.approx(metrics.root_mean_squared_error(truth, predicted))
    assert scores.r2 == pytest.approx(metrics.r2_score(truth, predicted))


def test_truth_that_does_not_vary_explains_nothing() -> None:
    assert math.isnan(score_numbers(np.array([1.0, 2.0]), np.array([3.0, 3.0])).r2)


def test_predictions_that_do_not_fit_the_rows_are_refused() -> None:
    with pytest.raises(InputError, match="3 predictions for 2 real rows"):
        score_numbers(np.zeros(3), np.zeros(2))
    with pytest.raises(InputError, match="no real row"):
        score_classes(np.zeros((0, 2)), np.zeros(0, dtype=int))
