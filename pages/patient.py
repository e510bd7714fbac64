"""Patient page: what does this mean for one person?"""

from __future__ import annotations

import streamlit as st

from pages.ui import patient_controls
from pages.ui.answer import answer
from pages.ui.errors import guarded
from pages.ui.frame import open_page
from pages.ui.layout import halves
from pages.ui.panels.leaks import show_leaks
from pages.ui.panels.notice import show_notice
from pages.ui.panels.patient import (
    ask,
    person_model_of,
    show_cards,
    show_dots,
    show_meaning,
    show_privacy,
    show_take,
    show_unknowns,
)

open_page("Patient", "What does this mean for one person?")
patient_controls.main_row()

latest = answer(patient_controls.settings)
show_notice(latest)
with guarded("looking for leaks"):
    show_leaks(latest.question)

model = told = None
with guarded("making the model that is asked"):
    model = person_model_of(latest)

if model is not None:
    first = st.container()
    left, right = halves()
    with left, guarded("asking about this person"):
        told = ask(latest.data, model)
    if told is not None:
        with first, guarded("drawing the answer"):
            show_cards(told)
        large = patient_controls.is_large()
        with first if large else right, guarded("drawing the dots"):
            show_dots(told)
        left, right = (right, right) if large else halves()
        with left, guarded("putting the answer into words"):
            show_meaning(told)
        with right, guarded("drawing privacy"):
            show_privacy(told)
        with guarded("saying what is not known"):
            show_unknowns(told)
        with guarded("preparing the sheet"):
            show_take(told)
