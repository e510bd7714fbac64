"""Shipped mechanisms, drawn as in a release, on two neighbouring tables that are easy to tell apart."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpcp_core._arrays import Floats
from dpcp_core.conformal.federated import federated_quantile
from dpcp_core.experiments.audit.drawn import SLOW, DrawnCase
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.mean_square import MeanSquarePlan, noisy_mean_square
from dpcp_core.privacy.noisy_count import noisy_count
from dpcp_core.privacy.noisy_marginals import CountsPlan, noisy_counts
from dpcp_core.privacy.noisy_pairs import PairsPlan, noisy_joint, noisy_score
from dpcp_core.privacy.quantile_mechanisms import QUANTILES, QuantileTask

_ROWS, _HIGH, _LOW = 30, 0.9, 0.1
_AT_ONCE = 20_000
_BINS = 500


def threshold_cases(name: str, task: QuantileTask, *, is_gaussian: bool = False) -> list[DrawnCase]:
    """Return tables with ever more high scores, one of which is emptied; the drawn threshold is watched.

    Parameters
    ----------
    name : str
        Key in ``QUANTILES``.
    task : QuantileTask
        With 30 rows.
    is_gaussian : bool
        Whether its claim is a Gaussian trade-off curve.
    """
    return [
        DrawnCase(partial(_thresholds, name, task, high), "the threshold", is_outcome=True, is_gaussian=is_gaussian)
        for high in range(7, 14)
    ]


def threshold_task(epsilon: float, delta: float = 0.0) -> QuantileTask:
    """Return a quantile of 30 rows that aims at about a third of them, between two candidates.

    The one-sided loss, as the bracket loss uses up its epsilon only on hundreds of candidates.
    """
    grid = Grid.uniform(largest=1.0, bins=2)
    return QuantileTask(grid, _ROWS, epsilon, 0.35, loss="one_sided", guarantee="paper", delta=delta)


def _thresholds(
    name: str, task: QuantileTask, high: int, is_there: bool, n: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    scores = np.concatenate([np.full(_ROWS - high, _LOW), np.full(high - (not is_there), _HIGH)])[:, None]
    found = []
    for start in range(0, n, _AT_ONCE):
        drawn = QUANTILES[name].draw(np.broadcast_to(scores, (len(scores), min(_AT_ONCE, n - start))), task, rng)
        found.append(np.searchsorted(task.grid.edges, drawn.thresholds))
    return np.concatenate(found).astype(np.int64)


def count_cases(epsilon: float, copies: int = 1) -> list[DrawnCase]:
    """Return a number of rows told with noise; ``copies`` of the row are counted, one in earnest."""
    return [DrawnCase(partial(_count, epsilon, copies), "the noisy count", SLOW)]


def _count(epsilon: float, copies: int, is_there: bool, n: int, rng: np.random.Generator) -> Floats:
    return np.array([noisy_count(100 + copies * is_there, epsilon, rng) for _ in range(n)], dtype=np.float64)


def counts_cases(plan: CountsPlan, copies: int = 1) -> list[DrawnCase]:
    """Return noisy histograms in each of which the row is in one cell; ``copies`` of it are counted, one in earnest.

    The attacker adds up these cells, each weighed by how little noise it has: no other sum tells more. Cells have noise
    of their own, so that each is a draw.
    """
    return [DrawnCase(partial(_counts, plan, copies), "the counts of its cells", is_gaussian=True)]


def _counts(plan: CountsPlan, copies: int, is_there: bool, n: int, rng: np.random.Generator) -> Floats:
    tables = tuple(np.full(size, 10 + copies * is_there) for size in plan.sizes)
    weights, at_once = 1 / np.square(plan.noise), min(plan.sizes)
    found = []
    for _ in range(-(-n // at_once)):
        cells = np.stack([counts[:at_once] for counts in noisy_counts(tables, plan, rng)])
        found.append(weights @ cells)
    return np.concatenate(found)[:n]


def counts_plan(mu: float) -> CountsPlan:
    """Return three histograms of different sizes that spend ``mu`` together."""
    return CountsPlan.of(("a", "b", "c"), (2_000, 8_000, 4_000), mu)


def pairs_cases(mu: float) -> list[DrawnCase]:
    """Return scores and joint counts of three pairs, all of which the row moves as far as it can."""
    draw = partial(_pairs, PairsPlan.of(n_blocks=3, mu=mu))
    return [DrawnCase(draw, "the scores of all pairs and the joint counts of its cells", SLOW, is_gaussian=True)]


def _pairs(plan: PairsPlan, is_there: bool, n: int, rng: np.random.Generator) -> Floats:
    joint = np.full((2, 2), 20)
    expected = joint.astype(np.float64)
    joint[0, 0] += is_there
    cells = np.full((n, plan.most_pairs), joint[0, 0])
    scores = [sum(noisy_score(joint, expected, plan, rng) for _ in range(plan.n_scores)) for _ in range(n)]
    counts = noisy_joint(cells, plan, rng).sum(axis=1)
    told: Floats = np.array(scores) / plan.score_noise**2 + counts / plan.count_noise**2
    return told


def square_cases(mu: float) -> list[DrawnCase]:
    """Return the noisy mean square of residuals, one of which is as large as it may be."""
    return [DrawnCase(partial(_square, mu), "the mean square", SLOW, is_gaussian=True)]


def _square(mu: float, is_there: bool, n: int, rng: np.random.Generator) -> Floats:
    # The sum lies so far from both ends that these are never met.
    plan, values = MeanSquarePlan.of(limit=3.0, n_rows=1000, mu=mu), np.append(np.full(900, 2.0), 99.0 * is_there)
    return np.array([noisy_mean_square(values, plan, rng) for _ in range(n)])


def federated_cases(epsilon: float) -> list[DrawnCase]:
    """Return three sites whose noisy counts are added up; the coordinator watches the sum, each bin of it a draw."""
    return [DrawnCase(partial(_federated, epsilon), "the summed count of its bin")]


def _federated(epsilon: float, is_there: bool, n: int, rng: np.random.Generator) -> Floats:
    grid = Grid.uniform(largest=1.0, bins=_BINS + 1)
    bins = (grid.edges[:-1] + grid.edges[1:]) / 2
    sites = [[0.0] * 20, bins if is_there else [], bins]
    calls = range(-(-n // _BINS))
    found = [federated_quantile(sites, grid, epsilon=epsilon, miss_rate=0.3, rng=rng).noisy_counts for _ in calls]
    return np.concatenate(found)[:n].astype(np.float64)
