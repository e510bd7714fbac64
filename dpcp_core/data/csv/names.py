"""The columns' final names, and which of them hold nothing.

>>> from dpcp_core.data.csv.table import text_table
>>> table = named(text_table({"": ["1", "2"], "age": ["40", "50"]}))
>>> table.names
('index', 'age')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pyarrow.compute as pc

from dpcp_core.data.column import did_you_mean
from dpcp_core.data.csv.header import unique_names
from dpcp_core.data.csv.numbers import Cells
from dpcp_core.data.csv.records import BLANKS
from dpcp_core.data.csv.table import TextTable
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError

INDEX = "index"


def named(table: TextTable, *, known: Sequence[str] = (), title: str = "The file") -> TextTable:
    """Drop columns without name and values, and give every other one a name of its own.

    Parameters
    ----------
    table
        Columns under the names in the file, which may be blank or repeated.
    known
        Names that a schema uses.
    title
        What a sentence about the file begins with.

    Raises
    ------
    InputError
        If fewer than two columns are left.
    """
    kept = [i for i, name in enumerate(table.names) if name or not _is_blank(table.columns[i])]
    notes = [*table.notes, *_dropped(len(table.names), kept)]
    if len(kept) < 2:
        raise InputError(f"{title} has only one column with values; a table needs at least two.")
    kept_table = table.only(kept)
    names = list(kept_table.names)
    if not names[0] and INDEX not in (*names, *known) and _counts_rows(kept_table.columns[0]):
        names[0] = INDEX
        notes.append(f"The first column has no name, numbers the rows, is called `{INDEX}` and is not used.")
    unique, renamed = unique_names(names)
    return replace(kept_table, names=unique, notes=(*notes, *renamed))


def _is_blank(column: Cells) -> bool:
    for part in (column.slice(0, 100), column):
        if not pc.all(pc.equal(pc.utf8_trim(part, characters=BLANKS), "")).as_py():
            return False
    return True


def _counts_rows(column: Cells) -> bool:
    whole = pc.all(pc.match_substring_regex(column, "^[0-9]+$")).as_py()
    return bool(whole and pc.count_distinct(column).as_py() == len(column))


def _dropped(width: int, kept: Sequence[int]) -> list[str]:
    count = width - len(kept)
    if not count:
        return []
    if count == 1:
        place = next(i for i in range(width) if i not in kept) + 1
        return [f"Column {place:,} of {width:,} has neither a name nor a value and was left out."]
    return [f"{count:,} of {width:,} columns have neither a name nor a value and were left out."]


def check_known(known: Sequence[str], names: Sequence[str]) -> None:
    """Refuse a file that lacks a column of the schema.

    Raises
    ------
    InputError
        Naming the column, and the column of the file that may be meant.
    """
    for name in known:
        if name not in names:
            raise InputError(
                f"The schema describes a column {name!r} that the file does not have"
                f"{did_you_mean(name, names)}; rename it or remove it from the schema."
            )


def ignoring_index(schema: Schema) -> Schema:
    """Return a drafted schema in which a column that numbers the rows predicts nothing."""
    return schema.with_role(INDEX, "ignore") if INDEX in schema.names else schema
