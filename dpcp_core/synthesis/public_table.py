"""A public table as the schema reads it: synthetic rows drawn from it keep to the schema like all others.

>>> age, job = Column("age", "integer", bounds=(18, 90)), Column("job", "category", categories=("clerk", "nurse"))
>>> rows, notes = public_rows(pd.DataFrame({"age": [30, 120], "job": ["nurse", "pirate"]}), [age, job])
>>> rows["age"].tolist(), notes
([30.0, 90.0], ('Cells of the public table that lie outside the schema: age (1 at its bound), job (1 as missing).',))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpcp_core._words import count_text, names_text
from dpcp_core.data.cells import as_numbers
from dpcp_core.data.classes import category_codes
from dpcp_core.data.schema import Column, Schema
from dpcp_core.data.schema_check import named
from dpcp_core.errors import InputError
from dpcp_core.synthesis.domain import made_columns
from dpcp_core.synthesis.plan import targets_of
from dpcp_core.synthesis.settings import SynthesisSettings


def read_public(given: Any, schema: Schema, settings: SynthesisSettings) -> tuple[pd.DataFrame | None, tuple[str, ...]]:
    """Return the rows of a public table as the schema reads them, and what was changed on the way.

    Parameters
    ----------
    given : DataFrame or None
        With the columns that are drawn.
    schema : Schema
    settings : SynthesisSettings

    Returns
    -------
    DataFrame or None
    tuple of str
        A sentence if cells lie outside the schema: numbers count at the bound, categories as missing.

    Raises
    ------
    InputError
        A table that is not used, has no rows, lacks a column, or holds what the schema refuses.
    """
    if given is None:
        return None, ()
    if settings.attributes != "public":
        raise InputError(f'public is given, but attributes is {settings.attributes!r}; take attributes="public".')
    if not isinstance(given, pd.DataFrame):
        raise InputError(f"public is a {type(given).__name__} but must be a pandas DataFrame.")
    if not len(given):
        raise InputError("public has no rows; bring some, or leave it out.")
    columns = [schema.column(name) for name in made_columns(schema) if name not in targets_of(settings, schema)]
    try:
        return public_rows(given, columns)
    except InputError as error:
        raise InputError(f"The public table does not fit: {error}") from None


def public_rows(given: pd.DataFrame, columns: Sequence[Column]) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the columns with nothing in them that the schema does not allow, and what was changed.

    Parameters
    ----------
    given : DataFrame of n rows
    columns : sequence of Column

    Raises
    ------
    InputError
        A column that is missing, a word where a number belongs, an empty cell where the schema refuses one.
    """
    frame = named([column.name for column in columns], given)
    cells, changed = {}, []
    for column in columns:
        read, n_changed = (_numbers if column.is_numeric else _categories)(frame[column.name], column)
        cells[column.name] = read
        if n_changed:
            changed.append(f"{column.name} ({n_changed:,} {'at its bound' if column.is_numeric else 'as missing'})")
        n_missing = int(read.isna().sum())
        if column.missing == "refuse" and n_missing:
            raise InputError(
                f"Column {column.name!r} has {count_text(n_missing, 'missing value')}, which the schema refuses; "
                "remove those rows."
            )
    notes = (f"Cells of the public table that lie outside the schema: {names_text(changed, 5)}.",) if changed else ()
    return pd.DataFrame(cells), notes


def _numbers(cells: pd.Series, column: Column) -> tuple[pd.Series, int]:
    numbers = as_numbers(cells, column.name)
    inside = np.clip(np.rint(numbers) if column.kind == "integer" else numbers, *(column.bounds or (None, None)))
    outside = np.count_nonzero(np.abs(inside - numbers) > (0.5 if column.kind == "integer" else 0))
    return pd.Series(inside), int(outside)


def _categories(cells: pd.Series, column: Column) -> tuple[pd.Series, int]:
    codes = category_codes(cells, column)
    texts = np.array([*column.categories, None], dtype=object)[codes]
    return pd.Series(texts), int(np.count_nonzero((codes < 0) & cells.notna().to_numpy()))
