"""How far a run of the budget page is, and a way to stop it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from dpcp_core.errors import PrivacyLeakWarning
from dpcp_core.presentation.wording.numbers import count
from pages.ui import runs
from pages.ui.panels.run import duration

T = TypeVar("T")


def quietly(work: Callable[[], T]) -> T:
    """Do the work without warnings of leaks; the page lists each of them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrivacyLeakWarning)
        return work()


def show_progress(job: runs.Job[Any], noun: str) -> None:
    """Show how far a run is, beside a button that stops it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Stop",
            key=f"stop_{job.name}",
            on_click=runs.cancel,
            args=(job.name,),
            icon=":material/stop:",
            disabled=job.is_stopping,
        )
        latest = job.latest
        st.progress(latest.share if latest else 0.0, _how_far(job, noun), width="stretch")


def _how_far(job: runs.Job[Any], noun: str) -> str:
    latest = job.latest
    if job.is_stopping:
        return "Stopping after the training that is going on"
    if not job.has_begun:
        return "Waits until another run on this computer has ended"
    if latest is None:
        return "Preparing the table"
    left = f", about {duration(latest.left_s)} left" if latest.left_s else ""
    return f"{count(latest.done, noun)} of {latest.total}{left}"
