"""From a data set and a choice of target to the numbers that training reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core.data.classes import group_codes
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.encoding import EncodedTable, encode
from dpcp_core.data.schema import Column, Schema
from dpcp_core.data.target import Target, target_of
from dpcp_core.errors import InputError
from dpcp_core.training.protocol import Task

SMALLEST_TABLE = 30


@dataclass(frozen=True, eq=False)
class PublicTable:
    """Encoded rows of a public table: features of shape (m, d) and targets of shape (m,)."""

    features: npt.NDArray[np.float32]
    truth: npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Groups:
    """Public groups: their column, and the code of each row's group, shape (n,)."""

    column: Column
    codes: npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Prepared:
    """An encoded table with what is said about it.

    Attributes
    ----------
    name, digest : str
        Of the data set.
    target : Column
    goal : Target
        What the target column means: a number on a scale, or classes.
    features : float32 array of shape (n, d)
        Rows of norm at most 1.
    truth : array of shape (n,)
        Target values, clipped to the public bounds, or class codes.
    clipped : mapping of column name to count
        Feature values outside the public bounds.
    target_clipped : int
    one_row_is : str
    from_file : tuple of str
        Columns whose bounds or categories were read off the rows: not public.
    public : PublicTable or None
        Rows that nobody has to protect, on which training may begin.
    groups : Groups or None
        Public groups of the rows, where the schema has a column with that role.
    """

    name: str
    digest: str
    target: Column
    goal: Target
    features: npt.NDArray[np.float32]
    truth: npt.NDArray[Any]
    clipped: Mapping[str, int]
    target_clipped: int
    one_row_is: str
    from_file: tuple[str, ...]
    public: PublicTable | None = None
    groups: Groups | None = None

    @property
    def task(self) -> Task:
        """Whether a number or a class is predicted."""
        return "classification" if self.goal.n_classes else "regression"

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.truth)


def prepare(data: Dataset, target: str = "", public: Dataset | None = None) -> Prepared:
    """Encode a data set for the prediction of one column.

    Parameters
    ----------
    data : Dataset
    target : str
        Name of a column; "" takes the schema's target.
    public : Dataset, optional
        A public table with the same columns; it is read by the schema of ``data``.

    Raises
    ------
    InputError
        No such target, a target that is constant or has gaps, no feature, too few rows.
    """
    schema = _with_target(data.schema, target)
    column = schema.target
    assert column is not None
    schema.check(data.frame)
    if data.n_rows < SMALLEST_TABLE:
        raise InputError(
            f"The table has {data.n_rows} rows; at least {SMALLEST_TABLE} are needed to hold some out and fit the rest."
        )
    if not any(feature.name != column.name for feature in schema.features):
        raise InputError('No column is left to predict from; give at least one column the role "feature".')
    table = encode(data.frame, schema, column.name)
    _refuse_constant(table, schema, column)
    assert table.target is not None
    clipped = {name: count for name, count in table.clipped.items() if name != column.name}
    return Prepared(
        name=data.name,
        digest=data.digest,
        target=column,
        goal=target_of(column),
        features=table.features,
        truth=table.target,
        clipped=clipped,
        target_clipped=table.clipped.get(column.name, 0),
        one_row_is=schema.one_row_is,
        from_file=schema.from_file,
        public=None if public is None else _public_table(public, schema, column),
        groups=_groups(data, schema),
    )


def _groups(data: Dataset, schema: Schema) -> Groups | None:
    column = schema.group
    if column is None:
        return None
    return Groups(column, group_codes(data.frame[column.name], column))


def _public_table(public: Dataset, schema: Schema, column: Column) -> PublicTable:
    schema.check(public.frame)
    table = encode(public.frame, schema, column.name)
    assert table.target is not None
    return PublicTable(table.features, table.target)


def _with_target(schema: Schema, target: str) -> Schema:
    if target:
        return schema.with_target(target)
    if schema.target is None:
        raise InputError('No column is the target yet; name one, or give it role = "target" in the schema.')
    return schema


def _refuse_constant(table: EncodedTable, schema: Schema, column: Column) -> None:
    assert table.target is not None
    if np.ptp(table.target) == 0:
        raise InputError(
            f"The target {column.name!r} has the same value in every row (within its bounds); choose another target."
        )
    varies = np.ptp(table.features, axis=0) > 0
    for feature in schema.features:
        own = [place for place, source in enumerate(table.sources) if source == feature.name]
        if own and not varies[own].any():
            raise InputError(
                f"Column {feature.name!r} has the same value in every row, so it cannot help to predict; "
                'set its role to "ignore".'
            )
