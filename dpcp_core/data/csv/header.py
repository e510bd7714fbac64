"""Whether a line holds column names or values, and the names that one or more such lines give.

>>> joined_names([["id", "Seen?", ""], ["", "Film A", "Film B"]])
('id', 'Seen?: Film A', 'Seen?: Film B')
>>> unique_names(("age", "age", ""))[0]
('age', 'age_2', 'column_3')
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from dpcp_core.data.csv.marks import is_mark
from dpcp_core.data.csv.records import Record
from dpcp_core.data.csv.wording import listed

_NUMBER = re.compile(r"[-+\u2212]?\W{0,3}\d[\d.,٫٬'’\s]*([eE][-+]?[0-9]+)?\s*[%€$£]?|[-+]?[.,][0-9]+")
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1b\x7f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_YEAR = re.compile(r"(18|19|20)[0-9]{2}")
_RULER = re.compile(r"[-=_:+| ]*(-{3,}|={3,}|_{3,})[-=_:+| ]*")
_IMPORT = re.compile(r'\{"+ImportId"+\s*:')
_MOSTLY, _HALF = 0.8, 0.5
_FEWEST_ROWS, _CELLS = 10, 10_000  # looked at, to tell which columns hold numbers
_ANSWER = {"response", "open-ended response"}  # what survey tools write below a question with one answer


def is_ruler(row: Record) -> bool:
    """Whether a line only separates names from rows, with dashes or the like."""
    return row.filled > 0 and all(map(_RULER.fullmatch, filter(None, row.cells)))


def is_import_row(row: Record) -> bool:
    """Whether a line holds what a survey tool adds for its own use below names and questions."""
    return row.filled > 0 and all(map(_IMPORT.match, filter(None, row.cells)))


def has_numbers(body: Sequence[Record]) -> bool:
    """Whether half of a column or more are numbers."""
    return bool(_numeric_columns(body, _HALF))


def is_number(cell: str) -> bool:
    """Whether a cell looks like a number in some country's way of writing."""
    return _NUMBER.fullmatch(cell) is not None


def is_data(row: Record, body: Sequence[Record]) -> bool:
    """Whether a line holds values rather than names, judged by the rows below it."""
    numeric = _numeric_columns(body)
    if not numeric:
        return _repeats_below(row, body)
    cells = [row.cells[j] for j in numeric if row.cells[j] and not is_mark(row.cells[j])]
    if not cells or not all(map(is_number, cells)):
        return False
    return not are_numbered_names(row, body)


def are_numbered_names(row: Record, body: Sequence[Record]) -> bool:
    """Whether the cells above columns of numbers are themselves numbers, but such as name columns."""
    numeric = _numeric_columns(body)
    cells = [row.cells[j] for j in numeric if row.cells[j] and not is_mark(row.cells[j])]
    return _counts_up(row.cells, numeric) or _are_years(cells, body, numeric)


def is_second_row(header: Record, row: Record, body: Sequence[Record]) -> bool:
    """Whether the line below a header goes on with it: text where the columns hold numbers."""
    numeric = _numeric_columns(body)
    if len(numeric) < 2 or len(body) < 2:
        return False
    filled = [row.cells[j] for j in numeric if row.cells[j] and not is_mark(row.cells[j])]
    spanning = header.filled < header.width
    if any(map(is_number, filled)):
        return False
    return len(filled) * 2 >= len(numeric) if spanning else len(filled) == len(numeric)


def joined_names(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Join the rows of a header into one name per column; a spanning cell counts for the columns after it."""
    rows = [[plain_name(cell) for cell in row] for row in rows]
    names = rows[0]
    for below in rows[1:]:
        # Units stand below names that are all there; parts of a question below the question.
        form = "{} ({})" if all(names) else "{}: {}"
        names = [_joined(form, above, part) for above, part in zip(_spread(names, below), below, strict=True)]
    return tuple(names)


def plain_name(cell: str) -> str:
    r"""Return a name without line ends, double blanks and what cannot be seen.

    >>> plain_name("blood\n pres\u200bsure\ufeff")
    'blood pressure'
    """
    return " ".join(_UNSEEN.sub("", cell).split())


def unique_names(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return names that are all there and all different, and what was changed in words."""
    taken = set(names)
    seen: set[str] = set()
    result: list[str] = []
    blank: list[str] = []
    repeated: list[str] = []
    for i, name in enumerate(names):
        wanted = name or f"column_{i + 1}"
        if not name or name in seen:
            wanted = _free(wanted, taken) if name or wanted in taken else wanted
            (repeated if name else blank).append(wanted)
        taken.add(wanted)
        seen.add(wanted)
        result.append(wanted)
    return tuple(result), (*_told(blank, "without a name"), *_told(repeated, "with a name used before"))


def _numeric_columns(body: Sequence[Record], share: float = _MOSTLY) -> list[int]:
    if not body:
        return []
    body = body[: max(_FEWEST_ROWS, _CELLS // body[0].width)]
    columns = []
    for j in range(body[0].width):
        cells = [record.cells[j] for record in body if record.cells[j] and not is_mark(record.cells[j])]
        if cells and sum(map(is_number, cells)) >= share * len(cells):
            columns.append(j)
    return columns


def _repeats_below(row: Record, body: Sequence[Record]) -> bool:
    """Whether most cells occur again further down their column, as values do and names do not."""
    others = [below.cells for below in body if below.cells != row.cells]  # names may be repeated as a whole
    columns = [({cells[j] for cells in others} - {""}, cell) for j, cell in enumerate(row.cells)]
    # Where several answers are allowed, each has a column that holds nothing but its own name.
    again = sum(cell in values and len(values) > 1 for values, cell in columns)
    return again * 2 > row.filled


def _counts_up(cells: Sequence[str], numeric: Sequence[int]) -> bool:
    """Whether the cells number the columns from 0 or 1."""
    if len(numeric) < 3:
        return False
    return any(all(cells[j] == str(j + first) for j in numeric) for first in (0, 1))


def _are_years(cells: Sequence[str], body: Sequence[Record], numeric: Sequence[int]) -> bool:
    if len(cells) < 2 or not all(map(_YEAR.fullmatch, cells)):
        return False
    rising = all(one < other for one, other in pairwise(cells))
    below = [record.cells[j] for record in body for j in numeric if record.cells[j]]
    return rising and sum(map(bool, map(_YEAR.fullmatch, below))) * 2 < len(below)


def _spread(names: Sequence[str], below: Sequence[str]) -> list[str]:
    spread: list[str] = []
    for name, part in zip(names, below, strict=True):
        spread.append(name or (spread[-1] if part and spread else ""))
    return spread


def _joined(form: str, above: str, part: str) -> str:
    if not above or not part or above == part or part.casefold() in _ANSWER:
        return above or part
    return form.format(above, part)


def _free(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def _told(names: Sequence[str], what: str) -> tuple[str, ...]:
    if not names:
        return ()
    count = "1 column came" if len(names) == 1 else f"{len(names):,} columns came"
    return (f"{count} {what} and {'is' if len(names) == 1 else 'are'} called {listed(names)}.",)
