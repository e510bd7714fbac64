"""What is predicted: a number on a public scale, or one of several public classes.

>>> from dpcp_core.data.column import Column
>>> target_of(Column("age", "number", bounds=(0, 100))).bound
100.0
>>> target_of(Column("smokes", "boolean", categories=("no", "yes"))).n_classes
2
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpcp_core._arrays import Floats
from dpcp_core._words import count_text, names_text
from dpcp_core.data.cells import as_numbers
from dpcp_core.data.classes import category_codes
from dpcp_core.data.column import Column
from dpcp_core.errors import InputError

__all__ = ["ClassTarget", "Floats", "NumericTarget", "Target", "target_of", "target_values"]


@dataclass(frozen=True)
class NumericTarget:
    """A number with its public scale: ``scaled = (y - centre) / spread``, bounds in target units."""

    centre: float
    spread: float
    lower: float
    upper: float
    unit: str = ""

    n_classes = 0

    @classmethod
    def of(cls, column: Column) -> NumericTarget:
        """Return the target that a numeric column with bounds describes."""
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

    def for_training(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the numbers that a trainer fits."""
        return self.scale(values)

    def from_model(self, predicted: npt.NDArray[Any]) -> Floats:
        """Return a model's predictions in target units."""
        return self.unscale(predicted.astype(np.float64))


@dataclass(frozen=True)
class ClassTarget:
    """One of several public classes, as codes from 0.

    Attributes
    ----------
    classes : tuple of str
        Names in the order of the codes, two or more.
    """

    classes: tuple[str, ...]

    @classmethod
    def of(cls, column: Column) -> ClassTarget:
        """Return the target that a column with categories describes."""
        if len(column.categories) < 2:
            raise InputError(
                f"The target {column.name!r} needs at least two categories; list its possible values in the schema."
            )
        return cls(tuple(column.categories))

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)

    def for_training(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the codes that a trainer fits."""
        return values

    def from_model(self, predicted: npt.NDArray[Any]) -> Floats:
        """Return a model's probabilities."""
        return predicted.astype(np.float64)


Target: TypeAlias = NumericTarget | ClassTarget


def target_of(column: Column) -> Target:
    """Return what a column means as a target.

    Raises
    ------
    InputError
        A number without bounds, or fewer than two categories.
    """
    return NumericTarget.of(column) if column.is_numeric else ClassTarget.of(column)


def target_values(cells: pd.Series, column: Column) -> tuple[npt.NDArray[Any], int]:
    """Return the target of every row, and how many values had to be clipped to the public bounds.

    Returns
    -------
    values : array of shape (n,)
        Numbers in target units, or class codes.
    outside : int
        Curator's view.

    Raises
    ------
    InputError
        A missing value, a word where a number belongs, or a class that the schema does not list.
    """
    target = target_of(column)
    if isinstance(target, ClassTarget):
        return _codes(cells, column), 0
    numbers = as_numbers(cells, column.name)
    _refuse_gaps(int(np.isnan(numbers).sum()), column)
    inside = np.clip(numbers, target.lower, target.upper)
    return inside, int(np.count_nonzero(inside != numbers))


def _codes(cells: pd.Series, column: Column) -> npt.NDArray[np.int64]:
    _refuse_gaps(int(cells.isna().sum()), column)
    codes = category_codes(cells, column)
    unknown = int(np.count_nonzero(codes < 0))
    if unknown:
        these = f"{count_text(unknown, 'value')} that {'is' if unknown == 1 else 'are'}"
        raise InputError(
            f"The target {column.name!r} has {these} none of its categories ({names_text(column.categories, 5)}); "
            "list them in the schema or remove those rows."
        )
    return codes


def _refuse_gaps(missing: int, column: Column) -> None:
    if missing:
        raise InputError(
            f"The target {column.name!r} has {count_text(missing, 'missing value')}; leave those rows out, if it may "
            "be known how many are left, or choose another target."
        )
