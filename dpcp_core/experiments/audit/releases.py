"""What somebody sees who knows the mechanism and every row but one: releases of attributes, minus what is known.

>>> from dpcp_core.data.samples import load_sample
>>> from dpcp_core.privacy.randomness import simulation_generator
>>> known = KnownRows.of(load_sample("blood_pressure"), "marginals", epsilon=1.0, delta=1e-5)
>>> seen = known.release(known.codes[0], simulation_generator(0))
>>> len(seen.left) == len(known.plan.blocks), seen.log_likelihoods(known.codes[:3]).shape
(True, (3,))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from dpcp_core import _validate as check
from dpcp_core._arrays import Floats
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Schema
from dpcp_core.evaluation.audit.subtraction import log_likelihoods
from dpcp_core.synthesis.attributes.marginals import MarginalsPlan, released_counts
from dpcp_core.synthesis.attributes.pairs import TreePlan, released_pairs
from dpcp_core.synthesis.blocks import Block
from dpcp_core.synthesis.cells import Places
from dpcp_core.synthesis.plan import SynthesisPlan, plan_synthesis
from dpcp_core.synthesis.settings import SynthesisSettings

COUNTED = ("marginals", "tree")
"""Makers of attributes that release noisy counts. What ``graph`` releases are the counts of ``tree``."""


@dataclass(frozen=True, eq=False)
class Seen:
    """One release, with what is known taken off.

    Attributes
    ----------
    blocks : tuple of Block
        What each histogram counts.
    left : tuple of arrays
        Noisy counts minus those of the known rows.
    noise : tuple of float
        Standard deviation of the noise on each.
    """

    blocks: tuple[Block, ...]
    left: tuple[Floats, ...]
    noise: tuple[float, ...]

    def log_likelihoods(self, codes: Places) -> Floats:
        """Return how much the release speaks for each row of cells, of shape (k, columns), against an empty row."""
        cells = np.stack([block.cells(codes) for block in self.blocks], axis=1)
        return log_likelihoods(self.left, self.noise, cells)


@dataclass(frozen=True, eq=False)
class KnownRows:
    """All rows but one, as cells, and the mechanism that counts them.

    Attributes
    ----------
    plan : MarginalsPlan
        Of the histograms of single blocks.
    pairs : TreePlan or None
        Of a tree of pairs.
    codes : int array of shape (n, columns)
    row : int
        Place of the hidden one.
    """

    plan: MarginalsPlan
    pairs: TreePlan | None
    codes: Places
    row: int = 0
    _rest: dict[tuple[int, ...], Floats] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, data: Dataset, attributes: str, *, epsilon: float, delta: float, row: int = 0) -> KnownRows:
        """Return the rows of a table under a maker that spends the whole budget on attributes.

        Raises
        ------
        InputError
            A maker that releases no noisy counts, or anything that it refuses.
        """
        check.one_of(COUNTED, attributes=attributes)
        plan = whole_budget_plan(data, attributes, epsilon=epsilon, delta=delta).attributes
        return cls.planned(plan, data.frame, row)

    @classmethod
    def planned(cls, plan: MarginalsPlan | TreePlan, frame: pd.DataFrame, row: int = 0) -> KnownRows:
        """Return the rows under a plan, which may be one that was broken on purpose."""
        pairs, single = (plan, plan.single) if isinstance(plan, TreePlan) else (None, plan)
        return cls(single, pairs, single.domain.read(frame).codes, row)

    def release(self, hidden: Places | None, rng: np.random.Generator) -> Seen:
        """Run the mechanism with these cells in the hidden row, None for an empty one, and take off what is known."""
        blocks = self.plan.blocks
        if self.pairs is None:
            released = released_counts(tuple(self._with(block, hidden) for block in blocks), self.plan, rng)
            return self._seen(blocks, released, self.plan.counts.noise)
        codes = self.codes.copy()
        codes[self.row] = -1 if hidden is None else hidden
        tree = released_pairs(codes, self.pairs, rng)
        joined = tuple(blocks[one].beside(blocks[other]) for one, other in tree.joints)
        counts = (*tree.singles, *(joint.ravel() for joint in tree.joints.values()))
        noise = (*self.plan.counts.noise, *(self.pairs.pairs.count_noise for _ in joined))
        return self._seen((*blocks, *joined), counts, noise)

    def _with(self, block: Block, hidden: Places | None) -> Floats:
        """Return a block's true counts with these cells in the hidden row."""
        cell = -1 if hidden is None else int(block.cells(hidden[None, :])[0])
        counts = self.rest(block).copy()
        if cell >= 0:
            counts[cell] += 1
        return counts

    def _seen(self, blocks: tuple[Block, ...], counts: Sequence[Floats], noise: tuple[float, ...]) -> Seen:
        left = tuple(each - self.rest(block) for block, each in zip(blocks, counts, strict=True))
        return Seen(blocks, left, noise)

    def rest(self, block: Block) -> Floats:
        """Return the counts of the known rows, shape (cells,)."""
        if block.places not in self._rest:
            self._rest[block.places] = block.counts(np.delete(self.codes, self.row, axis=0)).astype(np.float64)
        return self._rest[block.places]

    def candidates(self, n: int, rng: np.random.Generator) -> Places:
        """Return up to ``n`` different rows of cells that stand in the table, in random order."""
        taken = self.codes[rng.permutation(len(self.codes))[: 20 * n]]
        return rng.permutation(np.unique(taken, axis=0))[:n]


def whole_budget_plan(data: Dataset, attributes: str, *, epsilon: float, delta: float, **more: Any) -> SynthesisPlan:
    """Return the plan of a table without labels, so that attributes spend all of (epsilon, delta)."""
    settings = SynthesisSettings(epsilon=epsilon, delta=delta, attributes=attributes, **more)
    return plan_synthesis(settings, without_target(data.schema), data.n_rows)


def without_target(schema: Schema) -> Schema:
    """Return the schema with its target as one more column to make."""
    if schema.target is None:
        return schema
    return schema.with_column(replace(schema.target, role="feature"))
