"""Nobody who sees thresholds tells neighbouring tables apart better than the receipt says, and we would notice.

The whole road of every registered mechanism is drawn many times on a table and on the same table with one row
emptied. ``epsilon_from_outcomes`` turns the two samples into a lower bound of epsilon at the claimed delta. The bound
must stay below the claim; with half of the noise it must exceed it.
"""

from __future__ import annotations

import dataclasses
import os

import numpy as np
import pytest

from dpcp_core.evaluation.audit.distinguishing import epsilon_from_outcomes
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.quantile_mechanisms import QUANTILES, QuantileTask
from dpcp_core.privacy.randomness import simulation_generator

pytestmark = pytest.mark.validity

LONG = os.environ.get("DPCP_VALIDITY") == "long"
DRAWS = 800_000 if LONG else 40_000
CONFIDENCE = 1 - 2e-4
N, HIGH, LOW = 30, 0.9, 0.1


def task(name: str, bins: int) -> QuantileTask:
    """Return a quantile that aims at a third of the rows; a large delta makes small samples tell much.

    The one-sided loss, as the bracket loss uses up its epsilon only on hundreds of edges.
    """
    delta = 0.05 if name == "binary_search" else 0.0
    grid = Grid.uniform(largest=1.0, bins=bins)
    return QuantileTask(grid, N, 2.0, 0.35, loss="one_sided", guarantee="paper", delta=delta)


def drawn(name: str, high: int, low: int, what: QuantileTask) -> np.ndarray:
    """Return which edge comes out, ``DRAWS`` times, for so many high and low scores."""
    scores = np.concatenate([np.full(low, LOW), np.full(high, HIGH)])[:, None]
    rng, found = simulation_generator(0, high, low), []
    for _ in range(DRAWS // 20_000):
        thresholds = QUANTILES[name].draw(np.broadcast_to(scores, (len(scores), 20_000)), what, rng).thresholds
        found.append(np.searchsorted(what.grid.edges, thresholds))
    return np.concatenate(found)


def most_told(name: str, what: QuantileTask, delta: float) -> float:
    """Return the largest lower bound over tables with more or fewer high scores than the target."""
    bounds = (
        epsilon_from_outcomes(
            *(drawn(name, h, N - high, what) for h in (high, high - 1)), delta=delta, confidence=CONFIDENCE
        )
        for high in range(7, 14)
    )
    return max(bound.value for bound in bounds)


@pytest.mark.parametrize("name", sorted(QUANTILES))
@pytest.mark.parametrize("bins", [2, 5])
def test_thresholds_tell_no_more_than_the_receipt_says(name: str, bins: int) -> None:
    note = QUANTILES[name].describe(task(name, bins))
    assert most_told(name, task(name, bins), note.delta) <= note.epsilon


@pytest.mark.parametrize("name", sorted(QUANTILES))
def test_thresholds_with_half_of_the_noise_tell_more(name: str) -> None:
    """All noise is in proportion to 1 / epsilon, and the target of the papers hardly depends on it."""
    honest = task(name, 2)
    note = QUANTILES[name].describe(honest)
    assert most_told(name, dataclasses.replace(honest, epsilon=2 * honest.epsilon), note.delta) > note.epsilon + 0.3
