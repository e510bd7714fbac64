"""From columns of text to a frame of numbers and categories, with every decision in words.

Each column is first looked at alone; then what one column shows for certain settles what another leaves open.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dpcp_core.data.column import Column
from dpcp_core.data.csv import doubts
from dpcp_core.data.csv.cells import Look, counts_of, look, look_at_text, others, without
from dpcp_core.data.csv.marks import FOLDED, NOT_AVAILABLE, doubtful_in_text, marks_in_text
from dpcp_core.data.csv.numbers import Cells
from dpcp_core.data.csv.settle import settle
from dpcp_core.data.csv.table import TextTable
from dpcp_core.data.csv.wording import Gathered, listed
from dpcp_core.errors import InputError

_FEW_ROWS = 5
_WORTH_THREADS = 500_000  # cells
_WAYS_NOTES = {
    ("decimal", "."): "Points in the numbers of {columns} were read as decimal marks{because}.",
    ("decimal", ","): "Commas in the numbers of {columns} were read as decimal marks{because}.",
    ("thousands", ","): "Commas in the numbers of {columns} were read as thousands marks{because}.",
    ("thousands", "."): "Points in the numbers of {columns} were read as thousands marks{because}.",
    ("thousands", "'"): "Apostrophes in the numbers of {columns} were read as thousands marks{because}.",
    ("thousands", " "): "Blanks in the numbers of {columns} were read as thousands marks{because}.",
}
_NEGATIVE_NOTES = {
    "dash": "Dashes before the numbers of {columns} were read as minus signs.",
    "behind": "Minus signs behind the numbers of {columns} were read as if they stood before them.",
    "brackets": "Numbers in brackets in {columns} were read as negative, as accounts write them.",
}
_TEXT_NOTES = {
    "zeros": "{columns} {hold} digits that begin with zeros and {were} kept as text, as codes are.",
    "plus": "{columns} {hold} digits behind a plus and {were} kept as text, as telephone numbers are.",
    "exponents": (
        "{columns} {hold} digits around a letter E and {were} kept as text, as codes are; write 100000 for 1E5 where "
        "numbers are meant."
    ),
    "grades": (
        "{columns} {hold} single digits with a plus or minus behind them and {were} kept as text, as grades are; write "
        "-3 for 3- where numbers are meant."
    ),
    "digits": "{columns} {hold} numbers too large to be held exactly and {were} kept as text.",
    "decimal": "{columns} {hold} numbers with another decimal mark than the one given and {were} kept as text.",
    "ways": "{columns} {hold} numbers written in several ways and {were} kept as text; write them all in one.",
}
_NOT_NUMBERS = {
    "ways": "should hold numbers but they are written in several ways; write them all in one",
    "digits": "holds numbers too large to be held exactly; make it a category or shorten them",
    "decimal": "should hold numbers but has another decimal mark than the one given; give the one it has",
}
_MISSING = "{cells} '{mark}' in {columns} {were} read as missing."
_DOUBTFUL = "{cells} '{mark}' in {columns} may mean a missing value; {they} {were} kept as a category."


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
    looks = _looks(table, described, decimal)
    looks = settle(looks, separator, described, notes, table.line)
    for name, column in looks.items():
        _refuse_other_than_numbers(name, column, described.get(name), table)
        _tell(name, column, notes, table)
    na_is_missing = any(NOT_AVAILABLE in column.marks for column in looks.values())
    cells = {
        name: column.values.to_numpy()
        if column.values is not None
        else _text(name, column, described.get(name), na_is_missing, notes)
        for name, column in looks.items()
    }
    for name, column in looks.items():
        if name not in described:
            _doubt(name, column, cells[name], notes)
    return Columns(pd.DataFrame(cells, copy=False), (*notes.sentences(), *_ditto_note(looks, table.n_rows)))


def _doubt(name: str, column: Look, cells: Any, notes: Gathered) -> None:
    """Say what a column may mean other than it was read; a schema would have said."""
    if column.values is None:
        for sentence in _doubts_of_text(column):
            notes.add(sentence, name)
        return
    if column.blank and np.fmin.reduce(cells) == np.fmax.reduce(cells) == 1:
        notes.add(doubts.TICKS, name)
    for mark, sentence in doubts.of_numbers(cells):
        notes.add(sentence.replace("{mark}", mark), name, int((cells == float(mark)).sum()))
    if doubts.of_days(cells):
        notes.add(doubts.DAYS, name)
    if doubts.of_exponents(cells) and pc.any(pc.match_substring(column.cells, "e", ignore_case=True)).as_py():
        notes.add(doubts.EXPONENTS, name)


def _doubts_of_text(column: Look) -> tuple[str, ...]:
    if column.text_because not in ("", "mixed"):
        return ()
    different = pc.unique(column.cells.drop_null()).to_pylist()
    if column.blank and len(different) == 1 and doubts.is_tick(different[0]):
        return (doubts.TICKS,)
    return doubts.of_text(different, told=column.text_because == "mixed")


def _looks(table: TextTable, described: Mapping[str, Column], decimal: str | None) -> dict[str, Look]:
    def one(name: str, raw: Cells) -> Look:
        return _look(raw, described.get(name), decimal)

    if table.n_rows * len(table.names) < _WORTH_THREADS:
        return dict(zip(table.names, map(one, table.names, table.columns), strict=True))
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as threads:
        return dict(zip(table.names, threads.map(one, table.names, table.columns), strict=True))


def _look(raw: Cells, described: Column | None, decimal: str | None) -> Look:
    if described is None or described.role == "ignore":
        return look(raw, decimal=decimal)
    if described.is_numeric:
        return look(raw, decimal=decimal, zeros_are_codes=False)
    return look_at_text(raw)


def _refuse_other_than_numbers(name: str, column: Look, described: Column | None, table: TextTable) -> None:
    if described is None or described.role == "ignore" or not described.is_numeric or column.values is not None:
        return
    if column.text_because in _NOT_NUMBERS:
        raise InputError(f"Column {name!r} {_NOT_NUMBERS[column.text_because]}.")
    first, _ = others(without(column.cells, counts_of(column.cells, FOLDED)))
    raise InputError(
        f"Column {name!r} should hold numbers but line {table.line(max(first, 0)):,} does not; "
        "correct it, leave it empty, or make the column a category in the schema."
    )


def _tell(name: str, column: Look, notes: Gathered, table: TextTable) -> None:
    if column.blank:
        notes.add("{cells} left blank in {columns} {were} read as missing.", name, column.blank)
    for mark, count in column.marks.items():
        notes.add(_MISSING.replace("{mark}", mark), name, count)
    if column.values is not None and column.written is not None:
        _tell_way(name, column, notes)
    if column.formulas:
        notes.add("Formulas that hold one text each were replaced by it in {columns}.", name)
    if column.text_because == "mixed":
        rows, them = table.n_rows - column.blank, "it" if column.others == 1 else "them"
        notes.add(
            f"{{columns}} {{were}} kept as text because {column.others:,} of {rows:,} cells "
            f"{'is' if column.others == 1 else 'are'} no number (the first is in line "
            f"{table.line(column.first_other):,}); to use the numbers, correct {them} or leave {them} empty.",
            name,
        )
    elif column.text_because:
        notes.add(_TEXT_NOTES[column.text_because], name)


def _tell_way(name: str, column: Look, notes: Gathered) -> None:
    written = column.written
    if written is None:
        return
    if column.foreign_digits:
        notes.add("Digits of another script in {columns} were read as the numbers that they write.", name)
    for negative in written.negative:
        notes.add(_NEGATIVE_NOTES[negative], name)
    way = written.ways[0]
    because = f" ({column.because})" if column.because else ""
    if way.decimal == "," and written.has(","):
        notes.add(_WAYS_NOTES["decimal", ","].replace("{because}", because), name)
    elif written.has(way.thousands):
        notes.add(_WAYS_NOTES["thousands", way.thousands[0]].replace("{because}", because), name)
    elif because and written.has("."):
        notes.add(_WAYS_NOTES["decimal", "."].replace("{because}", because), name)
    if way.decimal == "," and written.has(",") and written.has(way.thousands):
        notes.add(_WAYS_NOTES["thousands", way.thousands[0]].replace("{because}", ""), name)
    if written.sign == "%":
        notes.add("The percent signs of {columns} were taken off: 100 stands for the whole.", name)
    elif written.sign:
        notes.add(f"The currency signs ({written.sign}) of {{columns}} were taken off.", name)


def _text(name: str, column: Look, described: Column | None, na_is_missing: bool, notes: Gathered) -> Any:
    cells = column.cells
    if column.padded:
        notes.add("Blanks around the cells of {columns} were removed.", name)
    declared = frozenset(described.categories if described is not None else ())
    counts = counts_of(cells, FOLDED | {"+", "++"})
    missing = marks_in_text(frozenset(counts), na_is_missing=na_is_missing, categories=declared)
    for mark in sorted(missing):
        notes.add(_MISSING.replace("{mark}", mark), name, counts[mark])
    for value in sorted(doubtful_in_text(counts.keys() - missing, categories=declared)):
        notes.add(_DOUBTFUL.replace("{mark}", value), name, counts[value])
    if missing:
        cells = without(cells, missing)
    return (_as_declared(name, cells, declared, notes) if declared else cells).to_pandas()


def _ditto_note(looks: Mapping[str, Look], n_rows: int) -> tuple[str, ...]:
    """Say of leading columns that a blank in them may repeat the cell above."""
    leading: list[str] = []
    for name, column in looks.items():
        if not n_rows / 2 <= column.blank < n_rows or (not leading and not column.cells[0].is_valid):
            break
        leading.append(name)
    if not leading or n_rows < _FEW_ROWS:
        return ()
    return (f"Most cells of {listed(leading)} are blank, perhaps to repeat the one above; they were left missing.",)


def _as_declared(name: str, cells: Cells, declared: frozenset[str], notes: Gathered) -> Cells:
    """Write numbers the way the categories do: ``1.0`` in the file is the category ``1``."""
    by_number = {number: category for category in declared if (number := _number(category)) is not None}
    others = pc.unique(without(cells, declared)).to_pylist() if by_number else []
    same = {value: by_number[number] for value in others if value and (number := _number(value)) in by_number}
    for value, category in same.items():
        cells = pc.if_else(pc.equal(cells, value), pa.scalar(category, pa.string()), cells)
    if same:
        notes.add("Numbers in {columns} were matched to the categories of the schema.", name)
    return cells


def _number(text: str) -> float | None:
    try:
        return float(text) if text.isascii() and "_" not in text else None
    except ValueError:
        return None
