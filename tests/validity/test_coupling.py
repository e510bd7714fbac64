"""In-sample scores of over-fitted models: the plain threshold under-covers, the coupled one keeps its level.

The cases are chosen so that a model nearly interpolates its rows. The plain in-sample threshold must fail the very
check that the widened one passes; otherwise the check could not tell them apart.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass

import numpy as np
import pytest

from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.profile import GaussianProfile, stable_level
from dpcp_core.privacy.quantile import quantile_distribution
from dpcp_core.training.descent import DescentPlan, coupling_radius, descend

pytestmark = pytest.mark.validity

REPETITIONS = 4000 if os.environ.get("DPCP_VALIDITY") == "long" else 500
ALPHA, BOUND, NEW_ROWS = 0.1, 6.0, 50


@dataclass(frozen=True)
class Case:
    n: int
    d: int
    steps: int
    penalty: float
    quantile_epsilon: float
    naive_fails: bool = True


CASES = (
    Case(60, 80, 300, 0.1, 8.0, naive_fails=False),
    Case(60, 80, 300, 0.02, 8.0),
    Case(100, 20, 20, 0.0, 8.0, naive_fails=False),
    Case(120, 100, 300, 0.0, 8.0),
    Case(80, 80, 100, 0.0, 8.0),
)


def miss_rates(
    case: Case, rng: np.random.Generator, level: float = ALPHA, noise: float = 2.0
) -> tuple[np.ndarray, np.ndarray]:
    """Return, per repetition, the exact miss probability over the draw, averaged over fresh rows.

    That of the plain threshold, and that of the same threshold widened as coupling demands.
    """
    plan = DescentPlan(case.n, case.steps, 1.0, 1.0, noise_multiplier=noise, penalty=case.penalty)
    radius = coupling_radius(plan)
    assert radius is not None
    grid = Grid.uniform(largest=BOUND, bins=400)
    widenings = np.array([0, 2 * radius])
    repetitions = REPETITIONS * 60 // case.n // 2 + 50
    rates = np.empty((2, repetitions))
    for repetition in range(repetitions):
        x, y = draw_rows(case.n + NEW_ROWS, case.d, rng)
        weights = descend(x[: case.n], y[: case.n], plan, n_models=1, rng=rng)[:, 0]
        scores = np.minimum(np.abs(y - np.clip(x @ weights, -BOUND / 2, BOUND / 2)), BOUND)
        spread = quantile_distribution(scores[: case.n], grid, epsilon=case.quantile_epsilon, miss_rate=level)
        missed = scores[case.n :, None] > spread.edges + widenings[:, None, None]
        rates[:, repetition] = (missed @ spread.probabilities).mean(axis=1)
    return rates[0], rates[1]


def draw_rows(n: int, d: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    x = rng.normal(size=(n, d))
    x /= np.linalg.norm(x, axis=1)[:, None]
    y = np.clip(x @ (np.sqrt(d) * np.ones(d) * 0.1) + 0.6 * rng.normal(size=n), -BOUND / 2, BOUND / 2)
    return x, y


def exceeds(rates: np.ndarray) -> bool:
    """Whether the mean miss rate is above alpha beyond three standard errors."""
    return bool(rates.mean() - 3 * rates.std(ddof=1) / math.sqrt(len(rates)) > ALPHA)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_coupled_threshold_keeps_its_level_where_the_plain_one_may_not(case: Case) -> None:
    plain, widened = miss_rates(case, np.random.default_rng(1))
    assert not exceeds(widened)
    if case.naive_fails:
        assert exceeds(plain)


@pytest.mark.slow
@pytest.mark.parametrize("mu", [0.5, 1.0])
def test_the_profile_level_keeps_coverage_of_an_over_fitted_model(mu: float) -> None:
    case = Case(400, 300, 200, 0.0, 8.0)
    noise = math.sqrt(case.steps) / mu
    level = stable_level(GaussianProfile(mu), ALPHA)
    plain, _ = miss_rates(case, np.random.default_rng(2), level, noise)
    assert not exceeds(plain)
