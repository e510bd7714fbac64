"""The audit: every claim of the app under attack, as a run to watch and to stop."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpcp_core.errors import InputError
from dpcp_core.experiments.audit.duration import expected_seconds
from dpcp_core.experiments.audit.report import AuditReport
from dpcp_core.presentation.figures.attack_audit import audit_picture
from dpcp_core.presentation.wording.attack_audit import NOTHING_CHOSEN, STOPPED, offer
from dpcp_core.presentation.wording.audit import LIMITS, MEASURED
from dpcp_core.presentation.wording.progress import OF_OTHER_SETTINGS, changed_since
from pages.ui import attack_controls, runs
from pages.ui.attack_controls import AuditAsked
from pages.ui.errors import guarded
from pages.ui.panels.picture import is_dark, show_picture
from pages.ui.panels.progress import show_progress
from pages.ui.text import escaped

NAME = "attack_audit"
"""Of the run in the session."""


def show_audit() -> None:
    """Ask what to attack, watch the run, show what came of it."""
    runs.collect(NAME)
    asked = attack_controls.audit_row()
    if runs.current(NAME) is not None:
        _watch(asked)
        return
    _offer(asked)
    held = runs.finished(NAME)
    if held is None:
        return
    about, report = held
    if about != asked:
        st.badge(changed_since("audit"), icon=":material/history:", color="orange")
    _draw(report, "attack_audit")


def claims_of(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the claims of these kinds."""
    from dpcp_core.experiments.audit.registry import AUDITED

    return tuple(name for name, each in AUDITED.items() if each.kind in kinds)


def _offer(asked: AuditAsked) -> None:
    if words := runs.problem(NAME, asked):
        st.error(escaped(words), icon=":material/error:")
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.button(
            "Audit",
            key="attack_start",
            type="primary",
            icon=":material/play_arrow:",
            on_click=_start,
            args=(asked,),
            disabled=not asked.is_complete,
        )
        seconds = expected_seconds(asked.kinds, len(asked.epsilons), asked.effort)
        st.markdown(offer(seconds) if asked.is_complete else NOTHING_CHOSEN, width="stretch")


def _start(asked: AuditAsked) -> None:
    runs.start(NAME, asked, lambda watch: _audit(asked, watch))


def _audit(asked: AuditAsked, watch: runs.Watch) -> AuditReport:
    from dpcp_core.experiments.audit.run import audit

    report = audit(
        claims_of(asked.kinds),
        asked.epsilons,
        seed=asked.seed,
        faults=asked.faults,
        effort=asked.effort,
        on_progress=watch.progress,
        should_stop=watch.stopped,
    )
    if not report.findings:
        # No result of its own: the one before stays.
        raise InputError(STOPPED)
    return report


@st.fragment(run_every="1s")
def _watch(asked: AuditAsked) -> None:
    job: Any = runs.current(NAME)
    if job is None or job.is_done:
        # The whole page has news.
        st.rerun()
    show_progress(job, "attack")
    if job.about != asked:
        st.caption(OF_OTHER_SETTINGS)
    if job.cells:
        with guarded("drawing the attacks"):
            _draw(AuditReport(job.cells), "attack_audit_so_far")


def _draw(report: AuditReport, key: str) -> None:
    show_picture(audit_picture(report, dark=is_dark()), key, csv="audit.csv")
    st.caption(escaped(f"{MEASURED} {LIMITS}"))
