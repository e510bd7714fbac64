"""What is possible at all? From public numbers alone, at once, while controls move."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpcp_core.conformal.feasibility import certified_feasibility
from dpcp_core.data.schema import Schema
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.presentation.figures.feasibility import EPSILONS, ROWS, feasibility
from dpcp_core.presentation.wording.feasibility import NO_DATA, feasible_detail, held_out_words, plane_key
from dpcp_core.presentation.wording.nouns import row_noun
from pages.ui import compute, controls, state
from pages.ui.controls.widgets import drawer
from pages.ui.layout import answer_box, controls_row
from pages.ui.panels.picture import is_dark, show_picture
from pages.ui.text import escaped

_FIELDS = ("epsilon", "confidence_level", "training_share", "bins", "stability")


def show_feasible() -> None:
    """Draw the controls that matter here, the answer, and the plane of rows and budgets."""
    off = controls.idle()
    for place, field in zip(controls_row(len(_FIELDS)), _FIELDS, strict=True):
        with place:
            drawer(field)(field, off)
    settings, data = controls.settings(), state.current()
    noun, of_classes = row_noun(data.schema.one_row_is), state.task() == "classification"
    n, schema = settings.n_used(data.n_rows), _as_public(data.schema, settings)
    read_off = schema != data.schema
    here = certified_feasibility(n, settings, schema)
    plane = compute.feasible_plane(schema, settings.replace(epsilon=1.0, repetitions=1), ROWS, EPSILONS)
    picture = feasibility(plane, here, noun=noun, of_classes=of_classes, read_off=read_off, dark=is_dark())
    with answer_box():
        st.markdown(f"**{escaped(picture.title)}.** {escaped(feasible_detail(here, noun, read_off=read_off))}")
        show_picture(picture, "feasible", title="", csv="feasibility.csv")
    st.caption(escaped(f"{NO_DATA} {plane_key()} {held_out_words(n, data.n_rows, noun)}"))


def _as_public(schema: Schema, settings: ConformalSettings) -> Schema:
    """Take what was read off the rows as public, so that rows and budgets can be asked about; not what is bought."""
    if settings.bounds_epsilon:
        return schema
    for name in schema.from_file:
        schema = schema.with_column(replace(schema.column(name), bounds_from_file=False))
    return schema
