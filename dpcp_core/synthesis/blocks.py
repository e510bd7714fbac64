"""Columns that are drawn together: a named group, or one column by itself.

>>> blocks = blocks_of(("age", "sex", "job"), (("age", "job"),))
>>> blocks
(('age', 'job'), ('sex',))
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpcp_core._arrays import Counts
from dpcp_core._words import names_text
from dpcp_core.data.column import Column, did_you_mean
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.synthesis.cells import Places
from dpcp_core.synthesis.domain import Domain

MOST_CELLS = 200_000
"""Cells of one group: more are more than any table fills, and every one of them gets noise."""

_FEWEST_BINS, _MOST_BINS = 8, 64
_FEWEST_GROUPED, _LEAST_JOINT, _MOST_JOINT = 3, 64, 20_000
# A column's cells hold about this many times the standard deviation of their noise, were all equally full.
_SIGNAL = 4.0
_JOINT_SIGNAL = 2.0
# Beside its bins a number has a cell at either bound, and one for missing.
_EXTRA = 3


def blocks_of(columns: tuple[str, ...], groups: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """Return the groups, and every other column by itself.

    Raises
    ------
    InputError
        A group that names an unknown column, one column only, or a column of another group.
    """
    seen: set[str] = set()
    for group in groups:
        for name in group:
            if name not in columns:
                hint = did_you_mean(name, columns)
                raise InputError(f"groups names {name!r}{hint}, which is no column that is drawn: those are "
                                 f"{names_text(columns, 12)}.")  # fmt: skip
            if name in seen:
                raise InputError(f"groups names {name!r} twice; a column can be in one group only.")
            seen.add(name)
        if len(group) < 2:
            what = names_text(group) or "no column"
            raise InputError(f"groups has a group of {what} alone; name two columns or more, or leave it out.")
    return (*groups, *((name,) for name in columns if name not in seen))


def block_domain(
    schema: Schema,
    blocks: tuple[tuple[str, ...], ...],
    bins: int | str | tuple[tuple[str, int], ...],
    *,
    n_rows: int,
    mu: float,
) -> Domain:
    """Return the domain of the blocks' columns, with as many bins as suit the noise.

    Parameters
    ----------
    schema : Schema
    blocks : tuple of tuples of str
    bins : int, "auto", or pairs (column, bins)
        Columns that pairs do not name are as in "auto".
    n_rows : int
    mu : float
        Privacy of all histograms together.

    Raises
    ------
    InputError
        A group with more than ``MOST_CELLS`` cells.

    Notes
    -----
    **Privacy.** Costs nothing: with ``B`` histograms, noise is about ``sqrt(B) / mu`` rows per count, and cells are so
    few that an average one holds four times that (in groups, twice).
    """
    given = dict(bins) if isinstance(bins, tuple) else {}
    fixed = bins if isinstance(bins, int) else None
    of_block = {name: block for block in blocks for name in block}

    def count(column: Column) -> int:
        if fixed is not None or column.name in given:
            return given.get(column.name, fixed or 0)
        return _auto(schema, of_block[column.name], n_rows * mu / math.sqrt(len(blocks)))

    domain = Domain.of(schema, _limited(count), [name for block in blocks for name in block])
    for block in blocks:
        size = math.prod(domain.part(name).size for name in block)
        if size > MOST_CELLS:
            raise InputError(
                f"The group {names_text(block)} has {size:,} cells, but at most {MOST_CELLS:,} can be counted; "
                "leave out a column, or give its numbers fewer bins."
            )
    return domain


def _limited(count: Callable[[Column], int]) -> Callable[[Column], int]:
    return lambda column: count(column) if column.is_numeric else 1


def _auto(schema: Schema, block: tuple[str, ...], signal: float) -> int:
    if len(block) == 1:
        return int(min(max(signal / _SIGNAL, _FEWEST_BINS), _MOST_BINS))
    columns = [schema.column(name) for name in block]
    levels = math.prod(len(column.categories) + 1 for column in columns if not column.is_numeric)
    numbers = sum(column.is_numeric for column in columns)
    joint = min(max(signal / _JOINT_SIGNAL, _LEAST_JOINT), _MOST_JOINT)
    return int(min(max((joint / levels) ** (1 / numbers) - _EXTRA, _FEWEST_GROUPED), _MOST_BINS))


@dataclass(frozen=True)
class Block:
    """Columns that are counted together.

    Attributes
    ----------
    names : tuple of str
    places : tuple of int
        Where they stand in the domain.
    sizes : tuple of int
        Cells of each.
    """

    names: tuple[str, ...]
    places: tuple[int, ...]
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, names: tuple[str, ...], domain: Domain) -> Block:
        """Return the block of these columns."""
        places = tuple(domain.names.index(name) for name in names)
        return cls(names, places, tuple(domain.sizes[place] for place in places))

    @property
    def title(self) -> str:
        """What it counts."""
        return " x ".join(self.names)

    @property
    def size(self) -> int:
        """Joint cells."""
        return math.prod(self.sizes)

    def counts(self, codes: Places) -> Counts:
        """Return how many rows lie in each joint cell, shape (size,); rows without a cell count nowhere.

        Notes
        -----
        **Privacy.** Emptying one row lowers one count by 1, or none.
        """
        joint = self.cells(codes)
        counts: Counts = np.bincount(joint[joint >= 0], minlength=self.size)
        return counts

    def cells(self, codes: Places) -> Places:
        """Return the joint cell of each row, shape (n,); -1 for a row without one."""
        if len(self.places) == 1:
            return codes[:, self.places[0]]
        own = codes[:, self.places]
        inside = (own >= 0).all(axis=1)
        joint = np.full(len(own), -1, dtype=np.int64)
        joint[inside] = np.ravel_multi_index(tuple(own[inside].T), self.sizes)
        return joint

    def beside(self, other: Block) -> Block:
        """Return the block of its columns and another's together."""
        return Block(self.names + other.names, self.places + other.places, self.sizes + other.sizes)

    def apart(self, joint: Places) -> Places:
        """Return the cells of each column from joint ones, shape (n, k)."""
        return np.stack(np.unravel_index(joint, self.sizes), axis=1)


def drawn_cells(weights: Counts, n: int, rng: np.random.Generator) -> Places:
    """Draw ``n`` cells in proportion to weights, as evenly as whole numbers allow, in random order.

    Parameters
    ----------
    weights : array of shape (k,)
        0 or more, not all 0.
    n : int
    rng : numpy Generator

    Notes
    -----
    Systematic sampling: how often a cell comes up is its expected number rounded up or down.

    Examples
    --------
    >>> np.bincount(drawn_cells(np.array([1.0, 0.0, 3.0]), 8, np.random.default_rng(0))).tolist()
    [2, 0, 6]
    """
    ends = np.cumsum(weights, dtype=np.float64)
    points = (np.arange(n) + rng.random()) * (ends[-1] / max(n, 1))
    cells = np.searchsorted(ends, points, side="right")
    last = int(np.flatnonzero(weights)[-1])
    drawn: Places = rng.permutation(np.minimum(cells, last))
    return drawn
