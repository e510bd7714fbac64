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
from dpcp_core.presentation.wording import start as words
from dpcp_core.presentation.wording.nouns import shortened
from dpcp_core.presentation.wording.numbers import count
from pages.ui import compute, state
from pages.ui.errors import sentence
from pages.ui.schema_rows import FILE, NONE, PUBLIC, HalfTyped, parsed, rows
from pages.ui.schema_target import missing, offer_classes, with_classes
from pages.ui.text import escaped


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
    st.caption(words.EDITOR)
    edited = st.data_editor(
        rows(base),
        key=f"schema_table_{key}_{f'{base.target.name}_{base.target.kind}' if base.target else ''}",
        hide_index=True,
        num_rows="fixed",
        disabled=["column"],
        column_config=_columns(),
        height=min(38 + 35 * len(base.columns), 460),
        placeholder="",
        alt=words.GRID_ALT,
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
            words.WHICH_TARGET,
            names,
            names.index(schema.target.name) if schema.target else None,
            placeholder="Choose a column",
            key=f"schema_target_{key}",
            help=words.TARGET_HELP,
        )
    with right:
        one_row_is = st.text_input(
            words.WHAT_ROW,
            schema.one_row_is,
            placeholder="for example: one patient",
            key=f"schema_row_{key}",
            help=words.ROW_HELP,
        )
    return target, one_row_is or ""


def _actions(data: Dataset, described: Schema, *, fresh: bool) -> None:
    key, gaps = data.digest[:16], missing(described)
    with st.container(horizontal=True, vertical_alignment="center"):
        taken = st.button(
            words.FILL if gaps else "Use this table",
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
    _offer_to_leave_out(data, described)


def _offer_to_leave_out(data: Dataset, described: Schema) -> None:
    target = described.target
    n_empty = 0 if target is None else int(data.frame[target.name].isna().sum())
    if target is None or not 0 < n_empty < data.n_rows:
        return
    label = words.LEAVE_OUT.format(count(n_empty, "row"), f"“{escaped(shortened(target.name))}”")
    key = f"schema_leave_out_{data.digest[:16]}"
    if st.button(label, key=key, help=words.LEAVE_OUT_HELP, icon=":material/filter_alt:"):
        _use(data.where_filled(target.name), described)


def _say_what_is_not_public(described: Schema) -> None:
    if gaps := missing(described):
        st.caption(words.FILLED.format(_gaps(described, gaps)))
    if described.from_file:
        st.caption(words.FROM_FILE.format(_listed(described.from_file)))


def _use(data: Dataset, described: Schema) -> None:
    try:
        if described.target is None:
            raise InputError(words.NO_TARGET)
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
    named = tuple(name for name in names if name not in numbers)
    parts = [f"Bounds are missing for {_listed(numbers)}"] if numbers else []
    if named:
        parts.append(f"{'categories' if parts else 'Categories'} are missing for {_listed(named)}")
    return "; ".join(parts)


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(f"**{escaped(shortened(name))}**" for name in names[:6])
    return shown + (f" and {len(names) - 6} more" if len(names) > 6 else "")


def _columns() -> dict[str, Any]:
    config = st.column_config
    return {
        "column": config.TextColumn("Column", pinned=True, width=110),
        "role": config.SelectboxColumn("Role", options=ROLES, required=True, width=80, help=words.ROLE_HELP),
        "kind": config.SelectboxColumn("Kind", options=KINDS, required=True, width=80),
        "lowest": config.NumberColumn("Lowest", width=85, help=words.LOWEST_HELP),
        "highest": config.NumberColumn("Highest", width=85, help=words.HIGHEST_HELP),
        "unit": config.TextColumn("Unit", width=70, help=words.UNIT_HELP),
        "categories": config.ListColumn("Categories", width=110, help=words.CATEGORIES_HELP),
        "known from": config.SelectboxColumn(
            "Known from", options=(PUBLIC, FILE, NONE), required=True, width=155, help=words.SOURCE_HELP
        ),
        "typical from": config.NumberColumn("Typical from", width=115, help=words.TYPICAL_HELP),
        "typical to": config.NumberColumn("Typical to", width=105, help=words.TYPICAL_HELP),
        "if empty": config.SelectboxColumn("If empty", options=MISSING, required=True, width=115),
    }
