"""A comparison as it runs: offered, watched, stopped, collected; pictures fill in while cells arrive."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import streamlit as st

from dpcp_core.errors import InputError
from dpcp_core.experiments.comparison import Comparison
from dpcp_core.experiments.sweep.engine import run_plan
from dpcp_core.experiments.sweep.result import SweepResult
from dpcp_core.presentation.wording import compare as words
from dpcp_core.presentation.wording.compare import (
    STOPPED_EARLY,
    elsewhere_words,
    failure_sentences,
    partial_words,
    plan_line,
    running_elsewhere_words,
)
from dpcp_core.presentation.wording.progress import OF_OTHER_SETTINGS, changed_since, duration
from pages.ui import compute, runs, state
from pages.ui.errors import guarded
from pages.ui.known_runs import key_of
from pages.ui.panels.compare import show_lines
from pages.ui.panels.compare_asked import Asked, expected_seconds
from pages.ui.panels.progress import show_progress
from pages.ui.text import escaped

NAME = "compare"
"""Of the run in the session."""

BEGUN = "_compare_begun"
"""In the session once a comparison has begun; the first may begin by itself."""

_SLOWER = "_compare_slower"
_A_MOMENT_S = 20.0


@dataclass(frozen=True)
class Latest:
    """A comparison that has ended, whole or in part.

    Attributes
    ----------
    asked : Asked
        What it was asked for.
    comparison : Comparison
    """

    asked: Asked
    comparison: Comparison

    @property
    def result(self) -> SweepResult:
        """Its cells."""
        return self.comparison.result


def collect() -> None:
    """Take in a run that has ended, and learn from how long it took."""
    job = runs.current(NAME)
    runs.collect(NAME)
    held = runs.finished(NAME)
    if job is not None and job.is_done and held is not None and held[0] == job.about:
        result = held[1].result
        if result.is_complete:
            st.session_state[_SLOWER] = result.seconds / expected_seconds(job.about)


def finished() -> Latest | None:
    """Return the last comparison of the table in use; None if there is none, or if it is of another table."""
    held = runs.finished(NAME)
    if held is None:
        return None
    of, comparison = held
    if of.digest != state.current().digest:
        _say_elsewhere(of)
        return None
    return Latest(of, comparison)


def fills_in() -> bool:
    """Whether a run of the table in use goes on, whose pictures take the place of the last comparison."""
    job = runs.current(NAME)
    return job is not None and job.about.digest == state.current().digest


def show_run(asked: Asked | None) -> None:
    """Show the comparison that is going on, or offer the one that is asked for."""
    job = runs.current(NAME)
    if job is not None:
        _watch(asked)
        return
    if asked is None:
        return
    if problem := runs.problem(NAME, asked):
        if problem == STOPPED_EARLY:
            st.caption(problem)
        else:
            st.error(escaped(problem), icon=":material/error:")
    held = runs.finished(NAME)
    if held is None or held[0] != asked or not held[1].result.is_complete:
        with guarded("reading the settings"):
            if _begins_by_itself(asked):
                _start(asked)
                st.rerun()
            _offer(asked)


def show_notice(latest: Latest, asked: Asked | None) -> None:
    """Say what the result is about where it is not what is asked for, that it is partial, and what failed."""
    if partial := partial_words(latest.result):
        st.badge(partial, icon=":material/front_hand:", color="orange")
    if latest.asked != asked:
        st.badge(changed_since("comparison"), icon=":material/history:", color="orange")
        st.caption(f"It shows {escaped(plan_line(latest.result, state.title_of(latest.result.dataset_name)))}")
    for failure in failure_sentences(latest.result):
        st.warning(escaped(failure), icon=":material/warning:")


def _say_elsewhere(of: Asked) -> None:
    st.info(escaped(elsewhere_words(state.title_of(of.data.name))), icon=":material/table:")


def _begins_by_itself(asked: Asked) -> bool:
    """Whether a visitor who comes for the first time should find an answer, as it takes a moment only."""
    return BEGUN not in st.session_state and expected_seconds(asked) <= _A_MOMENT_S


def _start(asked: Asked) -> None:
    st.session_state[BEGUN] = True
    runs.start(NAME, asked, lambda watch: _compare(asked, watch), key_of(NAME, asked.data, asked.key))


def _offer(asked: Asked) -> None:
    seconds = expected_seconds(asked) * float(st.session_state.get(_SLOWER, 1.0))
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.button(
            "Compare",
            key="compare",
            type="primary",
            icon=":material/play_arrow:",
            on_click=_start,
            args=(asked,),
        )
        st.markdown(
            words.RUNS.format(duration(seconds)),
            width="stretch",
        )


def _compare(asked: Asked, watch: runs.Watch) -> Comparison:
    result = run_plan(asked.data, asked.plan, on_progress=watch.progress, should_stop=watch.stopped)
    if not result.cells:
        # No result of its own: the one before stays.
        raise InputError(STOPPED_EARLY)
    return Comparison(result)


@st.fragment(run_every="1s")
def _watch(asked: Asked | None) -> None:
    job = runs.current(NAME)
    if job is None or job.is_done:
        # The whole page has news.
        st.rerun()
    show_progress(job)
    if job.about.digest != state.current().digest:
        st.caption(escaped(running_elsewhere_words(state.title_of(job.about.data.name))))
        return
    if job.about != asked:
        st.caption(OF_OTHER_SETTINGS)
    with guarded("drawing the methods"):
        _so_far(job)


def _so_far(job: runs.Job[Comparison]) -> None:
    """Draw what is finished, an epsilon at a time: to redraw at every cell would keep a browser busy."""
    asked: Asked = job.about  # type: ignore[assignment]
    n_finished = Counter(cell.settings.epsilon for cell in job.cells)
    cells = tuple(c for c in job.cells if n_finished[c.settings.epsilon] == len(asked.plan.axes["method"]))
    if not cells:
        return
    table = compute.table_of(asked.data, asked.plan.settings)
    named = (asked.data.name, asked.digest, table.target, asked.data.schema.one_row_is, table.task)
    show_lines(Comparison(SweepResult(asked.plan, *named, cells, n_reused=0, seconds=job.seconds)), so_far=True)
