"""A schema as a table of plain cells, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from dpcp_core.data.column import Column
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.presentation.wording import start as words

PUBLIC, FILE, NONE = "public knowledge", "the file, not public", "not known yet"
Pair = tuple[float, float] | None


class HalfTyped(InputError):
    """One end of a range is typed and the other not yet: nothing to be alarmed about."""


def rows(schema: Schema) -> pd.DataFrame:
    """Return the schema as a table, a row per column."""
    return pd.DataFrame([_row(column) for column in schema.columns])


def parsed(schema: Schema, edited: pd.DataFrame, target: str | None, one_row_is: str) -> Schema:
    """Return the schema that an edited table describes.

    A column that was known from the file counts as public once both of its bounds are replaced, or once somebody
    says so in its row.

    Parameters
    ----------
    schema : Schema
        The schema that the table was made from.
    edited : DataFrame
        As :func:`rows` gives it, with changed cells.
    target : str or None
        The column to predict.
    one_row_is : str
        What one row stands for.

    Raises
    ------
    InputError
        If a cell contradicts another; the sentence names the column.
    """
    columns = tuple(_column(old, values) for old, values in zip(schema.columns, edited.to_dict("records"), strict=True))
    described = Schema(columns, one_row_is.strip())
    return described.with_target(target) if target else described


def _row(column: Column) -> dict[str, Any]:
    low, high = column.bounds or (None, None)
    typical_low, typical_high = column.typical or (None, None)
    return {
        "column": column.name,
        "role": column.role,
        "kind": column.kind,
        "lowest": low,
        "highest": high,
        "unit": column.unit,
        "categories": list(column.categories),
        "known from": (FILE if column.bounds_from_file else PUBLIC) if column.is_complete else NONE,
        "typical from": typical_low,
        "typical to": typical_high,
        "if empty": column.missing,
    }


def _column(old: Column, values: Mapping[str, Any]) -> Column:
    is_numeric = values["kind"] in ("number", "integer")
    bounds = _pair(old.name, "lowest", "highest", values) if is_numeric else None
    typical = _pair(old.name, "typical from", "typical to", values) if is_numeric else None
    from_file = values["known from"] == FILE
    if from_file and _is_replaced(old.bounds, bounds):
        from_file = False
    if old.bounds_from_file and not from_file:
        bounds, typical = _without_rows(old, bounds, typical, forgotten=values["known from"] == NONE)
    return Column(
        old.name,
        values["kind"],
        values["role"],
        bounds=bounds,
        typical=typical,
        categories=() if is_numeric else _texts(values["categories"]),
        unit=values["unit"] or "",
        label=old.label,
        missing="" if values["kind"] != old.kind else values["if empty"],
        bounds_from_file=from_file,
    )


def _without_rows(old: Column, bounds: Pair, typical: Pair, *, forgotten: bool) -> tuple[Pair, Pair]:
    """Return bounds and typical range of a column declared public, without what is left of the rows' own values."""
    if forgotten and bounds == old.bounds:
        bounds = None
    is_ours = old.typical is None or _is_replaced(old.typical, typical)
    return bounds, typical if is_ours and bounds else None


def _is_replaced(old: Pair, new: Pair) -> bool:
    """Whether both ends are new; one end of two would still be somebody's value."""
    return old is not None and new is not None and all(a != b for a, b in zip(old, new, strict=True))


def _texts(cells: Any) -> tuple[str, ...]:
    return () if cells is None else tuple(str(cell) for cell in cells)


def _number(value: Any) -> float | None:
    return None if value is None or math.isnan(value) else float(value)


def _pair(name: str, low: str, high: str, values: Mapping[str, Any]) -> Pair:
    first, second = _number(values[low]), _number(values[high])
    if first is None and second is None:
        return None
    if first is None or second is None:
        raise HalfTyped(words.ONE_BOUND.format(name, low, high))
    return first, second
