"""The schema as a table to edit: what each column is for, and what is publicly known of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from dpcp_core.data.column import KINDS, MISSING, ROLES, Column
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from pages.ui import compute, state
from pages.ui.errors import sentence
from pages.ui.text import escaped

PUBLIC, FILE, NONE = "public knowledge", "the file, not public", "not known yet"
_NUMBERS = ("lowest", "highest", "typical from", "typical to")

_ROLE_HELP = "Feature: helps to predict. Target: is predicted. Group: results are told apart by it. Ignore: not used."
_SOURCE_HELP = "New bounds that you type count as public. If those from the file are public knowledge too, say so here."
_TYPICAL_HELP = "Where the middle two thirds of people lie, from public knowledge; it makes training better."


class _HalfTyped(InputError):
    """One end of a range is typed and the other not yet: nothing to be alarmed about."""


def rows(schema: Schema) -> pd.DataFrame:
    """Return the schema as a table, a row per column."""
    return pd.DataFrame([_row(column) for column in schema.columns])


def parsed(schema: Schema, edited: pd.DataFrame, target: str | None, one_row_is: str) -> Schema:
    """Return the schema that an edited table describes.

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
        "categories": list(column.categories),
        "bounds come from": (FILE if column.bounds_from_file else PUBLIC) if column.is_complete else NONE,
        "typical from": typical_low,
        "typical to": typical_high,
        "unit": column.unit,
        "if empty": column.missing,
    }


def _column(old: Column, values: Mapping[str, Any]) -> Column:
    before = _row(old)
    numbers = {name: _number(values[name]) for name in _NUMBERS}
    categories = tuple(str(item) for item in values["categories"]) if values["categories"] is not None else ()
    bounds_changed = (
        any(numbers[name] != before[name] for name in ("lowest", "highest")) or categories != old.categories
    )
    kind_changed = values["kind"] != old.kind
    is_numeric = values["kind"] in ("number", "integer")
    # Whoever types new bounds replaces what was read off the file, unless they say otherwise in the same row.
    from_file = values["bounds come from"] == FILE and not bounds_changed
    return Column(
        old.name,
        values["kind"],
        values["role"],
        bounds=_pair(old.name, "lowest", "highest", numbers) if is_numeric else None,
        typical=_pair(old.name, "typical from", "typical to", numbers) if is_numeric else None,
        categories=() if is_numeric else categories,
        unit=values["unit"] or "",
        label=old.label,
        missing="" if kind_changed else values["if empty"],
        bounds_from_file=from_file,
    )


def _number(value: Any) -> float | None:
    return None if value is None or math.isnan(value) else float(value)


def _pair(name: str, low: str, high: str, numbers: Mapping[str, float | None]) -> tuple[float, float] | None:
    first, second = numbers[low], numbers[high]
    if first is None and second is None:
        return None
    if first is None or second is None:
        raise _HalfTyped(f"Column {name!r} has only one of {low!r} and {high!r} so far; give both or neither.")
    return first, second


def schema_editor(data: Dataset, *, fresh: bool) -> None:
    """Draw the editor of a table's schema and take the table into use when asked.

    Parameters
    ----------
    data : Dataset
        The table to describe.
    fresh : bool
        Whether it was just uploaded and is not in use yet.
    """
    key = data.digest[:16]
    base = st.session_state.get(f"schema_base_{key}", data.schema)
    target, one_row_is = _questions(base, key)
    st.caption(
        "What is publicly known of each column. Lowest and highest are bounds from a code book or plain knowledge, "
        "not the smallest and largest value in the file; values beyond them are moved to the bound. "
        "Double-click a cell to change it."
    )
    edited = st.data_editor(
        rows(base),
        key=f"schema_table_{key}_{base.target.name if base.target else ''}",
        hide_index=True,
        num_rows="fixed",
        disabled=["column"],
        column_config=_columns(),
        height=min(38 + 35 * len(base.columns), 460),
        placeholder="",
        alt="Columns of the table with role, kind, bounds and unit, to edit",
    )
    try:
        described = parsed(base, edited, target, one_row_is)
    except _HalfTyped as waiting:
        st.caption(escaped(str(waiting)))
        return
    except Exception as problem:  # a contradiction is shown where it was typed
        st.error(escaped(sentence(problem, "reading the schema")), icon=":material/error:")
        return
    if target and (base.target is None or base.target.name != target):
        # The editor starts again from what was typed so far, so that the new target shows in its row.
        st.session_state[f"schema_base_{key}"] = described
        st.rerun()
    _actions(data, described, fresh=fresh)


def _questions(schema: Schema, key: str) -> tuple[str | None, str]:
    names = sorted(schema.names, key=lambda name: not schema.column(name).is_numeric)
    left, right = st.columns(2, gap="medium")
    with left:
        target = st.selectbox(
            "Which column is to be predicted?",
            names,
            names.index(schema.target.name) if schema.target else None,
            placeholder="Choose a column of numbers",
            key=f"schema_target_{key}",
        )
    with right:
        one_row_is = st.text_input(
            "What does one row stand for?",
            schema.one_row_is,
            placeholder="for example: one patient",
            key=f"schema_row_{key}",
            help="Privacy protects one row. If a person has several rows, bring them together in one row first.",
        )
    return target, one_row_is or ""


def _actions(data: Dataset, described: Schema, *, fresh: bool) -> None:
    missing = described.incomplete
    unchanged = not fresh and described == data.schema
    label = "Use this table" if not missing else "Explore now: fill the missing bounds from the file"
    with st.container(horizontal=True, vertical_alignment="center"):
        taken = st.button(
            label,
            type="primary",
            key=f"schema_use_{data.digest[:16]}",
            icon=":material/play_arrow:",
            disabled=unchanged and not missing,
        )
        st.download_button(
            "Download this schema (TOML)",
            described.to_toml,
            f"{_stem(data.name)}.toml",
            "application/toml",
            key=f"schema_download_{data.digest[:16]}",
            on_click="ignore",
            icon=":material/download:",
        )
    if missing:
        st.caption(
            f"Bounds are missing for {_listed(missing)}. Filled from the file they are **not public**: fine for "
            "exploring, marked in the receipt, and a release is refused until somebody has replaced them."
        )
    elif described.from_file:
        st.caption(
            f"From the file, not public: the bounds of {_listed(described.from_file)}. "
            "A release is refused until somebody has replaced them."
        )
    if taken:
        _use(data, described)


def _use(data: Dataset, described: Schema) -> None:
    try:
        if described.target is None:
            raise InputError("No column to predict is chosen; choose one above.")
        ready = data.with_schema(described.filled_from(data.frame) if described.incomplete else described)
        compute.check(ready)
        state.adopt(ready)
    except Exception as problem:  # the previous table stays in use
        st.error(escaped(sentence(problem, "taking the table into use")), icon=":material/error:")
    else:
        st.rerun()


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(f"**{escaped(name)}**" for name in names[:6])
    return shown + (f" and {len(names) - 6} more" if len(names) > 6 else "")


def _stem(name: str) -> str:
    return (name.rpartition(".")[0] or name or "schema").replace("/", "_")


def _columns() -> dict[str, Any]:
    config = st.column_config
    return {
        "column": config.TextColumn("Column", pinned=True, width=110),
        "role": config.SelectboxColumn("Role", options=ROLES, required=True, width=80, help=_ROLE_HELP),
        "kind": config.SelectboxColumn("Kind", options=KINDS, required=True, width=80),
        "lowest": config.NumberColumn("Lowest", width=85, help="Smallest value that counts, from public knowledge."),
        "highest": config.NumberColumn("Highest", width=85, help="Largest value that counts, from public knowledge."),
        "categories": config.ListColumn(
            "Categories", width=110, help="The values that count, where they are no numbers."
        ),
        "bounds come from": config.SelectboxColumn(
            "Bounds come from", options=(PUBLIC, FILE, NONE), required=True, width=155, help=_SOURCE_HELP
        ),
        "typical from": config.NumberColumn("Typical from", width=115, help=_TYPICAL_HELP),
        "typical to": config.NumberColumn("Typical to", width=105, help=_TYPICAL_HELP),
        "unit": config.TextColumn("Unit", width=75),
        "if empty": config.SelectboxColumn("If empty", options=MISSING, required=True, width=115),
    }
