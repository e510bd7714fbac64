"""Thresholds of groups keep the promise within every group, where one threshold for all does not.

The whole road over repeated tables: groups of unequal size and difficulty, new rows of each group.
"""

from __future__ import annotations

import numpy as np
import pytest

from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.groups import draw_by_group
from dpcp_core.conformal.thresholds import CalibrationPlan, draw_thresholds
from dpcp_core.data.target import NumericTarget
from dpcp_core.privacy.profile import NoPrivacyProfile
from dpcp_core.privacy.randomness import simulation_generator
from tests.validity.bags import LONG

pytestmark = pytest.mark.validity

NAMES = ("many", "some", "few")
SHARES = np.array([0.7, 0.25, 0.05])
DIFFICULTY = np.array([0.5, 1.5, 4.0])
BOUND = 40.0


def plan_of(epsilon: float, alpha: float) -> CalibrationPlan:
    chosen = ConformalChoices(stability="split", epsilon=epsilon, confidence_level=1 - alpha).resolved("regression")
    target = NumericTarget(centre=0.0, spread=2.0, lower=-BOUND / 2, upper=BOUND / 2)
    return CalibrationPlan(chosen, target, NoPrivacyProfile(), None)


def scores_of(codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.minimum(np.abs(rng.normal(size=codes.shape)) * DIFFICULTY[codes], BOUND)


def misses(n: int, epsilon: float, alpha: float, *, by_group: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean miss rate of new rows of each group, and its standard error."""
    rng, plan = simulation_generator(n, int(by_group)), plan_of(epsilon, alpha)
    rates = []
    for _ in range(3000 if LONG else 400):
        codes = rng.choice(3, (n, 1), p=SHARES)
        scores = scores_of(codes, rng)
        if by_group:
            thresholds = draw_by_group(scores, codes, NAMES, plan, rng).widened[0]
        else:
            thresholds = np.full(3, draw_thresholds(np.sort(scores, axis=0), plan, rng).widened[0])
        new = scores_of(np.repeat(np.arange(3)[:, None], 300, axis=1), rng)
        rates.append((new > thresholds[:, None]).mean(axis=1))
    table = np.array(rates)
    return table.mean(axis=0), table.std(axis=0) / np.sqrt(len(table))


@pytest.mark.parametrize(("n", "epsilon", "alpha"), [(400, 1.0, 0.1), (2500, 1.0, 0.1), (2500, 4.0, 0.3)])
def test_new_rows_of_every_group_are_missed_no_more_often_than_promised(n: int, epsilon: float, alpha: float) -> None:
    rate, error = misses(n, epsilon, alpha, by_group=True)
    assert (rate <= alpha + 4 * error).all(), rate
    assert rate[0] > 0.3 * alpha


def test_one_threshold_for_all_misses_the_hard_groups() -> None:
    rate, _ = misses(2500, 1.0, 0.1, by_group=False)
    assert rate[0] < 0.02
    assert (rate[1:] > 0.15).all()
