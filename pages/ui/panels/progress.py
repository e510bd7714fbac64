"""How far a run in the background is, and a way to stop it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpcp_core.presentation.wording.progress import PREPARING, STOP_HELP, STOPPING, progress_words
from dpcp_core.presentation.wording.sharing import out_of_time
from pages.ui import runs, sharing, turns
from pages.ui.text import escaped


def show_progress(job: runs.Job[Any], noun: str = "cell") -> None:
    """Show how far a run is, beside a button that stops it; ``noun`` is what it counts."""
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.button(
            "Stop",
            key=f"stop_{job.name}",
            on_click=runs.cancel,
            args=(job.name,),
            icon=":material/stop:",
            disabled=job.is_stopping,
            help=STOP_HELP,
        )
        st.progress(job.latest.share if job.latest else 0.0, escaped(_how_far(job, noun)), width="stretch")


def _how_far(job: runs.Job[Any], noun: str) -> str:
    if job.watch.is_out_of_time:
        return out_of_time(sharing.limits().run_seconds)
    if job.is_stopping:
        return STOPPING
    if not job.has_begun:
        return turns.waiting_words(job.future)
    return progress_words(job.latest, noun) if job.latest else PREPARING
