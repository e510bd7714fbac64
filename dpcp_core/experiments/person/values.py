"""What is known about one person: a value for each column that predicts, or a row that was held out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpcp_core._words import names_text
from dpcp_core.data.cells import as_numbers
from dpcp_core.data.classes import category_codes
from dpcp_core.data.column import did_you_mean
from dpcp_core.data.encoding import encode
from dpcp_core.data.schema import Column, Schema
from dpcp_core.errors import InputError

Value: TypeAlias = float | str | None
"""A number in the column's unit, the name of a category, or None where it is not known."""


@dataclass(frozen=True)
class Person:
    """One person.

    Attributes
    ----------
    values : mapping of column name to number, category or None
        None where it is not known; a column that is not named has its public typical value.
    group : str
        Name of the public group; "" where nobody says it.
    place : int or None
        Which held-out row this is, counted from 0; None for a person who is in no table.
    """

    values: Mapping[str, Value]
    group: str = ""
    place: int | None = None


def typical_value(column: Column) -> Value:
    """Return a value that needs no row: the middle of a number's typical range, the first or middle category.

    >>> typical_value(Column("age", "integer", bounds=(18, 100), typical=(35, 70)))
    52.0
    >>> typical_value(Column("pain", "ordinal", categories=("none", "some", "bad")))
    'some'

    Raises
    ------
    InputError
        Neither bounds nor categories are known.
    """
    if not column.is_complete:
        raise InputError(f"Column {column.name!r} has neither bounds nor categories; give them in the schema.")
    if not column.is_numeric:
        return column.categories[len(column.categories) // 2 if column.kind == "ordinal" else 0]
    low, high = column.scale_range
    middle = low + (high - low) / 2
    return float(round(middle)) if column.kind == "integer" else middle


def typical_person(schema: Schema) -> Person:
    """Return somebody with the public typical value in every column that predicts."""
    return Person({column.name: typical_value(column) for column in schema.features})


def held_out_person(frame: pd.DataFrame, schema: Schema, row: int, place: int) -> Person:
    """Return one row of a table as the encoding reads it.

    Parameters
    ----------
    frame : DataFrame
    schema : Schema
        Of the frame.
    row, place : int
        The row's number in the frame, and its place among the rows held out.

    Notes
    -----
    **Privacy.** None: these are somebody's values, the curator's view of a simulation.
    """
    cells = frame.iloc[[row]]
    values = {column.name: _read(cells[column.name], column) for column in schema.features}
    group = "" if schema.group is None else str(_read(cells[schema.group.name], schema.group) or "")
    return Person(values, group, place)


def encoded(person: Person, schema: Schema) -> npt.NDArray[np.float32]:
    """Return a person as the model reads one, shape (1, d).

    Raises
    ------
    InputError
        A column that does not predict, a value that the column cannot have, or none where the schema wants one.
    """
    _refuse_strangers(person, schema)
    cells = {}
    for column in schema.features:
        value = person.values.get(column.name, typical_value(column))
        cells[column.name] = pd.Series([_checked(value, column)], dtype=float if column.is_numeric else object)
    return encode(pd.DataFrame(cells), schema).features


def group_code(group: str, column: Column | None) -> int | None:
    """Return the place of a public group; None where nobody says it.

    Raises
    ------
    InputError
        There are no groups, or none of this name.
    """
    if not group:
        return None
    if column is None:
        raise InputError(f"This table has no groups, so {group!r} cannot be one; leave the group out.")
    if group not in column.categories:
        raise InputError(
            f"{group!r} is no group of {column.name!r}; the groups are: {names_text(column.categories, 5)}."
        )
    return column.categories.index(group)


def _refuse_strangers(person: Person, schema: Schema) -> None:
    known = [column.name for column in schema.features]
    for name in person.values:
        if name not in known:
            raise InputError(f"Nothing is predicted from {name!r}{did_you_mean(name, known)}; leave it out.")


def _checked(value: Value, column: Column) -> Value:
    if value is None:
        return None
    if column.is_numeric:
        return _within(value, column)
    if value not in column.categories:
        raise InputError(
            f"Column {column.name!r} has no category {value!r}; choose one of: {names_text(column.categories, 5)}."
        )
    return value


def _within(value: Value, column: Column) -> float:
    low, high = column.bounds or (-np.inf, np.inf)
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else np.nan
    if not low <= number <= high:
        raise InputError(f"Column {column.name!r} is given as {value!r} but must be a number from {low:g} to {high:g}.")
    return float(number)


def _read(cells: pd.Series, column: Column) -> Value:
    if column.is_numeric:
        number = float(as_numbers(cells, column.name)[0])
        return None if np.isnan(number) else number
    code = int(category_codes(cells, column)[0])
    return None if code < 0 else column.categories[code]
