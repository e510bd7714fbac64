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

from collections.abc import Sequence
from typing import Literal

import pandas as pd

from dpcp_core import _validate
from dpcp_core.data import reading_names
from dpcp_core.data.dataset import Dataset, ReadingReport
from dpcp_core.data.reading_columns import read_columns
from dpcp_core.data.reading_dialect import SEPARATORS, find_dialect
from dpcp_core.data.reading_encoding import to_utf8
from dpcp_core.data.reading_layout import find_layout
from dpcp_core.data.reading_records import head
from dpcp_core.data.reading_source import Given, Source, load, refuse_markup
from dpcp_core.data.reading_table import TextTable, read_rows
from dpcp_core.data.reading_totals import without_total
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError

_HEAD = 200_000


def read_csv(
    source: Given,
    *,
    schema: Schema | None = None,
    name: str | None = None,
    max_rows: int | None = None,
    encoding: str | None = None,
    separator: str | None = None,
    decimal: Literal[".", ","] | None = None,
) -> Dataset:
    """Read a table from a CSV file.

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
    encoding, separator, decimal
        Where they are known; guessed if not given.

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

    >>> read_csv(b"age,weight\\n40,70\\n51\\n")
    Traceback (most recent call last):
        ...
    dpcp_core.errors.InputError: Line 3 has 1 cell but the table has 2 columns; fill the row up or remove it.
    """
    if max_rows is not None:
        max_rows = _validate.whole(max_rows=max_rows)
    if decimal is not None:
        _validate.one_of((".", ","), decimal=decimal)
    given = load(source)
    table, notes = _table(given, encoding, separator, schema.names if schema else ())
    if max_rows is not None and max_rows < table[0].n_rows:
        notes.append(f"Only the first {max_rows:,} of {table[0].n_rows:,} rows were read.")
        table = (table[0].head(max_rows), table[1])
    return _dataset(*table, notes, given, schema, decimal, name)
