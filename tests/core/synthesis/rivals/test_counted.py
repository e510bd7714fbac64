"""Rivals that count with noise: what survives, what does not, and that the noise is the budget's."""

from __future__ import annotations

import numpy as np
import pytest

from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.gaussian import gaussian_mu
from dpcp_core.synthesis.rivals.counted import Independent, NaiveBayes, Uniform, _released
from dpcp_core.synthesis.rivals.protocol import CodedRows

BUDGET = PrivacyBudget(1.0, 1e-5)


def rows(n: int = 20_000) -> CodedRows:
    rng = np.random.default_rng(0)
    target = (rng.random(n) < 0.3).astype(np.int64)
    close = np.where(rng.random(n) < 0.9, target, 1 - target)
    far = rng.choice(4, n, p=[0.7, 0.2, 0.1, 0.0])
    return CodedRows(np.column_stack([close, target, far]), ("close", "target", "far"), (2, 2, 4), (False,) * 3, 1)


def shares(codes: np.ndarray, size: int) -> np.ndarray:
    return np.bincount(codes, minlength=size) / len(codes)


@pytest.mark.parametrize("rival", [Independent(), NaiveBayes()])
def test_shares_of_every_column_survive(rival: Independent | NaiveBayes) -> None:
    given = rows()
    made = rival.draw(given, BUDGET, 20_000, np.random.default_rng(1))
    for k, size in enumerate(given.sizes):
        np.testing.assert_allclose(shares(made[:, k], size), shares(given.codes[:, k], size), atol=0.02)


def test_only_the_bayes_network_keeps_what_goes_with_the_target() -> None:
    given = rows()
    agreeing = {
        rival.name: np.mean(np.equal(*rival.draw(given, BUDGET, 20_000, np.random.default_rng(1))[:, :2].T))
        for rival in (Uniform(), Independent(), NaiveBayes())
    }
    assert agreeing["naive_bayes"] == pytest.approx(0.9, abs=0.02)
    assert agreeing["uniform"] == pytest.approx(0.5, abs=0.02)
    by_chance = 0.34 * 0.3 + 0.66 * 0.7
    assert agreeing["independent"] == pytest.approx(by_chance, abs=0.02)


def test_the_uniform_table_does_not_depend_on_the_rows() -> None:
    given = rows()
    other = CodedRows(given.codes[:5] * 0, given.names, given.sizes, given.has_missing, given.target)
    tables = [Uniform().draw(each, BUDGET, 100, np.random.default_rng(0)) for each in (given, other)]
    np.testing.assert_array_equal(*tables)


def test_noise_on_counts_is_as_large_as_the_budget_demands() -> None:
    """Sum over histograms of 1 / sd^2 is mu^2 of the budget, with sensitivity 1."""
    # Far above zero, so that nothing is clipped; the projection takes off one constant, which no difference sees.
    counts = (np.full(2, 10**6), np.full(50, 10**6))
    rng = np.random.default_rng(0)
    draws = [_released(counts, ("a", "b"), 10**6, BUDGET, rng) for _ in range(400)]
    precision = sum(2 / np.var([draw[k][0] - draw[k][1] for draw in draws]) for k in range(2))
    assert precision == pytest.approx(gaussian_mu(1.0, 1e-5) ** 2, rel=0.15)


def test_a_table_of_one_column_can_be_made() -> None:
    alone = CodedRows(rows().codes[:, 1:2], ("target",), (2,), (False,), 0)
    made = NaiveBayes().draw(alone, BUDGET, 1000, np.random.default_rng(0))
    assert made.shape == (1000, 1)
    assert made.mean() == pytest.approx(0.3, abs=0.05)


def test_a_large_budget_makes_the_real_pairs() -> None:
    given = rows()
    made = NaiveBayes().draw(given, PrivacyBudget(1000.0, 1e-5), 200_000, np.random.default_rng(0))
    pairs = [shares(codes[:, 0] * 2 + codes[:, 1], 4) for codes in (made, given.codes)]
    np.testing.assert_allclose(*pairs, atol=0.005)
