"""What a synthetic table is worth: the answer, models that learn from it, its columns one by one and two by two."""

from __future__ import annotations

import streamlit as st

from dpcp_core.experiments.synthesis import SynthesisResult
from dpcp_core.presentation.figures.synthesis_columns import column
from dpcp_core.presentation.figures.synthesis_pairs import pair
from dpcp_core.presentation.figures.synthesis_utility import utility
from dpcp_core.presentation.wording.synthesis_answer import (
    default_measure,
    fidelity_sentence,
    label_hint,
    label_sentence,
    leak_sentence,
    synthesis_answer,
)
from dpcp_core.presentation.wording.synthesis_measures import MEASURE_SENTENCES, MEASURE_TITLES
from dpcp_core.presentation.wording.synthesis_page import BETTER_LABELS, CURATOR
from pages.ui import frame, synthesis_controls
from pages.ui.errors import guarded
from pages.ui.layout import answer_box
from pages.ui.panels.picture import is_dark, show_picture
from pages.ui.text import escaped

_ICONS = {"yes": ":material/check_circle:", "partly": ":material/contrast:", "no": ":material/cancel:"}
_ATTACK = "pages/attack.py"


def show_answer(result: SynthesisResult) -> str:
    """Say whether the table is useful, and what it gives away; return the measure that is in use."""
    measure = _measure(result)
    answer = synthesis_answer(result, measure)
    with answer_box(border=True, gap="xsmall"):
        icon = _ICONS.get(answer.verdict, ":material/help:")
        st.markdown(f"{icon} **{escaped(answer.headline)}**")
        if answer.detail:
            st.caption(escaped(answer.detail))
    if leak := leak_sentence(result):
        with st.container(border=True, gap="xsmall"):
            st.markdown(f":material/lock_open: **Not private.** {escaped(leak)}")
            if any(script == _ATTACK for script, *_ in frame.PAGES):
                st.page_link(_ATTACK, label="See it happen", icon=":material/search:")
    elif result.receipt.leaks:
        st.caption(f":material/lock_open: **Not private.** {escaped(' '.join(result.receipt.leaks))}")
    return measure


def show_utility(result: SynthesisResult, measure: str) -> None:
    """Draw what models reach that learn from the table, by the measure in use."""
    if not measure:
        return
    picture = utility(result, measure, dark=is_dark())
    show_picture(picture, "synth_utility", png="synthesis-utility", csv="synthesis-utility.csv")
    if len(result.measures) > 1:
        st.segmented_control(
            "Measure",
            result.measures,
            default=measure,
            format_func=MEASURE_TITLES.__getitem__,
            key=_measure_key(result),
            label_visibility="collapsed",
        )
    st.caption(escaped(MEASURE_SENTENCES[measure]))
    for rival in result.rivals:
        if rival.problem:
            st.caption(escaped(rival.problem))


def show_columns(result: SynthesisResult) -> None:
    """Draw one column of both tables, at first the target; of classes, that is the label rate."""
    names = [found.name for found in result.shares.columns]
    target = result.target.name if result.target else names[0]
    chosen = _choice("Column", result, "column", names, target)
    picture = column(result.shares.column(chosen), dark=is_dark())
    show_picture(picture, "synth_column", png="synthesis-column", csv="synthesis-column.csv")
    st.caption(CURATOR)
    if chosen == target and (rate := label_sentence(result)):
        st.caption(escaped(f"{rate} {label_hint(result)}".strip()))
        better = BETTER_LABELS.get(result.settings.labels)
        if label_hint(result) and better is not None:
            way, label = better
            st.button(
                label,
                key="synth_by_chance",
                on_click=synthesis_controls.label_by,
                args=(way,),
                icon=":material/casino:",
            )


def show_pairs(result: SynthesisResult) -> None:
    """Draw two columns together, in both tables."""
    st.markdown("**Two columns at a time**")
    st.caption(escaped(fidelity_sentence(result)))
    compared = sorted(result.shares.pairs, key=lambda found: -found.error)
    if not compared:
        return
    # Of very many columns, only some pairs are compared.
    beside: dict[str, set[str]] = {}
    for found in compared:
        beside.setdefault(found.first, set()).add(found.second)
        beside.setdefault(found.second, set()).add(found.first)
    names = [found.name for found in result.shares.columns if found.name in beside]
    first, second = st.columns(2)
    with first:
        across = _choice("Across", result, "across", names, compared[0].first)
    others = [name for name in names if name in beside[across]]
    with second:
        partner = compared[0].second if compared[0].second != across else compared[0].first
        up = _choice("Up", result, "up", others, partner)
    with guarded("drawing the pair"):
        shares = result.shares.pair(across, up)
        picture = pair(shares, result.shares.column(across), result.shares.column(up), dark=is_dark())
        show_picture(picture, "synth_pair", png="synthesis-pair", csv="synthesis-pair.csv")


def _measure_key(result: SynthesisResult) -> str:
    return f"synth_measure_{'_'.join(result.measures)}"


def _measure(result: SynthesisResult) -> str:
    """Return the measure that was chosen, or the one that tells most."""
    chosen = st.session_state.get(_measure_key(result))
    return chosen if chosen in result.measures and result.models else default_measure(result)


def _choice(label: str, result: SynthesisResult, what: str, names: list[str], first: str) -> str:
    """Let a column be chosen; the choice goes with its table."""
    titles = {found.name: found.title for found in result.shares.columns}
    key = f"synth_of_{result.dataset_digest[:12]}_{what}"
    if st.session_state.get(key) not in names:
        st.session_state[key] = first if first in names else names[0]
    return str(st.selectbox(label, names, format_func=titles.__getitem__, key=key, persist_state="session"))
