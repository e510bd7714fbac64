"""From what a person brings to rows and a schema, and what the curator may know about them."""

from __future__ import annotations

import dataclasses
from typing import Any

import pandas as pd

from dpcp_core._words import names_text
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Column, Schema
from dpcp_core.data.schema_check import named
from dpcp_core.errors import InputError, NotPrivateError
from dpcp_core.synthesis.attributes.protocol import Bins
from dpcp_core.synthesis.domain import Domain, made_columns
from dpcp_core.synthesis.labels import class_rates
from dpcp_core.synthesis.plan import targets_of
from dpcp_core.synthesis.report import SynthesisReport
from dpcp_core.synthesis.settings import SynthesisSettings


def read_rows(given: Any, schema: Schema | None, settings: SynthesisSettings) -> tuple[Schema, pd.DataFrame]:
    """Return the schema with its targets marked, and the rows with its columns.

    Parameters
    ----------
    given : DataFrame or Dataset
    schema : Schema or None
        A dataset has one of its own; a bare table without one is described by its rows.
    settings : SynthesisSettings

    Raises
    ------
    InputError
        No rows, a column that is missing, or one without bounds or categories.
    NotPrivateError
        In release mode, a table without a schema.
    """
    if isinstance(given, Dataset):
        schema, given = schema or given.schema, given.frame
    if schema is not None and not isinstance(schema, Schema):
        raise InputError(f"schema is {schema!r} but must be a Schema; Schema.from_toml reads one.")
    if not isinstance(given, pd.DataFrame):
        raise InputError(f"The rows must be a pandas DataFrame, not {type(given).__name__}.")
    if not len(given) or not given.shape[1]:
        raise InputError("The table has no rows or no columns; choose a table with both.")
    if schema is None:
        schema = _drafted(given, settings)
    targets = targets_of(settings, schema)
    if targets:
        schema = schema.with_target(targets[0])
    for name in targets[1:]:
        schema = schema.with_column(dataclasses.replace(schema.column(name), role="feature"))
    names = made_columns(schema)
    rows = named(names, given)[list(names)].reset_index(drop=True)
    Domain.of(schema, 1)
    return schema, rows


def _drafted(frame: pd.DataFrame, settings: SynthesisSettings) -> Schema:
    if settings.mode == "release":
        raise NotPrivateError(
            "The kinds and bounds of the columns would be read off the rows, which is not private; give a schema."
        )
    schema = Schema.draft(frame)
    targets = targets_of(settings, schema)
    for name in targets:
        schema = schema.with_target(name)
    for name in targets[:-1]:
        schema = schema.with_role(name, "feature")
    schema = schema.filled_from(frame)
    for name in targets:
        refuse_no_class(schema.column(name), frame)
    return schema


def refuse_no_class(column: Column, frame: pd.DataFrame) -> None:
    """Refuse dates, free text and the like as a target, unless a schema lists their values as classes.

    Raises
    ------
    InputError
        Naming the column and what it looks like.
    """
    if column.is_numeric or not column.bounds_from_file:
        return
    cells = named((column.name,), frame)[[column.name]]
    why = "".join(Schema.draft_with_notes(cells)[1]).partition("is ignored because ")[2]
    if why:
        raise InputError(
            f"Column {column.name!r} is a target but {why.rstrip('.')}; choose another target, or list its classes in "
            "a schema."
        )


def refuse_unsuited_bins(bins: Bins, schema: Schema, targets: tuple[str, ...]) -> None:
    """Refuse cells for columns that have none to set.

    Raises
    ------
    InputError
        An unknown column, one without numbers, one that is not drawn.
    """
    for name, _ in bins if isinstance(bins, tuple) else ():
        column = schema.column(name)
        if not column.is_numeric or column.role == "ignore" or name in targets:
            raise InputError(f"bins names {name!r}, but only columns of numbers that are drawn have bins; remove it.")


def refuse_hopeless_target(rows: pd.DataFrame, targets: tuple[str, ...], mode: str) -> None:
    """In a simulation, refuse a target that is the same in every row; a release does not look.

    Raises
    ------
    InputError
        Naming the target.
    """
    for name in targets if mode == "simulation" else ():
        if len(rows) > 1 and rows[name].nunique(dropna=False) == 1 and not rows[name].isna().any():
            raise InputError(
                f"Column {name!r} is a target but is the same in every row, so there is nothing to learn; "
                "choose another target."
            )


def curators_view(report: SynthesisReport, rows: pd.DataFrame, schema: Schema) -> SynthesisReport:
    """Return the report with what was counted on the rows; not private, for simulations only."""
    coded = Domain.of(schema, 1).read(rows)
    column = schema.target
    rates: tuple[float, ...] = ()
    if column is not None and not column.is_numeric:
        codes = coded.codes[:, list(made_columns(schema)).index(column.name)]
        named_cells = pd.Series(pd.Categorical.from_codes(codes, categories=pd.Index(column.categories)))
        rates = class_rates(named_cells, column)
    notes = report.notes
    if coded.unknown:
        what = names_text([f"{name} ({count:,})" for name, count in coded.unknown.items()], 5)
        notes = (*notes, f"Some cells hold a category that the schema does not list and count as missing: {what}.")
    return dataclasses.replace(
        report,
        clipped=coded.clipped,
        missing=coded.missing,
        unknown=coded.unknown,
        real_label_rate=rates,
        notes=notes,
    )
