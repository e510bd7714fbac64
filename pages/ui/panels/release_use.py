"""A bundle and new rows in, intervals or sets out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpcp_core.data.spreadsheet import csv_text
from dpcp_core.presentation.wording import release as words
from dpcp_core.release import Predictions, open_bundle
from dpcp_core.release.opening import MOST_BYTES
from pages.ui import sharing, state
from pages.ui.errors import sentence
from pages.ui.panels.picture import show_table
from pages.ui.panels.release_run import Made, made_so_far
from pages.ui.text import escaped

_USED = "_release_used"
_SHOWN = 8


@dataclass(frozen=True)
class Used:
    """What came of a bundle and a file of new rows.

    Attributes
    ----------
    of : tuple of str
        What was used.
    predictions : Predictions, optional
    said : str
        How many rows and what is promised, or the sentence that says what is wrong.
    """

    of: tuple[str, str]
    predictions: Predictions | None
    said: str


def show_use() -> None:
    """Draw the two uploaders, and what the bundle says of the new rows."""
    st.header(words.USE_TITLE, anchor=False)
    st.markdown(words.USE)
    left, right = st.columns(2, gap="medium")
    bundle_file = left.file_uploader(
        "A bundle (ZIP)",
        ["zip"],
        key=state.upload_key("release_bundle"),
        max_upload_size=MOST_BYTES >> 20,
        help=words.BUNDLE_HELP,
    )
    rows_file = right.file_uploader(
        "New rows (CSV)",
        ["csv", "txt", "tsv", "gz"],
        key=state.upload_key("release_rows"),
        max_upload_size=sharing.limits().upload_mb,
        help=words.NEW_HELP,
    )
    own = _made_last()
    if own is not None and bundle_file is None:
        st.caption(words.USE_MADE)
    if rows_file is not None and (bundle_file is not None or own is not None):
        _show(_used(bundle_file, own, rows_file))


def _made_last() -> Made | None:
    return next((made for made in reversed(made_so_far()) if made.asked.kind == "intervals"), None)


def _used(bundle_file: Any, own: Made | None, rows_file: Any) -> Used:
    """Return what these two files gave; each pair is read once."""
    bundle_id = bundle_file.file_id if bundle_file else own.released.release if own else ""
    of = (bundle_id, rows_file.file_id)
    held = st.session_state.get(_USED)
    if not isinstance(held, Used) or held.of != of:
        content = bundle_file.getvalue() if bundle_file else own.released.bundle if own else b""
        with st.spinner("Predicting", show_time=True):
            held = st.session_state[_USED] = _predicted(of, content, rows_file)
    return held


def _predicted(of: tuple[str, str], content: bytes, rows_file: Any) -> Used:
    # Recognising a file's dialect needs libraries that the page should not wait for.
    from dpcp_core.data.reading import read_csv

    try:
        bundle = open_bundle(content)
        sharing.check_memory()
        rows = read_csv(rows_file.getvalue(), name=rows_file.name, max_bytes=sharing.limits().upload_mb << 20)
        sharing.check_size(rows)
        found = bundle.predict(rows.frame)
    except Exception as problem:  # whatever a file holds, the page goes on
        return Used(of, None, sentence(problem, "using the bundle"))
    return Used(of, found, words.used_words(len(found.table), str(bundle.certificate.get("reason", ""))))


def _show(used: Used) -> None:
    if used.predictions is None:
        st.error(escaped(used.said), icon=":material/error:")
        return
    table = used.predictions.table
    st.markdown(f"**{escaped(used.said)}**")
    show_table(st, table.head(_SHOWN), "table_used", words.USED_ALT)
    st.download_button(
        "Predictions (CSV)",
        lambda: csv_text(table),
        "intervals.csv",
        "text/csv",
        key="download_used",
        on_click="ignore",
        icon=":material/download:",
    )
    st.caption(words.ROWS_ARE_REAL)
