"""Nobody who sees thresholds tells neighbouring tables apart better than the receipt says, and we would notice.

The whole road of every registered mechanism is drawn many times on a table and on the same table with one row
emptied. The first half of the draws chooses an event, in either direction; the second half bounds its two chances by
Clopper and Pearson, and these bound epsilon from below at the claimed delta. The bound must stay below the claim; with
half of the noise it must exceed it.
"""

from __future__ import annotations

import dataclasses
import math
import os

import numpy as np
import pytest
from scipy.stats import beta

from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.quantile_mechanisms import QUANTILES, QuantileTask
from dpcp_core.privacy.randomness import simulation_generator

pytestmark = pytest.mark.validity

LONG = os.environ.get("DPCP_VALIDITY") == "long"
DRAWS = 400_000 if LONG else 20_000
CONFIDENCE = 1 - 1e-4  # of each of the two bounds of an event
N, HIGH, LOW = 30, 0.9, 0.1


def task(name: str, bins: int) -> QuantileTask:
    """Return a quantile that aims at a third of the rows; a large delta makes small samples tell much.

    The one-sided loss, as the bracket loss uses up its epsilon only on hundreds of edges.
    """
    delta = 0.05 if name == "binary_search" else 0.0
    grid = Grid.uniform(largest=1.0, bins=bins)
    return QuantileTask(grid, N, 2.0, 0.35, loss="one_sided", guarantee="paper", delta=delta)


def drawn(name: str, high: int, low: int, what: QuantileTask, seed: int) -> np.ndarray:
    """Return how often each edge comes out, over ``DRAWS`` draws, for so many high and low scores."""
    scores = np.concatenate([np.full(low, LOW), np.full(high, HIGH)])[:, None]
    rng, counts = simulation_generator(seed, high, low), np.zeros(what.grid.bins, np.int64)
    for _ in range(DRAWS // 20_000):
        thresholds = QUANTILES[name].draw(np.broadcast_to(scores, (len(scores), 20_000)), what, rng).thresholds
        counts += np.bincount(np.searchsorted(what.grid.edges, thresholds), minlength=what.grid.bins)
    return counts


def bounds(times: int, out_of: int) -> tuple[float, float]:
    """Return Clopper and Pearson's bounds, each of which holds with ``CONFIDENCE``."""
    low = float(beta.ppf(1 - CONFIDENCE, times, out_of - times + 1)) if times else 0.0
    high = float(beta.ppf(CONFIDENCE, times + 1, out_of - times)) if times < out_of else 1.0
    return low, high


def epsilon_at_least(name: str, high: int, what: QuantileTask, delta: float) -> float:
    """Return a lower bound of epsilon from draws with and without one high row."""
    best = 0.0
    tables = [[drawn(name, h, N - high, what, seed) for h in (high, high - 1)] for seed in (0, 1)]
    for one, other in ((0, 1), (1, 0)):
        chosen = tables[0][one] > tables[0][other]
        likely, _ = bounds(int(tables[1][one][chosen].sum()), DRAWS)
        _, unlikely = bounds(int(tables[1][other][chosen].sum()), DRAWS)
        if likely > delta:
            best = max(best, math.log((likely - delta) / unlikely))
    return best


def most_told(name: str, what: QuantileTask, delta: float) -> float:
    """Return the largest lower bound over tables with more or fewer high scores than the target."""
    return max(epsilon_at_least(name, high, what, delta) for high in range(7, 14))


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
