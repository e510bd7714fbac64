"""Attributes from noisy histograms: every column, or named group of columns, is drawn by itself."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpcp_core._arrays import Counts, Floats
from dpcp_core._words import count_text, number_text
from dpcp_core.errors import InputError
from dpcp_core.privacy.noisy_marginals import CountsPlan, noisy_counts, projected
from dpcp_core.privacy.shared_budget import SharedBudget
from dpcp_core.synthesis.attributes.protocol import AttributeTask
from dpcp_core.synthesis.blocks import Block, block_domain, blocks_of, drawn_cells
from dpcp_core.synthesis.domain import Domain
from dpcp_core.synthesis.parts import Part


@dataclass(frozen=True, eq=False)
class MarginalsPlan:
    """The public side of the histograms.

    Attributes
    ----------
    domain : Domain
    blocks : tuple of Block
    counts : CountsPlan
        One histogram per block.
    n_rows : int
    """

    domain: Domain
    blocks: tuple[Block, ...]
    counts: CountsPlan
    n_rows: int


@dataclass(frozen=True, eq=False)
class MarginalAttributes:
    """Released histograms.

    Attributes
    ----------
    domain : Domain
    blocks : tuple of Block
    released : tuple of arrays
        Noisy counts, 0 or more, that add up to the number of rows.
    """

    domain: Domain
    blocks: tuple[Block, ...]
    released: tuple[Floats, ...]

    @property
    def cells(self) -> Mapping[str, int]:
        """Public cells of each column."""
        return dict(zip(self.domain.names, self.domain.sizes, strict=True))

    def draw(self, n: int, rng: np.random.Generator) -> pd.DataFrame:
        """Return ``n`` rows; blocks are drawn independently of each other."""
        codes = np.empty((n, len(self.domain.parts)), dtype=np.int32)
        for block, counts in zip(self.blocks, self.released, strict=True):
            codes[:, block.places] = block.apart(drawn_cells(counts, n, rng))
        return self.domain.decode(codes, rng)


@dataclass(frozen=True)
class Marginals:
    """Noisy histograms of single columns and of named groups.

    Notes
    -----
    **Privacy.** mu-GDP, see :class:`dpcp_core.privacy.noisy_marginals.CountsPlan`. A row lies in one cell of each
    histogram whatever it holds; smoothing and drawing see only noisy counts.
    """

    name: str = "marginals"
    title: str = "noisy histograms"
    sentence: str = "Counts every column by itself with noise on each count, then draws columns independently."
    leak: str = ""
    is_free: bool = False

    def plan(self, task: AttributeTask, spending: SharedBudget) -> MarginalsPlan:
        """Return cells and noise.

        Raises
        ------
        InputError
            Unknown groups, too many cells, or so few rows that noise would be larger than all counts.
        """
        names, mu = blocks_of(task.columns, task.groups), spending.mu
        domain = block_domain(task.schema, names, task.bins, n_rows=task.n_rows, mu=mu)
        blocks = tuple(Block.of(block, domain) for block in names)
        counts = CountsPlan.of(tuple(block.title for block in blocks), tuple(block.size for block in blocks), mu)
        refuse_few_rows(task.n_rows, counts)
        return MarginalsPlan(domain, blocks, counts, task.n_rows)

    def parts(self, plan: MarginalsPlan) -> tuple[Part, ...]:
        """Return the line of the histograms."""
        n = len(plan.blocks)
        what = "a noisy histogram" if n == 1 else f"{n} noisy histograms"
        return (
            Part(
                f"Attributes: {what}",
                "features",
                "1 row in one count of each histogram",
                plan.counts.detail,
                plan.counts.profile,
            ),
        )

    def fit(self, frame: pd.DataFrame, plan: MarginalsPlan, rng: np.random.Generator) -> MarginalAttributes:
        """Count with noise, and make the counts possible ones."""
        codes = plan.domain.read(frame).codes
        released = released_counts(tuple(block.counts(codes) for block in plan.blocks), plan, rng)
        return MarginalAttributes(plan.domain, plan.blocks, released)


def released_counts(counts: tuple[Counts, ...], plan: MarginalsPlan, rng: np.random.Generator) -> tuple[Floats, ...]:
    """Return what leaves the mechanism: the counts of each block with noise, made possible ones."""
    return tuple(projected(noisy, float(plan.n_rows)) for noisy in noisy_counts(counts, plan.counts, rng))


def too_few_words(n_rows: int) -> str:
    """Return how a refusal of too few rows begins."""
    return f"{count_text(n_rows, 'row')} {'is' if n_rows == 1 else 'are'} too few"


def refuse_few_rows(n_rows: int, counts: CountsPlan) -> None:
    """Refuse histograms whose noise is larger than half of all rows.

    Raises
    ------
    InputError
        With the number of rows that would do.
    """
    least = min(counts.noise, default=0.0)
    if least > n_rows / 2:
        raise InputError(
            f"{too_few_words(n_rows)}: noise of {number_text(least)} rows on every count would drown them; bring "
            f'{math.ceil(2 * least):,} rows or more, raise epsilon, or take attributes="public".'
        )
