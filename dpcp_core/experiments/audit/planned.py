"""Gaussian noise as it stands on receipts, exactly: how far does a row move what is released, in units of its noise?

The same noise is drawn on two neighbouring tables, so that the two releases differ by what the row does and by nothing
else. A release that moves by ``mu`` times its noise is told apart as two Gaussians at the distance mu are.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpcp_core._arrays import Counts, Floats
from dpcp_core.experiments.audit.audited import Audited, Effort
from dpcp_core.experiments.audit.report import EXACT, Finding
from dpcp_core.privacy.gaussian import gaussian_epsilon, gaussian_mu
from dpcp_core.privacy.mean_square import MeanSquarePlan, noisy_mean_square
from dpcp_core.privacy.noisy_marginals import CountsPlan, noisy_counts
from dpcp_core.privacy.noisy_pairs import PairsPlan, noisy_joint, noisy_score
from dpcp_core.privacy.randomness import simulation_generator

_PAIRS: dict[Effort, int] = {"quick": 200, "long": 2000}
"""Pairs of neighbouring tables that are looked at."""

_SIZES = (5, 2, 7)

_ROUNDING = 1e-5
"""Of a distance: a mean square is divided and loses its low bits."""

Moved = Callable[[float, np.random.Generator], float]
"""``(mu, rng)`` to how far the row of one random table moves a release, in units of its noise."""


def _moved_counts(mu: float, rng: np.random.Generator) -> float:
    plan = CountsPlan.of(("a", "b", "c"), _SIZES, mu)
    row = [int(rng.integers(size)) for size in _SIZES]
    tables = [rng.integers(1, 50, size) for size in _SIZES]
    without = [table - (np.arange(len(table)) == cell) for table, cell in zip(tables, row, strict=True)]
    seed = int(rng.integers(2**32))
    one, other = (noisy_counts(tuple(each), plan, simulation_generator(seed)) for each in (tables, without))
    return float(np.hypot.reduce([_distance(a, b) / s for a, b, s in zip(one, other, plan.noise, strict=True)]))


def _moved_pairs(mu: float, rng: np.random.Generator) -> float:
    """Return how far the scores of all pairs and the joint counts of a tree move, each pair at its worst cell."""
    plan = PairsPlan.of(n_blocks=3, mu=mu)
    moves = [_of_pair(plan, rng) for _ in range(plan.n_scores)]
    scores = [score / plan.score_noise for score, _ in moves]
    counts = [count / plan.count_noise for _, count in moves[: plan.most_pairs]]
    return float(np.hypot.reduce([*scores, *counts]))


def _of_pair(plan: PairsPlan, rng: np.random.Generator) -> tuple[float, float]:
    joint = rng.integers(1, 30, (4, 3))
    expected = np.outer(joint.sum(axis=1), joint.sum(axis=0)) / joint.sum()
    cell = int(rng.integers(joint.size))
    without = joint - (np.arange(joint.size) == cell).reshape(joint.shape)
    seed = int(rng.integers(2**32))
    scores = [noisy_score(each, expected, plan, simulation_generator(seed)) for each in (joint, without)]
    counts = [noisy_joint(each, plan, simulation_generator(seed)) for each in (joint, without)]
    return abs(scores[0] - scores[1]), _distance(counts[0], counts[1])


def _moved_square(mu: float, rng: np.random.Generator) -> float:
    limit, n = 3.0, 50
    plan, values = MeanSquarePlan.of(limit, 10 * n, mu), rng.normal(0, 2, n)
    values[0] = rng.choice([limit, -limit, 1e300, np.inf, np.nan])
    seed = int(rng.integers(2**32))
    means = [noisy_mean_square(each, plan, simulation_generator(seed)) for each in (values, values[1:])]
    return abs(means[0] - means[1]) * plan.n_rows / plan.noise


def _distance(one: Floats | Counts, other: Floats | Counts) -> float:
    return float(np.linalg.norm(np.asarray(one, np.float64) - np.asarray(other, np.float64)))


def _planned(name: str, title: str, moved: Moved) -> Audited:
    def run(epsilon: float, delta: float, rng: np.random.Generator, effort: Effort) -> Finding:
        n = _PAIRS[effort]
        mu = max(moved(gaussian_mu(epsilon, delta), rng) for _ in range(n))
        attack = (
            f"The same noise on both tables of {n:,} neighbouring pairs: one row moves the release by {mu:.4g} of the "
            "noise on the receipt, at most."
        )
        bound = gaussian_epsilon(mu * (1 - _ROUNDING), delta)
        return Finding(name, title, attack, epsilon, delta, bound, EXACT, is_exact=True)

    sentence = f"{title}: how far one row moves the release, in units of its noise."
    return Audited(name, title, sentence, "mechanism", run)


PLANNED: tuple[Audited, ...] = (
    _planned("planned_marginals", "Planned noise of histograms", _moved_counts),
    _planned("planned_pairs", "Planned noise of pairs", _moved_pairs),
    _planned("planned_mean_square", "Planned noise of a mean square", _moved_square),
)
"""Plans of Gaussian noise, each held against the epsilon that it was made for."""
