"""A target of classes: which they are, and numbers that are names."""

from __future__ import annotations

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Schema
from dpcp_core.data.schema_check import doubt_about_target
from dpcp_core.presentation.wording import start as words
from pages.ui.text import escaped

_FEW = 10
"""Up to so many different whole numbers may as well be names of classes."""

_MOST_LISTED = 200
"""More different words than this are no classes that anybody would want to read in a cell."""


def missing(schema: Schema) -> tuple[str, ...]:
    """Return the names of all columns in use, groups too, that still lack bounds or categories."""
    group = schema.group
    return (*schema.incomplete, *((group.name,) if group and not group.is_complete else ()))


def with_classes(schema: Schema, data: Dataset) -> Schema:
    """Return the schema with the classes of its target listed as the file has them, marked as not public.

    A target of numbers, one whose classes are listed and one that has no classes stay as they are.
    """
    target = schema.target
    if target is None or target.is_numeric or target.is_complete:
        return schema
    if not 2 <= data.frame[target.name].nunique() <= _MOST_LISTED:
        return schema
    return schema.with_column(Schema((target,)).filled_from(data.frame).columns[0])


def offer_classes(schema: Schema, data: Dataset, base_key: str) -> None:
    """Say that a target of numbers may name classes, and offer to take it so.

    Parameters
    ----------
    schema : Schema
        As it is described so far.
    data : Dataset
    base_key : str
        Where the editor's schema is kept.
    """
    target = schema.target
    if target is None or not target.is_numeric:
        return
    if doubt := doubt_about_target(target, data.frame[target.name]):
        st.caption(f":material/help: {escaped(doubt)}")
    elif target.kind != "integer" or data.frame[target.name].nunique() > _FEW:
        return
    st.button(
        words.NUMBERS_ARE_NAMES,
        key=f"{base_key}_classes",
        icon=":material/category:",
        on_click=_take_as_classes,
        args=(schema, data, base_key),
    )


def _take_as_classes(schema: Schema, data: Dataset, base_key: str) -> None:
    target = schema.target
    assert target is not None
    st.session_state[base_key] = with_classes(schema.with_column(target.with_kind("category")), data)
