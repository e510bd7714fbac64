"""A unique value planted in a column: how often do synthetic tables show it, and what of that does noise explain?

>>> from dpcp_core.data.samples import load_sample
>>> data = load_sample("readmission")
>>> planted_value(data, "transplant", attributes="shuffle", runs=3).shown.value
1.0
>>> found = planted_value(data, "transplant", attributes="marginals", runs=100)
>>> found.is_within, found.is_explained
(True, True)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpcp_core import _validate as check
from dpcp_core._arrays import Counts, Floats
from dpcp_core.data.classes import category_codes
from dpcp_core.data.column import Column
from dpcp_core.data.dataset import Dataset
from dpcp_core.errors import InputError
from dpcp_core.evaluation.audit.estimates import CONFIDENCE, PrivacyRisk
from dpcp_core.experiments.audit.releases import whole_budget_plan
from dpcp_core.privacy.attack_limits import attack_limits
from dpcp_core.privacy.gaussian import gaussian_mu
from dpcp_core.privacy.noisy_marginals import projected
from dpcp_core.privacy.profile import GaussianProfile
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.synthesis.attributes.marginals import MarginalsPlan, released_counts
from dpcp_core.synthesis.attributes.shuffle import Shuffle, ShufflePlan
from dpcp_core.synthesis.blocks import drawn_cells

_ATTACKED = ("shuffle", "marginals")
# Draws of the noise alone; a chance worked out from them is off by less than the margin.
_DRAWS = 4000
_MARGIN = 0.025


@dataclass(frozen=True)
class PlantedValue:
    """A category that one row holds, or nobody.

    Attributes
    ----------
    attributes, column, value : str
    epsilon, delta : float
        Claimed for the attributes; epsilon is infinite where nothing is.
    n_rows, runs : int
    shown, shown_without : PrivacyRisk
        Share of synthetic tables, as long as the real one, with the value in them: where one row holds it, and where
        nobody does.
    explained, explained_without : float
        The same worked out from the noise that is written on the receipt, and nothing else.
    allowed : float
        Largest share that the claim leaves, given how often the value shows up where nobody holds it.
    """

    attributes: str
    column: str
    value: str
    epsilon: float
    delta: float
    n_rows: int
    runs: int
    shown: PrivacyRisk
    shown_without: PrivacyRisk
    explained: float
    explained_without: float
    allowed: float

    @property
    def is_within(self) -> bool:
        """Whether the value shows up no more often than the claim allows, as far as it is sure."""
        return self.shown.low <= self.allowed

    @property
    def is_explained(self) -> bool:
        """Whether domain and noise alone explain how often it shows up, with its holder and without."""
        pairs = ((self.shown, self.explained), (self.shown_without, self.explained_without))
        return all(seen.low - _MARGIN <= chance <= seen.high + _MARGIN for seen, chance in pairs)


def planted_value(
    data: Dataset,
    column: str,
    value: str | None = None,
    *,
    attributes: str = "marginals",
    epsilon: float = 1.0,
    delta: float = 1e-5,
    runs: int = 200,
    confidence: float = CONFIDENCE,
    seed: int = 0,
) -> PlantedValue:
    """Plant a value in one row and count synthetic tables that show it.

    Parameters
    ----------
    data : Dataset
    column : str
        With categories.
    value : str, optional
        One of its categories, by default the rarest. Other rows that hold it get the commonest instead.
    attributes : str
        ``shuffle`` or ``marginals``; it spends the whole budget.
    epsilon, delta : float
    runs : int
        Synthetic tables of either kind.
    confidence : float
    seed : int

    Raises
    ------
    InputError
        A column of numbers, or a value that is none of its categories.

    Notes
    -----
    **Privacy.** None: a simulation.
    """
    check.one_of(_ATTACKED, attributes=attributes)
    n, described = check.whole(runs=runs), _categories(data, column)
    planted = _value(data, described, value)
    rng, worlds = simulation_generator(seed), _worlds(data, described, planted)
    plan = whole_budget_plan(data, attributes, epsilon=epsilon, delta=delta).attributes
    if isinstance(plan, MarginalsPlan):
        counted = [_Counted.of(world, described, planted, plan) for world in worlds]
        shown, explained = [one.shown(n, rng) for one in counted], [one.explained(rng) for one in counted]
        promised, allowed = float(epsilon), _allowed(explained[1], epsilon, delta)
    else:
        shown, explained = [_shuffled(world, described, planted, plan, n, rng) for world in worlds], [1.0, 0.0]
        promised, allowed = math.inf, 1.0
    seen, unseen = (PrivacyRisk.of_share(count, n, confidence) for count in shown)
    return PlantedValue(
        attributes=attributes,
        column=column,
        value=planted,
        epsilon=promised,
        delta=float(delta),
        n_rows=data.n_rows,
        runs=n,
        shown=seen,
        shown_without=unseen,
        explained=explained[0],
        explained_without=explained[1],
        allowed=allowed,
    )


def _allowed(chance: float, epsilon: float, delta: float) -> float:
    return attack_limits(GaussianProfile(gaussian_mu(epsilon, delta))).tpr(chance)


def _categories(data: Dataset, name: str) -> Column:
    column = data.schema.column(name)
    if column.is_numeric or column.role == "ignore" or len(column.categories) < 2:
        raise InputError(f"Column {name!r} has no two categories to plant one of; choose one of categories.")
    return column


def _value(data: Dataset, column: Column, value: str | None) -> str:
    if value is not None:
        return check.one_of(column.categories, value=value)
    codes = category_codes(data.frame[column.name], column)
    counts = np.bincount(codes[codes >= 0], minlength=len(column.categories))
    return column.categories[int(np.argmin(counts))]


def _worlds(data: Dataset, column: Column, value: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the table with the value in its first row alone, and with nobody who holds it."""
    codes, place = category_codes(data.frame[column.name], column), column.categories.index(value)
    counts = np.bincount(codes[codes >= 0], minlength=len(column.categories))
    counts[place] = -1
    common = int(np.argmax(counts))
    codes[codes == place] = common
    made = []
    for first in (place, common):
        codes[0] = first
        cells = pd.Series([column.categories[code] if code >= 0 else None for code in codes], dtype=object)
        made.append(data.frame.assign(**{column.name: cells.to_numpy()}))
    return made[0], made[1]


def _shuffled(
    frame: pd.DataFrame, column: Column, value: str, plan: ShufflePlan, runs: int, rng: np.random.Generator
) -> int:
    """Return in how many tables of shuffled columns the value is."""
    fitted = Shuffle().fit(frame, plan, rng)
    return sum(bool((fitted.draw(len(frame), rng)[column.name] == value).any()) for _ in range(runs))


@dataclass(frozen=True, eq=False)
class _Counted:
    """The true counts of a table, and which of them is the value's."""

    plan: MarginalsPlan
    counts: tuple[Counts, ...]
    block: int
    cell: int

    @classmethod
    def of(cls, frame: pd.DataFrame, column: Column, value: str, plan: MarginalsPlan) -> _Counted:
        codes = plan.domain.read(frame).codes
        block = next(place for place, block in enumerate(plan.blocks) if column.name in block.names)
        counts = tuple(block.counts(codes) for block in plan.blocks)
        return cls(plan, counts, block, column.categories.index(value))

    def shown(self, runs: int, rng: np.random.Generator) -> int:
        """Release and draw; return in how many tables the value is."""
        hits = 0
        for _ in range(runs):
            released = released_counts(self.counts, self.plan, rng)[self.block]
            hits += bool((drawn_cells(released, self.plan.n_rows, rng) == self.cell).any())
        return hits

    def explained(self, rng: np.random.Generator) -> float:
        """Return how often the value is drawn, by the noise on the receipt and nothing else."""
        counts, noise = self.counts[self.block], self.plan.counts.noise[self.block]
        draws = np.rint(counts + noise * rng.standard_normal((_DRAWS, len(counts))))
        expected: Floats = np.array([projected(each, float(self.plan.n_rows))[self.cell] for each in draws])
        # So many rows are expected of it; drawn as evenly as can be, one shows up with this chance.
        return float(np.minimum(expected, 1.0).mean())
