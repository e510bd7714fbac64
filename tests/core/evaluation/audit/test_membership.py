"""Membership attacks on numbers of which the truth is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom, norm
from sklearn.metrics import roc_auc_score

from dpcp_core.errors import InputError
from dpcp_core.evaluation.audit.membership import (
    MembershipCurve,
    best_threshold,
    likelihood_ratios,
    membership_curve,
    thresholds_of,
)

SHIFT = 1.2


def coins(rows: int, models: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).random((rows, models)) < 0.5


def curve(scores: np.ndarray, included: np.ndarray, seed: int = 0) -> MembershipCurve:
    """Return the curve of the second half of the models, with thresholds from the first."""
    half = scores.shape[1] // 2
    tried = thresholds_of(scores[:, :half], included[:, :half])
    chosen = best_threshold(scores[:, :half], included[:, :half], tried)
    rng = np.random.default_rng(seed)
    return membership_curve(scores[:, half:], included[:, half:], tried, chosen, rng=rng)


def test_numbers_of_two_normal_distributions_are_their_closed_forms() -> None:
    included = coins(200, 400)
    scores = np.random.default_rng(1).standard_normal(included.shape) + SHIFT * included
    found = curve(scores, included)
    assert found.auc.value == pytest.approx(norm.cdf(SHIFT / math.sqrt(2)), abs=0.01)
    assert found.advantage.value == pytest.approx(2 * norm.cdf(SHIFT / 2) - 1, abs=0.015)
    rare = norm.cdf(norm.ppf(0.01) + SHIFT)
    assert found.tpr_at_1_percent.low <= rare <= found.tpr_at_1_percent.high
    inside = (found.fpr > 0.001) & (found.fpr < 0.999)
    np.testing.assert_allclose(found.tpr[inside], norm.cdf(norm.ppf(found.fpr[inside]) + SHIFT), atol=0.02)


def test_the_curve_rises_from_corner_to_corner_and_its_area_is_that_of_all_pairs() -> None:
    included = coins(50, 60)
    scores = np.random.default_rng(1).standard_normal(included.shape) + included
    found = curve(scores, included)
    assert (np.diff(found.fpr) >= 0).all()
    assert (np.diff(found.tpr) >= 0).all()
    assert (found.fpr[0], found.tpr[0], found.fpr[-1], found.tpr[-1]) == (0, 0, 1, 1)
    pairs = roc_auc_score(included[:, 30:].ravel(), scores[:, 30:].ravel())
    assert found.auc.value == pytest.approx(pairs, abs=0.005)


def test_scores_that_say_nothing_are_within_the_interval_as_often_as_it_states() -> None:
    held = 0
    for seed in range(50):
        included, rng = coins(40, 80, seed), np.random.default_rng(1000 + seed)
        # All rows of a model share a part of its noise, as they do in training.
        scores = rng.standard_normal(included.shape) + 2 * rng.standard_normal(80)
        found = curve(scores, included, seed)
        held += found.advantage.low <= 0 <= found.advantage.high
    assert held >= binom.ppf(0.001, 50, 0.95)


def test_likelihood_ratios_are_those_of_the_normal_distributions_of_each_row() -> None:
    included, rng = coins(3, 40_000), np.random.default_rng(2)
    there, absent, spread = np.array([[1.0, 2.0, -1.0], [0.0, 2.0, 1.0], [1.0, 0.5, 2.0]])
    means = np.where(included, there[:, None], absent[:, None])
    known = means + spread[:, None] * rng.standard_normal(included.shape)
    asked = np.linspace(-3, 3, 7) * np.ones((3, 1))
    exact = norm.logpdf(asked, there[:, None], spread[:, None]) - norm.logpdf(asked, absent[:, None], spread[:, None])
    np.testing.assert_allclose(likelihood_ratios(included, known, asked), exact, atol=0.15)


def test_a_row_that_no_model_saw_says_nothing() -> None:
    included = coins(2, 10)
    included[0] = False
    ratios = likelihood_ratios(included, np.random.default_rng(0).random((2, 10)), np.ones((2, 4)))
    assert (ratios[0] == 0).all()
    assert (ratios[1] != 0).all()


def test_the_ratio_finds_what_the_loss_alone_cannot() -> None:
    # Rows differ far more in how hard they are than by who trained on them.
    included, rng = coins(100, 200), np.random.default_rng(3)
    losses = 10 * rng.random((100, 1)) - 0.3 * included + 0.2 * rng.standard_normal(included.shape)
    by_ratio = likelihood_ratios(included[:, :100], -losses[:, :100], -losses)
    assert curve(-losses, included).auc.high < 0.55
    assert curve(by_ratio, included).auc.low > 0.8


def test_rows_that_were_all_in_are_refused() -> None:
    with pytest.raises(InputError, match=r"^included is the same everywhere"):
        membership_curve(np.zeros((3, 4)), np.ones((3, 4), bool), np.zeros(1), 0.0, rng=np.random.default_rng(0))
