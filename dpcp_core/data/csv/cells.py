r"""A first look at one column: numbers already, numbers in some way of writing, or text.

>>> import pyarrow as pa
>>> look(pa.chunked_array([["1,5", "?", "2,25"]])).marks
{'?': 1}
>>> look(pa.chunked_array([["007", "010"]])).text_because
'zeros'
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from dpcp_core.data.csv.digits import has_foreign_digits, plain_digits
from dpcp_core.data.csv.marks import FOLDED, FORMAL
from dpcp_core.data.csv.numbers import (
    Cells,
    Way,
    Written,
    are_numbers,
    plain,
    starts_with_zeros,
    ways_of,
)
from dpcp_core.data.csv.records import BLANKS
from dpcp_core.data.csv.shapes import code_shape

Reason = Literal["", "zeros", "plus", "exponents", "grades", "digits", "mixed", "ways", "decimal"]

_SAMPLE, _HALF = 1_000, 0.5
_FORMULA = r'^=\(?"([^"]*)"\)?$'
_DOT_GROUPS = Way(",", ".")


@dataclass(frozen=True)
class Look:
    """What a column may be.

    Attributes
    ----------
    cells : chunked array of str
        Without blanks around them, null where blank.
    values : chunked array of int64 or float64, or None
        The numbers, where there is one way to read them.
    written : Written or None
        The numbers, where the way of writing is still to be settled.
    marks : dict of str to int
        Marks among the numbers that stand for a missing one, with their counts.
    blank : int
        Number of blank cells.
    padded : bool
        Whether blanks stood around cells.
    formulas : bool
        Whether cells stood in formulas, as ``="007"`` does, to keep a spreadsheet from changing them.
    because : str
        What settled the way of writing, where the column alone does not, or empty.
    points : bool
        Whether the numbers have a decimal point for certain.
    text_because : str
        Why a column with numbers is text after all, or empty.
    first_other : int
        The first row whose cell is no number, in a column with many numbers, or -1.
    others : int
        Number of such rows.
    foreign_digits : bool
        Whether the numbers are written in digits of another script.
    """

    cells: Cells
    values: Cells | None = None
    written: Written | None = None
    marks: dict[str, int] = field(default_factory=dict)
    blank: int = 0
    padded: bool = False
    formulas: bool = False
    because: str = ""
    points: bool = False
    text_because: Reason = ""
    first_other: int = -1
    others: int = 0
    foreign_digits: bool = False


def look(raw: Cells, *, decimal: str | None = None, zeros_are_codes: bool = True) -> Look:
    """Look at the cells of a column.

    Parameters
    ----------
    raw
        Cells as they stand in the file.
    decimal
        The decimal mark of the file, where it is known.
    zeros_are_codes
        Whether numbers that begin with zeros are taken for codes.
    """
    cells = _blank_to_null(raw)
    values = plain(cells) if cells.null_count < len(cells) else None
    if values is not None and decimal != "," and not _may_be_groups(cells, values):
        points = pa.types.is_floating(values.type) and _has_point(cells)
        return Look(cells, values, blank=cells.null_count, points=points)
    return _closer_look(raw, decimal, zeros_are_codes)


def trimmed(raw: Cells) -> tuple[Cells, bool]:
    """Return cells without blanks around them, null where nothing is left, and whether cells had any."""
    bare = pc.utf8_trim(raw, characters=BLANKS)
    cells = _blank_to_null(bare)
    changed = pc.and_(pc.not_equal(bare, raw), pc.not_equal(bare, ""))
    return cells, bool(pc.any(changed).as_py())


def look_at_text(raw: Cells) -> Look:
    """Look at the cells of a column that is text whatever they are."""
    cells, padded = trimmed(raw)
    formulas = bool(pc.any(pc.match_substring_regex(cells.slice(0, _SAMPLE), _FORMULA)).as_py())
    if formulas:
        cells = _blank_to_null(pc.replace_substring_regex(cells, _FORMULA, r"\1"))
    return Look(cells, blank=cells.null_count, padded=padded, formulas=formulas)


def _closer_look(raw: Cells, decimal: str | None, zeros_are_codes: bool) -> Look:
    text = look_at_text(raw)
    marks = counts_of(text.cells, FOLDED)
    bare = without(text.cells, marks) if marks else text.cells
    if bare.null_count == len(bare):
        # Only what is never a word: a column of nothing but None may be an answer.
        empty = FORMAL.issuperset(marks)
        return replace(text, values=pc.cast(bare, pa.float64()), marks=marks) if empty else text
    if zeros_are_codes and code_shape(bare.drop_null()) == "grades":
        return replace(text, text_because="grades")
    if has_foreign_digits(bare):
        bare = plain_digits(bare)
        text = replace(text, foreign_digits=True)
    written = ways_of(bare)
    if not written.ways:
        return _look_at_others(text, bare)
    if decimal is not None:
        written = written.restricted(decimal)
        if not written.ways:
            return replace(text, text_because="decimal")
    if zeros_are_codes and starts_with_zeros(written.cells):
        return replace(text, text_because="zeros")
    if zeros_are_codes and (shape := code_shape(written.cells.drop_null())):
        return replace(text, text_because=shape)
    return settled(replace(text, written=written, marks=marks))


def settled(column: Look) -> Look:
    """Return the column with its numbers, if only one decimal mark is possible, or as text if they are too long."""
    written = column.written
    if written is None or len(written.decimals) > 1:
        return column
    try:
        return replace(column, values=written.values(), points=written.decimals == {"."})
    except OverflowError:
        return replace(column, written=None, marks={}, text_because="digits")


def _blank_to_null(cells: Cells) -> Cells:
    empty = pc.equal(cells, "")
    if not len(cells) or not pc.any(empty).as_py():
        return cells
    return pc.if_else(empty, pa.scalar(None, pa.string()), cells)


def _may_be_groups(cells: Cells, values: Cells) -> bool:
    """Whether the points of plain numbers may set off thousands (1.613); settled by a few cells as a rule."""
    if not pa.types.is_floating(values.type):
        return False
    sample = cells.slice(0, _SAMPLE).drop_null()
    for part in (sample, cells):
        if not pc.all(pc.match_substring_regex(part, _DOT_GROUPS.pattern)).as_py():
            return False
    return _has_point(cells)


def _has_point(cells: Cells) -> bool:
    return bool(
        pc.any(pc.match_substring(cells.slice(0, _SAMPLE), ".")).as_py()
        or pc.any(pc.match_substring(cells, ".")).as_py()
    )


def counts_of(cells: Cells, folded: Iterable[str]) -> dict[str, int]:
    """Count those of a column's values that are, in small letters, among the given ones."""
    among = pc.is_in(pc.utf8_lower(cells), value_set=pa.array(sorted(folded), pa.string()))
    counted = pc.value_counts(cells.filter(among)).to_pylist()
    return {entry["values"]: entry["counts"] for entry in counted}


def without(cells: Cells, values: Iterable[str]) -> Cells:
    """Return the cells, null where they are one of the values."""
    found = pc.is_in(cells, value_set=pa.array(sorted(values), pa.string()))
    return pc.if_else(found, pa.scalar(None, pa.string()), cells)


def _look_at_others(text: Look, cells: Cells) -> Look:
    """Say of text that half of it are numbers, and where the first other cell is."""
    if not (pc.mean(are_numbers(cells.slice(0, _SAMPLE))).as_py() or 0) >= _HALF:
        return text
    first, count = others(cells)
    if not count:
        return replace(text, text_because="ways")
    return replace(text, text_because="mixed", first_other=first, others=count)


def others(cells: Cells) -> tuple[int, int]:
    """Return the first row whose cell is neither missing nor a number, or -1, and how many there are."""
    other = pc.fill_null(pc.invert(are_numbers(cells)), False)
    return int(pc.index(other, True).as_py()), int(pc.sum(other).as_py() or 0)
