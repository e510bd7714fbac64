"""How should I split the budget? A map of what each split gives, and one click to take the best one over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.splits import SplitMap
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.experiments.sweep.engine import run_plan
from dpcp_core.experiments.sweep.result import SweepResult
from dpcp_core.presentation.figures.heat import heat
from dpcp_core.presentation.wording import budget_page as words
from dpcp_core.presentation.wording.budget import (
    MAP_PRIVACY,
    Measure,
    axis_of,
    map_invitation,
    map_key,
    no_map_words,
    take_over_label,
)
from dpcp_core.presentation.wording.compare import failure_sentences
from dpcp_core.presentation.wording.numbers import count
from dpcp_core.presentation.wording.progress import OF_OTHER_SETTINGS, changed_since, duration
from pages.ui import compute, controls, runs, state
from pages.ui.known_runs import key_of
from pages.ui.panels import budget_plan
from pages.ui.panels.budget_plan import DETAILS, Detail, MapAsked
from pages.ui.panels.picture import is_dark, show_picture
from pages.ui.panels.progress import show_progress
from pages.ui.text import escaped

MAPS = {field: f"budget_map_{field}" for field in ("training_share", "row_share", "bins")}
"""Names of the runs: one along each setting, so that looking at another map loses none."""

FIELD, MEASURE, DETAIL = "budget_field", "budget_measure", "budget_detail"
"""Keys of the widgets."""


def show_map() -> None:
    """Ask along what and how finely, measure in the background, show what is there."""
    data, settings = state.current(), controls.settings()
    fields = budget_plan.fields_offered()
    if not fields:
        st.info(escaped(no_map_words("training_share", budget_plan.why_not("training_share"))))
        return
    for name in MAPS.values():
        runs.collect(name)
    asked = _asked(data, settings, fields)
    if runs.current(MAPS[asked.field]):
        _watch(asked)
    else:
        _at_rest(data, asked)


def _asked(data: Dataset, settings: ConformalSettings, fields: tuple[str, ...]) -> MapAsked:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        field = _one_of("Along", fields, fields[0], FIELD, axis_of)
        _one_of("Show", ("size", "coverage"), "size", MEASURE, _measure_name)
        soon = budget_plan.finest_soon(data, settings, field)
        # Another table, or another axis, takes another time.
        name = _one_of("Detail", [detail.name for detail in DETAILS], soon.name, f"{DETAIL}_{data.digest[:12]}_{field}")
        asked = MapAsked(data.digest, settings, field, _detail(name))
        st.button(
            "Measure",
            key="run_map",
            type="primary",
            icon=":material/play_arrow:",
            on_click=start,
            args=(data, asked),
            disabled=runs.current(MAPS[field]) is not None,
        )
        st.caption(_effort(data, asked), width="content")
    return asked


def _one_of(label: str, options: Sequence[str], first: str, key: str, words: Callable[[str], str] = str) -> str:
    chosen: str = st.segmented_control(
        label, options, default=first, required=True, format_func=words, key=key, persist_state="session"
    )
    return chosen


def _effort(data: Dataset, asked: MapAsked) -> str:
    """Say how much there is to measure."""
    return f"{count(asked.plan.n_cells, 'cell')}, about {duration(budget_plan.expected_seconds(data, asked))}"


def start(data: Dataset, asked: MapAsked) -> None:
    """Begin to measure; for callbacks only."""
    plan = asked.plan

    def work(watch: runs.Watch) -> SweepResult:
        return run_plan(data, plan, on_progress=watch.progress, should_stop=watch.stopped)

    runs.start(MAPS[asked.field], asked, work, key_of(MAPS[asked.field], data, asked))


def _detail(name: str) -> Detail:
    return next(detail for detail in DETAILS if detail.name == name)


def _measure_name(measure: str) -> str:
    if measure == "coverage":
        return "Coverage"
    return "Set size" if state.task() == "classification" else "Width"


@st.fragment(run_every="1s")
def _watch(asked: MapAsked) -> None:
    job = runs.current(MAPS[asked.field])
    if job is None or job.is_done:
        # The whole page has news.
        st.rerun()
    show_progress(job)
    about: MapAsked = job.about
    if not about.is_about(asked):
        st.caption(OF_OTHER_SETTINGS)
    if about.digest == state.current().digest:
        _draw(_found(about, job.cells), about, asked)


def _at_rest(data: Dataset, asked: MapAsked) -> None:
    if words := runs.problem(MAPS[asked.field], asked):
        st.error(escaped(words), icon=":material/error:")
    held = runs.finished(MAPS[asked.field])
    about = held[0] if held else None
    if held is None or not isinstance(about, MapAsked) or about.digest != data.digest:
        st.info(escaped(map_invitation(asked.detail.repetitions)), icon=":material/grid_on:")
        return
    result: SweepResult = held[1]
    if not about.is_about(asked):
        st.badge(changed_since("map"), icon=":material/history:", color="orange")
    if not result.is_complete:
        st.badge(f"Stopped: {len(result.cells)} of {result.plan.n_cells} cells", icon=":material/stop:", color="orange")
    for failure in failure_sentences(result):
        st.warning(escaped(failure), icon=":material/warning:")
    if result.cells:
        _draw(_found(about, result.cells), about, asked, is_current=about.is_about(asked))


def _found(about: MapAsked, cells: Iterable[CellResult]) -> SplitMap:
    table = compute.table_of(state.current(), about.settings)
    return SplitMap.growing(about.plan, about.field, table.target, table.task, cells)


def _draw(found: SplitMap, about: MapAsked, asked: MapAsked, *, is_current: bool = False) -> None:
    measure: Measure = st.session_state.get(MEASURE, "size")
    epsilon = asked.settings.epsilon if asked.settings.epsilon in found.epsilons else about.settings.epsilon
    picture = heat(found, measure=measure, chosen=asked.chosen, epsilon=epsilon, dark=is_dark())
    sentence, button = st.columns([5, 1], vertical_alignment="center")
    sentence.markdown(f"**{escaped(picture.title)}.**")
    if is_current:
        with button:
            _take_over(found, asked, epsilon)
    show_picture(picture, "map", title="", csv="budget_map.csv")
    hatched = any(cell.top_share >= 1 for cell in found.cells.values())
    st.caption(f"{map_key(measure, found.task, hatched=hatched)} {MAP_PRIVACY}")


def _take_over(found: SplitMap, asked: MapAsked, epsilon: float) -> None:
    choice = found.choice(epsilon)
    if choice is None or choice.best is None or choice.best == asked.chosen:
        return
    st.button(
        take_over_label(found.field, choice.best),
        key="take_split",
        on_click=controls.apply,
        args=({found.field: choice.best},),
        icon=":material/check:",
        help=words.USE_BEST_HELP,
    )
