"""What do I need? A goal goes in, the smallest epsilon that meets it comes out, and one click takes it over."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.experiments.goal import Goal, GoalAnswer, find_epsilon
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.presentation.figures.goal import goal as draw_goal
from dpcp_core.presentation.figures.goal import is_cut
from dpcp_core.presentation.wording import budget_page as words
from dpcp_core.presentation.wording.goal import (
    first_goal,
    goal_detail,
    goal_headline,
    search_key,
    size_label,
    take_epsilon_label,
)
from dpcp_core.presentation.wording.nouns import row_noun
from dpcp_core.presentation.wording.progress import OF_OTHER_SETTINGS, changed_since
from pages.ui import compute, controls, runs, state
from pages.ui.choices import EPSILONS
from pages.ui.errors import guarded
from pages.ui.known_runs import key_of
from pages.ui.layout import answer_box, halves
from pages.ui.panels.picture import is_dark, show_picture
from pages.ui.panels.progress import show_progress
from pages.ui.text import escaped

SEARCH = "budget_goal"
"""Name of the run."""

COVERAGE, SIZE, LARGEST, SHARES = "goal_coverage", "goal_size", "goal_largest", "goal_shares"
"""Keys of the widgets; that of the size goes with a table."""

_LARGEST = tuple(epsilon for epsilon in EPSILONS if epsilon >= 1)
_TRIED_SHARES = (0.2, 0.35, 0.5, 0.65, 0.8)


@dataclass(frozen=True)
class GoalAsked:
    """What a search was asked for."""

    digest: str
    settings: ConformalSettings
    goal: Goal
    largest_epsilon: float
    shares: tuple[float, ...]

    def is_about(self, other: GoalAsked) -> bool:
        """Whether both have the same answer: neither epsilon nor coverage in use matters, nor a share searched for."""
        return self._plain() == other._plain()

    def _plain(self) -> tuple[object, ...]:
        share = {"training_share": 0.5} if self.shares else {}
        settings = self.settings.replace(epsilon=1.0, confidence_level=0.9, **share)
        return self.digest, settings, self.goal, self.largest_epsilon, self.shares


def show_goal() -> None:
    """Ask for the goal, search in the background, say what it takes and show what was looked at."""
    data, settings = state.current(), controls.settings()
    runs.collect(SEARCH)
    left, right = halves()
    with left:
        asked = _asked(data, settings)
        if _is_first(asked) and compute.waits_for(data, settings) is None:
            start(data, asked)
    if runs.current(SEARCH):
        with left:
            _watch(asked)
        return
    with left, guarded("putting the answer into words"):
        answer = _at_rest(data, asked)
    if answer is not None:
        with right, guarded("drawing the answer"):
            picture = draw_goal(answer, noun=row_noun(data.schema.one_row_is), dark=is_dark())
            show_picture(picture, "goal", title="", csv="goal_search.csv")
            st.caption(escaped(search_key(answer, cut=is_cut(answer))))


def start(data: Dataset, asked: GoalAsked) -> None:
    """Begin to search."""

    def work(watch: runs.Watch) -> GoalAnswer:
        return find_epsilon(
            data,
            asked.settings,
            goal=asked.goal,
            largest_epsilon=asked.largest_epsilon,
            shares=asked.shares,
            on_progress=watch.progress,
            should_stop=watch.stopped,
        )

    runs.start(SEARCH, asked, work, key_of(SEARCH, data, asked._plain()))
    # What was searched for before, on a sample, has ended already.
    runs.collect(SEARCH)


def _asked(data: Dataset, settings: ConformalSettings) -> GoalAsked:
    first, second = st.columns(2)
    with first:
        coverage = st.number_input(
            "Coverage wanted, %",
            50.0,
            99.0,
            round(100 * settings.confidence_level, 1),
            1.0,
            "%.6g",
            key=COVERAGE,
            persist_state="session",
            help=words.COVERAGE_HELP,
        )
    with second:
        size = _size(data, settings)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        largest = st.selectbox(
            "Largest ε",
            _LARGEST,
            _LARGEST.index(10.0),
            format_func="{:g}".format,
            key=LARGEST,
            persist_state="session",
            width=95,
            help=words.LARGEST_HELP,
        )
        shares = _shares()
        asked = GoalAsked(data.digest, settings, _goal(coverage / 100, size), largest, shares)
        st.button(
            "Find ε",
            key="find_epsilon",
            type="primary",
            icon=":material/search:",
            on_click=start,
            args=(data, asked),
            disabled=runs.current(SEARCH) is not None,
        )
    return asked


def _goal(coverage: float, size: float) -> Goal:
    """Return the goal, by the name that its size has on this page."""
    of_classes = state.task() == "classification"
    return Goal(coverage=coverage, size=size) if of_classes else Goal(coverage=coverage, width=size)


def _size(data: Dataset, settings: ConformalSettings) -> float:
    without = None
    if compute.waits_for(data, settings) is None:
        without = float(compute.result(data, settings).reference_size.mean())
    target, task = compute.prepared(data).target, state.task()
    first = first_goal(target, task, without)
    return st.number_input(
        size_label(target, task),
        0.0,
        None,
        first,
        float(f"{first / 20:.1g}"),
        "%.6g",
        # Another table starts with a goal of its own.
        key=f"{SIZE}_{data.digest[:12]}",
        persist_state="session",
        help=words.WIDTH_HELP,
    )


def _shares() -> tuple[float, ...]:
    if "training_share" in controls.idle():
        return ()
    search = st.toggle(
        "Search the share, too",
        key=SHARES,
        persist_state="session",
        help=words.THOROUGH_HELP,
    )
    return _TRIED_SHARES if search else ()


def _is_first(asked: GoalAsked) -> bool:
    """Whether nothing was searched for in this table yet."""
    held = runs.finished(SEARCH)
    known = held is not None and isinstance(held[0], GoalAsked) and held[0].digest == asked.digest
    return not known and runs.current(SEARCH) is None and not runs.problem(SEARCH, asked)


@st.fragment(run_every="1s")
def _watch(asked: GoalAsked) -> None:
    job = runs.current(SEARCH)
    if job is None or job.is_done:
        # The whole page has news.
        st.rerun()
    show_progress(job, "look")
    if not job.about.is_about(asked):
        st.caption(OF_OTHER_SETTINGS)


def _at_rest(data: Dataset, asked: GoalAsked) -> GoalAnswer | None:
    """Say the answer, and of which goal it is where that has changed; return it if there is one."""
    if words := runs.problem(SEARCH, asked):
        st.error(escaped(words), icon=":material/error:")
    held = runs.finished(SEARCH)
    if held is None or not isinstance(held[0], GoalAsked) or held[0].digest != data.digest:
        st.info(words.INTRODUCTION)
        return None
    about, answer = held
    if not about.is_about(asked):
        st.badge(changed_since("answer"), icon=":material/history:", color="orange")
    with answer_box():
        st.markdown(f"## {escaped(goal_headline(answer))}", anchors=False)
        st.markdown(escaped(goal_detail(answer, row_noun(data.schema.one_row_is))))
    if answer.epsilon is not None:
        _take_over(answer)
    return answer


def _take_over(answer: GoalAnswer) -> None:
    changes = {
        "epsilon": answer.epsilon,
        "confidence_level": answer.goal.coverage,
        "training_share": answer.training_share,
    }
    if all(getattr(controls.settings(), field) == value for field, value in changes.items()):
        st.page_link("pages/coverage.py", label=words.SEE_IT, icon=":material/straighten:")
        return
    st.button(
        take_epsilon_label(answer),
        key="take_epsilon",
        on_click=controls.apply,
        args=(changes,),
        icon=":material/check:",
        help=words.USE_HELP,
    )
