"""What is possible at all? From public numbers alone, at once, while controls move."""

from __future__ import annotations

import streamlit as st

from dpcp_core.conformal.feasibility import certified_feasibility
from dpcp_core.presentation.figures.feasibility import EPSILONS, ROWS, feasibility
from dpcp_core.presentation.wording.feasibility import NO_DATA, feasible_detail, held_out_words, plane_key
from dpcp_core.presentation.wording.nouns import row_noun
from pages.ui import compute, controls, state
from pages.ui.controls.widgets import drawer
from pages.ui.layout import controls_row
from pages.ui.panels.budget_picture import is_dark, show_picture
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
    n = settings.n_used(data.n_rows)
    here = certified_feasibility(n, settings, data.schema)
    plane = compute.feasible_plane(data.schema, settings.replace(epsilon=1.0, repetitions=1), ROWS, EPSILONS)
    picture = feasibility(plane, here, noun=noun, of_classes=of_classes, dark=is_dark())
    st.markdown(f"**{escaped(picture.title)}.** {escaped(feasible_detail(here, noun))}")
    show_picture(picture, "feasible", "feasibility.csv", titled=False)
    st.caption(escaped(f"{NO_DATA} {plane_key()} {held_out_words(n, data.n_rows, noun)}"))
