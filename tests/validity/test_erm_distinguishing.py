"""Trainers without descent: nobody tells two neighbouring tables apart better than their profiles allow.

The tables are the worst ones known for each trainer. One half of the fits chooses, for each direction, an event of the
output; the other half gives a lower confidence bound on epsilon at a fixed delta. It must stay below the claim, come
close to it, and exceed it when the noise is halved on purpose.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import beta

from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.adassp import AdaSSP
from dpcp_core.training.objective_perturbation import ObjectivePerturbation
from dpcp_core.training.output_perturbation import OutputPerturbation
from dpcp_core.training.posterior import PosteriorDefaults, PosteriorSample
from dpcp_core.training.protocol import ProblemSize, Trainer, TrainingChoices

pytestmark = [pytest.mark.validity, pytest.mark.slow]

FITS = 1_000_000 if os.environ.get("DPCP_VALIDITY") == "long" else 100_000
DELTA, DOUBT = 0.02, 1e-4
BUDGET = TrainingBudget(3.0, DELTA)


@dataclass(frozen=True)
class Case:
    """A trainer, two neighbouring tables (the second without its last row), and how close to the claim one gets."""

    name: str
    trainer: Trainer[Any]
    size: ProblemSize
    choices: TrainingChoices
    rows: Callable[[], tuple[np.ndarray, np.ndarray]]
    closeness: float
    start: np.ndarray | None = None
    tells_half_noise: bool = True


def one_row(truth: float) -> Callable[[], tuple[np.ndarray, np.ndarray]]:
    return lambda: (np.array([[1.0]]), np.array([truth]))


def many_against_one() -> tuple[np.ndarray, np.ndarray]:
    """Return rows that agree on the largest target, and a last one of the opposite sign."""
    x = np.ones((20_001, 1))
    return x, np.where(np.arange(20_001) < 20_000, 1.0, -1.0)


NUMBER, TWO = ProblemSize(10, 1), ProblemSize(10, 1, 2)
MANY = ProblemSize(20_001, 1)
PENALTY, BENT, BOUND = TrainingChoices(penalty=1.0), TrainingChoices(penalty=0.2), TrainingChoices(max_grad_norm=1.0)
CERTAIN = PosteriorSample(PosteriorDefaults(noise_precision=1e9))
FAR = np.array([[-20.0, 20.0]])
CASES = (
    Case("output, number", OutputPerturbation(), NUMBER, PENALTY, one_row(100.0), 0.8),
    Case("output, classes", OutputPerturbation(), TWO, PENALTY, one_row(0), 0.8, start=FAR),
    # Part of this budget goes into the other direction, and into the curvature of rows that these are not.
    Case("objective, number", ObjectivePerturbation(), NUMBER, PENALTY, one_row(100.0), 0.7),
    Case("objective, classes", ObjectivePerturbation(), TWO, PENALTY, one_row(0), 0.7, start=FAR),
    # A row in the middle narrows the output, by a factor that does not depend on the noise.
    Case("objective, bent", ObjectivePerturbation(), NUMBER, BENT, one_row(0.0), 0.5, tells_half_noise=False),
    # A third of the budget goes into the eigenvalue, which is of no use to an onlooker here.
    Case("adassp", AdaSSP(), MANY, BOUND, many_against_one, 0.55),
    Case("adassp, fixed penalty", AdaSSP(), MANY, replace(BOUND, penalty=1e-6), many_against_one, 0.8),
    # The draw adds noise of its own to that of the sums.
    Case("posterior", CERTAIN, MANY, BOUND, many_against_one, 0.55),
)


def outputs(case: Case, plan: Any, with_row: bool, seed: int) -> np.ndarray:
    """Return one number of each of many fits: the only weight, or the score of the second class."""
    x, y = case.rows()
    if not with_row:
        x[-1] = 0
    start = None if case.start is None else (case.start,)
    models = case.trainer.fit(x, y, plan, n_models=FITS, rng=np.random.default_rng(seed), start=start)
    high, low = (models.predict(np.array([[s]]))[0].astype(np.float64) for s in (1e-2, 0.0))
    return (high - low)[:, -1]


def views(likelier: np.ndarray, other: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield both samples as numbers that may be large where the first is likelier: above, below, far out, near."""
    centre = np.median(other[: len(other) // 2])
    for view in (likelier, other), (np.abs(likelier - centre), np.abs(other - centre)):
        yield view
        yield -view[0], -view[1]


def epsilon_bound(likelier: np.ndarray, other: np.ndarray) -> float:
    """Return a lower confidence bound on epsilon at DELTA, from the event that serves best in the first halves."""
    half, best, event = len(likelier) // 2, -math.inf, (0, 0)
    for first, second in views(likelier, other):
        for threshold in np.quantile(second[:half], np.linspace(0.5, 0.9995, 200)):
            p, q = np.mean(first[:half] > threshold), np.mean(second[:half] > threshold)
            if p > DELTA and q * half > 20 and math.log((p - DELTA) / q) > best:
                best = math.log((p - DELTA) / q)
                event = int(np.sum(first[half:] > threshold)), int(np.sum(second[half:] > threshold))
    (hits, false), n = event, len(likelier) - half
    least = beta.ppf(DOUBT, hits, n - hits + 1) if hits else 0.0
    most = beta.ppf(1 - DOUBT, false + 1, n - false)
    return math.log((least - DELTA) / most) if least > DELTA else 0.0


def found_epsilon(case: Case, plan: Any) -> float:
    """Return the larger of the bounds of both directions."""
    there, gone = outputs(case, plan, True, 1), outputs(case, plan, False, 2)
    return max(epsilon_bound(there, gone), epsilon_bound(gone, there))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_neighbours_are_told_apart_only_as_well_as_claimed_and_better_with_half_the_noise(case: Case) -> None:
    plan = case.trainer.plan(case.size, BUDGET, case.choices)
    claim = case.trainer.profile(plan).epsilon(DELTA)
    assert claim <= BUDGET.epsilon * (1 + 1e-6)
    found = found_epsilon(case, plan)
    assert case.closeness * claim <= found <= claim
    too_little = replace(plan, noise_multiplier=plan.noise_multiplier / 2)
    assert (found_epsilon(case, too_little) > claim) == case.tells_half_noise
