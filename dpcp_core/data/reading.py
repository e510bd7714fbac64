r"""Reads a CSV file as people have them: any separator, encoding or way of writing numbers.

How do I read a file?  ``data = read_csv("patients.csv")``.

What did it guess?  Every guess is a sentence in ``data.report.notes``.

What if it cannot tell?  It refuses, with the line and the fix: a number is never read wrongly in silence.

>>> data = read_csv(b"Ward 7;;\n\nage;weight;smoker\n40;70,5;no\n51;?;yes\n")
>>> data.frame["weight"].tolist(), data.frame["smoker"].tolist()
([70.5, nan], ['no', 'yes'])
>>> for note in data.report.notes[:3]: print(note)
Semicolons separate the columns.
The first 2 lines stand above the table and were left out.
Line 3 holds the column names.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pandas as pd

from dpcp_core import _validate
from dpcp_core.data.csv.columns import read_columns
from dpcp_core.data.csv.dialect import SEPARATORS, closed_up, find_dialect, said_separator, unwrapped, without_tails
from dpcp_core.data.csv.doubts import of_table
from dpcp_core.data.csv.encoding import to_utf8
from dpcp_core.data.csv.layout import find_layout
from dpcp_core.data.csv.names import check_known, ignoring_index, named
from dpcp_core.data.csv.quotes import refuse_swallowed
from dpcp_core.data.csv.records import head, refuse_unclosed
from dpcp_core.data.csv.source import MOST_BYTES, Given, Source, load, refuse_markup
from dpcp_core.data.csv.table import TextTable, read_rows
from dpcp_core.data.csv.totals import find_total
from dpcp_core.data.csv.wording import listed
from dpcp_core.data.dataset import Dataset, ReadingReport, filled_rows
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError

_HEAD = 200_000


def read_csv(
    source: Given,
    *,
    schema: Schema | None = None,
    name: str | None = None,
    max_rows: int | None = None,
    max_bytes: int = MOST_BYTES,
    encoding: str | None = None,
    separator: str | None = None,
    decimal: Literal[".", ","] | None = None,
    leave_out_empty: str | None = None,
) -> Dataset:
    r"""Read a table from a CSV file.

    Parameters
    ----------
    source
        A path, the file's contents as bytes, or an open file; gzip is unpacked.
    schema
        What the columns are. They are then read as it says: categories stay text, ``None`` or ``NA`` among them,
        and a column of numbers must hold numbers. Drafted from the rows if not given.
    name
        What to call the data on screen; the file's name without its ending if not given.
    max_rows
        Read only so many rows; all if not given.
    max_bytes
        Refuse a packed file that unpacks to more; 4 GB if not given.
    encoding, separator, decimal
        Where they are known; guessed if not given.
    leave_out_empty
        A column, such as the target, without which a row is of no use: rows that lack it are left out, counted and
        told, and how many are left counts as public.

    Returns
    -------
    Dataset
        Numbers as int64, or as float64 where they have decimals or some are missing; all else as text. A missing
        cell is NaN. ``report.notes`` has a sentence for every guess.

    Raises
    ------
    InputError
        If there is no table to read, or part of it can be read in two ways. The sentence names the line or the
        column and says what to do; it never shows what a cell holds.

    Notes
    -----
    **Privacy**: reading spends nothing and releases nothing. Notes and errors name columns, lines and marks
    for missing values, never other contents of a cell.

    >>> read_csv(b"age,weight\n40,70\n51\n")
    Traceback (most recent call last):
        ...
    dpcp_core.errors.InputError: Line 3 has 1 cell but the table has 2 columns; fill the row up or remove it.
    """
    if max_rows is not None:
        max_rows = _validate.whole(max_rows=max_rows)
    if decimal is not None:
        _validate.one_of((".", ","), decimal=decimal)
    given = load(source, name=name, max_bytes=_validate.whole(max_bytes=max_bytes))
    table, separator, notes = _table(given, encoding, separator, schema.names if schema else ())
    if max_rows is not None and max_rows < table.n_rows:
        notes.append(f"Only the first {max_rows:,} of {table.n_rows:,} rows were read.")
        table = table.head(max_rows)
    described = {column.name: column for column in schema.columns} if schema else {}
    check_known(tuple(described), table.names)
    columns = read_columns(table, separator, described=described, decimal=decimal)
    total = find_total(columns.frame)
    if total.is_proved:
        table = table.head(table.n_rows - 1)
        columns = read_columns(table, separator, described=described, decimal=decimal)
    notes += [*columns.notes, *total.notes(table.line), *of_table(columns.frame)]
    frame = columns.frame
    if leave_out_empty is not None:
        frame, note = filled_rows(frame, leave_out_empty)
        # First, for what follows speaks of how the file is written, and this of who is in the table.
        notes = [note, *notes] if note else notes
    filled = () if leave_out_empty is None else (leave_out_empty,)
    return _dataset(frame, schema, notes, given, name, filled)


def _table(
    given: Source, encoding: str | None, separator: str | None, known: tuple[str, ...]
) -> tuple[TextTable, str, list[str]]:
    """Return the rows as text under their final names, what separates them, and what was guessed."""
    text = to_utf8(given.data, encoding=encoding, title=given.title)
    refuse_markup(given.title, text.data[:_HEAD])
    data, was_wrapped = unwrapped(text.data)
    data, had_tails = without_tails(data)
    named_by_file = said_separator(data) if separator is None else None
    separator = named_by_file if separator is None else separator
    dialect = find_dialect(data[:_HEAD].decode("utf-8", "ignore"), separator=separator)
    data = closed_up(data, dialect)
    refuse_unclosed(data, dialect)
    layout = find_layout(head(data, dialect), known=known, title=given.title)
    rows = read_rows(data, dialect, layout)
    if not rows.n_rows:
        raise InputError(f"{given.title} has column names but no rows below them; give at least one row.")
    doubts = refuse_swallowed(rows, dialect.separator) if dialect.quote.encode() in data else ()
    table = named(rows, known=known, title=given.title)
    which = SEPARATORS.get(dialect.separator, f"Characters {dialect.separator!r}")
    separated = f"{which} separate the columns{', as the first line says' if named_by_file else ''}."
    wrapped = ["Quotation marks around whole lines were taken off."] if was_wrapped else []
    wrapped += ["Semicolons behind whole lines were taken off."] if had_tails else []
    notes = [*given.notes, *text.notes, *wrapped, separated, *layout.notes, *table.notes, *doubts]
    return table, dialect.separator, notes


def _dataset(
    frame: pd.DataFrame,
    schema: Schema | None,
    notes: list[str],
    given: Source,
    name: str | None,
    filled: tuple[str, ...],
) -> Dataset:
    """Put rows, description and report together; columns that the schema lacks are carried along unused."""
    if schema is None:
        drafted, more = Schema.draft_with_notes(frame)
        full = ignoring_index(drafted)
    else:
        full, more = _with_unused(schema, frame)
    report = ReadingReport.of(frame, notes=(*notes, *more), source=given.name, filled=filled)
    return Dataset.from_frame(frame, full, name=given.stem if name is None else name, report=report)


def _with_unused(schema: Schema, frame: pd.DataFrame) -> tuple[Schema, tuple[str, ...]]:
    extra = [column for column in frame.columns if column not in schema.names]
    if not extra:
        return schema, ()
    ignored = tuple(replace(column, role="ignore") for column in Schema.draft(frame[extra]).columns)
    note = f"The schema does not describe {listed(extra)}, so nothing uses {'it' if len(extra) == 1 else 'them'}."
    return schema.replace(columns=(*schema.columns, *ignored)), (note,)
