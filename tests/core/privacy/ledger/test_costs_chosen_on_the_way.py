"""Somebody sees the first release, a Gaussian one, and decides then whether the second is Gaussian or pure.

Each second release alone keeps to the budget. The true delta of the choice is the mean, over what the first may draw,
of the larger delta of the two at the epsilon that is left then.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.composition import Composition
from dpcp_core.privacy.gaussian import gaussian_epsilon
from dpcp_core.privacy.ledger import Part, ReleaseCost
from dpcp_core.privacy.ledger.composing import fits

BUDGET = PrivacyBudget(1.0, 1e-5)
FIRST = 0.1
HALF = BUDGET.delta / 2


def gaussian(mu: float) -> ReleaseCost:
    return ReleaseCost(PrivacyBudget(gaussian_epsilon(mu, HALF), HALF), (Part.gaussian(mu),))


def pure(epsilon: float) -> ReleaseCost:
    return ReleaseCost(PrivacyBudget(epsilon, 0.0), (Part.pure(epsilon),))


def largest(make, composition: Composition) -> float:
    low, high = 1e-4, 1.0
    for _ in range(25):
        middle = (low + high) / 2
        within = fits((gaussian(FIRST), make(middle)), BUDGET, composition)
        low, high = (middle, high) if within else (low, middle)
    return low


def delta_of_choosing(mu: float, epsilon: float) -> float:
    losses = np.linspace(-9, 9, 200_001) * FIRST + FIRST**2 / 2
    chances = norm.pdf(losses, FIRST**2 / 2, FIRST) * (losses[1] - losses[0])
    left = BUDGET.epsilon - losses
    of_gaussian = norm.cdf(mu / 2 - left / mu) - np.exp(left) * norm.cdf(-mu / 2 - left / mu)
    right = 1 / (1 + np.exp(-epsilon))
    of_pure = np.where(left <= -epsilon, 1 - np.exp(left), np.maximum(right - np.exp(left) * (1 - right), 0.0))
    return float(chances @ np.maximum(of_gaussian, of_pure))


@pytest.mark.parametrize(("composition", "low", "high"), [("basic", 0.0, 1.0), ("tight", 1.5, 2.0)])
def test_a_sum_holds_where_costs_are_chosen_on_the_way_and_tight_does_nearly_twofold_less(
    composition: Composition, low: float, high: float
) -> None:
    found = delta_of_choosing(largest(gaussian, composition), largest(pure, composition))
    assert low <= found / BUDGET.delta <= high
