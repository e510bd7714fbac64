"""How an estimator reads its rows: by a schema, by bounds, or (in a simulation only) by the rows themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.utils.validation import column_or_1d, validate_data

from dpcp_core.conformal.private_schema import buy_bounds
from dpcp_core.data.classes import group_codes
from dpcp_core.data.schema import Column, Schema
from dpcp_core.data.target import Floats
from dpcp_core.errors import InputError, NotPrivateError
from dpcp_core.privacy.leaks import speak_of_leaks
from dpcp_core.privacy.receipt import ReceiptEntry

_TARGET = "target"


@dataclass(frozen=True)
class FittedColumns:
    """The schema that rows are read by, and whether it came from a person.

    Attributes
    ----------
    schema : Schema
        One of its columns is the target.
    numeric : bool
        Rows are plain numbers, checked as scikit-learn does; otherwise the schema alone decides.
    bought : tuple of ReceiptEntry
        A line for each column whose bounds were bought from the training rows.
    """

    schema: Schema
    numeric: bool
    bought: tuple[ReceiptEntry, ...] = ()

    @property
    def target(self) -> str:
        """Name of the target column."""
        assert self.schema.target is not None
        return self.schema.target.name

    def groups(self, X: Any) -> npt.NDArray[np.int64]:
        """Return the code of each row's public group.

        Raises
        ------
        InputError
            No group column in the schema or in the rows, or a row in none of the groups.
        """
        column = self.schema.group
        if column is None:
            raise InputError('by_group needs to know the groups; give one column of the schema the role "group".')
        if not isinstance(X, pd.DataFrame) or column.name not in X.columns:
            raise InputError(f"by_group needs a table with the column {column.name!r}, which holds the groups.")
        return group_codes(X[column.name].reset_index(drop=True), column)

    def read(self, estimator: Any, X: Any) -> pd.DataFrame:
        """Return the features of new rows under the schema's names."""
        names = [column.name for column in self.schema.features]
        if self.numeric:
            values = validate_data(estimator, X, dtype=np.float64, reset=False)
            return pd.DataFrame(values, columns=pd.Index(names))
        return _named(_with_text_names(X) if isinstance(X, pd.DataFrame) else X, names)


TargetReader: TypeAlias = Callable[[Any, Any, int, set[str]], tuple[Any, Column]]
"""From estimator, y, number of rows and names that are taken to the target's values and its column."""


def fit_columns(
    estimator: Any,
    X: Any,
    y: Any,
    read_target: TargetReader | None = None,
    *,
    bounds_epsilon: float = 0.0,
    rng: np.random.Generator,
) -> tuple[FittedColumns, pd.DataFrame]:
    """Decide how rows are read, and return the training rows with their target.

    Parameters
    ----------
    estimator : scikit-learn estimator
        With ``schema``, ``bounds_X`` and ``mode``.
    X : frame or array of shape (n, n_features)
    y : array of shape (n,)
    read_target : callable, optional
        How y is read; None reads numbers.
    bounds_epsilon : float
        Buys bounds of the numeric columns that have no public ones; 0 buys none.
    rng : numpy Generator
        Source of their noise.

    Raises
    ------
    InputError
        Rows that cannot be read; the sentence names the column, never a cell.
    NotPrivateError
        In release mode, if anything would have to be read off the rows.

    Warns
    -----
    PrivacyLeakWarning
        In a simulation, for the same.
    """
    if isinstance(X, pd.DataFrame):
        X = _with_text_names(X)
    described: Schema | None = estimator.schema
    if described is not None:
        validate_data(estimator, X, skip_check_array=True)
        frame, numeric = _named(X, [column.name for column in described.features]), False
        columns = described.features
    elif isinstance(X, pd.DataFrame) and not _all_numbers(X):
        validate_data(estimator, X, skip_check_array=True)
        frame, numeric = X.reset_index(drop=True), False
        columns = _drafted(frame, estimator)
    else:
        values, y = _checked_numbers(estimator, X, y, y_numeric=read_target is None)
        names = list(getattr(estimator, "feature_names_in_", [f"x{i}" for i in range(values.shape[1])]))
        frame, numeric = pd.DataFrame(values, columns=pd.Index(names)), True
        columns = _bounded_columns(names, values, estimator.bounds_X)
    target_values, target = (read_target or _numeric_target)(
        estimator, y, len(frame), {column.name for column in columns}
    )
    kept = () if described is None or described.group is None else (described.group,)
    schema = Schema((*columns, target, *kept), one_row_is=described.one_row_is if described is not None else "")
    frame = frame.assign(**{target.name: target_values})
    bought: tuple[ReceiptEntry, ...] = ()
    if bounds_epsilon:
        schema, bought = buy_bounds(schema, frame, epsilon=bounds_epsilon, rng=rng)
    # Three frames up stands the line that called fit.
    described_by = "bounds_X and bounds_y" if read_target is None else "bounds_X and classes"
    instead = f"a schema with public ones, or {described_by}"
    speak_of_leaks(schema.from_file, estimator.mode, instead=instead, stacklevel=4)
    return FittedColumns(schema, numeric, bought), frame


def _with_text_names(X: pd.DataFrame) -> pd.DataFrame:
    if not X.columns.is_unique:
        twice = X.columns[X.columns.duplicated()][0]
        raise InputError(f"The table has two columns named {str(twice)!r}; rename one of them.")
    if all(isinstance(name, str) for name in X.columns):
        return X
    if any(isinstance(name, str) for name in X.columns):
        return X  # scikit-learn has a sentence for names of mixed types
    return X if _all_numbers(X) else X.set_axis([str(name) for name in X.columns], axis=1)


def _checked_numbers(estimator: Any, X: Any, y: Any, *, y_numeric: bool) -> tuple[Floats, Any]:
    try:
        values, targets = validate_data(estimator, X, y, dtype=np.float64, y_numeric=y_numeric)
    except ValueError as error:
        # The original would quote the cell, which may be somebody's.
        if "could not convert" in str(error):
            raise InputError("X and y must hold numbers; describe text columns in a schema.") from None
        raise InputError(str(error).partition("\n")[0]) from None
    return values, targets


def _named(X: Any, names: list[str]) -> pd.DataFrame:
    if isinstance(X, pd.DataFrame):
        missing = [name for name in names if name not in X.columns]
        if missing:
            raise InputError(f"Column {missing[0]!r} of the schema is not in the table; add it or drop it there.")
        frame = X[names].reset_index(drop=True)
    else:
        values = np.asarray(X)
        if values.ndim != 2 or values.shape[1] != len(names):
            features = f"{len(names)} feature{'s' if len(names) > 1 else ''}"
            raise InputError(f"X has shape {values.shape} but the schema has {features}; give one column per feature.")
        frame = pd.DataFrame(values, columns=pd.Index(names)).infer_objects()
    if not len(frame):
        raise InputError("X has n_samples = 0 rows; bring some.")
    return frame


def _all_numbers(X: pd.DataFrame) -> bool:
    return all(pd.api.types.is_numeric_dtype(dtype) for dtype in X.dtypes)


def _drafted(frame: pd.DataFrame, estimator: Any) -> tuple[Column, ...]:
    if estimator.mode == "release":
        raise NotPrivateError(
            "The kinds and roles of the columns would be read off the rows, which is not private; give a schema."
        )
    if estimator.bounds_X is not None:
        raise InputError("bounds_X cannot describe text columns; give a schema instead.")
    # Kinds and roles were guessed from the rows too, so every column counts as read off them.
    features = Schema.draft(frame).filled_from(frame).features
    return tuple(replace(column, bounds_from_file=True) for column in features)


def _bounded_columns(names: list[str], values: Floats, bounds: Any) -> tuple[Column, ...]:
    low, high = _column_bounds(values, bounds)
    return tuple(
        Column(str(name), "number", bounds=(float(a), float(b)), bounds_from_file=bounds is None)
        for name, a, b in zip(names, low, high, strict=True)
    )


def _column_bounds(values: Floats, bounds: Any) -> tuple[Any, Any]:
    if bounds is None:
        low, high = values.min(axis=0), values.max(axis=0)
        flat = low == high
        return np.where(flat, low - 1, low), np.where(flat, high + 1, high)
    try:
        low, high = (np.broadcast_to(np.asarray(end, dtype=np.float64), values.shape[1]) for end in bounds)
    except (TypeError, ValueError):
        raise InputError(
            "bounds_X must be a pair (lowest, highest), each a number or one number per column of X."
        ) from None
    return low, high


def _numeric_target(estimator: Any, y: Any, n_rows: int, taken: set[str]) -> tuple[Floats, Column]:
    values = _target_values(y, n_rows)
    return values, _target_column(estimator, values, taken)


def _target_values(y: Any, n_rows: int) -> Floats:
    if y is None:
        raise InputError("fit requires y to be passed: give the target of every row (y is None).")
    try:
        values = np.asarray(column_or_1d(y, warn=True), dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("y must hold one number per row, in a single column.") from None
    require_length(values, n_rows)
    return values


def require_length(values: npt.NDArray[Any], n_rows: int) -> None:
    """Raise an InputError unless there is a target for every row."""
    if len(values) != n_rows:
        raise InputError(f"y has {len(values):,} values but X has {n_rows:,} rows; give one value per row.")


def free_name(taken: set[str]) -> str:
    """Return a name for the target that no feature has."""
    name = _TARGET
    while name in taken:
        name = f"({name})"
    return name


def _target_column(estimator: Any, values: Floats, taken: set[str]) -> Column:
    declared: Column | None = estimator.schema.target if estimator.schema is not None else None
    if declared is not None and not declared.is_numeric:
        raise InputError(f"The target {declared.name!r} of the schema holds classes; take DPCPClassifier.")
    if declared is not None and estimator.bounds_y is None:
        return declared
    name = free_name(taken)
    if estimator.bounds_y is not None:
        try:
            low, high = (float(end) for end in estimator.bounds_y)
        except (TypeError, ValueError):
            raise InputError("bounds_y must be a pair of numbers (lowest, highest).") from None
        if declared is not None:
            return replace(declared, bounds=(low, high), typical=None, bounds_from_file=False)
        return Column(name, "number", role="target", bounds=(low, high))
    low, high = float(np.min(values)), float(np.max(values))
    if not np.isfinite([low, high]).all():
        raise InputError("y has missing or infinite values; remove those rows.")
    if low == high:
        low, high = low - 1, high + 1
    return Column(name, "number", role="target", bounds=(low, high), bounds_from_file=True)
