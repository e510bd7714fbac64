"""What would not be private about what was asked for, before it is run."""

from __future__ import annotations

import streamlit as st

from dpcp_core.conformal.linter import Leak, lint
from dpcp_core.presentation.wording import leaks as words
from pages.ui.answer import Question
from pages.ui.text import escaped


def show_leaks(question: Question | None) -> None:
    """List what a release would refuse, and what only a person can know; nothing where there is nothing to say."""
    if question is None:
        return
    leaks = lint(question.settings, question.data.schema, n_rows=question.data.n_rows)
    refused = [leak for leak in leaks if leak.refused_in_release]
    reminders = [leak for leak in leaks if not leak.refused_in_release]
    if not leaks:
        return
    folded = len(leaks) > words.MOST_OPEN
    icon = ":material/lock_open:" if refused else ":material/help:"
    title = words.folded_title(len(refused), len(reminders))
    with st.expander(title, key="fold_leaks", icon=icon) if folded else st.container():
        if refused:
            _list(words.REFUSED, ":material/lock_open:", refused)
        if reminders:
            _list(words.REMINDERS, ":material/help:", reminders)


def _list(title: str, icon: str, leaks: list[Leak]) -> None:
    lines = "\n".join("- :small[{} *{}*]".format(*map(escaped, words.leak_words(leak))) for leak in leaks)
    st.markdown(f"{icon} **{title}**\n\n{lines}")
