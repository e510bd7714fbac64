r"""Rows that a missing quotation mark put into the cell before them.

Such a cell goes on over the ends of lines until the next quotation mark. Where the marks are even in number again, the
file can be read and rows are gone; what is left of them in the cell still fits the columns.

>>> from dpcp_core.data.csv.table import text_table
>>> refuse_swallowed(text_table({"n": ["1", "4"], "g": ["x\ny, z\n", "w"], "h": ["5", "6"]}), ",")
()
>>> refuse_swallowed(text_table({"n": ["1", "4"], "g": ["x,5\n2,y,6\n3,z", "w"], "h": ["5", "6"]}), ",")
Traceback (most recent call last):
    ...
dpcp_core.errors.InputError: The row in line 1 holds what looks like 2 more rows in one cell, as a ...
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow.compute as pc

from dpcp_core._words import count_text
from dpcp_core.data.csv.header import is_number
from dpcp_core.data.csv.numbers import Cells
from dpcp_core.data.csv.table import TextTable
from dpcp_core.errors import InputError

_LOOKED_AT, _MOSTLY = 100, 0.8
_MOST_CELLS = 1_000  # of several lines, in a column
_CERTAIN = 2  # numbers in their places
_FIX = "close the mark, or double it where it is part of the text"


def refuse_swallowed(table: TextTable, separator: str) -> tuple[str, ...]:
    """Refuse a table in which a cell of several lines holds rows; say where one may.

    Parameters
    ----------
    table
        Columns as they stand in the file.
    separator
        What separates them.

    Returns
    -------
    tuple of str
        A sentence where only one number speaks for it.

    Raises
    ------
    InputError
        Naming the line in which such a row begins.
    """
    of_several_lines = {place: rows for place, rows in enumerate(map(_rows_of_lines, table.columns)) if len(rows)}
    if not of_several_lines:
        return ()
    numeric = [_holds_numbers(column) for column in table.columns]
    doubtful = []
    for place, rows in of_several_lines.items():
        for row in map(int, rows[:_MOST_CELLS]):
            lines = [line.split(separator) for line in table.columns[place][row].as_py().split("\n")]
            numbers = _numbers_in_rows(lines, place, numeric)
            if numbers >= _CERTAIN:
                raise InputError(
                    f"The row in line {table.line(row):,} holds what looks like {_more_rows(lines)}; {_FIX}, and if "
                    "nothing is missing, write the cell in one line."
                )
            doubtful += [(row, lines)] if numbers else []
    if not doubtful:
        return ()
    row, lines = min(doubtful)
    return (f"The row in line {table.line(row):,} may hold {_more_rows(lines)}; if so, {_FIX}.",)


def _more_rows(lines: Sequence[object]) -> str:
    return f"{count_text(len(lines) - 1, 'more row')} in one cell, as a quotation mark that is missing leaves them"


def _rows_of_lines(column: Cells) -> np.ndarray:
    found = pc.match_substring(column, "\n")
    return np.flatnonzero(found.to_numpy(zero_copy_only=False)) if pc.any(found).as_py() else np.empty(0, np.int64)


def _holds_numbers(column: Cells) -> bool:
    cells = [cell for cell in column.slice(0, _LOOKED_AT).to_pylist() if cell]
    return bool(cells) and sum(map(is_number, cells)) >= _MOSTLY * len(cells)


def _numbers_in_rows(lines: Sequence[Sequence[str]], place: int, numeric: Sequence[bool]) -> int:
    """Count the numbers that stand where numbers belong, if the lines can be rows: the end of one, and so on."""
    first, *middle, last = lines
    width = len(numeric)
    if len(first) != width - place or len(last) != place + 1 or any(len(line) != width for line in middle):
        return 0
    # In a text a blank follows a comma, as in a list of doses; between cells hardly ever.
    if any(cell.startswith(" ") for line in lines for cell in line[1:]):
        return 0
    cells = [*zip(first[1:], numeric[place + 1 :], strict=True), *zip(last[:-1], numeric[:place], strict=True)]
    cells += [pair for line in middle for pair in zip(line, numeric, strict=True)]
    numbers = [bare for cell, wanted in cells if wanted and (bare := cell.strip(' "\r'))]
    return len(numbers) if all(map(is_number, numbers)) else 0
