"""The schema as a table to edit: what each column is for, and what is publicly known of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from dpcp_core.data.column import KINDS, MISSING, ROLES
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.presentation.snippets import schema_file_name
from pages.ui import compute, state
from pages.ui.errors import sentence
from pages.ui.schema_rows import FILE, NONE, PUBLIC, HalfTyped, parsed, rows
from pages.ui.schema_target import missing, offer_classes, with_classes
from pages.ui.text import escaped

_ROLE_HELP = (
    "Feature: helps to predict. Target: is predicted. Group: coverage is shown for each group, and may be promised "
    "within each. Ignore: not used."
)
_EXPLANATION = (
    "What is publicly known of each column. Lowest and highest are bounds from a code book or plain knowledge, "
    "not the smallest and largest value in the file; values beyond them are moved to the bound. Categories are all "
    "values that there could be, in the file or not. Double-click a cell to change it."
)
_SOURCE_HELP = "Where bounds, typical range or categories come from. If those from the file are public, say so here."
_TYPICAL_HELP = "Where the middle two thirds of people lie, from public knowledge; it makes training better."


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
    st.caption(_EXPLANATION)
    edited = st.data_editor(
        rows(base),
        key=f"schema_table_{key}_{f'{base.target.name}_{base.target.kind}' if base.target else ''}",
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
    except HalfTyped as waiting:
        st.caption(escaped(str(waiting)))
        return
    except Exception as problem:  # a contradiction is shown where it was typed
        st.error(escaped(sentence(problem, "reading the schema")), icon=":material/error:")
        return
    if target and (base.target is None or base.target.name != target):
        # The editor starts again from what was typed so far, so that the new target shows in its row.
        st.session_state[f"schema_base_{key}"] = with_classes(described, data)
        st.rerun()
    _actions(data, described, fresh=fresh)


def _questions(schema: Schema, key: str) -> tuple[str | None, str]:
    names = schema.names
    left, right = st.columns(2, gap="medium")
    with left:
        target = st.selectbox(
            "Which column is to be predicted?",
            names,
            names.index(schema.target.name) if schema.target else None,
            placeholder="Choose a column",
            key=f"schema_target_{key}",
            help="Numbers get an interval, anything else gets a set of possible answers.",
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
    key, gaps = data.digest[:16], missing(described)
    with st.container(horizontal=True, vertical_alignment="center"):
        taken = st.button(
            "Explore now: fill what is missing from the file" if gaps else "Use this table",
            type="primary",
            key=f"schema_use_{key}",
            icon=":material/play_arrow:",
            disabled=not fresh and not gaps and described == data.schema,
        )
        st.download_button(
            "Download this schema (TOML)",
            described.to_toml,
            schema_file_name(data),
            "application/toml",
            key=f"schema_download_{key}",
            on_click="ignore",
            icon=":material/download:",
        )
        if fresh:
            st.button("Discard", type="tertiary", key=f"schema_discard_{key}", on_click=state.set_draft, args=(None,))
    _say_what_is_not_public(described)
    offer_classes(described, data, f"schema_base_{key}")
    if taken:
        _use(data, described)


def _say_what_is_not_public(described: Schema) -> None:
    if gaps := missing(described):
        st.caption(
            f"{_gaps(described, gaps)}. Filled from the file they are **not public**: fine for exploring, marked in "
            "the receipt, and a release is refused until somebody has replaced them."
        )
    if described.from_file:
        st.caption(
            f"From the file, not public: bounds or categories of {_listed(described.from_file)}. "
            "A release is refused until somebody has replaced them, or says under “Known from” that they are public."
        )


def _use(data: Dataset, described: Schema) -> None:
    try:
        if described.target is None:
            raise InputError("No column to predict is chosen; choose one above.")
        ready = _filled(data, described) if missing(described) else data.with_schema(described)
        compute.check(ready)
        state.adopt(ready)
    except Exception as problem:  # the previous table stays in use
        st.error(escaped(sentence(problem, "taking the table into use")), icon=":material/error:")
    else:
        st.rerun()


def _filled(data: Dataset, described: Schema) -> Dataset:
    """Fill what is missing from the rows; what had to be left out on the way is added to the table's report."""
    filled, notes = described.filled_with_notes(data.frame)
    dropped = [name for name in described.names if described.column(name).role != filled.column(name).role]
    new = tuple(note for note in notes if any(repr(name) in note for name in dropped))
    report = replace(data.report, notes=(*data.report.notes, *new))
    return replace(data.with_schema(filled), report=report)


def _gaps(described: Schema, names: tuple[str, ...]) -> str:
    """Return which columns lack bounds, and which lack categories."""
    numbers = tuple(name for name in names if described.column(name).is_numeric)
    words = tuple(name for name in names if name not in numbers)
    parts = [f"Bounds are missing for {_listed(numbers)}"] if numbers else []
    if words:
        parts.append(f"{'categories' if parts else 'Categories'} are missing for {_listed(words)}")
    return "; ".join(parts)


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(f"**{escaped(name)}**" for name in names[:6])
    return shown + (f" and {len(names) - 6} more" if len(names) > 6 else "")


def _columns() -> dict[str, Any]:
    config = st.column_config
    return {
        "column": config.TextColumn("Column", pinned=True, width=110),
        "role": config.SelectboxColumn("Role", options=ROLES, required=True, width=80, help=_ROLE_HELP),
        "kind": config.SelectboxColumn("Kind", options=KINDS, required=True, width=80),
        "lowest": config.NumberColumn("Lowest", width=85, help="Smallest value that counts, from public knowledge."),
        "highest": config.NumberColumn("Highest", width=85, help="Largest value that counts, from public knowledge."),
        "unit": config.TextColumn("Unit", width=70, help="Shown beside every number, for example mmHg."),
        "categories": config.ListColumn(
            "Categories", width=110, help="The values that count, where they are no numbers."
        ),
        "known from": config.SelectboxColumn(
            "Known from", options=(PUBLIC, FILE, NONE), required=True, width=155, help=_SOURCE_HELP
        ),
        "typical from": config.NumberColumn("Typical from", width=115, help=_TYPICAL_HELP),
        "typical to": config.NumberColumn("Typical to", width=105, help=_TYPICAL_HELP),
        "if empty": config.SelectboxColumn("If empty", options=MISSING, required=True, width=115),
    }
