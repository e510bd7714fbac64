"""Singling out: a description taken from the synthetic table that fits exactly one real person.

>>> from dpcp_core.data.schema import Column
>>> schema = Schema((Column("age", "integer", bounds=(0, 100)), Column("sex", "category", categories=("f", "m"))))
>>> rows = pd.DataFrame({"age": np.arange(40), "sex": ["f", "m"] * 20})
>>> risk = singling_out_risk(rows, rows, rows.assign(age=50), schema, rng=np.random.default_rng(0), n_attacks=30)
>>> risk.attack.value, risk.control.value
(1.0, 0.0)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpcp_core import _validate as check
from dpcp_core._arrays import Booleans, Floats
from dpcp_core.data.cells import as_numbers
from dpcp_core.data.classes import category_codes
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.evaluation.audit.estimates import CONFIDENCE
from dpcp_core.evaluation.audit.table_risk import TableRisk

COLUMNS = 4
"""Columns of one description."""

_MOST_TRIES = 50
_FIRST = 500
_EQUAL, _AT_LEAST, _AT_MOST = 0, 1, 2


@dataclass(frozen=True, eq=False)
class _Table:
    """Rows as numbers: values, or places of categories, NaN where a cell is empty."""

    values: Floats
    is_number: Booleans

    @classmethod
    def of(cls, frame: pd.DataFrame, schema: Schema) -> _Table:
        columns = [column for column in schema.columns if column.role != "ignore"]
        if not columns:
            raise InputError("There is no column to describe rows by; give one a role other than ignore.")
        # Column by column, as a description looks at few of them.
        values = np.empty((len(frame), len(columns)), order="F")
        for place, column in enumerate(columns):
            cells = frame[column.name]
            if column.is_numeric:
                values[:, place] = as_numbers(cells, column.name)
            else:
                codes = category_codes(cells, column).astype(np.float64)
                values[:, place] = np.where(codes < 0, np.nan, codes)
        return cls(values, np.array([column.is_numeric for column in columns]))

    def fitting(self, description: _Description) -> int:
        """Return how many rows a description fits."""
        return _fitting(self.values, description)

    def singles_out(self, description: _Description) -> bool:
        """Return whether a description fits exactly one row."""
        # Most descriptions fit several of the first rows already; the others need not be looked at.
        return _fitting(self.values[:_FIRST], description) <= 1 and self.fitting(description) == 1


_Description = tuple[tuple[int, int, float], ...]
"""Column, comparison and value of each part; all must hold."""


def _fitting(values: Floats, description: _Description) -> int:
    fine = np.ones(len(values), dtype=np.bool_)
    for place, sign, value in description:
        fine &= _fits(values[:, place], sign, value)
    return int(fine.sum())


def _fits(cells: Floats, sign: int, value: float) -> Booleans:
    fine: Booleans
    if np.isnan(value):
        fine = np.isnan(cells)
    elif sign == _EQUAL:
        fine = cells == value
    else:
        fine = cells >= value if sign == _AT_LEAST else cells <= value
    return fine


def singling_out_risk(
    original: pd.DataFrame,
    synthetic: pd.DataFrame,
    control: pd.DataFrame,
    schema: Schema,
    *,
    rng: np.random.Generator,
    n_columns: int = COLUMNS,
    n_attacks: int = 500,
    confidence: float = CONFIDENCE,
) -> TableRisk:
    """Return how often a description that fits one synthetic row fits exactly one real row.

    Parameters
    ----------
    original, synthetic, control : DataFrame
        Rows that the synthetic table was made from, its own, and real rows that it was not made from.
    schema : Schema
        With bounds and categories; columns with the role "ignore" are left out.
    rng : numpy Generator
        Draws rows and columns; nothing here is private.
    n_columns : int
        Columns of each description.
    n_attacks : int
        Different descriptions, at most; fewer where the synthetic table does not give so many.
    confidence : float
        Of each interval, between 0 and 1.

    Returns
    -------
    TableRisk
        Shares of the descriptions, between 0 and 1.

    Raises
    ------
    InputError
        A schema in which every column has the role "ignore", or a number of attacks or columns below 1.

    Notes
    -----
    **Privacy.** None: real rows are attacked and counted. The curator's view of a simulation, in no release.

    A description takes some columns of a synthetic row: its category, and "at least" a number above the column's
    middle or "at most" one below. Real rows and control are cut to the same number, drawn by chance, as a description
    fits one row more easily among few. So what the table gives away about a row is seen only if the row is left: with a
    quarter as many rows of control as of the table, a copy of the table succeeds about a quarter of the time.

    The baseline describes rows with values drawn evenly from the schema's columns of the synthetic table, each by
    itself.
    """
    shorter = min(len(original), len(control))
    tables = [_Table.of(rows.iloc[rng.permutation(len(rows))[:shorter]], schema) for rows in (original, control)]
    made = _Table.of(synthetic, schema)
    most, width = check.whole(n_attacks=n_attacks), check.whole(n_columns=n_columns)
    attacks = list(_descriptions(made, width, most, rng, only_unique=True))
    blind = list(_descriptions(_blind(made, rng), width, max(len(attacks), 1), rng, only_unique=False))
    n = max(len(attacks), 1)
    counts = [sum(table.singles_out(description) for description in attacks) for table in tables]
    guessed = sum(tables[0].singles_out(description) for description in blind[:n])
    return TableRisk.of(
        "singling_out",
        attacked=counts[0],
        on_control=counts[1],
        guessed=guessed,
        n=n,
        n_control=n,
        confidence=confidence,
    )


def _descriptions(
    table: _Table, width: int, most: int, rng: np.random.Generator, *, only_unique: bool
) -> Iterator[_Description]:
    """Yield different descriptions of rows, of those that fit one row of the table only if so asked."""
    with np.errstate(all="ignore"):
        middle = np.array([np.nanmedian(column) if np.isfinite(column).any() else np.nan for column in table.values.T])
    seen: set[str] = set()
    n_columns = table.values.shape[1]
    for _ in range(_MOST_TRIES * most):
        if len(seen) >= most:
            return
        row = table.values[rng.integers(len(table.values))]
        places = rng.permutation(n_columns)[:width]
        description = tuple(_part(table, int(place), float(row[place]), middle) for place in sorted(places))
        key = repr(description)
        if key not in seen and (not only_unique or table.singles_out(description)):
            seen.add(key)
            yield description


def _part(table: _Table, place: int, value: float, middle: Floats) -> tuple[int, int, float]:
    if not table.is_number[place] or np.isnan(value):
        return place, _EQUAL, value
    return place, _AT_LEAST if value > middle[place] else _AT_MOST, value


def _blind(table: _Table, rng: np.random.Generator) -> _Table:
    """Return rows whose cells were drawn from each column's different values, independently."""
    drawn = [rng.choice(np.unique(column), len(column)) for column in table.values.T]
    return _Table(np.column_stack(drawn), table.is_number)
