"""A table with its public description, a digest of its contents, and a report of how it was read.

>>> frame = pd.DataFrame({"age": [30, 40], "smoker": ["no", "yes"]})
>>> data = Dataset.from_frame(frame, name="two people")
>>> data.n_rows, data.schema.names
(2, ('age', 'smoker'))
>>> data == Dataset.from_frame(frame)
True
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pandas as pd

from dpcp_core.data.column import did_you_mean
from dpcp_core.data.digest import frame_digest
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError


@dataclass(frozen=True)
class ReadingReport:
    """How a table was read: every guess in words, and what is missing.

    Parameters
    ----------
    notes
        One sentence per guess, in the order they were made.
    source
        Where the rows came from, e.g. a file's name.
    n_rows, n_columns
        The table's size.
    missing
        Number of empty cells, for the columns that have any.
    filled
        Columns without which rows were to be left out, whether any were or not.
    """

    notes: tuple[str, ...] = ()
    source: str = ""
    n_rows: int = 0
    n_columns: int = 0
    missing: Mapping[str, int] = field(default_factory=dict)
    filled: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, frame: pd.DataFrame, *, notes: tuple[str, ...] = (), source: str = "", filled: tuple[str, ...] = ()
    ) -> ReadingReport:
        """Return the report of a table, its empty cells counted."""
        empty = {str(name): int(count) for name, count in frame.isna().sum().items() if count}
        return cls(tuple(notes), source, n_rows=len(frame), n_columns=frame.shape[1], missing=empty, filled=filled)


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Rows with a schema; made by :meth:`from_frame`, never changed.

    Attributes
    ----------
    frame : DataFrame of shape (n_rows, n_columns)
        The rows, numbered from 0. Each access gives a view that can be changed without changing the dataset.
    schema : Schema
    digest : str
        SHA-256 over column names, kinds of cells, every cell and the schema. Equal digests mean equal data.
    report : ReadingReport
    name : str

    Notes
    -----
    **Privacy**: a dataset holds private rows; its digest is a function of them and is no release either.
    """

    _frame: pd.DataFrame
    schema: Schema
    digest: str
    report: ReadingReport
    name: str = ""
    _cells: str = ""

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        schema: Schema | None = None,
        name: str = "",
        report: ReadingReport | None = None,
    ) -> Dataset:
        """Make a dataset from a copy of a table.

        Parameters
        ----------
        frame : DataFrame of shape (n_rows, n_columns)
            Column names become text and must differ; the index is dropped.
        schema
            The public description; columns it does not name are carried along unused. Drafted if not given.
        name
            What to call the data on screen.
        report
            How it was read; made from the table if not given.

        Raises
        ------
        InputError
            If the table is empty, has a name twice, or does not fit the schema.
        """
        copied = _copied(frame)
        notes: tuple[str, ...] = ()
        if schema is None:
            schema, notes = Schema.draft_with_notes(copied)
        else:
            schema.check(copied)
        if report is None:
            report = ReadingReport.of(copied, notes=notes)
        cells = frame_digest(copied)
        return cls(copied, schema, _digest(cells, schema), report, name, cells)

    @property
    def frame(self) -> pd.DataFrame:
        """The rows."""
        return self._frame.copy(deep=False)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self._frame)

    @property
    def rows_digest(self) -> str:
        """SHA-256 over column names and cells alone: the same under every description of the same rows."""
        return self._cells

    def with_schema(self, schema: Schema) -> Dataset:
        """Return the same rows under another description (the cells are not hashed again).

        Raises
        ------
        InputError
            If the rows do not fit the schema.
        """
        schema.check(self._frame)
        return replace(self, schema=schema, digest=_digest(self._cells, schema))

    def where_filled(self, name: str) -> Dataset:
        """Return the rows in which a column has a value; the report says how many were left out.

        Raises
        ------
        InputError
            If there is no such column, or it is empty in every row.

        Notes
        -----
        **Privacy**: neighbouring tables have the same number of rows. Whoever leaves rows out takes for public how many
        are left: as a private number, it would have to be paid for.

        >>> data = Dataset.from_frame(pd.DataFrame({"age": [30, 40, 50], "dose": [1.5, None, 2.5]}))
        >>> data.where_filled("dose").report.notes
        ('1 of 3 rows is empty in `dose` and was left out; that 2 are left counts as publicly known.',)
        """
        frame, note = filled_rows(self._frame, name)
        filled = tuple(dict.fromkeys((*self.report.filled, name)))
        if not note:
            return replace(self, report=replace(self.report, filled=filled))
        notes = (note, *self.report.notes)
        report = ReadingReport.of(frame, notes=notes, source=self.report.source, filled=filled)
        return Dataset.from_frame(frame, self.schema, name=self.name, report=report)

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, Dataset) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        shape = f"{self.n_rows:,} rows x {self._frame.shape[1]:,} columns"
        return f"Dataset({self.name or 'unnamed'!r}, {shape}, digest {self.digest[:12]})"


def filled_rows(frame: pd.DataFrame, name: str) -> tuple[pd.DataFrame, str]:
    """Return the rows in which a column has a value, and a sentence if that is not all of them.

    Raises
    ------
    InputError
        If there is no such column, or it is empty in every row.
    """
    if name not in frame.columns:
        raise InputError(
            f"The table has no column {name!r}{did_you_mean(str(name), map(str, frame.columns))}; name one of its own."
        )
    filled = frame[name].notna()
    left, out = int(filled.sum()), int((~filled).sum())
    if not out:
        return frame, ""
    if not left:
        raise InputError(f"Column {name!r} is empty in every row, so that none would be left; choose another column.")
    be = ("is", "was") if out == 1 else ("are", "were")
    note = (
        f"{out:,} of {len(frame):,} rows {be[0]} empty in `{name}` and {be[1]} left out; that {left:,} "
        f"{'is' if left == 1 else 'are'} left counts as publicly known."
    )
    return frame[filled], note


def _copied(frame: pd.DataFrame) -> pd.DataFrame:
    if not isinstance(frame, pd.DataFrame):
        raise InputError(f"The rows must be a pandas DataFrame, not {type(frame).__name__}.")
    copied = frame.copy().reset_index(drop=True)
    copied.columns = pd.Index([str(name) for name in copied.columns], dtype=object)
    if copied.shape[1] == 0 or len(copied) == 0:
        raise InputError("The table has no rows or no columns; choose a table with both.")
    names = copied.columns
    if not names.is_unique:
        raise InputError(f"The table has two columns named {names[names.duplicated()][0]!r}; rename one of them.")
    return copied


def _digest(cells: str, schema: Schema) -> str:
    described = json.dumps(schema.to_dict(), ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(f"{cells}\n{described}".encode()).hexdigest()
