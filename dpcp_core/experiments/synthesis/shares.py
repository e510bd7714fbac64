"""Shares of public cells in a synthetic table and in the rows it was made from: what pictures of columns show."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpcp_core._arrays import Codes, Floats
from dpcp_core.data.column import Column, Kind
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.evaluation.fidelity import FidelityReport
from dpcp_core.evaluation.fidelity.bins import binned, inner_edges

Matrix: TypeAlias = npt.NDArray[np.float32]


class _Coded(NamedTuple):
    """The cell of each row of both tables, and how many cells there are."""

    synthetic: Codes
    real: Codes
    size: int


@dataclass(frozen=True, eq=False)
class ColumnShares:
    """One column of both tables.

    Attributes
    ----------
    name, title, unit, kind : str
    categories : tuple of str
        Empty for numbers.
    edges : tuple of float
        Ends of the bins of a number, one more than there are bins; empty for categories.
    synthetic, real : float64 arrays of shape (cells + 2,)
        Shares of rows: of the bins or categories, then of empty cells, then of categories that the schema lacks.
    error : float
        Total variation between the two.
    """

    name: str
    title: str
    unit: str
    kind: Kind
    categories: tuple[str, ...]
    edges: tuple[float, ...]
    synthetic: Floats
    real: Floats
    error: float

    @property
    def n_cells(self) -> int:
        """Bins or categories, empty cells and unknown categories not counted."""
        return len(self.synthetic) - 2

    @property
    def values(self) -> tuple[int, ...]:
        """The whole numbers, where each has a cell of its own; else empty."""
        if self.kind != "integer" or any(edge % 1 != 0.5 for edge in self.edges[1:-1]):
            return ()
        whole = range(math.ceil(self.edges[0]), math.floor(self.edges[-1]) + 1)
        return tuple(whole) if len(whole) == self.n_cells else ()


@dataclass(frozen=True, eq=False)
class PairShares:
    """Two columns of both tables together.

    Attributes
    ----------
    first, second : str
    synthetic, real : float32 arrays of shape (cells of first + 2, cells of second + 2)
        Shares of rows, in the order of :class:`ColumnShares`.
    error : float
    """

    first: str
    second: str
    synthetic: Matrix
    real: Matrix
    error: float


@dataclass(frozen=True, eq=False)
class TableShares:
    """All columns, and the pairs that were compared.

    Attributes
    ----------
    columns : tuple of ColumnShares
    pairs : tuple of PairShares

    Notes
    -----
    **Privacy.** Curator's view: half of it was counted on real rows.
    """

    columns: tuple[ColumnShares, ...]
    pairs: tuple[PairShares, ...]

    def column(self, name: str) -> ColumnShares:
        """Return one column.

        Raises
        ------
        InputError
            A column that the synthetic table does not have.
        """
        found = next((column for column in self.columns if column.name == name), None)
        if found is None:
            raise InputError(f"The synthetic table has no column {name!r}.")
        return found

    def pair(self, first: str, second: str) -> PairShares:
        """Return two columns together, in either order.

        Raises
        ------
        InputError
            A pair that was not compared.
        """
        for pair in self.pairs:
            if (pair.first, pair.second) == (first, second):
                return pair
            if (pair.second, pair.first) == (first, second):
                return PairShares(first, second, pair.synthetic.T, pair.real.T, pair.error)
        raise InputError(f"Columns {first!r} and {second!r} were not compared with each other.")


def table_shares(synthetic: pd.DataFrame, real: pd.DataFrame, schema: Schema, fidelity: FidelityReport) -> TableShares:
    """Count cells of both tables.

    Parameters
    ----------
    synthetic, real : DataFrame
        With the schema's columns, but for ignored ones.
    schema : Schema
    fidelity : FidelityReport
        Of the same tables: its columns, pairs and bins are counted.
    """
    codes: dict[str, _Coded] = {}
    for found in fidelity.columns:
        column = schema.column(found.name)
        of_synthetic, size = binned(synthetic[column.name], column, fidelity.n_bins)
        codes[column.name] = _Coded(of_synthetic, binned(real[column.name], column, fidelity.n_bins)[0], size)
    return TableShares(
        tuple(
            _column(schema.column(found.name), fidelity.n_bins, codes[found.name], found.error)
            for found in fidelity.columns
        ),
        tuple(
            _pair(found.first, found.second, codes[found.first], codes[found.second], found.error)
            for found in fidelity.pairs
        ),
    )


def _column(column: Column, bins: int, codes: _Coded, error: float) -> ColumnShares:
    edges: tuple[float, ...] = ()
    if column.is_numeric:
        assert column.bounds is not None
        edges = (column.bounds[0], *inner_edges(column, bins).tolist(), column.bounds[1])
    return ColumnShares(
        name=column.name,
        title=column.title,
        unit=column.unit,
        kind=column.kind,
        categories=column.categories,
        edges=edges,
        synthetic=np.bincount(codes.synthetic, minlength=codes.size) / len(codes.synthetic),
        real=np.bincount(codes.real, minlength=codes.size) / len(codes.real),
        error=error,
    )


def _pair(first: str, second: str, one: _Coded, other: _Coded, error: float) -> PairShares:
    synthetic = _joint(one.synthetic, other.synthetic, one.size, other.size)
    return PairShares(first, second, synthetic, _joint(one.real, other.real, one.size, other.size), error)


def _joint(one: Codes, other: Codes, n_one: int, n_other: int) -> Matrix:
    counts = np.bincount(one.astype(np.int64) * n_other + other, minlength=n_one * n_other)
    return (counts.reshape(n_one, n_other) / len(one)).astype(np.float32)
