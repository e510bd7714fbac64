"""What is left of a session whose page was closed: nothing, a while later.

Streamlit keeps a closed session for two minutes, in case its connection was only interrupted, and after that until
some other session is closed; parts of the first session it may keep as long as the server runs. A table must not wait
for that.
"""

from __future__ import annotations

import ctypes
import gc
import threading
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import SafeSessionState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.uploaded_file_manager import UploadedFileManager

from pages.ui import runs, training

GRACE_S = 120.0
"""How long a session waits for its page to come back."""

_waiting: dict[str, threading.Timer] = {}


@dataclass(frozen=True, eq=False)
class _Visit:
    """An open page: what its session holds, and where."""

    session_id: str
    state: SafeSessionState
    files: UploadedFileManager

    def drop_uploads(self) -> None:
        """Drop the files that came in; Streamlit would keep them to the session's end, whatever their widgets do."""
        self.files.remove_session_files(self.session_id)

    def drop_files(self) -> None:
        """Drop the files that came in and those that were made to be downloaded."""
        self.drop_uploads()
        if runtime.exists():
            made = runtime.get_instance().media_file_mgr
            made.clear_session_refs(self.session_id)
            made.remove_orphaned_files()

    def drop_all(self) -> None:
        """Drop everything that the session holds."""
        _waiting.pop(self.session_id, None)
        for key, value in list(self.state.filtered_state.items()):
            if isinstance(value, training.Run | runs.Job):
                value.give_up()
            del self.state[key]
        self.drop_files()
        self.drop_arguments()
        _give_memory_back()

    def drop_arguments(self) -> None:
        """Drop what callbacks were handed, tables included: Streamlit keeps it for every widget ever drawn."""
        known = widgets_of(self.state)
        for name, widget in list(known.items()):
            known[name] = replace(widget, callback=None, callbacks=None, callback_args=None, callback_kwargs=None)


def widgets_of(state: Any) -> dict[str, WidgetMetadata[Any]]:
    """Return what Streamlit keeps of every widget that a session has drawn; it has no public way to it."""
    while isinstance(state, SafeSessionState):
        state = state._state
    return state._new_widget_state.widget_metadata


def watch() -> None:
    """Note that this session's page is open; once it is closed and stays so, everything of the session is dropped."""
    _open_page()


def drop_uploads() -> None:
    """Drop this session's uploaded files, once they have been read."""
    if visit := _here():
        visit.drop_uploads()


def drop_files() -> None:
    """Drop this session's files, in and out, and what callbacks were handed; for callbacks, before a page is drawn."""
    if visit := _here():
        visit.drop_files()
        visit.drop_arguments()


def _give_memory_back() -> None:
    """Return freed memory to the system, where the C library can: after a class has left it would keep half of it."""
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError, TypeError):  # another C library, another system
        return


def _here() -> _Visit | None:
    context = get_script_run_ctx()
    return context and _Visit(context.session_id, context.session_state, context.uploaded_file_mgr)


def _closed(visit: _Visit | None) -> None:
    if visit is None:
        return
    timer = threading.Timer(GRACE_S, visit.drop_all)
    timer.daemon = True
    _waiting[visit.session_id] = timer
    timer.start()


# A cache of the session's own is emptied as soon as its connection is gone: that is how the end is noticed.
@st.cache_resource(scope="session", show_spinner=False, on_release=_closed)
def _open_page() -> _Visit | None:
    visit = _here()
    if visit and (back := _waiting.pop(visit.session_id, None)):
        back.cancel()
    return visit
