"""What one column leaves open is settled by the others, by the schema, or refused: is 1,234 large or small?

The evidence, in this order: what the schema allows; the decimal mark of columns that leave no choice; groups of
three digits beside smaller numbers that need no mark; the separator, for a comma between columns
would be a poor decimal mark within them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pyarrow.compute as pc  # type: ignore[import-untyped]

from dpcp_core.data.column import Column
from dpcp_core.data.reading_cells import Look, settled
from dpcp_core.data.reading_numbers import Cells, Written
from dpcp_core.data.reading_wording import Gathered
from dpcp_core.errors import InputError

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
    InputError
        If nothing tells what a mark means; the sentence names the column and the line.
    """
    open_ones = {name: column.written for name, column in looks.items() if column.values is None and column.written}
    if not open_ones:
        return dict(looks)
    evidence = _Evidence.of(looks, list(open_ones.values()), separator)
    chosen = dict(looks)
    for name, written in open_ones.items():
        own = described.get(name)
        decimal, because = _by_schema(written, own)
        if not decimal:
            decimal, because = evidence.decimal_of(written)
        if decimal:
            chosen[name] = settled(_with(looks[name], written.restricted(decimal)))
            notes.add(_reason(written, decimal, because), name)
        elif own is not None and own.role == "ignore":
            chosen[name] = _as_text(looks[name])
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

    def decimal_of(self, written: Written) -> tuple[str, str]:
        """Return the decimal mark of a column and why, or two empty strings."""
        if len(self.decimals) == 1:
            return next(iter(self.decimals)), "as in the other columns"
        if self.decimals:
            return "", ""
        if written.has(".") and written.has(","):
            return "", ""
        mark = "." if written.has(".") else ","
        commas_separate = self.separator == ","
        if self.grouped[mark]:
            # A point as thousands mark goes with a decimal comma, which would not be the separator as well.
            because = "they set off three digits each, and the smaller numbers have none"
            return ("", "") if mark == "." and commas_separate else (_OTHER[mark], because)
        if commas_separate:
            return ".", "" if mark == "." else "they set off three digits each, and commas separate the columns too"
        return "", ""


def _by_schema(written: Written, described: Column | None) -> tuple[str, str]:
    """Return the decimal mark that gives only numbers which the schema allows, if it is one."""
    if described is None or described.role == "ignore":
        return "", ""
    allowed = [mark for mark in _OTHER if _allows(described, written.restricted(mark))]
    return (allowed[0], "the schema allows nothing else") if len(allowed) == 1 else ("", "")


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


def _reason(written: Written, decimal: str, because: str) -> str:
    mark = "." if written.has(".") else ","
    use = "a decimal mark" if decimal == mark else "a thousands mark"
    why = f" ({because})" if because else ""
    return f"A {_NAMES[mark]} in the numbers of {{columns}} is taken for {use}{why}."


def _with(column: Look, written: Written) -> Look:
    from dataclasses import replace

    return replace(column, written=written)


def _as_text(column: Look) -> Look:
    from dataclasses import replace

    return replace(column, written=None, marks={})


def _ambiguous(name: str, written: Written, line: Callable[[int], int]) -> InputError:
    mark = "." if written.has(".") else ","
    first = pc.index(pc.fill_null(pc.match_substring(written.cells, mark), False), True).as_py()
    return InputError(
        f"Column {name!r} has numbers in which a {_NAMES[mark]} may be a decimal or a thousands mark (the first is "
        f"in line {line(first):,}), and nothing in the file tells; write them without thousands marks, or say "
        'decimal="." or decimal=",".'
    )
