"""A training that takes longer than a moment: what it would take, how far it is, a way out."""

from __future__ import annotations

import streamlit as st

from dpcp_core.presentation.wording import page as words
from dpcp_core.presentation.wording.numbers import count
from dpcp_core.presentation.wording.progress import duration
from dpcp_core.training.registry import TRAINERS
from pages.ui import compute, training, turns
from pages.ui.answer import Answer, Question
from pages.ui.text import escaped, opening


def show_run(answer: Answer) -> None:
    """Show the training that is going on, or offer the one that is missing."""
    run = training.current()
    if run is not None:
        question = answer.question
        _watch(answer.wait_s is not None and question is not None and run.is_for(question.data, question.settings))
    elif answer.wait_s is not None and answer.question is not None:
        _offer(answer.question, answer.wait_s, "train")


def missing_training(question: Question, purpose: str, key: str) -> bool:
    """Offer the training that a second question needs; return whether it is missing.

    Parameters
    ----------
    question : Question
    purpose : str
        What it is good for, as the beginning of a line.
    key : str
        Of the button.
    """
    wait_s = training.expected(question.data, question.settings)
    if wait_s is None:
        return False
    if training.current() is None:
        _offer(question, wait_s, key, f"{purpose} ")
    return True


def _offer(question: Question, wait_s: float, key: str, purpose: str = "") -> None:
    trainer = opening(TRAINERS[compute.training_task(question.data, question.settings).trainer].title)
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.button(
            "Train",
            key=key,
            type="primary",
            icon=":material/play_arrow:",
            on_click=training.start,
            args=(question.data, question.settings, wait_s),
        )
        st.markdown(
            words.TRAIN.format(
                purpose,
                escaped(trainer),
                count(question.settings.repetitions, "time"),
                count(question.data.n_rows, "row"),
                duration(wait_s),
            ),
            width="stretch",
        )


@st.fragment(run_every="1s")
def _watch(is_asked_for: bool) -> None:
    run = training.current()
    if run is None or run.future.done():
        # The whole page has news.
        st.rerun()
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.button("Cancel", key="cancel_training", on_click=training.cancel, icon=":material/close:")
        title = escaped(opening(TRAINERS[run.task.trainer].title))
        st.progress(run.share, f"{title}: {_how_far(run)}", width="stretch")
    if not is_asked_for:
        st.caption(words.OTHER_SETTINGS)


def _how_far(run: training.Run) -> str:
    if not run.begun:
        waits = turns.waiting_words(run.future)
        return waits[0].lower() + waits[1:]
    left = run.expected_s - run.seconds
    passed = f"{duration(run.seconds)} of about {duration(run.expected_s)}"
    return passed if left > 0 else words.LONGER.format(duration(run.seconds))
