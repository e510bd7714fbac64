"""The public cells of one column: every value that a synthetic table can hold lies in one of them.

>>> age = ColumnCells.of(Column("age", "integer", bounds=(17, 90), missing="refuse"), bins=4)
>>> list(zip(age.lower.tolist(), age.upper.tolist()))
[(17.0, 17.0), (18.0, 35.0), (36.0, 53.0), (54.0, 71.0), (72.0, 89.0), (90.0, 90.0)]
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcp_core._arrays import Floats
from dpcp_core.data.cells import as_numbers
from dpcp_core.data.classes import category_codes
from dpcp_core.data.column import Column
from dpcp_core.errors import InputError

Places: TypeAlias = NDArray[np.integer[Any]]
"""Places of cells, in whatever kind of whole number is short enough."""

# Of the cells of a number, this share lies where the schema says that most of the population does.
_TYPICAL_SHARE = 2 / 3
# Whole numbers get a cell each up to this many times the cells asked for.
_SINGLES = 2
_DIGITS = 5


@dataclass(frozen=True, eq=False)
class ColumnCells:
    """The cells of one column, and how values go in and come out.

    Attributes
    ----------
    column : Column
    lower, upper : array of shape (k,)
        Ends of the cells of a number, both inclusive; empty for categories.
    has_missing : bool
        Whether the last cell stands for an empty one.

    Notes
    -----
    **Privacy.** Costs nothing: a function of the public schema.
    """

    column: Column
    lower: Floats
    upper: Floats
    has_missing: bool

    @classmethod
    def of(cls, column: Column, bins: int) -> ColumnCells:
        """Return the cells of a column.

        Parameters
        ----------
        column : Column
            With bounds or categories.
        bins : int
            Cells of a number between its bounds; each bound is a cell of its own, as clipped values and zeros that
            mean "none" pile up there.

        Raises
        ------
        InputError
            A column without bounds or categories.
        """
        has_missing = column.missing != "refuse" and column.role != "target"
        if not column.is_numeric:
            if not column.categories:
                raise InputError(
                    f"Column {column.name!r} has no categories; list its possible values in the schema, or ignore it."
                )
            return cls(column, np.empty(0), np.empty(0), has_missing)
        if column.bounds is None:
            raise InputError(
                f"Column {column.name!r} has no bounds; give its lowest and highest possible value, or ignore it."
            )
        ends = _whole_cells(column, bins) if column.kind == "integer" else _number_cells(column, bins)
        return cls(column, *ends, has_missing)

    @property
    def n_values(self) -> int:
        """Cells that hold a value."""
        return len(self.lower) if self.column.is_numeric else len(self.column.categories)

    @property
    def size(self) -> int:
        """All cells, the missing one among them."""
        return self.n_values + self.has_missing

    def read(self, cells: pd.Series) -> ReadColumn:
        """Return the cell of each row's value, -1 where it has none.

        Parameters
        ----------
        cells : Series of length n

        Notes
        -----
        Numbers beyond the bounds count at the bound. A category that the schema does not know counts as missing where
        the column has such a cell.
        """
        if self.column.is_numeric:
            numbers = as_numbers(cells, self.column.name)
            missing = np.isnan(numbers)
            outside = (numbers < self.lower[0]) | (numbers > self.upper[-1])
            codes, clipped, unknown = self._places(np.where(missing, self.lower[0], numbers)), int(outside.sum()), 0
        else:
            codes, missing = category_codes(cells, self.column), cells.isna().to_numpy()
            clipped, unknown = 0, int(np.count_nonzero((codes < 0) & ~missing))
            missing = missing | (codes < 0)
        codes = np.where(missing, self.size - 1 if self.has_missing else -1, codes)
        return ReadColumn(codes.astype(np.int32), clipped, int(missing.sum()) - unknown, unknown)

    def decode(self, codes: Places, rng: np.random.Generator) -> pd.Series:
        """Return a value for each cell: a category, or a number drawn evenly inside the cell.

        Parameters
        ----------
        codes : int array of shape (n,)
            From 0 to ``size - 1``.
        rng : numpy Generator

        Returns
        -------
        Series of length n
            Categories as a pandas Categorical; :func:`dpcp_core.synthesis.domain.as_table` makes them text.
        """
        missing = codes >= self.n_values if self.has_missing else np.zeros(len(codes), np.bool_)
        if not self.column.is_numeric:
            places = np.where(missing, -1, codes).astype(np.int64)
            return pd.Series(pd.Categorical.from_codes(places, categories=pd.Index(self.column.categories)))
        inside = np.where(missing, 0, codes)
        low, high = self.lower[inside], self.upper[inside]
        chance = rng.random(len(codes))
        if self.column.kind == "integer":
            # The largest chance below 1 could round up to one value too many.
            values = np.minimum(low + np.floor(chance * (high - low + 1)), high)
        else:
            values = np.clip(np.round(low + chance * (high - low), self._decimals), low, high)
        values[missing] = np.nan
        return pd.Series(values)

    @property
    def _decimals(self) -> int:
        width = float(self.upper[-1] - self.lower[0])
        return min(max(_DIGITS - 1 - math.floor(math.log10(width)), 0), 300) if width > 0 else 0

    def _places(self, numbers: Floats) -> Places:
        values = np.rint(numbers) if self.column.kind == "integer" else numbers
        codes = np.searchsorted(self.lower, values, side="right") - 1
        # Of the two cells that begin at the lowest value, its own comes first.
        result: Places = np.where(values <= self.lower[0], 0, codes)
        return result


@dataclass(frozen=True, eq=False)
class ReadColumn:
    """The cells of a column's rows.

    Attributes
    ----------
    codes : int32 array of shape (n,)
        -1 for a row that lies in no cell.
    clipped, missing, unknown : int
        Values beyond the bounds, empty cells, categories that the schema does not know (curator's view).
    """

    codes: Places
    clipped: int
    missing: int
    unknown: int


def _edges(column: Column, low: float, high: float, bins: int) -> Floats:
    """Return the ends of cells between the bounds, most of them where most of the population lies."""
    typical = column.typical
    if typical is None or (typical[0] <= low and typical[1] >= high):
        return np.linspace(low, high, bins + 1)
    start, end = max(typical[0], low), min(typical[1], high)
    inside = max(1, round(bins * _TYPICAL_SHARE))
    below = round((bins - inside) * (start - low) / max(start - low + high - end, 1e-300))
    above = max(bins - inside - below, 1) if high > end else 0
    below = max(below, 1) if start > low else 0
    parts = (np.linspace(low, start, below + 1), np.linspace(start, end, inside + 1), np.linspace(end, high, above + 1))
    return np.unique(np.concatenate(parts))


def _number_cells(column: Column, bins: int) -> tuple[Floats, Floats]:
    assert column.bounds is not None
    low, high = column.bounds
    edges = _edges(column, low, high, bins)
    return np.array([low, *edges[:-1], high]), np.array([low, *edges[1:], high])


def _whole_cells(column: Column, bins: int) -> tuple[Floats, Floats]:
    assert column.bounds is not None
    low, high = float(math.ceil(column.bounds[0])), float(math.floor(column.bounds[1]))
    if low > high:
        low, high = float(math.floor(column.bounds[0])), float(math.ceil(column.bounds[1]))
    if high - low + 1 <= max(_SINGLES * bins, 3):
        singles = np.arange(low, high + 1)
        return singles, singles
    starts = np.unique(np.ceil(_edges(column, low + 1, high, bins)[:-1]))
    lower = np.array([low, *starts[starts < high], high])
    return lower, np.append(lower[1:] - 1, high)
