"""What is to be compared: which methods, at which epsilons, how often; everything else as on the Coverage page."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.errors import InputError
from dpcp_core.experiments.presets import COMPARED, COMPARED_EPSILONS, EPSILONS
from dpcp_core.experiments.sweep.plan import SweepPlan
from dpcp_core.presentation.wording import compare as words
from dpcp_core.presentation.wording.compare import DRAWN_BESIDE, settings_line
from dpcp_core.presentation.wording.terms import OPTIONS, option_title
from pages.ui import compute, controls, state, trainers
from pages.ui.errors import sentence
from pages.ui.text import escaped

METHODS, EPSILONS_KEY, REPETITIONS = "compare_methods", "compare_epsilons", "compare_repetitions"
"""Keys of the three widgets."""

REPETITIONS_OFFERED = (20, 50, 100)

_ALL_EPSILONS = tuple(sorted({*EPSILONS, *COMPARED_EPSILONS}))
# Seconds of one cell's thresholds in fifty repetitions; what is left of training where the reference is shared.
_CELL_S, _SAVING = 0.015, 0.6


@dataclass(frozen=True)
class Asked:
    """What a comparison is asked for; two are the same if table and plan are.

    Attributes
    ----------
    digest : str
        Of the table.
    key : hashable
        Everything that the plan says.
    data : Dataset
    plan : SweepPlan
    """

    digest: str
    key: Hashable
    data: Dataset = field(compare=False, repr=False)
    plan: SweepPlan = field(compare=False, repr=False)


def ask() -> Asked | None:
    """Draw the controls; return what they stand for, or None where that is refused, with the sentence that says why."""
    places = st.grid(4, min_column_width=165, gap="medium")
    with places.cell():
        methods = _methods()
    with places.cell():
        epsilons = _epsilons()
    with places.cell():
        repetitions = _repetitions()
    with places.container(height="stretch", vertical_alignment="center"):
        st.page_link("pages/coverage.py", label="Other settings", icon=":material/straighten:", width="stretch")
    try:
        asked = _asked(state.current(), methods, epsilons, repetitions)
    except Exception as problem:  # whatever it is, the page must stay
        st.error(escaped(sentence(problem, "reading the settings")), icon=":material/error:")
        return None
    _say(asked)
    return asked


def expected_seconds(asked: Asked) -> float:
    """Return about how long a comparison takes, from public numbers alone.

    Raises
    ------
    InputError
        If table and settings do not go together.
    """
    data, plan = asked.data, asked.plan
    tasks = {compute.training_task(data, settings) for settings in plan.cells}
    training_s = sum(trainers.expected_seconds(data.schema, data.n_rows, task) for task in tasks)
    cells_s = plan.n_cells * _CELL_S * plan.settings.repetitions / 50
    # Threads of one process gain little from a second core.
    return _SAVING * training_s + cells_s


def _methods() -> tuple[str, ...]:
    offered = [name for name in OPTIONS["method"] if name != DRAWN_BESIDE]
    chosen = st.session_state.get(METHODS, COMPARED)
    with st.popover(f"{len(chosen)} of {len(offered)} methods", icon=":material/checklist:", width="stretch"):
        names = st.multiselect(
            "Methods to compare",
            offered,
            list(COMPARED),
            format_func=lambda name: option_title("method", name),
            key=METHODS,
            persist_state="session",
            help=words.CLIPPING_HELP,
        )
    return tuple(name for name in COMPARED if name in names) + tuple(n for n in names if n not in COMPARED)


def _epsilons() -> tuple[float, ...]:
    chosen = st.session_state.get(EPSILONS_KEY, COMPARED_EPSILONS)
    ends = f": {min(chosen):g} to {max(chosen):g}" if chosen else ""
    with st.popover(f"{len(chosen)} ε{ends}", icon=":material/tune:", width="stretch"):
        values = st.multiselect(
            "Values of ε",
            _ALL_EPSILONS,
            list(COMPARED_EPSILONS),
            format_func=lambda value: f"{value:g}",
            key=EPSILONS_KEY,
            persist_state="session",
        )
    return tuple(sorted(values))


def _repetitions() -> int:
    chosen = st.selectbox(
        "Repetitions",
        REPETITIONS_OFFERED,
        REPETITIONS_OFFERED.index(50),
        format_func=lambda number: f"{number} repetitions",
        key=REPETITIONS,
        persist_state="session",
        label_visibility="collapsed",
    )
    return int(chosen)


def _asked(data: Dataset, methods: tuple[str, ...], epsilons: tuple[float, ...], repetitions: int) -> Asked:
    if not methods or not epsilons:
        raise InputError(words.CHOOSE_ONE.format("value of ε" if methods else "method"))
    # What the axes decide must not make two questions of one.
    shared = controls.settings().replace(method="dpcp", epsilon=1.0, repetitions=repetitions)
    plan = SweepPlan(shared, {"epsilon": epsilons, "method": (DRAWN_BESIDE, *methods)})
    return Asked(data.digest, repr(plan), data, plan)


def _say(asked: Asked) -> None:
    """Say in one line what all methods share; it is set on another page."""
    target = asked.data.schema.target
    shared = asked.plan.settings.resolved(state.task(), state.n_classes())
    line = settings_line(shared, state.title_of(asked.data.name), target.title if target else "the target")
    st.caption(f"{escaped(line)}.")
