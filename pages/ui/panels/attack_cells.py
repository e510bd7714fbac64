"""The subtraction attack on shuffled columns, and the same attacker before noisy histograms."""

from __future__ import annotations

import streamlit as st

from dpcp_core.experiments.audit.subtraction import SubtractionResult
from dpcp_core.presentation.figures.attack_cells import cells
from dpcp_core.presentation.wording.attack_cells import CELLS_CURATOR, game_sentence
from dpcp_core.presentation.wording.nouns import row_noun
from pages.ui import attack_controls, compute_attack, state
from pages.ui.controls.keys import held
from pages.ui.errors import guarded
from pages.ui.layout import answer_box, controls_row, halves
from pages.ui.panels.picture import is_dark, show_picture
from pages.ui.text import escaped

_ROUNDS = 100
# What is shuffled has no chance in its answer, and costs nothing, whatever epsilon is.
_ONE_ROUND, _ANY = 50, (1.0, 1e-5)


def show_cells() -> None:
    """Draw the controls and what is found out of one row, with and without noise."""
    data = state.current()
    epsilon, delta, hidden = controls_row(3)
    for place, field in ((epsilon, "epsilon"), (delta, "delta")):
        with place:
            attack_controls.shared(field)
    with hidden:
        row = attack_controls.hidden_row(data.n_rows)
    settings = held()
    seed = settings["seed"]
    with answer_box():
        left, right = halves()
    with left, guarded("shuffling columns"):
        shuffled = compute_attack.subtraction(data, "shuffle", *_ANY, row, _ONE_ROUND, seed)
        _show(shuffled, "attack_shuffle")
    with right, guarded("counting with noise"):
        asked = (settings["epsilon"], settings["delta"])
        _show(compute_attack.subtraction(data, "marginals", *asked, row, _ROUNDS, seed), "attack_marginals")
    st.caption(escaped(CELLS_CURATOR))


def _show(result: SubtractionResult, key: str) -> None:
    noun = row_noun(state.current().schema.one_row_is)
    show_picture(cells(result, dark=is_dark()), key, csv=f"{key.replace('_', '-')}.csv")
    st.markdown(escaped(game_sentence(result, noun)))
