"""What ails a run, and one click to mend it."""

from __future__ import annotations

import streamlit as st

from dpcp_core.evaluation.doctor import Finding
from dpcp_core.experiments.result import SimulationResult
from dpcp_core.presentation.wording import page as words
from dpcp_core.presentation.wording.numbers import count
from pages.ui import controls
from pages.ui.text import escaped


def show_doctor(result: SimulationResult) -> None:
    """List the findings, the most serious first."""
    if not result.findings:
        # From-file bounds ail no setting, and yet nothing is protected.
        but = words.LEAKS_ABOVE if result.receipt.leaks else ""
        st.markdown(words.NOTHING_TO_MEND.format(but))
        return
    with st.container(border=True):
        st.markdown(words.TO_LOOK_AT.format(count(len(result.findings), "thing")))
        for finding in result.findings:
            _finding(finding)


def _finding(finding: Finding) -> None:
    st.markdown(f"**{escaped(finding.symptom)}** {escaped(finding.cause)} {escaped(finding.remedy)}")
    if finding.change:
        label = controls.change_label(finding.change)
        st.button(
            label,
            key=f"fix_{finding.code}",
            on_click=controls.apply,
            args=(dict(finding.change),),
            icon=":material/healing:",
            wrap=True,
        )
