"""Bounds from counts hold as often as they say, worked out over all counts, and are not needlessly loose."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import binom, binomtest, norm

from dpcp_core.errors import InputError
from dpcp_core.evaluation.audit.estimates import (
    PrivacyRisk,
    clopper_pearson,
    epsilon_lower_bound,
    gaussian_lower_bound,
)
from dpcp_core.privacy.gaussian import gaussian_epsilon

N = 40


@pytest.mark.parametrize(("successes", "trials"), [(0, 7), (3, 7), (7, 7), (120, 1000)])
def test_bounds_of_a_share_are_those_of_clopper_and_pearson(successes, trials):
    known = binomtest(successes, trials).proportion_ci(0.9, "exact")
    assert clopper_pearson(successes, trials, 0.9) == pytest.approx((known.low, known.high))


@pytest.mark.parametrize("chance", [0.001, 0.07, 0.5, 0.93])
def test_no_chance_lies_outside_its_bounds_more_often_than_stated(chance):
    weights = binom.pmf(range(N + 1), N, chance)
    bounds = [clopper_pearson(k, N, 0.95) for k in range(N + 1)]
    assert sum(w for w, (low, high) in zip(weights, bounds, strict=True) if low <= chance <= high) >= 0.95
    lower = [clopper_pearson(k, N, 0.95, one_sided=True)[0] for k in range(N + 1)]
    assert sum(w for w, low in zip(weights, lower, strict=True) if low <= chance) >= 0.95


def share_above(bound, epsilon, fpr, tpr, delta):
    """Return how likely a bound from N trials of either kind lies above epsilon."""
    chances = [binom.pmf(range(N + 1), N, rate) for rate in (fpr, tpr)]
    return sum(
        chances[0][alarms] * chances[1][hits]
        for alarms, hits in itertools.product(range(N + 1), repeat=2)
        if bound(N, alarms, N, hits, delta) > epsilon + 1e-12
    )


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("delta", [0.0, 0.05])
def test_the_best_attack_on_a_true_claim_exceeds_it_no_more_often_than_stated(epsilon, delta):
    """Randomised response with a chance delta to tell the truth: nothing tells more at this cost."""
    odds = math.exp(epsilon)
    tpr, fpr = delta + (1 - delta) * odds / (1 + odds), (1 - delta) / (1 + odds)
    assert 0 < share_above(epsilon_lower_bound, epsilon, fpr, tpr, delta) + 1e-12 <= 0.05


@pytest.mark.parametrize("mu", [0.3, 1.0, 2.5])
def test_a_gaussian_claim_that_holds_is_exceeded_no_more_often_than_stated(mu):
    delta = 1e-3
    fpr, tpr = norm.cdf(-mu / 2), norm.cdf(mu / 2)
    assert share_above(gaussian_lower_bound, gaussian_epsilon(mu, delta), fpr, tpr, delta) <= 0.05


def test_bounds_come_near_the_truth_with_many_trials():
    odds, n = math.exp(1.0), 10**6
    assert 0.98 < epsilon_lower_bound(n, round(n / (1 + odds)), n, round(n * odds / (1 + odds)), 0.0) <= 1
    told = gaussian_lower_bound(n, round(n * norm.cdf(-0.5)), n, round(n * norm.cdf(0.5)), 1e-5)
    assert 0.98 * gaussian_epsilon(1.0, 1e-5) < told <= gaussian_epsilon(1.0, 1e-5)


def test_what_proves_nothing_gives_0_and_nothing_gives_infinity():
    assert epsilon_lower_bound(100, 60, 100, 50, 0.0) == 0
    assert gaussian_lower_bound(100, 60, 100, 50, 1e-5) == 0
    assert np.isfinite(epsilon_lower_bound(100, 0, 100, 100, 0.0))
    # The rarer answer may tell more than the commoner one.
    assert epsilon_lower_bound(1000, 900, 1000, 1000, 0.0) > 2


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: clopper_pearson(5, 4), "successes is 5"),
        (lambda: clopper_pearson(1, 0), "trials is 0"),
        (lambda: clopper_pearson(1, 4, 1.0), "confidence is 1.0"),
        (lambda: epsilon_lower_bound(10, 1, 10, 11, 0.0), "successes is 11"),
        (lambda: epsilon_lower_bound(10, 1, 10, 1, -0.1), "delta is -0.1"),
        (lambda: PrivacyRisk(0.5, 0.6, 0.7), "value is 0.5"),
    ],
)
def test_bad_numbers_are_refused_by_name(call, words):
    with pytest.raises(InputError, match=words):
        call()


def test_a_risk_carries_its_interval():
    risk = PrivacyRisk.of_share(30, 100, 0.9)
    assert (risk.value, risk.low, risk.high, risk.confidence) == (0.3, *clopper_pearson(30, 100, 0.9), 0.9)
