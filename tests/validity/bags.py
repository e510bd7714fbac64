"""Bags of scores that are hard for a quantile, and their exact miss rate; shared by the tests of certificates.

For a fixed bag of ``n + 1`` scores of which any is equally likely to be the new one, the miss rate is an average over
the bag of sums over the mechanism's exact distribution. What holds for every bag holds for every exchangeable law.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.losses import LOSSES
from dpcp_core.privacy.quantile import certified_target
from dpcp_core.privacy.randomness import simulation_generator

LONG = os.environ.get("DPCP_VALIDITY") == "long"
BOUND = 1.0

Scores = np.ndarray
# Log-probabilities of the edges from counts (U, M) above and below, n, and the case.
Mechanism = Callable[[np.ndarray, np.ndarray, int, "Case"], np.ndarray]


@dataclass(frozen=True)
class Case:
    """One setting of the quantile: everything public."""

    grid: Grid
    epsilon: float
    miss_rate: float
    loss: str


def shapes(size: int, edges: np.ndarray, rng: np.random.Generator) -> dict[str, Scores]:
    """Return bags of scores in [0, 1] of every kind that could be hard."""
    uniform = rng.random(size)
    return {
        "uniform": uniform,
        "crowded at the bound": uniform**0.2,
        "crowded at zero": uniform**5,
        "constant": np.full(size, 0.37),
        "two atoms": np.where(uniform < 0.08, 0.9, np.where(uniform < 0.12, 0.6, 0.2)),
        "an atom and a tail": np.where(uniform < 0.88, 0.1, 0.1 + uniform / 2),
        "half normal": np.minimum(np.abs(rng.normal(scale=0.2, size=size)), BOUND),
        "lognormal, cut": np.minimum(rng.lognormal(-2, 1, size), BOUND),
        "all at the bound": np.full(size, BOUND),
        "all at zero": np.zeros(size),
        "near the bound": BOUND - uniform * 1e-6,
        "on the edges": rng.choice(edges, size),
        "on few edges": rng.choice(edges[:: max(1, len(edges) // 4)], size),
        "evenly spread": (np.arange(size) + 0.5) / size,
        "one score high": np.where(np.arange(size) == 0, BOUND, 0.01),
    }


def staircases(size: int, case: Case) -> dict[str, Scores]:
    """Return the hardest bags: every edge but the last has the same number of scores too many above it.

    Each such edge is unlikely, but all together they are likely; how many too many is worst depends on the target.
    """
    target = certified_target(size - 1, case.miss_rate, case.epsilon, case.grid.bins, case.loss)
    allowance = LOSSES[case.loss].range_factor / case.epsilon * np.log(case.grid.bins)
    low = case.grid.edges[0] / 2
    bags = {}
    for share in (0.0, 0.3, 0.6, 0.8, 0.9, 1.0, 1.15, 1.3, 1.5, 1.8):
        high = int(np.clip(np.ceil(target + share * allowance), 0, size))
        bags[f"staircase {share}"] = np.where(np.arange(size) < high, BOUND, low)
    return bags


def exact_miss_rate(scores: Scores, case: Case, mechanism: Mechanism) -> float:
    """Return the chance that a score drawn from the bag exceeds the threshold made from the others."""
    edges = case.grid.edges
    places = np.stack([np.searchsorted(edges, scores, side) for side in ("left", "right")], axis=1)
    kinds, times = np.unique(places, axis=0, return_counts=True)
    place = np.arange(len(edges))
    exceeds, falls_below = place < kinds[:, :1], place >= kinds[:, 1:]
    above, below = (times @ counted - counted for counted in (exceeds, falls_below))
    above[:, -1] = 0
    log_probabilities = mechanism(above, below, len(scores) - 1, case)
    missed = (np.exp(log_probabilities) * exceeds).sum(axis=1)
    return float(times @ missed / len(scores))


def grids(bins: int) -> tuple[Grid, Grid]:
    """Return one grid of each kind."""
    return (
        Grid.uniform(largest=BOUND, bins=bins),
        Grid.geometric(smallest=0.001, largest=BOUND, bins=bins),
    )


def cases(loss: str) -> Iterator[Case]:
    """Yield settings from easy to hopeless."""
    counts = (2, 3, 5, 10, 30, 100, 300, 1000) if LONG else (2, 5, 30, 100, 1000)
    epsilons = (0.2, 0.5, 1.0, 2.0, 5.0) if LONG else (0.2, 1.0, 5.0)
    rates = (0.02, 0.05, 0.1, 0.2, 0.3) if LONG else (0.02, 0.1, 0.3)
    for bins, epsilon, rate in itertools.product(counts, epsilons, rates):
        for grid in grids(bins):
            yield Case(grid, epsilon, rate, loss)


def thinned(some: Iterator[Case]) -> Iterator[Case]:
    """Yield a third of the settings; any two values of two of bins, epsilon and rate still meet in one of them."""
    places: tuple[dict[float, int], ...] = ({}, {}, {})
    for case in some:
        values = (case.grid.bins, case.epsilon, case.miss_rate)
        bins, epsilon, rate = (seen.setdefault(value, len(seen)) for seen, value in zip(places, values, strict=True))
        if (bins + epsilon + rate) % 3 == 0:
            yield case


def suite(mechanism: Mechanism, loss: str, sizes: tuple[int, ...], seed: int = 0) -> dict[str, float]:
    """Return the largest measured miss rate, minus what was promised, of each shape of scores.

    The short form tries large tables, which take long, at fewer settings.
    """
    rng = simulation_generator(seed)
    worst: dict[str, float] = {}
    some = cases(loss) if LONG or max(sizes) < 500 else thinned(cases(loss))
    for case, n in itertools.product(some, sizes):
        bags = shapes(n + 1, case.grid.edges, rng)
        bags |= staircases(n + 1, case)
        for name, bag in bags.items():
            excess = exact_miss_rate(bag, case, mechanism) - case.miss_rate
            worst[name] = max(worst.get(name, -1.0), excess)
    return worst
