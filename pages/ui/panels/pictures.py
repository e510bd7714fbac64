"""Figures with their sentence above and the same numbers as a table below."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.spreadsheet import harmless
from dpcp_core.experiments.result import SimulationResult
from dpcp_core.presentation.figures import (
    Picture,
    example_rows,
    groups,
    mechanism,
    sets,
    spread,
    strip,
    training,
)
from dpcp_core.presentation.wording import page as words
from pages.ui import compute
from pages.ui.answer import Question
from pages.ui.errors import guarded
from pages.ui.layout import halves
from pages.ui.panels.picture import is_dark, show_picture
from pages.ui.panels.run import missing_training

Draw = Callable[..., Picture]


def show_strip(result: SimulationResult) -> None:
    """Draw a hundred held-out rows with their intervals or sets."""
    _show(strip, result, "strip")


def show_mechanism(result: SimulationResult) -> None:
    """Draw what the private threshold could have been."""
    _show(mechanism, result, "mechanism")


def show_classes(result: SimulationResult) -> None:
    """Draw which classes sets confuse, beside a few rows in words; nothing where a number is predicted."""
    if result.sets is None:
        return
    left, right = halves()
    with left, guarded("drawing the sets"):
        _show(sets, result, "sets")
    with right, guarded("choosing examples"):
        _examples(result)


def show_spread(result: SimulationResult, data: Dataset) -> None:
    """Draw how coverage and size vary between repetitions, once somebody unfolds it; clipping alone beside it."""
    fold = _fold("How much repetitions differ", "fold_spread", ":material/scatter_plot:")
    if not fold.open:
        return
    with fold:
        clip_only = None
        if result.settings.recipe.private_training:
            with guarded("working out what clipping alone costs"):
                clip_only = _clip_only(result, data)
        _show(partial(spread, clip_only=clip_only), result, "spread", height=380)


def show_groups(result: SimulationResult) -> None:
    """Draw coverage within each public group, once somebody unfolds it; nothing where there are no groups."""
    if not result.groups:
        return
    fold = _fold("Coverage within each group", "fold_groups", ":material/groups:")
    if fold.open:
        with fold:
            _show(groups, result, "groups")


def show_training(result: SimulationResult) -> None:
    """Draw how training went, once somebody unfolds it; nothing where it left no trace."""
    if result.trace is None:
        return
    fold = _fold(words.TRAINING, "fold_training", ":material/trending_down:")
    if fold.open:
        with fold:
            _show(training, result, "training", height=420)


def _clip_only(result: SimulationResult, data: Dataset) -> SimulationResult | None:
    """Return the same run without noise but with clipping; None while its training is missing."""
    twin = Question(data, result.settings.replace(method="clip_only", noise_multiplier=None))
    if missing_training(twin, "To compare with clipping alone:", "train_clip_only"):
        return None
    return compute.result(twin.data, twin.settings)


def _examples(result: SimulationResult) -> None:
    st.markdown("**A few rows in words**")
    # The set comes last: many or long names of classes must not push the others out of sight.
    st.dataframe(
        harmless(example_rows(result)),
        column_order=("True class", "Held", "Set"),
        hide_index=True,
        key="examples",
        alt=words.EXAMPLES_ALT,
    )


def _fold(label: str, key: str, icon: str) -> Any:
    return st.expander(label, key=key, on_change="rerun", icon=icon)


def _show(draw: Draw, result: SimulationResult, key: str, height: int = 360) -> None:
    show_picture(draw(result, dark=is_dark()), key, height=height)
