"""Python's garbage collection, once for all sessions; Streamlit would collect after every run of every page."""

from __future__ import annotations

import gc
import threading

import streamlit as st

_MOMENT_S = 5.0
_collecting = threading.Lock()


@st.cache_resource(show_spinner=False)
def lighten_collections() -> None:
    """Take what is loaded once and for all out of the collection.

    Walking through the objects of the scientific libraries each time would take longer than a page does.
    """
    gc.collect()
    gc.freeze()


def collect_soon() -> None:
    """Collect garbage in a moment."""
    if not _collecting.acquire(blocking=False):
        return
    timer = threading.Timer(_MOMENT_S, _collect)
    timer.daemon = True
    try:
        timer.start()
    except RuntimeError:
        # No thread is to be had just now; a later run of a page asks again.
        _collecting.release()


def _collect() -> None:
    try:
        gc.collect()
    finally:
        _collecting.release()
