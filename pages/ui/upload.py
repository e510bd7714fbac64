"""A CSV file, and a schema beside it, into a table that waits for its description."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Schema
from dpcp_core.errors import DecimalMarkError, InputError
from dpcp_core.presentation.wording import start as words
from dpcp_core.presentation.wording.numbers import count
from pages.ui import sharing, state
from pages.ui.errors import sentence
from pages.ui.text import escaped

_NOTES_SHOWN, _NOTES_HEIGHT, _EMPTY_SHOWN = 10, 280, 5
# Forgetting drops every key that begins so.
_FILES = "upload_files_read"
_PROBLEM = "upload_problem"
_MARK, _MARK_ASKED = "upload_decimal_mark", "upload_decimal_mark_asked"
_SCHEMA_TEXT = "upload_schema_text"


def upload() -> None:
    """Draw the two uploaders and read what is new in them."""
    csv, toml = st.columns([3, 2], gap="medium")
    with csv:
        table_file = st.file_uploader(
            "A table as CSV",
            ["csv", "txt", "tsv", "gz"],
            key=state.upload_key("upload_table"),
            max_upload_size=sharing.limits().upload_mb,
            help=words.UPLOAD_HELP,
        )
    with toml:
        schema_file = st.file_uploader(
            "Its schema (TOML), optional",
            ["toml"],
            key=state.upload_key("upload_schema"),
            max_upload_size=2,
            help=words.SCHEMA_HELP,
        )
    files = tuple(file.file_id if file else "" for file in (table_file, schema_file))
    before = st.session_state.get(_FILES, ("", "", None))
    if files != before[:2]:
        st.session_state.pop(_MARK, None)
        st.session_state[_MARK_ASKED] = False
    mark = st.session_state.get(_MARK)
    if (*files, mark) != before:
        st.session_state[_FILES] = (*files, mark)
        st.session_state[_PROBLEM] = _take_in(table_file, schema_file, mark)
    if problem := st.session_state.get(_PROBLEM):
        st.error(escaped(problem), icon=":material/error:")
    if st.session_state.get(_MARK_ASKED):
        st.segmented_control(words.DECIMAL_MARK, [*words.MARKS], format_func=words.MARKS.get, key=_MARK)


def report(data: Dataset) -> None:
    """Say what was read and what was guessed on the way."""
    found = data.report
    st.markdown(f"**{escaped(data.name)}**: read {count(found.n_rows, 'row')} and {count(found.n_columns, 'column')}.")
    notes = [*found.notes, *_missing(data)]
    if notes:
        with st.container(height=_NOTES_HEIGHT if len(notes) > _NOTES_SHOWN else "content", border=False):
            st.markdown("\n".join(f"- {escaped(note)}" for note in notes))


def schema_text() -> str:
    """Return the text of the schema file that came with the newest table; "" if there was none."""
    return str(st.session_state.get(_SCHEMA_TEXT, ""))


def _take_in(table_file: object, schema_file: object, mark: str | None) -> str:
    """Read the files, by a decimal mark if one is chosen; return one sentence if they cannot be used, else ""."""
    if table_file is None:
        return "" if schema_file is None else words.SCHEMA_ALONE
    # Recognising a file's dialect needs libraries that the first page should not wait for.
    from dpcp_core.data.reading import read_csv

    try:
        sharing.check_memory()
        text = "" if schema_file is None else _text(schema_file)
        schema = Schema.from_toml(text) if schema_file is not None else None
        most = sharing.limits().upload_mb << 20
        data = read_csv(table_file.getvalue(), schema=schema, name=table_file.name, max_bytes=most, decimal=mark)
        sharing.check_size(data)
    except DecimalMarkError as unclear:
        st.session_state[_MARK_ASKED] = True
        return str(unclear).partition(", or say")[0] + words.OR_CHOOSE
    except Exception as problem:  # whatever a file holds, the page goes on
        return sentence(problem, "reading the file")
    st.session_state[_SCHEMA_TEXT] = text
    state.set_draft(replace(data, name=table_file.name))
    return ""


def _text(file: object) -> str:
    try:
        return file.getvalue().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(words.NOT_UTF8.format(file.name)) from None


def _missing(data: Dataset) -> list[str]:
    empty = sorted(data.report.missing.items(), key=lambda item: -item[1])
    if not empty:
        return []
    shown = [f"{name} ({cells:,})" for name, cells in empty[:_EMPTY_SHOWN]]
    if len(empty) > _EMPTY_SHOWN:
        shown.append(f"and {count(len(empty) - _EMPTY_SHOWN, 'more column')}")
    return [f"Empty cells: {', '.join(shown)}."]
