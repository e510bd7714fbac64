"""The place of each cell among a column's public categories."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpcp_core._words import names_text
from dpcp_core.data.cells import as_text
from dpcp_core.data.column import Column
from dpcp_core.errors import InputError

# From here on neighbouring whole numbers share a float, which a column with an empty cell is made of.
_LONGEST_EXACT = 2.0**53
_SPELLINGS = {"false": 0, "0": 0, "true": 1, "1": 1}


def category_codes(cells: pd.Series, column: Column) -> npt.NDArray[np.int64]:
    """Return each cell's place in the column's public categories, -1 where it is none of them (or missing).

    Each cell is read by itself, whatever type its column has. Whole numbers match however they were read: 1, 1.0
    and "1" are the category "1". In a boolean column true and 1 are its second category, false and 0 its first,
    unless the schema names them otherwise.
    """
    if pd.api.types.is_numeric_dtype(cells) and (np.abs(cells.dropna()) >= _LONGEST_EXACT).any():
        raise InputError(f"Column {column.name!r} holds codes too long to be exact numbers; store them as text.")
    places = _SPELLINGS if column.kind == "boolean" else {}
    places = {**places, **{category: place for place, category in enumerate(column.categories)}}
    codes, distinct = pd.factorize(as_text(cells))
    # The last place answers for empty cells, whose code is -1.
    lookup = np.array([*(_place(str(text), places) for text in distinct), -1], dtype=np.int64)
    result: npt.NDArray[np.int64] = lookup[codes]
    return result


def _place(text: str, places: Mapping[str, int]) -> int:
    plain = text.strip()
    return places.get(text, places.get(plain, places.get(plain.removesuffix(".0"), -1)))


def group_codes(cells: pd.Series, column: Column) -> npt.NDArray[np.int64]:
    """Return the group of each row as a place in the column's public categories.

    Raises
    ------
    InputError
        A row without a group, or in a group that the schema does not name.
    """
    if not column.categories:
        raise InputError(
            f"Column {column.name!r} groups the rows but has no categories; list its groups in the schema."
        )
    codes = category_codes(cells, column)
    outside = int(np.count_nonzero(codes < 0))
    if outside:
        raise InputError(
            f"Column {column.name!r} groups the rows, but {outside} rows are in none of its groups "
            f"({names_text(column.categories, 5)}); "
            "add the missing group to the schema or remove those rows."
        )
    return codes
