"""From a data set and a choice of target to the numbers that training reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpcp_core.conformal.private_schema import buy_bounds
from dpcp_core.data.classes import group_codes
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.encoding import EncodedTable, encode
from dpcp_core.data.schema import Column, Schema
from dpcp_core.data.target import Target, target_of
from dpcp_core.errors import InputError
from dpcp_core.experiments.streams import Stream
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.privacy.receipt import ReceiptEntry
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


@dataclass(frozen=True)
class BoundsPurchase:
    """Bounds that were bought from the rows before anything else.

    Attributes
    ----------
    epsilon, seed
        What they may cost together, and the seed of their noise.
    entries : tuple of ReceiptEntry
        A line for each column; empty if every column has public bounds.
    """

    epsilon: float
    seed: int
    entries: tuple[ReceiptEntry, ...]

    @property
    def spent(self) -> float:
        """What they cost: nothing where no column needed any."""
        return self.epsilon if self.entries else 0.0


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
    constant : tuple of str
        Features with the same value in every row (curator's view).
    bought : BoundsPurchase or None
        Bounds that were bought from the rows, if that was asked for.
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
    constant: tuple[str, ...] = ()
    bought: BoundsPurchase | None = None

    @property
    def task(self) -> Task:
        """Whether a number or a class is predicted."""
        return "classification" if self.goal.n_classes else "regression"

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.truth)

    def __sizeof__(self) -> int:
        """Return the bytes of the rows too, by which those who hand it to other computers decide to do that once."""
        return super().__sizeof__() + self.features.nbytes + self.truth.nbytes


def prepare(
    data: Dataset, target: str = "", public: Dataset | None = None, *, bounds_epsilon: float = 0.0, seed: int = 0
) -> Prepared:
    """Encode a data set for the prediction of one column.

    Parameters
    ----------
    data : Dataset
    target : str
        Name of a column; "" takes the schema's target.
    public : Dataset, optional
        A public table with the same columns; it is read by the schema of ``data``.
    bounds_epsilon : float
        Buys bounds of the columns that have no public ones; 0 buys none. They are drawn once, from all rows, so all
        repetitions of a simulation share them.
    seed : int
        Of their noise.

    Raises
    ------
    InputError
        No such target, a target that is constant or has gaps, no feature, too few rows.
    """
    schema, bought = _with_bounds(data, _with_target(data.schema, target), bounds_epsilon, seed)
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
    _refuse_empty(data, schema)
    constant = _constant(data.frame, table, schema, column)
    _refuse_constant(table, schema, column, constant)
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
        constant=constant,
        bought=bought,
    )


def _with_bounds(data: Dataset, schema: Schema, epsilon: float, seed: int) -> tuple[Schema, BoundsPurchase | None]:
    if not epsilon:
        return schema, None
    rng = simulation_generator(seed, Stream.BOUNDS)
    described, entries = buy_bounds(schema, data.frame, epsilon=epsilon, rng=rng)
    return described, BoundsPurchase(epsilon, seed, entries)


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


def _refuse_constant(table: EncodedTable, schema: Schema, column: Column, constant: tuple[str, ...]) -> None:
    assert table.target is not None
    if np.ptp(table.target) == 0:
        raise InputError(
            f"The target {column.name!r} has the same value in every row (within its bounds); choose another target."
        )
    if len(constant) == len([c for c in schema.features if c.name != column.name]):
        raise InputError("Every feature has the same value in every row, so nothing can be predicted from them.")


def _constant(frame: pd.DataFrame, table: EncodedTable, schema: Schema, target: Column) -> tuple[str, ...]:
    """Return the features that have the same value in every row, within their bounds: they help nobody."""
    varies = np.ptp(table.features, axis=0) > 0
    helpful = {source for source, moves in zip(table.sources, varies, strict=True) if moves}
    # Rows are brought to length 1 at most, which may move what is the same in all of them.
    return tuple(
        feature.name
        for feature in schema.features
        if feature.name != target.name and (feature.name not in helpful or _is_constant(frame[feature.name]))
    )


def _is_constant(cells: pd.Series) -> bool:
    first = cells.iloc[0]
    return bool(cells.isna().all() if pd.isna(first) else (cells == first).all())


def _refuse_empty(data: Dataset, schema: Schema) -> None:
    for feature in schema.features:
        if data.frame[feature.name].isna().all():
            raise InputError(
                f"Column {feature.name!r} is empty in every row, so it cannot help to predict; "
                'set its role to "ignore".'
            )
