"""From columns of text to a frame of numbers and categories, with every decision in words.

Each column is first looked at alone; then what one column shows for certain settles what another leaves open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from dpcp_core.data.column import Column
from dpcp_core.data.reading_cells import Look, look, look_at_text
from dpcp_core.data.reading_marks import NOT_AVAILABLE, doubtful_in_text, marks_in_text
from dpcp_core.data.reading_numbers import Cells
from dpcp_core.data.reading_settle import settle
from dpcp_core.data.reading_table import TextTable
from dpcp_core.data.reading_wording import Gathered
from dpcp_core.errors import InputError

_MARK_LENGTH = 20
_WAYS_NOTES = {
    ("decimal", ","): "Commas in the numbers of {columns} were read as decimal marks.",
    ("thousands", ","): "Commas in the numbers of {columns} were read as thousands marks.",
    ("thousands", "."): "Points in the numbers of {columns} were read as thousands marks.",
    ("thousands", "'"): "Apostrophes in the numbers of {columns} were read as thousands marks.",
    ("thousands", " "): "Blanks in the numbers of {columns} were read as thousands marks.",
}
_TEXT_NOTES = {
    "zeros": "{columns} {hold} digits that begin with zeros and {were} kept as text, as codes are.",
    "digits": "{columns} {hold} numbers too long to be exact and {were} kept as text.",
    "ways": "{columns} {hold} numbers written in several ways and {were} kept as text; write them all in one.",
}
_DOUBTFUL = "{cells} '%s' in {columns} may mean a missing value; {they} {were} kept as a category."


@dataclass(frozen=True, eq=False)
class Columns:
    """A table with its cells read.

    Attributes
    ----------
    frame : DataFrame of shape (n_rows, n_columns)
        int64, float64 or text; NaN where a cell is missing.
    notes : tuple of str
    """

    frame: pd.DataFrame
    notes: tuple[str, ...]


def read_columns(
    table: TextTable,
    separator: str,
    *,
    described: Mapping[str, Column] | None = None,
    decimal: str | None = None,
) -> Columns:
    """Read the cells of every column as numbers or as text.

    Parameters
    ----------
    table
        The columns as text.
    separator
        What separates them: a hint where a comma may mean two things.
    described
        What a schema says of them, by name.
    decimal
        The decimal mark, where it is known.

    Raises
    ------
    InputError
        Naming the column, if numbers can be read in two ways, or a column that should hold numbers does not.
    """
    described = described or {}
    notes = Gathered()
    looks = {
        name: _look(raw, described.get(name), decimal)
        for name, raw in zip(table.names, table.columns, strict=True)
    }
    looks = settle(looks, separator, described, notes, table.line)
    for name, column in looks.items():
        _refuse_other_than_numbers(name, column, described.get(name), table)
        _tell(name, column, notes, table)
    na_is_missing = any(NOT_AVAILABLE in column.marks for column in looks.values())
    cells = {
        name: _numbers(column)
        if column.values is not None
        else _text(name, column, described.get(name), na_is_missing, notes)
        for name, column in looks.items()
    }
    return Columns(pd.DataFrame(cells, copy=False), notes.sentences())


def _look(raw: Cells, described: Column | None, decimal: str | None) -> Look:
    if described is None or described.role == "ignore":
        return look(raw, decimal=decimal)
    if described.is_numeric:
        return look(raw, decimal=decimal, zeros_are_codes=False)
    return look_at_text(raw)


def _refuse_other_than_numbers(name: str, column: Look, described: Column | None, table: TextTable) -> None:
    if described is None or described.role == "ignore" or not described.is_numeric or column.values is not None:
        return
    if column.text_because == "ways":
        raise InputError(
            f"Column {name!r} should hold numbers but they are written in several ways; write them all in one."
        )
    if column.text_because == "digits":
        raise InputError(f"Column {name!r} holds numbers too long to be exact; make it a category or shorten them.")
    row = column.first_other
    if row is None:
        row = next((i for i, cell in enumerate(column.cells.to_pylist()) if cell is not None), 0)
    raise InputError(
        f"Column {name!r} should hold numbers but line {table.line(row):,} does not; "
        "correct it, leave it empty, or make the column a category in the schema."
    )


def _tell(name: str, column: Look, notes: Gathered, table: TextTable) -> None:
    if column.blank:
        notes.add("{cells} left blank in {columns} {were} read as missing.", name, column.blank)
    for mark, count in column.marks.items():
        notes.add("{cells} '%s' in {columns} {were} read as missing." % mark, name, count)
    if column.values is not None and column.written is not None:
        _tell_way(name, column, notes)
    if column.text_because == "mixed":
        rows = table.n_rows - column.blank
        notes.add(
            f"{{columns}} was kept as text because {column.others:,} of its {rows:,} cells "
            f"{'is' if column.others == 1 else 'are'} no number (the first is in line "
            f"{table.line(column.first_other or 0):,}).",
            name,
        )
    elif column.text_because:
        notes.add(_TEXT_NOTES[column.text_because], name)


def _tell_way(name: str, column: Look, notes: Gathered) -> None:
    written = column.written
    if written is None:
        return
    way = written.ways[0]
    if way.decimal == "," and written.has(","):
        notes.add(_WAYS_NOTES["decimal", ","], name)
    if written.has(way.thousands):
        notes.add(_WAYS_NOTES["thousands", way.thousands[0]], name)
    if written.sign == "%":
        notes.add("The percent signs of {columns} were taken off: 100 stands for the whole.", name)
    elif written.sign:
        notes.add(f"The currency signs ({written.sign}) of {{columns}} were taken off.", name)


def _numbers(column: Look) -> Any:
    return column.values.to_numpy()


def _text(name: str, column: Look, described: Column | None, na_is_missing: bool, notes: Gathered) -> pd.Series:
    cells = column.cells
    if column.padded:
        notes.add("Blanks around the cells of {columns} were removed.", name)
    declared = frozenset(described.categories if described is not None else ())
    short = cells.filter(pc.fill_null(pc.less_equal(pc.utf8_length(cells), _MARK_LENGTH), False))
    counts = {entry["values"]: entry["counts"] for entry in pc.value_counts(short).to_pylist()}
    values = frozenset(counts)
    missing = marks_in_text(values, na_is_missing=na_is_missing, categories=declared)
    for mark in sorted(missing):
        notes.add("{cells} '%s' in {columns} {were} read as missing." % mark, name, counts[mark])
    for value in sorted(doubtful_in_text(values - missing, categories=declared)):
        notes.add(_DOUBTFUL % value, name, counts[value])
    if missing:
        found = pc.is_in(cells, value_set=pa.array(sorted(missing), pa.string()))
        cells = pc.if_else(found, pa.scalar(None, pa.string()), cells)
    if declared:
        cells = _as_declared(name, cells, declared, values, notes)
    return cells.to_pandas()


def _as_declared(
    name: str, cells: Cells, declared: frozenset[str], values: frozenset[str], notes: Gathered
) -> Cells:
    """Write numbers the way the categories do: ``1.0`` in the file is the category ``1``."""
    by_number = {_number(category): category for category in declared}
    same = {value: by_number.get(_number(value)) for value in values - declared if _number(value) is not None}
    same = {value: category for value, category in same.items() if category is not None}
    if not same:
        return cells
    notes.add("Numbers in {columns} were matched to the categories of the schema.", name)
    for value, category in same.items():
        cells = pc.if_else(pc.equal(cells, value), pa.scalar(category, pa.string()), cells)
    return cells


def _number(text: str) -> float | None:
    try:
        return float(text) if text.isascii() and "_" not in text else None
    except ValueError:
        return None


__all__ = ["Columns", "read_columns", "replace"]
