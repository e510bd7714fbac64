"""What one column leaves open is settled by the others, by the schema, or refused: is 1,234 large or small?

The evidence, in this order: the decimal mark of columns that leave no choice; what the schema allows; groups of
three digits beside smaller numbers that need no mark; the separator, for a comma between columns
would be a poor decimal mark within them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import pyarrow.compute as pc

from dpcp_core.data.column import Column
from dpcp_core.data.csv.cells import Look, settled
from dpcp_core.data.csv.numbers import Cells, Written
from dpcp_core.data.csv.wording import Gathered
from dpcp_core.errors import DecimalMarkError

_ENOUGH = 3
_OTHER = {".": ",", ",": "."}
_NAMES = {".": "point", ",": "comma"}


def settle(
    looks: Mapping[str, Look],
    separator: str,
    described: Mapping[str, Column],
    notes: Gathered,
    line: Callable[[int], int],
) -> dict[str, Look]:
    """Choose a way of writing for every column of numbers.

    Parameters
    ----------
    looks
        The columns as they look alone.
    separator
        What separates the columns.
    described
        What a schema says of them.
    notes
        Gets a sentence for every column that the others settled.
    line
        Gives the line of a row, for the refusal.

    Raises
    ------
    DecimalMarkError
        If nothing tells what a mark means; the sentence names the column and the line.
    """
    open_ones = {name: column.written for name, column in looks.items() if column.values is None and column.written}
    if not open_ones:
        return dict(looks)
    evidence = _Evidence.of(looks, list(open_ones.values()), separator)
    chosen = dict(looks)
    for name, written in open_ones.items():
        own = described.get(name)
        decimal, because = evidence.of_file(written, own)
        if decimal:
            chosen[name] = settled(replace(looks[name], written=written.restricted(decimal), because=because))
        elif own is not None and own.role == "ignore":
            chosen[name] = replace(looks[name], written=None, marks={})
            notes.add("{columns} {hold} numbers that can be read in two ways and {were} kept as text.", name)
        else:
            raise _ambiguous(name, written, line)
    return chosen


@dataclass(frozen=True)
class _Evidence:
    """What the file shows of its decimal mark."""

    decimals: frozenset[str]
    grouped: Mapping[str, bool]
    separator: str

    @classmethod
    def of(cls, looks: Mapping[str, Look], open_ones: list[Written], separator: str) -> _Evidence:
        decimals = {"."} if any(column.points for column in looks.values()) else set()
        for column in looks.values():
            if column.values is not None and column.written is not None:
                decimals |= column.written.decimals
        grouped = {mark: _are_groups(open_ones, mark) for mark in _OTHER}
        return cls(frozenset(decimals), grouped, separator)

    def of_file(self, written: Written, described: Column | None) -> tuple[str, str]:
        """Return the decimal mark of a column and why, or two empty strings."""
        (elsewhere,) = self.decimals if len(self.decimals) == 1 else ("",)
        # Groups of three digits beside small numbers would be odd decimals, whatever the other columns hold.
        if elsewhere and not _are_groups([written], elsewhere):
            return elsewhere, "as in the other columns"
        allowed = _by_schema(written, described)
        return (allowed, "the schema allows nothing else") if allowed else self._of_columns(written)

    def _of_columns(self, written: Written) -> tuple[str, str]:
        if self.decimals or (written.has(".") and written.has(",")):
            return "", ""
        mark = "." if written.has(".") else ","
        commas_separate = self.separator == ","
        if self.grouped[mark]:
            # A point as thousands mark goes with a decimal comma, which would not be the separator as well.
            because = "they set off three digits each, and the smaller numbers have none"
            return ("", "") if mark == "." and commas_separate else (_OTHER[mark], because)
        if commas_separate:
            return ".", "" if mark == "." else "they set off three digits each, and separate the columns too"
        return "", ""


def _by_schema(written: Written, described: Column | None) -> str:
    """Return the decimal mark that gives only numbers which the schema allows, if it is one."""
    if described is None or described.role == "ignore":
        return ""
    allowed = [mark for mark in _OTHER if _allows(described, written.restricted(mark))]
    return allowed[0] if len(allowed) == 1 else ""


def _allows(described: Column, written: Written) -> bool:
    try:
        values = written.values()
    except OverflowError:
        return False
    low, high = pc.min(values).as_py(), pc.max(values).as_py()
    if described.bounds and not (described.bounds[0] <= low and high <= described.bounds[1]):
        return False
    return described.kind != "integer" or bool(pc.all(pc.equal(values, pc.floor(values))).as_py())


def _are_groups(columns: list[Written], mark: str) -> bool:
    """Whether a mark stands in large numbers only, while the small ones beside them do without."""
    small = large = grouped = 0
    for column in columns:
        if column.has(mark):
            small += _count(column.cells, "^[-+]?[0-9]{1,3}$")
            large += _count(column.cells, "^[-+]?[0-9]{4,}$")
            grouped += _count(column.cells, f"[{mark}]")
    return small >= _ENOUGH and grouped >= _ENOUGH and not large


def _count(cells: Cells, pattern: str) -> int:
    return int(pc.sum(pc.match_substring_regex(cells, pattern)).as_py() or 0)


def _ambiguous(name: str, written: Written, line: Callable[[int], int]) -> DecimalMarkError:
    mark = "." if written.has(".") else ","
    first = pc.index(pc.fill_null(pc.match_substring(written.cells, mark), False), True).as_py()
    return DecimalMarkError(
        f"Column {name!r} has numbers in which a {_NAMES[mark]} may be a decimal or a thousands mark (the first is "
        f"in line {line(first):,}), and nothing in the file tells; write them without thousands marks, or say which "
        'the decimal mark is: decimal="." or decimal=",".'
    )
