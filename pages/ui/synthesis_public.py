"""A public table that synthetic rows may be drawn from; it goes with the private table that it was brought for."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Schema
from dpcp_core.presentation.wording.synthesis_page import PUBLIC_NONE, PUBLIC_WORDS, public_sentence
from dpcp_core.presentation.wording.synthesis_run import MISFIT
from dpcp_core.synthesis.public_table import public_rows
from pages.ui import sharing, state
from pages.ui.errors import sentence
from pages.ui.text import escaped

_HELD, _PROBLEM, _READ = "_synth_public", "_synth_public_problem", "_synth_public_file"


@dataclass(frozen=True, eq=False)
class _Held:
    """A public table, and which private one it was read for."""

    of: str
    table: Dataset
    notes: tuple[str, ...]


def table(data: Dataset) -> Dataset | None:
    """Return the public table that was brought for the one in use, if any."""
    held: _Held | None = st.session_state.get(_HELD)
    return held.table if held is not None and held.of == data.digest else None


def draw(data: Dataset) -> None:
    """Draw the uploader, and say what was read."""
    file = st.file_uploader(
        "A public table as CSV",
        ["csv", "txt", "tsv", "gz"],
        key=state.upload_key("upload_public"),
        max_upload_size=sharing.limits().upload_mb,
        help=PUBLIC_WORDS,
    )
    if file is not None and (file.file_id, data.digest) != st.session_state.get(_READ):
        st.session_state[_READ] = (file.file_id, data.digest)
        st.session_state[_PROBLEM] = _take_in(data, file.name, file.getvalue())
        # What uses the table is drawn before this.
        st.rerun()
    if problem := st.session_state.get(_PROBLEM):
        st.error(escaped(problem), icon=":material/error:")
    held = table(data)
    if held is None:
        st.caption(PUBLIC_NONE)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(escaped(public_sentence(held.name, held.n_rows, st.session_state[_HELD].notes)), width="stretch")
        st.button("Leave it out", key="synth_public_drop", icon=":material/close:", on_click=_drop)


def _drop() -> None:
    st.session_state.pop(_HELD, None)
    st.session_state.pop(_PROBLEM, None)


def _take_in(data: Dataset, name: str, raw: bytes) -> str:
    """Read the file by the private table's schema; return one sentence if it does not fit, else ""."""
    from dpcp_core.data.reading import read_csv

    target = data.schema.target
    drawn = tuple(column for column in data.schema.columns if column.role != "ignore" and column is not target)
    try:
        sharing.check_memory()
        read = read_csv(raw, schema=Schema(drawn), name=name, max_bytes=sharing.limits().upload_mb << 20)
        sharing.check_size(read)
        _, notes = public_rows(read.frame, drawn)
    except Exception as problem:  # whatever a file holds, the page goes on
        _drop()
        return MISFIT.format(sentence(problem, "reading the file"))
    st.session_state[_HELD] = _Held(data.digest, replace(read, name=name), notes)
    return ""
