"""Controls of a synthetic table and what they stand for. What names a column of a table goes with that table."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.presentation.wording.synthesis_page import (
    CONTROLS,
    LABELS,
    attribute_help,
    attribute_title,
    rules_of,
    task_model_title,
)
from dpcp_core.presentation.wording.synthesis_run import FREE_COLUMNS
from dpcp_core.synthesis.attributes import ATTRIBUTES
from dpcp_core.synthesis.settings import LABELS as WAYS
from dpcp_core.synthesis.settings import SynthesisSettings
from dpcp_core.training.registry import TRAINERS
from pages.ui import state, synthesis_model, synthesis_noise, synthesis_public
from pages.ui.controls.keys import held
from pages.ui.controls.widgets import drawer
from pages.ui.layout import controls_row
from pages.ui.text import opening

MAKER, WAY, SHARE, BINS, ROWS = "synth_attributes", "synth_labels", "synth_share", "synth_bins", "synth_rows"
"""Keys of the widgets that suit every table."""

FOLD, HEADINGS = "synth_fold", "synth_heading"
"""Keys of the fold with the other controls, and of its headings."""

_MOST_GROUPS = 4
_LARGEST = 200_000
_DEFAULTS = SynthesisSettings()


def model_key() -> str:
    """Return the key of the list of models that label; numbers and classes have different ones."""
    return f"synth_model_{state.task()}"


def rules_key(data: Dataset) -> str:
    """Return the key of a table's rules."""
    return f"synth_of_{data.digest[:12]}_rules"


def group_key(data: Dataset, place: int) -> str:
    """Return the key of one of a table's groups of columns."""
    return f"synth_of_{data.digest[:12]}_group_{place}"


def makers() -> tuple[str, ...]:
    """Return the ways to make columns; the graphical model only where its library is."""
    has_graph = importlib.util.find_spec("mbi") is not None
    return tuple(name for name in ATTRIBUTES if name != "graph" or has_graph)


def task_models() -> tuple[str, ...]:
    """Return the models that can label the target of the table in use; those of pictures are left out."""
    task = state.task()
    return ("auto", *(name for name, trainer in TRAINERS.items() if task in trainer.tasks and name != "cnn"))


def settings(data: Dataset) -> SynthesisSettings:
    """Return what the widgets stand for, drawn or not; epsilon, delta and the seed are those of all pages.

    Raises
    ------
    InputError
        If a browser sent a value that no widget offers.
    """
    get, shared = st.session_state.get, held()
    return SynthesisSettings(
        epsilon=shared["epsilon"],
        delta=shared["delta"],
        seed=shared["seed"],
        attributes=get(MAKER, _DEFAULTS.attributes),
        task_model=_task_model(),
        labels=get(WAY, _DEFAULTS.labels),
        training_share=get(SHARE, round(100 * _DEFAULTS.training_share)) / 100,
        bins=get(BINS) or _DEFAULTS.bins,
        n_rows=get(ROWS),
        groups=tuple(groups(data)),
        rules=rules_of(get(rules_key(data), "")),
        randomised_response=synthesis_noise.randomised(data),
        **synthesis_model.choices(_task_model()),
    )


def groups(data: Dataset) -> Iterator[tuple[str, ...]]:
    """Yield the groups of two columns or more that were chosen."""
    for place in range(_MOST_GROUPS):
        chosen = tuple(st.session_state.get(group_key(data, place), ()))
        if len(chosen) > 1:
            yield chosen


def draw(data: Dataset) -> None:
    """Draw the controls that matter most, and fold the others away under a few headings."""
    _main()
    fold = st.expander("More controls", key=FOLD, on_change="rerun", icon=":material/tune:", type="compact")
    if not fold.open:
        return
    parts: Mapping[str, Callable[[], None]] = {
        "Table and budget": _others,
        "Columns together": partial(_groups, data),
        "Training": lambda: synthesis_model.draw(_task_model()),
        "Noise in cells": partial(synthesis_noise.draw, data),
        "Public table": partial(synthesis_public.draw, data),
    }
    with fold:
        for heading, part in zip(st.tabs(list(parts), key=HEADINGS, on_change="rerun"), parts.values(), strict=True):
            if heading.open:
                with heading:
                    part()


def public_table(data: Dataset) -> Dataset | None:
    """Return the public table, where columns are made from one."""
    return synthesis_public.table(data) if st.session_state.get(MAKER) == "public" else None


def _task_model() -> str:
    return str(st.session_state.get(model_key(), _DEFAULTS.task_model))


def label_by(way: str) -> None:
    """Choose how labels are made; for callbacks only."""
    st.session_state[WAY] = way


def _main() -> None:
    epsilon, maker, model, way = controls_row(4)
    with epsilon:
        drawer("epsilon")("epsilon", {})
    with maker:
        words, offered = CONTROLS["attributes"], makers()
        st.selectbox(
            words.label,
            offered,
            format_func=attribute_title,
            key=MAKER,
            persist_state="session",
            help=f"{words.help}\n\n{attribute_help()}",
        )
    with model:
        words, models = CONTROLS["task_model"], task_models()
        st.selectbox(
            words.label,
            models,
            models.index(_DEFAULTS.task_model),
            format_func=lambda name: opening(task_model_title(name)),
            key=model_key(),
            persist_state="session",
            help=words.help,
        )
    with way:
        words = CONTROLS["labels"]
        st.selectbox(
            words.label, WAYS, format_func=LABELS.__getitem__, key=WAY, persist_state="session", help=words.help
        )


def _share() -> None:
    words = CONTROLS["training_share"]
    free = ATTRIBUTES[st.session_state.get(MAKER, _DEFAULTS.attributes)].is_free
    st.slider(
        words.label,
        10,
        95,
        round(100 * _DEFAULTS.training_share),
        5,
        "%d %%",
        key=SHARE,
        persist_state="session",
        disabled=free,
        help=f"{words.help}\n\n**{FREE_COLUMNS}**" if free else words.help,
    )


def _others() -> None:
    grid = st.grid(5, min_column_width=135, gap="medium")
    with grid.cell():
        _share()
    with grid.cell():
        words = CONTROLS["bins"]
        st.number_input(
            words.label,
            2,
            1000,
            None,
            8,
            key=BINS,
            placeholder="by the noise",
            persist_state="session",
            help=words.help,
        )
    with grid.cell():
        words = CONTROLS["n_rows"]
        st.number_input(
            words.label,
            1,
            _LARGEST,
            None,
            1000,
            key=ROWS,
            placeholder="as many as read",
            persist_state="session",
            help=words.help,
        )
    for field in ("delta", "seed"):
        with grid.cell():
            drawer(field)(field, {})


def _groups(data: Dataset) -> None:
    """Draw a list for each group of columns, and an empty one more."""
    words = CONTROLS["groups"]
    target = data.schema.target
    offered = [c.name for c in data.schema.columns if c.role != "ignore" and c is not target]
    taken: set[str] = set()
    for place in range(_MOST_GROUPS):
        chosen = st.multiselect(
            words.label if not place else f"{words.label}, group {place + 1}",
            [name for name in offered if name not in taken],
            format_func=lambda name: data.schema.column(name).title,
            key=group_key(data, place),
            persist_state="session",
            placeholder="Choose two columns or more",
            help=words.help,
        )
        if len(chosen) < 2:
            break
        taken |= set(chosen)
