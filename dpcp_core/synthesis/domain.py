"""All values that the columns of a synthetic table can hold, by the public schema alone.

>>> age, sex = Column("age", "integer", bounds=(0, 9)), Column("sex", "category", categories=("f", "m"))
>>> domain = Domain.of(Schema((age, sex)))
>>> domain.names, domain.sizes
(('age', 'sex'), (11, 3))
>>> table = domain.decode(np.array([[9, 0], [10, 2]]), np.random.default_rng(0))
>>> as_table(table, (age, sex))
    age  sex
0     9    f
1  <NA>  NaN
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from dpcp_core.data.column import Column
from dpcp_core.data.schema import Schema
from dpcp_core.synthesis.cells import ColumnCells, Places

DEFAULT_BINS = 32
_LONGEST_EXACT = 2.0**53


@dataclass(frozen=True, eq=False)
class CodedTable:
    """A table as places of cells.

    Attributes
    ----------
    codes : int32 array of shape (n, m)
        -1 where a value lies in no cell: an empty one that the schema refuses.
    clipped, missing, unknown : mapping of column to count
        Columns that have any (curator's view).
    """

    codes: Places
    clipped: Mapping[str, int]
    missing: Mapping[str, int]
    unknown: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class Domain:
    """The public cells of several columns.

    Attributes
    ----------
    parts : tuple of ColumnCells
    """

    parts: tuple[ColumnCells, ...]

    @classmethod
    def of(
        cls,
        schema: Schema,
        bins: int | Mapping[str, int] | Callable[[Column], int] = DEFAULT_BINS,
        columns: Iterable[str] | None = None,
    ) -> Domain:
        """Return the domain of a schema.

        Parameters
        ----------
        schema : Schema
        bins : int, or mapping of column to int, or function of the column
            Cells of each number between its bounds.
        columns : iterable of str, optional
            By default all that are not ignored, the target among them.

        Raises
        ------
        InputError
            A column without bounds or categories, or one that is not in the schema.
        """
        names = made_columns(schema) if columns is None else tuple(columns)
        return cls(tuple(ColumnCells.of(column, _bins(bins, column)) for column in map(schema.column, names)))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The columns, in order."""
        return tuple(part.column.name for part in self.parts)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Number of cells of each column."""
        return tuple(part.size for part in self.parts)

    def part(self, name: str) -> ColumnCells:
        """Return the cells of one column."""
        return self.parts[self.names.index(name)]

    def read(self, frame: pd.DataFrame) -> CodedTable:
        """Return the cell of every value.

        Parameters
        ----------
        frame : DataFrame of n rows with the domain's columns

        Raises
        ------
        InputError
            A word where a number belongs.
        """
        read = {part.column.name: part.read(frame[part.column.name]) for part in self.parts}
        codes = np.empty((len(frame), len(self.parts)), dtype=np.int32)
        for place, column in enumerate(read.values()):
            codes[:, place] = column.codes
        return CodedTable(
            codes,
            clipped={name: column.clipped for name, column in read.items() if column.clipped},
            missing={name: column.missing for name, column in read.items() if column.missing},
            unknown={name: column.unknown for name, column in read.items() if column.unknown},
        )

    def decode(self, codes: Places, rng: np.random.Generator) -> pd.DataFrame:
        """Return a table with a value for each cell, see :meth:`dpcp_core.synthesis.cells.ColumnCells.decode`."""
        return pd.DataFrame(
            {part.column.name: part.decode(codes[:, place], rng) for place, part in enumerate(self.parts)}
        )


def made_columns(schema: Schema) -> tuple[str, ...]:
    """Return the names of the columns that a synthetic table has: all that are not ignored."""
    return tuple(column.name for column in schema.columns if column.role != "ignore")


def as_table(frame: pd.DataFrame, columns: Iterable[Column]) -> pd.DataFrame:
    """Return the table as a person reads it.

    Parameters
    ----------
    frame : DataFrame
        As :meth:`Domain.decode` gives it.
    columns : iterable of Column
        What to keep, in this order.

    Returns
    -------
    DataFrame
        Categories as text; whole numbers as int64, or as Int64 where a cell is missing.
    """
    return pd.DataFrame({column.name: _plain(frame[column.name], column) for column in columns})


def _plain(cells: pd.Series, column: Column) -> pd.Series:
    if column.kind == "integer" and pd.api.types.is_float_dtype(cells.dtype):
        if np.abs(cells).max() >= _LONGEST_EXACT:
            return cells
        return cells.round().astype("Int64" if cells.isna().any() else "int64")
    if not isinstance(cells.dtype, pd.CategoricalDtype):
        return cells
    texts = pd.Index(cells.cat.categories).take(cells.cat.codes.to_numpy(), fill_value=np.nan)
    return pd.Series(texts.array, index=cells.index)


def _bins(bins: int | Mapping[str, int] | Callable[[Column], int], column: Column) -> int:
    if isinstance(bins, int):
        return bins
    return bins.get(column.name, DEFAULT_BINS) if isinstance(bins, Mapping) else bins(column)
