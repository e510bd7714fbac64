r"""Where the table begins: what stands above it, which lines hold the column names, and how wide it is.

>>> from dpcp_core.data.csv.dialect import Dialect
>>> from dpcp_core.data.csv.records import head
>>> layout = find_layout(head(b"Ward 7\n\nage,weight\n40,70\n50,80\n", Dialect(",")))
>>> layout.names, layout.line
(('age', 'weight'), 4)
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from dpcp_core.data.csv.header import (
    are_numbered_names,
    has_numbers,
    is_data,
    is_import_row,
    is_ruler,
    is_second_row,
    joined_names,
    plain_name,
)
from dpcp_core.data.csv.records import Record
from dpcp_core.errors import InputError

_BEHIND_HASH = re.compile(r"#+ +[^# ]")  # as programs comment a line of names out
_UPPER_ROWS, _FEWEST_FULL = 2, 3


_NAMES_GUESSED = (
    "No column holds numbers to tell names from values, so line {} was taken for the names; if it is a row, put a line "
    "of names above it."
)


@dataclass(frozen=True)
class Layout:
    """Where the rows begin, and what the columns are called.

    Attributes
    ----------
    names : tuple of str
        One per column, as in the file: blank where there is none.
    start : int
        Offset of the first byte of the rows.
    line : int
        The line in which the rows begin.
    notes : tuple of str
    """

    names: tuple[str, ...]
    start: int
    line: int
    notes: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """Number of cells in a row."""
        return len(self.names)


def find_layout(records: Sequence[Record], *, known: Sequence[str] = (), title: str = "The file") -> Layout:
    """Find the header and the first row of the table.

    Parameters
    ----------
    records
        The first records of the file.
    known
        Column names that a schema gives; a line with most of them is the header.
    title
        What a sentence about the file begins with.

    Raises
    ------
    InputError
        If there is no table of at least two columns, or names and rows do not fit together.
    """
    width = _table_width(records)
    if width < 2:
        raise InputError(
            f"{title} has only one column; separate the columns by commas, semicolons, tabs or vertical bars."
        )
    named = _line_of_known_names(records, set(known))
    if named is not None:
        return _layout(records, [named], _fitted(records, named, width))
    main = _first_full(records, width)
    if lower := _rows_above_import_row(records, main):
        return _layout(records, lower, width)
    upper = _upper_rows(records, main, width)
    body = [record for record in records[main + 1 :] if record.width == width]
    if upper:
        rows = upper if is_data(records[main], body) else [*upper, main]
        return _layout(records, rows, width)
    numbered = are_numbered_names(records[main], body)
    names_above = main > 0 and records[main - 1].filled > 1
    if is_data(records[main], body) or (numbered and names_above):
        return _without_full_header(records, main, width)
    rows = [main, main + 1] if body and is_second_row(records[main], body[0], body[1:]) else [main]
    layout = _layout(records, rows, width)
    if len(rows) == 1 and body and not has_numbers(body):
        return replace(layout, notes=(*layout.notes, _NAMES_GUESSED.format(f"{records[main].line:,}")))
    if not numbered:
        return layout
    note = f"Line {records[main].line:,} holds years or counts; they were taken for names of columns, not for values."
    return replace(layout, notes=(*layout.notes, note))


def _table_width(records: Sequence[Record]) -> int:
    """Return the number of cells that most lines have; wider lines weigh more, for prose is narrow."""
    counts = Counter(record.width for record in records if record.filled > 1)
    first = next((record for record in records if record.filled > 1), None)
    # Where a spreadsheet left blank last cells out of most rows, the names are still all there.
    if first and first.width == first.filled == max(counts) and counts[first.width] >= _FEWEST_FULL:
        return first.width
    return max(counts, key=lambda width: (counts[width] * math.log2(width), width)) if counts else 0


def _line_of_known_names(records: Sequence[Record], known: set[str]) -> int | None:
    if not known:
        return None
    hits = [len(known.intersection(map(plain_name, record.cells))) for record in records]
    best = max(range(len(hits)), key=hits.__getitem__)
    return best if hits[best] * 2 > len(known) else None


def _fitted(records: Sequence[Record], header: int, width: int) -> int:
    own = records[header].width
    return width if any(record.width == width for record in records[header + 1 :]) else own


def _first_full(records: Sequence[Record], width: int) -> int:
    wanted = max(2, math.ceil(width / 2))
    fitting = [i for i, record in enumerate(records) if record.width == width and record.filled > 1]
    full = (i for i in fitting if records[i].filled >= wanted and not _is_label(records[i]))
    return next(full, fitting[0])


def _rows_above_import_row(records: Sequence[Record], main: int) -> list[int]:
    """Return the rows of names where a survey tool's own row of marks ends them: names, often questions as well."""
    for i in range(main + 1, min(main + 3, len(records))):
        if is_import_row(records[i]):
            return [*range(main, i)]
    return []


def _is_label(record: Record) -> bool:
    """Whether a line is a label with its value, such as "Region: North", beside blank cells."""
    return record.last_filled == 1 < record.width - 1


def _upper_rows(records: Sequence[Record], main: int, width: int) -> list[int]:
    """Return rows of names above the fullest one, as spanning cells leave them: blank in between."""
    rows: list[int] = []
    for i in range(main - 1, max(-1, main - 1 - _UPPER_ROWS), -1):
        record = records[i]
        if record.width != width or record.filled < 2 or _is_label(record):
            break
        rows.insert(0, i)
    return rows


def _without_full_header(records: Sequence[Record], main: int, width: int) -> Layout:
    above = records[main - 1] if main else None
    if above is None or not (above.filled > 1 or (above.width == width == above.last_filled + 1)):
        names = tuple(f"column_{i + 1}" for i in range(width))
        begins = records[main].line
        note = (
            f"Line {begins:,} holds values like those below it, so the columns have no names in the file "
            f"and are called column_1 to column_{width}."
        )
        start = records[main - 1].end if main else 0
        return Layout(names, start, begins, (*_skipped(begins - 1), note))
    return _layout(records, [main - 1], width)


def _layout(records: Sequence[Record], rows: Sequence[int], width: int) -> Layout:
    header = [_fit_header(records[i], width, records[rows[-1] + 1 :]) for i in rows]
    first, end = header[0].line, header[-1]
    notes = [*_skipped(first - 1)]
    if len(header) > 1:
        notes.append(f"Lines {first:,} to {end.last_line:,} hold the column names, which were joined.")
    elif first > 1:
        notes.append(f"Line {first:,} holds the column names.")
    if header[0].width < records[rows[0]].width:
        notes.append(f"The names end in {records[rows[0]].width - width} blank ones, which were left out.")
    if records[rows[0]].width < header[0].width and not header[0].cells[0]:
        notes.append(
            f"Line {first:,} has one name fewer than the rows have cells, so the first column was taken for row names; "
            "if a cell contains the separator instead, put it in quotation marks."
        )
    below = records[rows[-1] + 1] if rows[-1] + 1 < len(records) else None
    if below and (is_ruler(below) or is_import_row(below)):
        end = below
        what = "only rules a line" if is_ruler(below) else "holds a survey tool's own marks"
        notes.append(f"Line {end.line:,} {what} and was left out.")
    names = joined_names([row.cells for row in header])
    if _BEHIND_HASH.match(names[0]):
        names = (names[0].lstrip("# "), *names[1:])
        notes.append("The # before the names was taken off.")
    return Layout(names, end.end, end.last_line + 1, tuple(notes))


def _fit_header(record: Record, width: int, below: Sequence[Record]) -> Record:
    """Give the header as many cells as the rows have, where only a blank one is at stake."""
    if record.last_filled < width <= record.width:
        return replace(record, cells=record.cells[:width])
    if record.width == width - 1:
        body = [row.cells for row in below if row.width == width and not is_ruler(row)]
        if not any(cells[-1] for cells in body):
            return replace(record, cells=[*record.cells, ""])
        first = [cells[0] for cells in body]
        # Row names are all different, and rise if they are numbers; otherwise a cell holds the separator, as a decimal
        # comma is one, and each name would stand a column off.
        if len({*first}) == len(first) and _may_number_rows(first):
            return replace(record, cells=["", *record.cells])
    raise InputError(
        f"Line {record.line:,} names {record.width:,} columns but the rows below it have {width:,} cells; "
        "give every column one name, and put cells that contain the separator, as numbers with a decimal comma may, in "
        "quotation marks."
    )


def _may_number_rows(cells: Sequence[str]) -> bool:
    if not all(cell.isdecimal() for cell in cells):
        return True
    return all(int(one) < int(other) for one, other in pairwise(cells))


def _skipped(count: int) -> tuple[str, ...]:
    if not count:
        return ()
    lines = "The first line stands" if count == 1 else f"The first {count:,} lines stand"
    return (f"{lines} above the table and {'was' if count == 1 else 'were'} left out.",)
