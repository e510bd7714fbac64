"""How the model that labels is trained: what a person sets on the Synthesis page, apart from all other models."""

from __future__ import annotations

import dataclasses
from typing import Any

import streamlit as st

from dpcp_core.presentation.wording.terms import OPTIONS
from dpcp_core.training.protocol import TrainingChoices
from dpcp_core.training.registry import default_trainer
from pages.ui import state
from pages.ui.controls import keys
from pages.ui.controls.reading import Reasons, unused
from pages.ui.controls.widgets import draw_number, draw_percent

_FIELDS = tuple(field.name for field in dataclasses.fields(TrainingChoices))
_SHARES = frozenset({"warmup_share"})
_DEFAULTS = TrainingChoices()


def key(field: str) -> str:
    """Return the key of a choice's widget.

    >>> key("steps")
    'synth_set_steps'
    """
    return f"synth_set_{field}"


def trainer_of(task_model: str) -> str:
    """Return the trainer that a choice of model comes to."""
    return default_trainer(state.task(), state.n_classes()) if task_model == "auto" else task_model


def choices(task_model: str) -> dict[str, Any]:
    """Return what the widgets stand for, without what the model has no use for."""
    off = _idle(task_model)
    return {field: _held(field) for field in _FIELDS if field not in off}


def draw(task_model: str) -> None:
    """Draw a control for each choice; one that changes nothing says why."""
    off = _idle(task_model)
    grid = st.grid(5, min_column_width=135, gap="medium")
    for field in _FIELDS:
        with grid.cell():
            if field == "decay":
                _decay(off)
            else:
                (draw_percent if field in _SHARES else draw_number)(field, key(field), off)


def _held(field: str) -> Any:
    default = getattr(_DEFAULTS, field)
    if field in _SHARES:
        return st.session_state.get(key(field), keys.percent(default)) / 100
    return st.session_state.get(key(field), default)


def _idle(task_model: str) -> Reasons:
    return unused(trainer_of(task_model), {field: _held(field) for field in _FIELDS})


def _decay(off: Reasons) -> None:
    words, names = keys.words("decay"), OPTIONS["decay"]
    reason = f"\n\n**It changes nothing now. {off['decay']}**" if "decay" in off else ""
    st.selectbox(
        words.label,
        tuple(names),
        format_func=lambda name: names[name].title,
        key=key("decay"),
        persist_state="session",
        disabled="decay" in off,
        help=f"{words.help}{reason}",
    )
