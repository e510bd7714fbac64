"""Whether a table has what its schema says; every refusal names the column and the row, never a cell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dpcp_core.data.cells import as_numbers
from dpcp_core.data.column import Column, did_you_mean
from dpcp_core.errors import InputError


def named(names: Sequence[str], frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with text for column names; refuse one that lacks a name or has one twice."""
    present = pd.Index([str(name) for name in frame.columns], dtype=object)
    if not present.is_unique:
        twice = present[present.duplicated()][0]
        raise InputError(f"The table has two columns named {twice!r}; rename one of them.")
    for name in names:
        if name not in present:
            raise InputError(
                f"The schema describes a column {name!r} that the table does not have"
                f"{did_you_mean(name, present)}; rename it or remove it from the schema."
            )
    return frame.set_axis(present, axis="columns")


def check_cells(column: Column, cells: pd.Series) -> None:
    """Refuse cells that do not fit the column; ignored columns may hold anything."""
    if column.role == "ignore":
        return
    if column.is_numeric:
        values = as_numbers(cells, column.name)
        empty = np.isnan(values)
    else:
        empty = cells.isna().to_numpy()
    _check_empty(column, empty)
    if column.role == "target":
        _check_target(column, cells)


def doubt_about_target(column: Column, cells: pd.Series) -> str:
    """Return one sentence if a target is made of numbers but measures nothing, else "".

    >>> doubt_about_target(Column("outcome", "integer"), pd.Series([1, 2, 2, 1]))
    "Column 'outcome' holds only 2 different values, so it names two classes: an interval will hardly tell them apart."
    """
    if not column.is_numeric or cells.nunique() != 2:
        return ""
    return (
        f"Column {column.name!r} holds only 2 different values, so it names two classes: "
        "an interval will hardly tell them apart."
    )


def _check_empty(column: Column, empty: np.ndarray) -> None:
    if not empty.any():
        return
    row = int(empty.argmax()) + 1
    if column.role == "target":
        raise InputError(
            f"Column {column.name!r} is the target but is empty in {_rows(int(empty.sum()))} "
            f"(the first is row {row}); leave those rows out, if it may be known how many are left "
            f"(leave_out_empty={column.name!r}), or choose another target."
        )
    if column.missing == "refuse":
        raise InputError(
            f"Column {column.name!r} must not be empty but row {row} is; "
            'fill it in, or set missing = "impute-public" in the schema.'
        )


def _check_target(column: Column, cells: pd.Series) -> None:
    if len(cells) > 1 and bool((cells == cells.iloc[0]).all()):
        raise InputError(
            f"Column {column.name!r} is the target but is the same in every row, "
            "so there is nothing to predict; choose another target."
        )


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"
