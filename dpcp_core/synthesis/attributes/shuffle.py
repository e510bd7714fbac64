"""Attributes as first published: the table's own columns, each in random order. Not private."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpcp_core.data.cells import as_numbers, as_text
from dpcp_core.data.column import Column
from dpcp_core.privacy.shared_budget import SharedBudget
from dpcp_core.synthesis.attributes.protocol import AttributeTask
from dpcp_core.synthesis.blocks import blocks_of
from dpcp_core.synthesis.parts import Part


@dataclass(frozen=True, eq=False)
class ShufflePlan:
    """Which columns are kept together.

    Attributes
    ----------
    task : AttributeTask
    blocks : tuple of tuples of str
    """

    task: AttributeTask
    blocks: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, eq=False)
class ShuffledColumns:
    """The table's own columns.

    Attributes
    ----------
    frame : DataFrame
    blocks : tuple of tuples of str
    """

    frame: pd.DataFrame
    blocks: tuple[tuple[str, ...], ...]

    @property
    def cells(self) -> Mapping[str, int]:
        """None: the values are the table's."""
        return {}

    def draw(self, n: int, rng: np.random.Generator) -> pd.DataFrame:
        """Return ``n`` rows, each block in an order of its own; beyond the table's rows, in several orders."""
        columns = {}
        for block in self.blocks:
            order = _orders(len(self.frame), n, rng)
            columns.update({name: self.frame[name].take(order).reset_index(drop=True) for name in block})
        return pd.DataFrame({name: columns[name] for name in self.frame.columns})


def _orders(size: int, n: int, rng: np.random.Generator) -> np.ndarray:
    return np.concatenate([rng.permutation(size) for _ in range(-(-n // size))])[:n]


@dataclass(frozen=True)
class Shuffle:
    """Columns of the table in random order, as in the paper.

    Notes
    -----
    **Privacy.** None: every value of every column is published as it is.

    References
    ----------
    DPDSyn (arXiv 2604.15660), second step.
    """

    name: str = "shuffle"
    title: str = "shuffled columns"
    sentence: str = "The table's own columns, each in random order, as first published; not private."
    leak: str = (
        "Shuffled columns publish every value of every column as it is: a rare value still points to its person."
    )
    is_free: bool = True

    def plan(self, task: AttributeTask, spending: SharedBudget) -> ShufflePlan:  # noqa: ARG002 - the protocol's
        """Return which columns are kept together."""
        return ShufflePlan(task, blocks_of(task.columns, task.groups))

    def parts(self, plan: ShufflePlan) -> tuple[Part, ...]:  # noqa: ARG002 - the protocol's
        """Return the line of a part that promises nothing."""
        return (Part("Attributes: columns in random order", "features", "without bound", "no noise", None),)

    def fit(self, frame: pd.DataFrame, plan: ShufflePlan, rng: np.random.Generator) -> ShuffledColumns:  # noqa: ARG002
        """Keep the columns."""
        columns = [plan.task.schema.column(name) for name in plan.task.columns]
        return ShuffledColumns(own_values(frame, columns), plan.blocks)


def own_values(frame: pd.DataFrame, columns: list[Column]) -> pd.DataFrame:
    """Return the values of a table as they are: numbers as floats, everything else as text."""
    read = {
        column.name: pd.Series(as_numbers(frame[column.name], column.name))
        if column.is_numeric
        else as_text(frame[column.name]).reset_index(drop=True)
        for column in columns
    }
    return pd.DataFrame(read)
