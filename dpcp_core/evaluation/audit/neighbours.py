"""Rows that look most alike, by the public schema: numbers by their share of the bounds, categories by being equal.

>>> schema = Schema((Column("age", "number", bounds=(0, 100)), Column("sex", "category", categories=("f", "m"))))
>>> rows = pd.DataFrame({"age": [20.0, 60.0], "sex": ["f", "m"]})
>>> nearest(place_in_space(rows, schema), place_in_space(pd.DataFrame({"age": [50.0], "sex": ["m"]}), schema)).tolist()
[[1]]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpcp_core._arrays import Codes
from dpcp_core.data.cells import as_numbers
from dpcp_core.data.classes import category_codes
from dpcp_core.data.schema import Column, Schema
from dpcp_core.errors import InputError

Space = npt.NDArray[np.float32]
"""Rows as points, whose Manhattan distance adds 0 to 1 for each column."""


def place_in_space(frame: pd.DataFrame, schema: Schema, columns: Sequence[str] | None = None) -> Space:
    """Return the rows as points.

    Parameters
    ----------
    frame : DataFrame of n rows
    schema : Schema
        With bounds and categories.
    columns : sequence of str, optional
        All that are not ignored by default.

    Returns
    -------
    float32 array of shape (n, d)

    Notes
    -----
    Gower's distance with public ranges: a number counts by its place between the bounds, a category by being the
    same; an empty cell is as far from every value as can be, and near another empty one.
    """
    names = [column.name for column in schema.columns if column.role != "ignore"] if columns is None else columns
    if not names:
        raise InputError("There is no column to compare rows by; name one or more.")
    points: Space = np.concatenate([_points(frame[name], schema.column(name)) for name in names], axis=1)
    return points


def _points(cells: pd.Series, column: Column) -> Space:
    if column.is_numeric:
        low, high = column.scale_range if column.bounds is None else column.bounds
        values = np.clip((as_numbers(cells, column.name) - low) / max(high - low, 1e-300), 0.0, 1.0)
        missing = np.isnan(values)
        # At 1 in a direction of its own, and in the middle of the other: 1 to 1.5 away from every value.
        return np.column_stack([np.where(missing, 0.5, values), missing]).astype(np.float32)
    codes = category_codes(cells, column)
    levels = np.arange(-1, len(column.categories))
    points: Space = (0.5 * (codes[:, None] == levels)).astype(np.float32)
    return points


def nearest(among: Space, to: Space, k: int = 1) -> Codes:
    """Return the places of the ``k`` nearest rows, nearest first, shape (rows of ``to``, k).

    Parameters
    ----------
    among : array of shape (n, d)
    to : array of shape (m, d)
    k : int
        At most n.
    """
    from sklearn.neighbors import NearestNeighbors

    model = NearestNeighbors(n_neighbors=min(k, len(among)), metric="manhattan", algorithm="brute").fit(among)
    places: Codes = model.kneighbors(to, return_distance=False)
    return places
