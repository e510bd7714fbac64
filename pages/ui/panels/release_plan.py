"""What is to be published, checked: settings taken over, the saved schema, what is refused, what only you know."""

from __future__ import annotations

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.errors import InputError
from dpcp_core.presentation.wording import release as words
from dpcp_core.presentation.wording.on_page import on_page
from dpcp_core.release import ReleasePlan
from pages.ui import release_controls
from pages.ui.layout import halves
from pages.ui.text import escaped

_FEW = 4
_PAGES = {"intervals": ("pages/coverage.py", "Coverage"), "table": ("pages/synthesis.py", "Synthesis")}


def show_plan(data: Dataset) -> ReleasePlan | None:
    """Draw what is to be published, and return it if it may be."""
    st.header(words.WHAT, anchor=False)
    release_controls.choose()
    try:
        _settings(data)
        schema = _schema(data)
        planned = release_controls.plan(data, schema) if schema.text else None
    except InputError as problem:
        st.error(f"**{words.NOT_YET}.** {escaped(on_page(str(problem)))}", icon=":material/lock_open:")
        return None
    if planned is not None and planned.reminders:
        listed = "\n".join(f"- :small[{escaped(on_page(reminder))}]" for reminder in planned.reminders)
        st.markdown(f":material/help: **{words.ONLY_YOU}**\n\n{listed}")
    return planned


def _settings(data: Dataset) -> None:
    script, page = _PAGES[release_controls.kind()]
    lines = [f"- {escaped(label)}: **{escaped(value)}**" for label, value in release_controls.lines(data)]
    with st.container(border=True, gap="small"):
        half = len(lines) if len(lines) < _FEW else (len(lines) + 1) // 2
        for place, part in zip(halves() if half < len(lines) else (st,), (lines[:half], lines[half:]), strict=False):
            place.markdown("\n".join(part))
        st.caption(f"{words.TAKEN_OVER.format(page)} {words.ALL_ROWS}")
        st.page_link(script, label=page, icon=":material/arrow_back:")


def _schema(data: Dataset) -> release_controls.SavedSchema:
    schema = release_controls.saved_schema(data)
    if schema.text:
        st.caption(schema.said)
    else:
        st.info(schema.said, icon=":material/description:")
        release_controls.offer_to_save(data)
    return schema
