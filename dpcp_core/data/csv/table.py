r"""The rows of the table as columns of text, without the notes below them; every row must have all its cells.

``pyarrow`` cuts the lines: unlike ``pandas`` it reports rows that are too short, where ``pandas`` fills them up
in silence, and it leaves each cell as it stands in the file (``007``).

>>> from dpcp_core.data.csv.dialect import Dialect
>>> layout = Layout(("age", "weight"), start=0, line=1)
>>> table = read_rows(b"40,70\n50,80\n\nSource: ward 7\n", Dialect(","), layout)
>>> [column.to_pylist() for column in table.columns], table.notes
([['40', '50'], ['70', '80']], ('Line 4 below the table was left out.',))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pcsv

from dpcp_core.data.csv.dialect import Dialect
from dpcp_core.data.csv.layout import Layout
from dpcp_core.data.csv.notes import Row, end_of_table
from dpcp_core.data.csv.records import BLANKS, line_of, records
from dpcp_core.errors import InputError

_BLOCK = 1 << 22
_LARGEST_BLOCK = 1 << 30
_TAIL = 500
_FEW = 10  # rows for each comment


@dataclass(frozen=True, eq=False)
class TextTable:
    """Columns of text.

    Attributes
    ----------
    names : tuple of str
    columns : tuple of chunked arrays of str
        All of one length, cells as they stand in the file.
    notes : tuple of str
    """

    names: tuple[str, ...]
    columns: tuple[Any, ...]
    notes: tuple[str, ...] = ()
    _numbers: npt.NDArray[np.int64] | None = field(default=None, repr=False)
    _locate: partial[int] | None = field(default=None, repr=False)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0]) if self.columns else 0

    def line(self, row: int) -> int:
        """Return the line of the file in which a row (from 0) begins."""
        number = int(self._numbers[row]) if self._numbers is not None else row
        return self._locate(number) if self._locate is not None else number + 1

    def head(self, count: int) -> TextTable:
        """Return the first rows."""
        return replace(self, columns=tuple(column.slice(0, count) for column in self.columns))

    def only(self, positions: list[int]) -> TextTable:
        """Return some of the columns."""
        return replace(
            self,
            names=tuple(self.names[i] for i in positions),
            columns=tuple(self.columns[i] for i in positions),
        )


def text_table(columns: dict[str, list[str]]) -> TextTable:
    """Make a table from lists of cells."""
    return TextTable(tuple(columns), tuple(pa.chunked_array([cells], pa.string()) for cells in columns.values()))


def read_rows(data: bytes, dialect: Dialect, layout: Layout) -> TextTable:
    """Cut the rows below a header into columns of text.

    Parameters
    ----------
    data
        The whole file, as UTF-8.
    layout
        Where the rows begin and how many cells each has.

    Raises
    ------
    InputError
        Naming the line, if a row has too few or too many cells.
    """
    locate = partial(line_of, data, dialect, start=layout.start, first_line=layout.line)
    table, odd = _parsed(data, dialect, layout)
    table, odd, cut = _with_cut_rows(table, odd, layout.width)
    tail = _tail(table, odd)
    end = end_of_table(tail, layout.width)
    notes = _left_out([row for row in tail if row.number >= end and row.filled], locate)
    odd = [row for row in odd if row.number < end]
    n_comments = sum(row.is_comment for row in odd)
    _refuse_ragged([row for row in odd if row.filled and not row.is_comment], layout.width, locate)
    table = table.slice(0, end - len(odd))
    numbers = _numbers(table.num_rows, odd)
    table, numbers, repeated = _without_rows(table, numbers, layout.names)
    table, numbers, skipped = _without_rows(table, numbers, [""] * layout.width)
    table, numbers, as_wide = _without_comments(table, numbers)
    n_comments += as_wide
    if repeated:
        notes.append(
            f"{_rows(repeated)} that only {'repeats' if repeated == 1 else 'repeat'} the column names "
            f"{'was' if repeated == 1 else 'were'} left out."
        )
    if cut:
        notes.append(
            f"{_rows(cut)} {'ends' if cut == 1 else 'end'} in blank cells beyond the last column, which were left out."
        )
    if n_comments:
        notes.append(f"{_rows(n_comments)} beginning with '#' {'was' if n_comments == 1 else 'were'} left out.")
    if skipped:
        notes.append(f"{_rows(skipped)} without any value {'was' if skipped == 1 else 'were'} left out.")
    return TextTable(layout.names, tuple(table.columns), tuple(notes), numbers, locate)


def _parsed(data: bytes, dialect: Dialect, layout: Layout) -> tuple[Any, list[Row]]:
    """Return the rows of the right width as a table of text, and the others."""
    if len(data) <= layout.start:
        return pa.table({str(i): pa.chunked_array([], pa.string()) for i in range(layout.width)}), []
    odd: list[Row] = []

    def noted(row: Any) -> str:
        # Rows are only numbered when they are read one after the other.
        if row.number is None:
            odd.append(Row(-1, []))
        else:
            cells = [cell.strip(BLANKS) for record in records(row.text.encode(), dialect) for cell in record.cells]
            odd.append(Row(row.number - 1, cells))
        return "skip"

    table = _arrow(data, dialect, layout, noted, threads=True)
    if odd:
        table = _arrow(data, dialect, layout, noted, threads=False, before=odd.clear)
    return table, odd


def _arrow(
    data: bytes,
    dialect: Dialect,
    layout: Layout,
    handler: Any,
    *,
    threads: bool,
    before: Callable[[], None] = lambda: None,
) -> Any:
    names = [str(i) for i in range(layout.width)]
    parse = pcsv.ParseOptions(
        delimiter=dialect.separator,
        quote_char=dialect.quote,
        double_quote=not dialect.escape,
        escape_char=dialect.escape or False,
        # Line ends inside cells need quotes; without any, the file can be cut in parallel.
        newlines_in_values=data.find(dialect.quote.encode(), layout.start) >= 0,
        ignore_empty_lines=False,
        invalid_row_handler=handler,
    )
    convert = pcsv.ConvertOptions(
        column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False, check_utf8=False
    )
    body = memoryview(data)[layout.start :]  # a slice of bytes would copy them
    for block in (_BLOCK, min(len(body) + 1, _LARGEST_BLOCK)):
        before()
        read = pcsv.ReadOptions(column_names=names, use_threads=threads, block_size=block)
        try:
            return pcsv.read_csv(pa.BufferReader(body), read, parse, convert)
        except pa.ArrowInvalid:  # a row is longer than the block
            continue
    raise InputError("A row is longer than a gigabyte; close the quotation mark that it probably lacks.")


def _with_cut_rows(table: Any, odd: list[Row], width: int) -> tuple[Any, list[Row], int]:
    """Put rows that are too long by blank cells alone into their places, without these cells."""
    long = [row for row in odd if len(row.cells) > width > row.last_filled and row.filled]
    if not long:
        return table, odd, 0
    cells = zip(*(row.cells[:width] for row in long), strict=True)
    added = pa.table(
        {name: pa.array(column, pa.string()) for name, column in zip(table.column_names, cells, strict=True)}
    )
    cut = [row.number for row in long]
    places = np.concatenate([_numbers(table.num_rows, odd), np.array(cut, dtype=np.int64)])
    table = pa.concat_tables([table, added]).take(pa.array(np.argsort(places, kind="stable"))).combine_chunks()
    # A set, as looking through a list for each row takes minutes where there are many.
    numbers = {*cut}
    return table, [row for row in odd if row.number not in numbers], len(cut)


def _tail(table: Any, odd: list[Row]) -> list[Row]:
    """Return the last rows in order, those of another width among them."""
    numbers = _numbers(table.num_rows, odd)
    first = max(0, table.num_rows - _TAIL)
    last = table.slice(first)
    cells = zip(*(column.to_pylist() for column in last.columns), strict=True)
    rows = [
        Row(int(number), [cell.strip(BLANKS) for cell in row])
        for number, row in zip(numbers[first:], cells, strict=True)
    ]
    return sorted([*rows, *odd], key=lambda row: row.number)


def _numbers(count: int, odd: list[Row]) -> npt.NDArray[np.int64]:
    """Return which record each row of the table is, where the odd ones count too."""
    everything = np.arange(count + len(odd), dtype=np.int64)
    return np.delete(everything, [row.number for row in odd]) if odd else everything


def _left_out(rows: list[Row], locate: partial[int]) -> list[str]:
    if not rows:
        return []
    first, last = locate(rows[0].number), locate(rows[-1].number)
    if first == last:
        return [f"Line {first:,} below the table was left out."]
    return [f"Lines {first:,} to {last:,} below the table were left out."]


def _refuse_ragged(rows: list[Row], width: int, locate: partial[int]) -> None:
    if not rows:
        return
    first, others = rows[0], len(rows) - 1
    cells = f"{len(first.cells):,} cell{'s' if len(first.cells) > 1 else ''}"
    more = f" ({others:,} more line{'s' if others > 1 else ''} like it)" if others else ""
    fix = "put cells that contain the separator in quotation marks"
    if any("\n" in cell for cell in first.cells):
        fix = "a quotation mark in it is missing or one too many, so close the mark, or double it within a cell"
    elif len(first.cells) < width:
        fix = "fill the row up or remove it"
        if others:
            fix += " (a spreadsheet leaves out blank cells at the ends of rows: fill its last column and save it again)"
    raise InputError(f"Line {locate(first.number):,} has {cells} but the table has {width:,} columns{more}; {fix}.")


def _without_rows(
    table: Any, numbers: npt.NDArray[np.int64], cells: Sequence[str]
) -> tuple[Any, npt.NDArray[np.int64], int]:
    """Take out the rows that hold just these cells, and say how many they are."""
    found = None
    for column, cell in zip(table.columns, cells, strict=True):
        # Most rows are settled by their first cell, and most tables by their first column.
        same = pc.equal(pc.utf8_trim(column, characters=BLANKS), cell) if len(column) else column
        found = same if found is None else pc.and_(found, same)
        if not len(column) or not pc.any(found).as_py():
            return table, numbers, 0
    return _without(table, numbers, found)


def _without_comments(table: Any, numbers: npt.NDArray[np.int64]) -> tuple[Any, npt.NDArray[np.int64], int]:
    """Take out comments that happen to have as many cells as a row, where they are few."""
    first = table.columns[0]
    if not len(first) or not pc.any(pc.match_substring(first, "#")).as_py():
        return table, numbers, 0
    found = pc.match_substring_regex(first, r"^\s*#+(\s|$)")
    return _without(table, numbers, found) if pc.sum(found).as_py() * _FEW < len(first) else (table, numbers, 0)


def _without(table: Any, numbers: npt.NDArray[np.int64], found: Any) -> tuple[Any, npt.NDArray[np.int64], int]:
    keep = pc.invert(found)
    kept = table.filter(keep)
    return kept, numbers[keep.to_numpy(zero_copy_only=False)], table.num_rows - kept.num_rows


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"
