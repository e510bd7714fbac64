"""Why what is on screen is not what was asked for."""

from __future__ import annotations

import streamlit as st

from dpcp_core.experiments.result import SimulationResult
from dpcp_core.presentation.wording import page as words
from dpcp_core.presentation.wording.numbers import level, short
from dpcp_core.presentation.wording.progress import changed_since
from dpcp_core.presentation.wording.terms import option_title
from pages.ui import state
from pages.ui.answer import Answer
from pages.ui.panels.run import show_run
from pages.ui.text import escaped


def show_notice(answer: Answer) -> None:
    """Say in one sentence what went wrong, offer the training that is missing, and say what is shown meanwhile."""
    if answer.problem:
        st.error(escaped(answer.problem), icon=":material/error:")
    show_run(answer)
    if answer.is_old and answer.result is not None:
        st.badge(changed_since("result"), icon=":material/history:", color="orange")
        st.caption(escaped(_shown_line(answer.result)))


def _shown_line(result: SimulationResult) -> str:
    shown, table = result.settings, state.title_of(result.dataset_name)
    return words.SHOWS.format(
        result.target.title,
        table,
        short(shown.epsilon),
        level(shown.confidence_level),
        option_title("method", shown.method),
        option_title("trainer", shown.trainer),
    )
