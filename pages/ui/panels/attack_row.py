"""One row taken out: all that could have come out, on a public grid and among the scores themselves."""

from __future__ import annotations

import streamlit as st

from dpcp_core.experiments.row_out import RankedRows
from dpcp_core.presentation.figures.attack_row import among_scores, on_grid
from dpcp_core.presentation.wording.attack import (
    CURATOR,
    WHISKERS,
    allowed_sentence,
    guesses,
    noun_of,
    row_line,
    telltale_sentence,
)
from pages.ui import attack_controls, compute_attack, state
from pages.ui.controls.keys import held
from pages.ui.layout import answer_box, controls_row, halves
from pages.ui.panels.picture import is_dark, show_picture
from pages.ui.text import escaped

_PLACES = {"farthest": 1}


def show_row() -> None:
    """Draw the controls and the exact chances in both worlds."""
    epsilon, coverage, bins, rows, which = controls_row(5)
    for place, field in ((epsilon, "epsilon"), (coverage, "confidence_level"), (bins, "bins")):
        with place:
            attack_controls.shared(field)
    with rows:
        n = attack_controls.n_rows()
    settings = held()
    ranked = compute_attack.ranked(state.current(), n, settings["seed"])
    with which:
        chosen = _chosen(ranked)
    miss_rate = round(1 - settings["confidence_level"], 12)
    out = compute_attack.row_out(ranked, chosen, settings["epsilon"], miss_rate, settings["bins"])
    noun = noun_of(ranked)
    with answer_box():
        left, right = halves()
    with left:
        show_picture(on_grid(out, dark=is_dark()), "attack_grid", csv="row-out-grid.csv")
        st.markdown(escaped(f"{guesses(out.on_grid, noun)} {allowed_sentence(out.epsilon, noun)}"))
    with right:
        show_picture(among_scores(out, dark=is_dark()), "attack_scores", csv="row-out-scores.csv")
        st.markdown(escaped(f"{guesses(out.among_scores, noun)} {telltale_sentence(out.among_scores, noun)}"))
    if out.note:
        st.info(escaped(out.note), icon=":material/info:")
    st.caption(escaped(f"{row_line(out)} {WHISKERS} {CURATOR}"))


def _chosen(ranked: RankedRows) -> int | str:
    how = attack_controls.which()
    return attack_controls.place(ranked.n) if how == "rank" else _PLACES.get(how, how)
