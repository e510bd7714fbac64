"""From a table to the matrix that a model is trained on, by the public schema alone.

Nothing here looks at the rows to decide anything: bounds, typical ranges and categories come from the schema.
Values outside the bounds are clipped and counted (the counts are the curator's view, not released), and every
row ends with a norm of at most 1, which training relies on.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpcp_core.data.cells import as_numbers, as_text
from dpcp_core.data.schema import Column, Schema
from dpcp_core.errors import InputError

Floats: TypeAlias = npt.NDArray[np.float64]
# A scaled value further out than this many typical half-widths pulls no harder on the model than one at this distance.
_FURTHEST = 3.0
# From here on neighbouring whole numbers share a float, which a column with an empty cell is made of.
_LONGEST_EXACT = 2.0**53
_SPELLINGS = {"false": 0, "0": 0, "true": 1, "1": 1}
# Rows are sized so that their expected squared norm is 1 / _ROW_FILL: larger values leave room for unusual rows,
# smaller ones make every feature count for more in training. Norms above 1 are cut, so it is never a matter of
# privacy. Compared on simulated tables (benchmarks/tune_training.py).
_ROW_FILL = 1.3


@dataclass(frozen=True)
class TargetScale:
    """Public scale of the target: ``scaled = (y - centre) / spread``, bounds in target units."""

    centre: float
    spread: float
    lower: float
    upper: float
    unit: str = ""

    @classmethod
    def of(cls, column: Column) -> TargetScale:
        """Return the scale of a numeric target column with bounds."""
        if column.bounds is None:
            raise InputError(
                f"The target {column.name!r} has no bounds; give its lowest and highest possible value in the schema."
            )
        low, high = column.scale_range
        if not (high - low) / 2 > 0 or not math.isfinite(column.bounds[1] - column.bounds[0]):
            raise InputError(f"The target {column.name!r} has a range too narrow or too wide to compute with.")
        return cls((low + high) / 2, (high - low) / 2, *column.bounds, column.unit)

    @property
    def bound(self) -> float:
        """Largest possible absolute residual: the width of the public bounds."""
        return self.upper - self.lower

    def scale(self, values: Floats) -> Floats:
        """Return the values in typical half-widths from the centre."""
        return (values - self.centre) / self.spread

    def unscale(self, values: Floats) -> Floats:
        """Return scaled values in target units, clipped to the public bounds."""
        return np.clip(values * self.spread + self.centre, self.lower, self.upper)


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
    target : float64 array of shape (n,) or None
        In target units, clipped to the public bounds.
    clipped, imputed : mapping of column name to count
        Values outside the bounds, missing values filled in (curator's view).
    shortened : int
        Rows whose norm was cut to 1 (curator's view).
    """

    features: npt.NDArray[np.float32]
    names: tuple[str, ...]
    sources: tuple[str, ...]
    target: Floats | None
    target_column: Column | None
    clipped: Mapping[str, int]
    imputed: Mapping[str, int]
    shortened: int


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
    features, shortened = _bounded_rows(blocks, len(frame))
    column = schema.column(target) if target is not None else None
    values, outside = _target_values(frame[column.name], column) if column is not None else (None, 0)
    clipped = {block.column: block.clipped for block in blocks if block.clipped}
    if column is not None and outside:
        clipped[column.name] = outside
    return EncodedTable(
        features=features,
        names=("(constant)", *(name for block in blocks for name in block.names)),
        sources=("", *(block.column for block in blocks for _ in block.names)),
        target=values,
        target_column=column,
        clipped=clipped,
        imputed={block.column: block.imputed for block in blocks if block.imputed},
        shortened=shortened,
    )


def _bounded_rows(blocks: list[_Block], n_rows: int) -> tuple[npt.NDArray[np.float32], int]:
    size = 1 / np.sqrt(_ROW_FILL * (1 + sum(block.mean_square for block in blocks)))
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
    return matrix, int(np.count_nonzero(norms > 1))


def _feature_block(cells: pd.Series, column: Column) -> _Block:
    if column.kind in ("number", "integer"):
        return _numeric_block(cells, column)
    return _category_block(cells, column)


def _refuse_missing(column: Column, missing: npt.NDArray[np.bool_]) -> None:
    if column.missing == "refuse" and missing.any():
        raise InputError(
            f"Column {column.name!r} has {int(missing.sum())} missing values; "
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
    scaled = np.clip((inside - (low + high) / 2) / ((high - low) / 2), -_FURTHEST, _FURTHEST)
    scaled = np.where(missing, 0.0, scaled)
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


def _not_a_number(column: Column) -> str:
    start = f"The target {column.name!r} is of kind {column.kind}"
    if column.kind == "boolean":
        return f"{start}: it says yes or no, and an interval needs a measured number; choose another target."
    return (
        f"{start}: it holds classes or words, and an interval needs a number; "
        "choose another target, or correct its cells if they should be numbers."
    )


def _target_values(cells: pd.Series, column: Column) -> tuple[Floats, int]:
    scale = TargetScale.of(column) if column.kind in ("number", "integer") else None
    if scale is None:
        raise InputError(_not_a_number(column))
    numbers = as_numbers(cells, column.name)
    if np.isnan(numbers).any():
        raise InputError(
            f"The target {column.name!r} has {int(np.isnan(numbers).sum())} missing values; "
            "remove those rows or choose another target."
        )
    inside = np.clip(numbers, scale.lower, scale.upper)
    return inside, int(np.count_nonzero(inside != numbers))
