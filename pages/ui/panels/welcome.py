"""The Start page: what this is, which table, how careful to be, where to go next."""

from __future__ import annotations

import streamlit as st

from dpcp_core.presentation.wording import start as words
from dpcp_core.presentation.wording.numbers import mid_sentence
from pages.ui import controls, state
from pages.ui.choices import PRESETS, Preset
from pages.ui.errors import guarded
from pages.ui.frame import PAGES
from pages.ui.layout import cards
from pages.ui.schema_editor import schema_editor
from pages.ui.text import escaped
from pages.ui.upload import report, upload


def show_purpose() -> None:
    """Say what the app is for."""
    st.markdown(words.PURPOSE)


def show_presets() -> None:
    """Offer three ways of being careful, one click each."""
    st.header("How careful?", anchor=False)
    for card, preset in zip(cards(len(PRESETS)), PRESETS, strict=True):
        with card:
            _preset(preset)


def show_samples() -> None:
    """Offer the tables that come along."""
    st.header("Which table?", anchor=False)
    in_use = st.session_state.get(state.SOURCE)
    for card, (name, sample) in zip(cards(len(state.SAMPLES_OFFERED)), state.SAMPLES_OFFERED.items(), strict=True):
        with card:
            st.markdown(f"**{sample.title}**\n\n{sample.sentence}")
            st.space("stretch")
            chosen = name == in_use
            st.button(
                "In use" if chosen else f"Use {mid_sentence(sample.title)}",
                key=f"use_{name}",
                on_click=state.use,
                args=(name,),
                disabled=chosen,
                icon=":material/check:" if chosen else ":material/table:",
                wrap=True,
            )


def show_bring_your_own() -> None:
    """Take in a table, ask what is publicly known of it, or show that for the table in use."""
    st.header("Or your own table", anchor=False)
    with guarded("reading the file"):
        upload()
    waiting = state.draft()
    if waiting is not None or state.is_own():
        st.caption(words.MEMORY_ONLY)
    if waiting is not None:
        with guarded("describing the table"):
            report(waiting)
            schema_editor(waiting, fresh=True)
        return
    if state.is_own():
        st.markdown(words.IN_USE.format(escaped(state.current().name)))
    fold = st.expander(
        words.COLUMNS_IN_USE,
        key="fold_schema",
        on_change="rerun",
        icon=":material/view_column:",
    )
    if fold.open:
        with fold, guarded("describing the table"):
            report(state.current())
            schema_editor(state.current(), fresh=False)


def show_way_on() -> None:
    """Say where to go next."""
    icons = {script: icon for script, _, icon in PAGES}
    grid = st.grid(2, min_column_width=190, gap="xxsmall")
    for name, label in words.WAY_ON:
        script = f"pages/{name}.py"
        with grid.cell():
            st.page_link(script, label=label, icon=icons[script])


def _preset(preset: Preset) -> None:
    st.markdown(f"**{preset.name}** · ε = {preset.changes['epsilon']:g}\n\n{preset.sentence}")
    st.space("stretch")
    on = all(getattr(controls.settings(), field) == value for field, value in preset.changes.items())
    st.button(
        "Chosen" if on else f"Choose {preset.name}",
        key=f"preset_{preset.name}",
        on_click=controls.apply,
        args=(preset.changes,),
        disabled=on,
        icon=":material/check:" if on else preset.icon,
    )
