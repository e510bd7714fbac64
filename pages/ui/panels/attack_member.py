"""Membership: how well attacks tell who trained the model, under the line that none of them passes."""

from __future__ import annotations

import streamlit as st

from dpcp_core.presentation.figures.membership import membership_picture
from dpcp_core.presentation.wording.attack_member import FITTING, member_curator, member_sentences
from dpcp_core.presentation.wording.meaning import WORST_CASE
from dpcp_core.presentation.wording.nouns import row_noun
from pages.ui import attack_controls, compute_attack, state
from pages.ui.controls.keys import held
from pages.ui.layout import answer_box, controls_row, halves
from pages.ui.panels.picture import is_dark, show_picture
from pages.ui.text import escaped


def show_member() -> None:
    """Draw the controls, the curves, and what they mean."""
    data = state.current()
    for place, field in zip(controls_row(3), ("epsilon", "delta", "seed"), strict=True):
        with place:
            attack_controls.shared(field)
    settings = held()
    with st.spinner(FITTING):
        reference = compute_attack.member_reference(data, settings["seed"])
    result = compute_attack.membership(data, settings["epsilon"], settings["delta"], settings["seed"], reference)
    with answer_box():
        left, right = halves()
    with left:
        show_picture(membership_picture(result, dark=is_dark()), "attack_member", csv="membership.csv")
    with right:
        noun = row_noun(data.schema.one_row_is)
        st.markdown("\n".join(f"- {escaped(sentence)}" for sentence in member_sentences(result, noun)))
        st.caption(escaped(f"{WORST_CASE} {member_curator(result, noun)}"))
