"""From a table to the matrix that a model is trained on, by the public schema alone.

Nothing here looks at the rows to decide anything: bounds, typical ranges and categories come from the schema.
Values outside the bounds are clipped and counted (the counts are the curator's view, not released), and every
row ends with a norm of at most 1, which training relies on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpcp_core._words import count_text
from dpcp_core.data.cells import as_numbers
from dpcp_core.data.classes import category_codes
from dpcp_core.data.schema import Column, Schema
from dpcp_core.data.target import Floats, target_values
from dpcp_core.errors import InputError

# A scaled value further out than this many typical half-widths pulls no harder on the model than one at this distance.
FURTHEST = 3.0
"""Typical half-widths from the centre."""
# Rows are sized so that their expected squared norm is 1 / _ROW_FILL: larger values leave room for unusual rows,
# smaller ones make every feature count for more in training. Norms above 1 are cut, so it is never a matter of
# privacy. Compared on simulated tables (benchmarks/tune_training.py).
_ROW_FILL = 1.3


@dataclass(frozen=True, eq=False)
class EncodedTable:
    """A table as numbers.

    Attributes
    ----------
    features : float32 array of shape (n, d)
        First column constant; every row has norm at most 1.
    names : tuple of str
        One name per matrix column.
    sources : tuple of str
        The table's column that each matrix column came from; "" for the constant.
    target : array of shape (n,) or None
        Numbers in target units, clipped to the public bounds, or class codes.
    clipped, imputed : mapping of column name to count
        Values outside the bounds, missing values filled in (curator's view).
    """

    features: npt.NDArray[np.float32]
    names: tuple[str, ...]
    sources: tuple[str, ...]
    target: npt.NDArray[Any] | None
    target_column: Column | None
    clipped: Mapping[str, int]
    imputed: Mapping[str, int]


@dataclass(frozen=True)
class _Block:
    column: str
    names: tuple[str, ...]
    values: Floats
    mean_square: float
    clipped: int = 0
    imputed: int = 0


def encode(frame: pd.DataFrame, schema: Schema, target: str | None = None) -> EncodedTable:
    """Encode the features (and the target) of a frame by its schema.

    Parameters
    ----------
    frame : DataFrame of n rows
    schema : Schema
        Every feature needs bounds or categories.
    target : str or None
        Column to encode as the target; it is never a feature. None encodes features only.

    Returns
    -------
    EncodedTable

    Raises
    ------
    InputError
        A feature without bounds, a value that is not a number, a missing value where the schema refuses it.

    Notes
    -----
    **Privacy.** A function of one row and the public schema: emptying one row changes only that row.

    Examples
    --------
    >>> schema = Schema((Column("age", "number", bounds=(0, 100)),))
    >>> encode(pd.DataFrame({"age": [50.0, 100.0]}), schema).features.astype(float).round(2).tolist()
    [[0.62, 0.0], [0.62, 0.62]]
    """
    blocks = [_feature_block(frame[column.name], column) for column in schema.features if column.name != target]
    column = schema.column(target) if target is not None else None
    values, outside = target_values(frame[column.name], column) if column is not None else (None, 0)
    clipped = {block.column: block.clipped for block in blocks if block.clipped}
    if column is not None and outside:
        clipped[column.name] = outside
    return EncodedTable(
        features=_bounded_rows(blocks, len(frame)),
        names=("(constant)", *(name for block in blocks for name in block.names)),
        sources=("", *(block.column for block in blocks for _ in block.names)),
        target=values,
        target_column=column,
        clipped=clipped,
        imputed={block.column: block.imputed for block in blocks if block.imputed},
    )


def column_cells(cells: pd.Series, column: Column) -> Floats:
    """Return the numbers that one column's cells become, shape (n, k), before rows are sized."""
    return _feature_block(cells, column).values


def row_size(columns: Sequence[Column]) -> float:
    """Return what all numbers of a row are multiplied with, from the public description of the features alone."""
    return _size([_feature_block(pd.Series([], dtype=object), column) for column in columns])


def _size(blocks: list[_Block]) -> float:
    return float(1 / np.sqrt(_ROW_FILL * (1 + sum(block.mean_square for block in blocks))))


def _bounded_rows(blocks: list[_Block], n_rows: int) -> npt.NDArray[np.float32]:
    size = _size(blocks)
    width = 1 + sum(block.values.shape[1] for block in blocks)
    matrix = np.empty((n_rows, width), dtype=np.float32)
    matrix[:, 0] = size
    start = 1
    for block in blocks:
        stop = start + block.values.shape[1]
        matrix[:, start:stop] = block.values * size
        start = stop
    norms = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
    # Float32 rounding may leave a cut row a hair above 1; aim a hair below.
    cut = np.maximum(norms / (1 - 1e-6), 1.0)
    matrix /= cut[:, None].astype(np.float32)
    return matrix


def _feature_block(cells: pd.Series, column: Column) -> _Block:
    return _numeric_block(cells, column) if column.is_numeric else _category_block(cells, column)


def _refuse_missing(column: Column, missing: npt.NDArray[np.bool_]) -> None:
    if column.missing == "refuse" and missing.any():
        raise InputError(
            f"Column {column.name!r} has {count_text(int(missing.sum()), 'missing value')}; "
            'fill them, or set missing = "impute-public" for it in the schema.'
        )


def _numeric_block(cells: pd.Series, column: Column) -> _Block:
    if column.bounds is None:
        raise InputError(f"Column {column.name!r} has no bounds; give its lowest and highest possible value.")
    numbers = as_numbers(cells, column.name)
    missing = np.isnan(numbers)
    _refuse_missing(column, missing)
    inside = np.clip(numbers, *column.bounds)
    outside = int(np.count_nonzero((inside != numbers) & ~missing))
    low, high = column.scale_range
    scaled = inside
    scaled -= (low + high) / 2
    scaled /= (high - low) / 2
    np.clip(scaled, -FURTHEST, FURTHEST, out=scaled)
    scaled[missing] = 0.0
    if column.missing == "category":
        values = np.column_stack([scaled, missing.astype(np.float64)])
        return _Block(
            column.name, (column.name, f"{column.name} = (missing)"), values, 1.0, outside, int(missing.sum())
        )
    return _Block(column.name, (column.name,), scaled[:, None], 1.0, outside, int(missing.sum()))


def _category_block(cells: pd.Series, column: Column) -> _Block:
    if not column.categories:
        raise InputError(f"Column {column.name!r} has no categories; list its possible values in the schema.")
    codes = category_codes(cells, column)
    missing = cells.isna().to_numpy()
    _refuse_missing(column, missing)
    unknown = int(np.count_nonzero((codes < 0) & ~missing))
    if column.kind == "ordinal":
        steps = max(len(column.categories) - 1, 1)
        # Evenly spread over the levels, these values have mean 0 and mean square 1.
        scaled = np.where(codes < 0, 0.0, (2 * codes / steps - 1) * np.sqrt(3 * steps / (steps + 2)))
        return _Block(column.name, (column.name,), scaled[:, None], 1.0, unknown, int(missing.sum()))
    if column.kind == "boolean":
        scaled = np.where(codes < 0, 0.0, 2.0 * codes - 1)
        return _Block(column.name, (column.name,), scaled[:, None], 1.0, unknown, int(missing.sum()))
    levels = list(column.categories)
    if column.missing == "category":
        codes = np.where(missing, len(levels), codes)
        levels.append("(missing)")
    # Centred and sized by the number of levels, so that a rare level is learnt as fast as a numeric column.
    n_levels = len(levels)
    values = np.sqrt(n_levels) * ((codes[:, None] == np.arange(n_levels)) - 1 / n_levels)
    values[codes < 0] = 0.0
    names = tuple(f"{column.name} = {level}" for level in levels)
    return _Block(column.name, names, values, n_levels - 1.0, unknown, int(missing.sum()))
