"""Synthetic tables under attack: what they are made from, held against the claim; and two ways to break it on purpose.

Somebody knows every row but one, and the mechanism. Was the one in? Whoever answers well proves a large epsilon.

>>> from dpcp_core.privacy.randomness import simulation_generator
>>> [audited.name for audited in SYNTHESIS]
['synthetic_marginals', 'synthetic_tree', 'synthetic_residuals', 'randomised_response']
>>> SYNTHESIS[3].run(1.0, 1e-5, simulation_generator(0), "quick").is_broken
False
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pandas as pd

from dpcp_core._arrays import Counts, Floats
from dpcp_core._words import number_text
from dpcp_core.data.cells import as_text
from dpcp_core.data.column import Column
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Schema
from dpcp_core.evaluation.audit.estimates import CONFIDENCE, epsilon_lower_bound, gaussian_lower_bound
from dpcp_core.evaluation.audit.subtraction import counted, left_over
from dpcp_core.experiments.audit.audited import Audited, Effort
from dpcp_core.experiments.audit.releases import KnownRows, whole_budget_plan
from dpcp_core.experiments.audit.report import Finding
from dpcp_core.privacy.gaussian import gaussian_mu
from dpcp_core.privacy.mean_square import MeanSquarePlan, noisy_mean_square
from dpcp_core.privacy.noisy_marginals import CountsPlan, noisy_counts
from dpcp_core.synthesis.attributes.marginals import MarginalsPlan
from dpcp_core.synthesis.attributes.shuffle import Shuffle
from dpcp_core.synthesis.cells import Places
from dpcp_core.synthesis.randomised import randomised_codes

_N_ROWS = 600
_LEVELS = tuple(f"level {place}" for place in range(12))
# Releases with the row and without, each.
_COUNTED: Mapping[Effort, int] = {"quick": 15_000, "long": 300_000}
_PAIRED: Mapping[Effort, int] = {"quick": 800, "long": 20_000}
_RESIDUALS: Mapping[Effort, int] = {"quick": 10_000, "long": 100_000}
_CELLS: Mapping[Effort, int] = {"quick": 100_000, "long": 1_000_000}
_SHUFFLED: Mapping[Effort, int] = {"quick": 240, "long": 3_000}
_LARGEST_RESIDUAL = 3.0


@lru_cache(maxsize=1)
def attacked_table() -> Dataset:
    """Return the small made-up table that is attacked; its first row has values that nobody else has."""
    rng = np.random.default_rng(0)
    levels, says = rng.choice(_LEVELS[:-1], _N_ROWS), rng.choice(["no", "yes"], _N_ROWS, p=[0.8, 0.2])
    numbers = np.where(says == "yes", 3, rng.integers(0, 9, _N_ROWS))
    levels[0], numbers[0], says[0] = _LEVELS[-1], 9, "yes"
    frame = pd.DataFrame({"level": levels, "number": numbers, "says": says})
    columns = (
        Column("level", "category", categories=_LEVELS, missing="refuse"),
        Column("number", "integer", bounds=(0, 9), missing="refuse"),
        Column("says", "boolean", missing="refuse"),
    )
    return Dataset.from_frame(frame, Schema(columns, one_row_is="one patient"), name="attacked")


def _marginals(
    epsilon: float, delta: float, rng: np.random.Generator, effort: Effort, *, factor: float = 1.0
) -> Finding:
    """Ask noisy counts whether the first row is in; the noise is ``factor`` times what was planned."""
    data, n = attacked_table(), _COUNTED[effort]
    plan: MarginalsPlan = whole_budget_plan(data, "marginals", epsilon=epsilon, delta=delta).attributes
    codes, noise = plan.domain.read(data.frame).codes, plan.counts.noise
    used = CountsPlan(plan.counts.names, plan.counts.sizes, tuple(factor * spread for spread in noise))
    emptied = codes.copy()
    emptied[0] = -1
    rest = [block.counts(emptied) for block in plan.blocks]
    cells = [int(block.cells(codes[:1])[0]) for block in plan.blocks]
    said = []
    for rows in (codes, emptied):
        counts = tuple(block.counts(rows) for block in plan.blocks)
        # As they come, before they are made possible ones, which could only hide something.
        left = np.array([_at(noisy_counts(counts, used, rng), cells) for _ in range(n)]) - _at(rest, cells)
        # Likelier than not is a threshold that was settled before any release.
        said.append(int(np.count_nonzero((left - 0.5) @ np.array([1 / spread**2 for spread in noise]) > 0)))
    return _finding("synthetic_marginals", _TITLES["marginals"], epsilon, delta, n, said)


def _at(counts: Sequence[Counts], cells: list[int]) -> Floats:
    return np.array([each[cell] for each, cell in zip(counts, cells, strict=True)], dtype=np.float64)


def _tree(epsilon: float, delta: float, rng: np.random.Generator, effort: Effort) -> Finding:
    """Ask noisy counts of columns and of the chosen pairs whether the first row is in."""
    data, n = attacked_table(), _PAIRED[effort]
    known = KnownRows.of(data, "tree", epsilon=epsilon, delta=delta)
    row = known.codes[0]
    said = [sum(_is_likely(known, hidden, row, rng) for _ in range(n)) for hidden in (row, None)]
    return _finding("synthetic_tree", _TITLES["tree"], epsilon, delta, n, said)


def _is_likely(known: KnownRows, hidden: Places | None, row: Places, rng: np.random.Generator) -> bool:
    return float(known.release(hidden, rng).log_likelihoods(row[None, :])[0]) > 0


def _finding(claim: str, title: str, epsilon: float, delta: float, n: int, said: list[int]) -> Finding:
    """Return what follows from how often a row was said to be in, of ``n`` releases with it and ``n`` without."""
    attack = (
        f"{n:,} releases with the row and {n:,} without: the attacker, who knows the {_N_ROWS - 1:,} others, says that "
        f"it is in for {said[0]:,} and for {said[1]:,} of them."
    )
    bound = gaussian_lower_bound(n, said[1], n, said[0], delta, CONFIDENCE)
    return Finding(claim, title, attack, epsilon, delta, bound, CONFIDENCE, is_exact=False)


def _residuals(epsilon: float, delta: float, rng: np.random.Generator, effort: Effort) -> Finding:
    """Ask the released scale of residuals whether the worst predicted row is in."""
    n, limit = _RESIDUALS[effort], _LARGEST_RESIDUAL
    plan = MeanSquarePlan.of(limit, _N_ROWS, gaussian_mu(epsilon, delta))
    others: Floats = np.full(_N_ROWS, 1.0)
    others[0] = 0.0
    with_it = others.copy()
    with_it[0] = 10 * limit
    middle = (float(np.sum(others)) + limit**2 / 2) / _N_ROWS
    said = [sum(noisy_mean_square(values, plan, rng) > middle for _ in range(n)) for values in (with_it, others)]
    return _finding("synthetic_residuals", "Scale of drawn numbers", epsilon, delta, n, said)


def _randomised(epsilon: float, delta: float, rng: np.random.Generator, effort: Effort) -> Finding:  # noqa: ARG001
    """Ask a randomised cell what it held; nothing is left to delta."""
    n, values = _CELLS[effort], len(_LEVELS)
    said = [
        int(np.count_nonzero(randomised_codes(np.full(n, held), values, epsilon, rng) == 0)) for held in (0, values - 1)
    ]
    bound = epsilon_lower_bound(n, said[1], n, said[0], 0.0, CONFIDENCE)
    attack = f"{n:,} cells of one value and {n:,} of another: {said[0]:,} and {said[1]:,} came out as the first."
    return Finding("randomised_response", "Randomised response", attack, epsilon, 0.0, bound, CONFIDENCE, False)


def _shuffled(epsilon: float, delta: float, rng: np.random.Generator, effort: Effort) -> Finding:
    """Subtract the known rows from columns in random order, as if they were as private as noisy counts."""
    data, n = attacked_table(), _SHUFFLED[effort]
    plan, maker = whole_budget_plan(data, "shuffle", epsilon=epsilon, delta=delta).attributes, Shuffle()
    known = data.frame.iloc[1:]
    rest = counted(known)
    row = {name: tuple(as_text(data.frame[name].iloc[:1])) for name in data.frame}
    said = []
    for frame in (data.frame, known):
        fitted = maker.fit(frame, plan, rng)
        said.append(sum(left_over(fitted.draw(len(frame), rng), rest) == row for _ in range(n)))
    bound = epsilon_lower_bound(n, said[1], n, said[0], delta, CONFIDENCE)
    attack = (
        f"{n:,} tables of shuffled columns with and {n:,} without the row: the whole row was read off {said[0]:,} and "
        f"{said[1]:,} of them."
    )
    claim, title = "synthetic_marginals", "Shuffled columns"
    return Finding(claim, title, attack, epsilon, delta, bound, CONFIDENCE, False, fault="shuffle")


def _halved(epsilon: float, delta: float, rng: np.random.Generator, effort: Effort) -> Finding:
    found = _marginals(epsilon, delta, rng, effort, factor=0.5)
    return replace(found, title="Noisy histograms, noise halved", fault="histograms_halved")


_TITLES = {"marginals": "Noisy histograms of columns", "tree": "Noisy tree of pairs"}
_KNOWS = "Whoever knows all rows but one asks"

SYNTHESIS: tuple[Audited, ...] = (
    Audited(
        "synthetic_marginals",
        _TITLES["marginals"],
        f"{_KNOWS} the counts that a synthetic table is drawn from whether the one is in.",
        "synthesis",
        _marginals,
    ),
    Audited(
        "synthetic_tree",
        _TITLES["tree"],
        f"{_KNOWS} the counts of columns and chosen pairs whether the one is in.",
        "synthesis",
        _tree,
    ),
    Audited(
        "synthetic_residuals",
        "Scale of drawn numbers",
        f"{_KNOWS} the released size of prediction errors whether the worst predicted one is in.",
        "synthesis",
        _residuals,
    ),
    Audited(
        "randomised_response",
        "Randomised response",
        f"Whoever sees a randomised cell guesses what it held; {number_text(len(_LEVELS))} values are possible.",
        "synthesis",
        _randomised,
    ),
)
"""Claims of synthesis; the task model is audited as a trainer."""

SYNTHESIS_FAULTS: tuple[Audited, ...] = (
    Audited(
        "shuffle",
        "Shuffled columns",
        "Columns in random order pass for private; whoever knows all rows but one subtracts them.",
        "synthesis",
        _shuffled,
        claim="synthetic_marginals",
    ),
    Audited(
        "histograms_halved",
        "Noisy histograms, noise halved",
        "Each count of a synthetic table gets half of the noise that its receipt says.",
        "synthesis",
        _halved,
        claim="synthetic_marginals",
    ),
)
"""Synthesis broken on purpose."""
