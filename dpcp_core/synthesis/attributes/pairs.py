"""What ``tree`` and ``graph`` share: private histograms, the pairs that belong together, and drawing along a tree."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpcp_core._arrays import Counts, Floats
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.privacy.noisy_marginals import CountsPlan
from dpcp_core.privacy.noisy_pairs import Pair, PairsPlan, best_tree, likely_gap, noisy_joint, noisy_score
from dpcp_core.privacy.shared_budget import SharedBudget
from dpcp_core.synthesis.attributes.marginals import MarginalsPlan, refuse_few_rows, released_counts
from dpcp_core.synthesis.attributes.protocol import AttributeTask
from dpcp_core.synthesis.blocks import Block, block_domain, blocks_of, drawn_cells
from dpcp_core.synthesis.cells import Places
from dpcp_core.synthesis.domain import Domain
from dpcp_core.synthesis.parts import Part

# Of mu squared, for histograms of single blocks; they are also what joint counts are fitted to.
_SINGLE_SHARE = 0.3
_MOST_JOINT = 1_000_000
_FEWEST_BINS, _MOST_BINS = 4, 32


@dataclass(frozen=True, eq=False)
class TreePlan:
    """The public side of histograms and pairs.

    Attributes
    ----------
    single : MarginalsPlan
    pairs : PairsPlan
    """

    single: MarginalsPlan
    pairs: PairsPlan


@dataclass(frozen=True, eq=False)
class Released:
    """What left the mechanisms.

    Attributes
    ----------
    singles : tuple of arrays
        Counts of each block, 0 or more, that add up to the number of rows.
    joints : mapping of pair to array
        Noisy joint counts of the chosen pairs, as they came.
    """

    singles: tuple[Floats, ...]
    joints: Mapping[Pair, Floats]


def plan_tree(task: AttributeTask, spending: SharedBudget, title: str) -> TreePlan:
    """Return cells and noise.

    Raises
    ------
    InputError
        Unknown groups, too many cells, too few rows, or only one block.
    """
    names, mu = blocks_of(task.columns, task.groups), spending.mu
    if len(names) < 2:
        raise InputError(f'attributes = "{title}" needs two columns that are not in one group; take "marginals".')
    single = mu * math.sqrt(_SINGLE_SHARE)
    domain = _domain(task.schema, names, task, mu)
    blocks = tuple(Block.of(block, domain) for block in names)
    counts = CountsPlan.of(tuple(block.title for block in blocks), tuple(block.size for block in blocks), single)
    refuse_few_rows(task.n_rows, counts)
    pairs = PairsPlan.of(len(blocks), mu * math.sqrt(1 - _SINGLE_SHARE))
    return TreePlan(MarginalsPlan(domain, blocks, counts, task.n_rows), pairs)


def _domain(schema: Schema, names: tuple[tuple[str, ...], ...], task: AttributeTask, mu: float) -> Domain:
    """Return cells so few that an average joint one of two numbers holds about as much as its noise."""
    given = dict(task.bins) if isinstance(task.bins, tuple) else {}
    signal = task.n_rows * mu / math.sqrt(len(names))
    usual = int(min(max(math.sqrt(signal / 2), _FEWEST_BINS), _MOST_BINS))
    grouped = {name for block in names if len(block) > 1 for name in block}
    free = [column.name for column in schema.columns if column.is_numeric and column.name not in grouped]
    bins = task.bins if isinstance(task.bins, int) else tuple({**dict.fromkeys(free, usual), **given}.items())
    return block_domain(schema, names, bins, n_rows=task.n_rows, mu=mu)


def tree_parts(plan: TreePlan) -> tuple[Part, ...]:
    """Return the lines of the receipt."""
    n = len(plan.single.blocks)
    return (
        Part(
            f"Attributes: {n} noisy histograms",
            "features",
            "1 row in one count of each histogram",
            plan.single.counts.detail,
            plan.single.counts.profile,
        ),
        Part(
            "Attributes: noisy scores of pairs, and joint counts of the chosen ones",
            "features",
            "1 for each score, 1 row in one joint count of each pair",
            plan.pairs.detail,
            plan.pairs.profile,
        ),
    )


def release(frame: pd.DataFrame, plan: TreePlan, rng: np.random.Generator) -> Released:
    """Count with noise, choose pairs by noisy scores, and count those with noise.

    Notes
    -----
    **Privacy.** The profiles of ``tree_parts``.
    """
    return released_pairs(plan.single.domain.read(frame).codes, plan, rng)


def released_pairs(codes: Places, plan: TreePlan, rng: np.random.Generator) -> Released:
    """Do the same from the cells of the rows."""
    single, n_rows = plan.single, float(plan.single.n_rows)
    singles = released_counts(tuple(block.counts(codes) for block in single.blocks), single, rng)
    gains = {}
    for pair in itertools.combinations(range(len(single.blocks)), 2):
        one, other = (single.blocks[place] for place in pair)
        # Which pairs are too large is public.
        if one.size * other.size <= _MOST_JOINT:
            expected = np.outer(singles[pair[0]], singles[pair[1]]) / n_rows
            score = noisy_score(_joint(codes, one, other), expected, plan.pairs, rng)
            gains[pair] = score - likely_gap(expected, plan.pairs.count_noise)
    chosen = best_tree(gains, len(single.blocks))
    joints = {
        pair: noisy_joint(_joint(codes, single.blocks[pair[0]], single.blocks[pair[1]]), plan.pairs, rng)
        for pair in chosen
    }
    return Released(singles, joints)


def _joint(codes: Places, one: Block, other: Block) -> Counts:
    return one.beside(other).counts(codes).reshape(one.size, other.size)


@dataclass(frozen=True, eq=False)
class TreeAttributes:
    """Histograms of blocks and joint counts of pairs that form no circle.

    Attributes
    ----------
    domain : Domain
    blocks : tuple of Block
    singles : tuple of arrays
    joints : mapping of pair to array
        0 or more.
    """

    domain: Domain
    blocks: tuple[Block, ...]
    singles: tuple[Floats, ...]
    joints: Mapping[Pair, Floats]

    @property
    def cells(self) -> Mapping[str, int]:
        """Public cells of each column."""
        return dict(zip(self.domain.names, self.domain.sizes, strict=True))

    def draw(self, n: int, rng: np.random.Generator) -> pd.DataFrame:
        """Return ``n`` rows: from a root outwards, each block given its neighbour."""
        drawn: dict[int, Places] = {}
        for root in range(len(self.blocks)):
            if root not in drawn:
                drawn[root] = drawn_cells(self.singles[root], n, rng)
                self._draw_beyond(root, drawn, rng)
        codes = np.empty((n, len(self.domain.parts)), dtype=np.int32)
        for place, block in enumerate(self.blocks):
            codes[:, block.places] = block.apart(drawn[place])
        return self.domain.decode(codes, rng)

    def _draw_beyond(self, known: int, drawn: dict[int, Places], rng: np.random.Generator) -> None:
        for pair, joint in self.joints.items():
            if known not in pair:
                continue
            other = pair[1] if pair[0] == known else pair[0]
            if other not in drawn:
                given = joint if pair[0] == known else joint.T
                drawn[other] = _drawn_given(drawn[known], given, self.singles[other], rng)
                self._draw_beyond(other, drawn, rng)


def _drawn_given(known: Places, joint: Floats, fallback: Floats, rng: np.random.Generator) -> Places:
    """Draw a cell for each row, given the cell of its neighbour; ``joint`` has shape (neighbour's cells, cells)."""
    order = np.argsort(known, kind="stable")
    counts = np.bincount(known, minlength=len(joint))
    parts = [
        drawn_cells(weights if weights.sum() > 0 else fallback, int(count), rng)
        for weights, count in zip(joint, counts, strict=True)
        if count
    ]
    result = np.empty(len(known), dtype=np.int64)
    if parts:
        result[order] = np.concatenate(parts)
    return result
