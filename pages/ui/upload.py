"""A CSV file, and a schema beside it, into a table that waits for its description."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.presentation.wording.numbers import count
from pages.ui import state
from pages.ui.errors import sentence
from pages.ui.text import escaped

MAX_MB = 200
_NOTES_SHOWN, _NOTES_HEIGHT, _EMPTY_SHOWN = 10, 280, 5
# Forgetting drops every key that begins so.
_FILES = "upload_files_read"
_PROBLEM = "upload_problem"


def upload() -> None:
    """Draw the two uploaders and read what is new in them."""
    csv, toml = st.columns([3, 2], gap="medium")
    with csv:
        table_file = st.file_uploader(
            "A table as CSV",
            ["csv", "txt", "tsv", "gz"],
            key=state.upload_key("upload_table"),
            max_upload_size=MAX_MB,
            help="One row a person; a line above names the columns. Separator, decimal mark and encoding are guessed; "
            "a CSV file packed with gzip (.csv.gz) is unpacked.",
        )
    with toml:
        schema_file = st.file_uploader(
            "Its schema (TOML), optional",
            ["toml"],
            key=state.upload_key("upload_schema"),
            max_upload_size=2,
            help="What is publicly known of the columns. The page writes one for you to download, too.",
        )
    files = tuple(file.file_id if file else "" for file in (table_file, schema_file))
    if files != st.session_state.get(_FILES, ("", "")):
        st.session_state[_FILES] = files
        st.session_state[_PROBLEM] = _take_in(table_file, schema_file)
    if problem := st.session_state.get(_PROBLEM):
        st.error(escaped(problem), icon=":material/error:")


def report(data: Dataset) -> None:
    """Say what was read and what was guessed on the way."""
    found = data.report
    st.markdown(f"**{escaped(data.name)}**: read {count(found.n_rows, 'row')} and {count(found.n_columns, 'column')}.")
    notes = [*found.notes, *_missing(data)]
    if notes:
        with st.container(height=_NOTES_HEIGHT if len(notes) > _NOTES_SHOWN else "content", border=False):
            st.markdown("\n".join(f"- {escaped(note)}" for note in notes))


def _take_in(table_file: object, schema_file: object) -> str:
    """Read the files; return one sentence if they cannot be used, else ""."""
    if table_file is None:
        return "" if schema_file is None else "A schema describes a table: upload the CSV file it belongs to as well."
    # Recognising a file's dialect needs libraries that the first page should not wait for.
    from dpcp_core.data.reading import read_csv

    try:
        schema = None if schema_file is None else _schema(schema_file)
        data = read_csv(table_file.getvalue(), schema=schema, name=table_file.name, max_bytes=MAX_MB << 20)
    except Exception as problem:  # whatever a file holds, the page goes on
        return sentence(problem, "reading the file")
    state.set_draft(replace(data, name=table_file.name))
    return ""


def _schema(file: object) -> Schema:
    try:
        text = file.getvalue().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{file.name} is not text in UTF-8; save the schema as a TOML file in UTF-8.") from None
    return Schema.from_toml(text)


def _missing(data: Dataset) -> list[str]:
    empty = sorted(data.report.missing.items(), key=lambda item: -item[1])
    if not empty:
        return []
    shown = [f"{name} ({cells:,})" for name, cells in empty[:_EMPTY_SHOWN]]
    if len(empty) > _EMPTY_SHOWN:
        shown.append(f"and {count(len(empty) - _EMPTY_SHOWN, 'more column')}")
    return [f"Empty cells: {', '.join(shown)}."]
