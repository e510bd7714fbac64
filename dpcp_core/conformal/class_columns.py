"""How a classifier reads its target: by a schema, by named classes, or (in simulations only) by the rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from dpcp_core.conformal.columns import free_name, require_length
from dpcp_core.data.schema import Column
from dpcp_core.errors import InputError


def read_classes(estimator: Any, y: Any, n_rows: int, taken: set[str]) -> tuple[Any, Column]:
    """Return the classes of all rows as text, and the column that describes them.

    The estimator's ``_seen_classes`` becomes the array of classes in the type of ``y``.

    Raises
    ------
    InputError
        Missing classes, classes that are no classes, fewer than two of them, or one that nobody named.
    """
    values = _values(y, n_rows)
    declared: Column | None = estimator.schema.target if estimator.schema is not None else None
    column = _described(estimator, declared, values, free_name(taken))
    estimator._seen_classes = _typed(column, values)
    return pd.array([_text(value) for value in values.tolist()], dtype="str"), column


def _values(y: Any, n_rows: int) -> npt.NDArray[Any]:
    if y is None:
        raise InputError("fit requires y to be passed: give the target of every row (y is None).")
    values = column_or_1d(y, warn=True)
    if pd.isna(values).any():
        # scikit-learn's checks look for the words NaN and infinity.
        raise InputError("y has missing values (NaN); remove those rows.")
    try:
        check_classification_targets(values)
    except ValueError as error:
        # scikit-learn's checks look for its own words, which stand first.
        kind = str(error).partition(". ")[0]
        raise InputError(f"{kind}; y must hold one class per row: text, whole numbers or true and false.") from None
    require_length(values, n_rows)
    return np.asarray(values)


def _text(value: Any) -> str:
    return str(value)


def _described(estimator: Any, declared: Column | None, values: npt.NDArray[Any], name: str) -> Column:
    if declared is not None and estimator.classes is None:
        if len(declared.categories) < 2:
            raise InputError(f"The target {declared.name!r} of the schema is a number; take DPCPRegressor.")
        return declared
    given = estimator.classes
    classes = list(np.unique(values)) if given is None else _listed(given)
    if len(classes) < 2:
        # scikit-learn's checks look for the words 1 class.
        holds = "y holds" if given is None else "classes names"
        raise InputError(f"{holds} {len(classes)} class; at least two are needed: name all that are possible.")
    named = tuple(_text(value) for value in np.asarray(classes).tolist())
    if declared is not None:
        return replace(declared, kind="category", categories=named, bounds_from_file=False)
    return Column(name, "category", role="target", categories=named, bounds_from_file=given is None)


def _listed(classes: Any) -> list[Any]:
    if isinstance(classes, str) or not np.iterable(classes):
        raise InputError('classes must be a list of all classes that are possible, for instance ["ill", "well"].')
    return list(classes)


def _typed(column: Column, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the classes in the type of y where they can have it, else as text."""
    if values.dtype.kind in "iufb":
        own = {_text(value): value for value in values.tolist()}
        try:
            return np.array([own.get(name, _number(name)) for name in column.categories]).astype(values.dtype)
        except ValueError:
            pass
    return np.array(column.categories, dtype=object if values.dtype.kind == "O" else None)


def _number(text: str) -> float:
    return float({"True": "1", "False": "0"}.get(text, text))
