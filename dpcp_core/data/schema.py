"""What is publicly known about a table: its columns, what they are for, and what one row stands for.

How do I write one?  As TOML, a table per column::

    one_row_is = "one patient"

    [age]
    kind = "integer"
    bounds = [18, 100]
    unit = "years"

How do I get a first version?  ``Schema.draft(frame)`` guesses kinds and roles, and leaves the bounds to you.

May I use the rows' own minimum and maximum?  To explore, yes: ``schema.filled_from(frame)`` flags each such
column, and a release refuses it.

>>> schema = Schema((Column("age", "integer", bounds=(18, 100)), Column("sex", "category")))
>>> schema.names
('age', 'sex')
>>> schema.with_target("age").target.bounds
(18.0, 100.0)
>>> schema.column("agee")
Traceback (most recent call last):
    ...
dpcp_core.errors.InputError: There is no column 'agee' (did you mean 'age'?); the columns are: age, sex.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd

from dpcp_core.data import schema_check, schema_draft, schema_toml
from dpcp_core.data.column import KINDS, MISSING, ROLES, Column, Kind, Missing, Role, did_you_mean
from dpcp_core.errors import InputError

__all__ = ["KINDS", "MISSING", "ROLES", "Column", "Kind", "Missing", "Role", "Schema"]


@dataclass(frozen=True)
class Schema:
    """The public description of a table; checked when made.

    Parameters
    ----------
    columns
        The columns in order, each name once, at most one of them the target.
    one_row_is
        What one row stands for, e.g. ``"one patient"``. Privacy protects one row.

    Raises
    ------
    InputError
        If a name is there twice, or two columns are the target, or there is no column at all.

    Notes
    -----
    **Privacy**: a schema is a public input and costs nothing, except for the columns in ``from_file``:
    they were read off the rows, and with them nothing may be released.
    """

    columns: tuple[Column, ...]
    one_row_is: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        if not self.columns:
            raise InputError("The schema has no columns; describe at least one.")
        if not isinstance(self.one_row_is, str):
            raise InputError('one_row_is must be text, such as one_row_is = "one patient".')
        seen: set[str] = set()
        for name in self.names:
            if name in seen:
                raise InputError(f"Column {name!r} is in the schema twice; remove one of the two.")
            seen.add(name)
        targets = [column.name for column in self.columns if column.role == "target"]
        if len(targets) > 1:
            raise InputError(f"Columns {targets[0]!r} and {targets[1]!r} are both the target; give one another role.")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The columns' names, in order."""
        return tuple(column.name for column in self.columns)

    @property
    def target(self) -> Column | None:
        """The column to predict, if one is chosen."""
        return next((column for column in self.columns if column.role == "target"), None)

    @property
    def group(self) -> Column | None:
        """The column whose categories are public groups of rows, if there is one."""
        return next((column for column in self.columns if column.role == "group"), None)

    @property
    def features(self) -> tuple[Column, ...]:
        """The columns that predict, in order."""
        return tuple(column for column in self.columns if column.role == "feature")

    @property
    def from_file(self) -> tuple[str, ...]:
        """Names of features, target and groups whose bounds or categories were read off the rows: not public."""
        groups = () if self.group is None else (self.group,)
        return tuple(column.name for column in (*self._used, *groups) if column.bounds_from_file)

    @property
    def incomplete(self) -> tuple[str, ...]:
        """Names of features, target and groups that still lack bounds or categories."""
        groups = () if self.group is None else (self.group,)
        return tuple(column.name for column in (*self._used, *groups) if not column.is_complete)

    def column(self, name: str) -> Column:
        """Return the column of that name.

        Raises
        ------
        InputError
            If there is none; the sentence suggests the closest.
        """
        found = self._by_name.get(name)
        if found is None:
            shown = ", ".join(self.names[:12]) + (", ..." if len(self.names) > 12 else "")
            hint = did_you_mean(str(name), self.names)
            raise InputError(f"There is no column {name!r}{hint}; the columns are: {shown}.")
        return found

    def with_column(self, column: Column) -> Schema:
        """Return the schema with a column of the same name replaced, or a new one added at the end."""
        if column.name not in self._by_name:
            return replace(self, columns=(*self.columns, column))
        return self._with({column.name: column})

    def with_role(self, name: str, role: Role) -> Schema:
        """Return the schema with one column's role changed; a former target becomes a feature."""
        changed = {name: replace(self.column(name), role=role)}
        old = self.target
        if role == "target" and old is not None and old.name != name:
            changed[old.name] = replace(old, role="feature")
        return self._with(changed)

    def with_target(self, name: str) -> Schema:
        """Return the schema that predicts this column; a former target becomes a feature."""
        return self.with_role(name, "target")

    def replace(self, **changes: Any) -> Schema:
        """Return a copy with ``columns`` or ``one_row_is`` changed."""
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Return plain dicts and lists, ready for JSON."""
        return schema_toml.to_dict(self.columns, self.one_row_is)

    @classmethod
    def from_dict(cls, described: Mapping[str, Any]) -> Schema:
        """Make a schema from ``{"age": {"kind": "integer", "bounds": [18, 100]}, ...}``.

        Parameters
        ----------
        described
            A mapping per column, under its name or under ``"columns"``, and optionally ``"one_row_is"``.

        Raises
        ------
        InputError
            Naming the column and the key that is wrong.

        >>> Schema.from_dict({"age": {"kind": "integer", "bound": [18, 100]}})  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        dpcp_core.errors.InputError: Column 'age' has an unknown key 'bound' (did you mean 'bounds'?); ...
        """
        return cls(*schema_toml.from_dict(described))

    def to_toml(self) -> str:
        """Return the schema as TOML text; ``Schema.from_toml`` gives back an equal schema."""
        return schema_toml.to_toml(self.columns, self.one_row_is)

    @classmethod
    def from_toml(cls, source: str | os.PathLike[str]) -> Schema:
        r"""Read a schema from a TOML file, or from TOML text.

        Parameters
        ----------
        source
            A path, or the text itself.

        Raises
        ------
        InputError
            If the file is not there, is not TOML (with the line), or describes an impossible column.

        >>> Schema.from_toml('[age]\nkind = "integer"\nbounds = [18, 100]').column("age").bounds
        (18.0, 100.0)
        """
        return cls(*schema_toml.from_toml(source))

    @classmethod
    def draft(cls, frame: pd.DataFrame) -> Schema:
        """Guess kinds and roles from a table; bounds and categories stay empty, a person gives them.

        Parameters
        ----------
        frame : DataFrame of shape (n_rows, n_columns)

        Notes
        -----
        Columns that look like an identifier, a date, a constant or free text are ignored at first.
        Only vocabularies that everybody knows (no/yes, false/true, 0/1, nein/ja, non/oui) become boolean.

        **Privacy**: kinds and roles are guessed from rows; look at them before treating them as public.
        """
        return cls.draft_with_notes(frame)[0]

    @classmethod
    def draft_with_notes(cls, frame: pd.DataFrame) -> tuple[Schema, tuple[str, ...]]:
        """Return a draft and, in words, why columns are ignored."""
        columns, notes = schema_draft.draft_columns(frame)
        return cls(columns), notes

    def filled_from(self, frame: pd.DataFrame) -> Schema:
        """Fill missing bounds and categories from the rows, each flagged ``bounds_from_file``.

        Parameters
        ----------
        frame : DataFrame with the schema's columns

        Raises
        ------
        InputError
            If a column of numbers holds something else, or the target has nothing to predict.

        Notes
        -----
        Only features, target and groups are filled. Features that cannot be used (empty, constant, text
        with more than 50 different values) become ``"ignore"``.

        **Privacy**: not private. The extremes of the rows are somebody's values.
        """
        return self.filled_with_notes(frame)[0]

    def filled_with_notes(self, frame: pd.DataFrame) -> tuple[Schema, tuple[str, ...]]:
        """Return the filled schema and, in words, what was read off the rows."""
        frame = schema_check.named(self.names, frame)
        columns, notes = schema_draft.fill_columns(self.columns, frame)
        return replace(self, columns=columns), notes

    def check(self, frame: pd.DataFrame) -> None:
        """Refuse a table that does not have what the schema says.

        Raises
        ------
        InputError
            If a column is not in the table, a column of numbers holds something else, the target is empty in
            a row or the same in all, or a cell is empty where ``missing = "refuse"``. The sentence names the
            column and the row, never a cell's content.
        """
        frame = schema_check.named(self.names, frame)
        for column in self.columns:
            schema_check.check_cells(column, frame[column.name])

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {column.name: column for column in self.columns}

    @property
    def _used(self) -> Iterable[Column]:
        return (column for column in self.columns if column.role in ("feature", "target"))

    def _with(self, changed: Mapping[str, Column]) -> Schema:
        return replace(self, columns=tuple(changed.get(column.name, column) for column in self.columns))
