"""Public bins, so that two tables can be compared as counts.

>>> age = Column("age", "integer", bounds=(18, 100), typical=(30, 60))
>>> codes, size = binned(pd.Series([18, 45, 100, 300, None]), age, bins=6)
>>> codes.tolist(), size
([0, 3, 5, 5, 6], 8)
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from dpcp_core._arrays import Codes, Floats
from dpcp_core.data.cells import as_numbers
from dpcp_core.data.classes import category_codes
from dpcp_core.data.column import Column
from dpcp_core.errors import InputError

_TYPICAL_SHARE = 2 / 3


def binned(cells: pd.Series, column: Column, bins: int) -> tuple[Codes, int]:
    """Return the bin of each cell, and how many bins there are.

    Parameters
    ----------
    cells : Series of length n
    column : Column
        With bounds or categories.
    bins : int
        About how many bins a number gets; whole numbers with no more values than that get one each.

    Returns
    -------
    codes : int array of shape (n,)
        The last two bins are for empty cells, and for categories that the schema does not know. Numbers beyond the
        bounds count in the outermost bin.
    size : int

    Raises
    ------
    InputError
        A column without bounds or categories, or a word where a number belongs.
    """
    if not column.is_complete:
        raise InputError(f"Column {column.name!r} has no bounds or categories; give them in the schema, or ignore it.")
    if column.is_numeric:
        numbers = as_numbers(cells, column.name)
        inner = inner_edges(column, bins)
        size, missing = len(inner) + 1, np.isnan(numbers)
        codes = np.searchsorted(inner, numbers, side="right").astype(np.int64)
    else:
        codes, size = category_codes(cells, column).astype(np.int64), len(column.categories)
        missing = cells.isna().to_numpy()
        codes[codes < 0] = size + 1
    codes[missing] = size
    return codes, size + 2


def inner_edges(column: Column, bins: int) -> Floats:
    """Return where bins begin but the first: most of them where the schema says that most people are."""
    assert column.bounds is not None
    low, high = column.bounds
    if column.kind == "integer" and high - low < bins:
        return np.asarray(np.arange(np.ceil(low), np.floor(high)) + 0.5, dtype=np.float64)
    first, last = column.scale_range
    sides = [pair for pair in ((low, first), (last, high)) if pair[0] < pair[1]]
    middle = max(round(bins * (_TYPICAL_SHARE if sides else 1)), 1)
    each = max((bins - middle) // len(sides), 1) if sides else 0
    edges = [np.linspace(first, last, middle + 1), *(np.linspace(*pair, each + 1) for pair in sides)]
    inner: Floats = np.unique(np.concatenate(edges))[1:-1]
    return inner
