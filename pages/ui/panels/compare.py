"""What a comparison found: the winner in words, pictures over epsilon, repetitions at one epsilon, pairs, tables."""

from __future__ import annotations

import streamlit as st

from dpcp_core.experiments.comparison import Comparison
from dpcp_core.presentation.comparison_tables import cells_table, standings_table
from dpcp_core.presentation.figures.boxes import coverage_boxes, size_boxes
from dpcp_core.presentation.figures.compare import coverage_over_epsilon, size_over_epsilon
from dpcp_core.presentation.sweep_report import comparison_stem
from dpcp_core.presentation.wording import compare as words
from dpcp_core.presentation.wording.compare import TWO_NEEDED, pairs_title
from dpcp_core.presentation.wording.crossings import (
    at_sentence,
    beside_sentence,
    crossing_sentences,
    miss_sentences,
    n_crossings,
    thing_compared,
    winner_sentence,
)
from dpcp_core.presentation.wording.numbers import count
from pages.ui import controls
from pages.ui.errors import guarded
from pages.ui.layout import answer_box, halves
from pages.ui.panels.picture import is_dark, show_picture, show_table
from pages.ui.text import escaped, opening

AT, CLOSE = "compare_at", "compare_close"
"""Keys: at which epsilon repetitions are shown; whether the picture of sizes is a close-up."""

_SHOWN_PAIRS = 4


def show_answer(comparison: Comparison) -> None:
    """Name who wins where, and say of who misses the target that it does."""
    with answer_box(border=True, gap="xsmall"):
        st.markdown(f":material/trophy: **{escaped(winner_sentence(comparison))}**")
        said = [*miss_sentences(comparison), beside_sentence(comparison)]
        st.caption(escaped(" ".join(sentence for sentence in said if sentence)))


def show_lines(comparison: Comparison, *, so_far: bool = False) -> None:
    """Draw coverage and size over epsilon, as far as cells are finished."""
    dark, stem = is_dark(), comparison_stem(comparison.result)
    left, right = halves()
    key = "_so_far" if so_far else ""
    with left, guarded("drawing coverage"):
        title = "Coverage so far" if so_far else None
        picture = coverage_over_epsilon(comparison, dark=dark)
        show_picture(picture, f"compare_coverage{key}", title=title, png=f"{stem}-coverage")
    with right, guarded("drawing sizes"):
        title = f"{opening(thing_compared(comparison))} so far" if so_far else None
        close = _is_close() and not so_far
        picture = size_over_epsilon(comparison, dark=dark, close=close)
        show_picture(picture, f"compare_size{key}", title=title, png=f"{stem}-size")
        if not so_far:
            st.toggle(
                words.CLOSE_UP,
                key=CLOSE,
                persist_state="session",
                help=words.CLOSE_UP_HELP,
            )


def show_boxes(comparison: Comparison) -> float:
    """Draw how repetitions spread at one epsilon; return which."""
    epsilon = _at(comparison)
    st.markdown(escaped(at_sentence(comparison, epsilon)))
    dark, stem = is_dark(), f"{comparison_stem(comparison.result)}-epsilon-{epsilon:g}"
    left, right = halves()
    with left, guarded("drawing coverage of repetitions"):
        picture = coverage_boxes(comparison, epsilon, dark=dark)
        show_picture(picture, "compare_coverage_boxes", png=f"{stem}-coverage")
    with right, guarded("drawing sizes of repetitions"):
        picture = size_boxes(comparison, epsilon, dark=dark, close=_is_close())
        show_picture(picture, "compare_size_boxes", png=f"{stem}-size")
    return epsilon


def show_pairs(comparison: Comparison) -> None:
    """Name the crossing points and what else can be told of every two private methods, beside who leads where."""
    left, right = halves()
    with left:
        _pairs(comparison)
    with right:
        st.markdown("**Who leads at each ε**")
        show_table(st, standings_table(comparison), "compare_standings", winner_sentence(comparison))


def _pairs(comparison: Comparison) -> None:
    sentences, crossing = crossing_sentences(comparison), n_crossings(comparison)
    if not sentences:
        st.caption(TWO_NEEDED)
        return
    st.markdown(f"**{pairs_title(crossing)}**")
    shown = max(crossing, _SHOWN_PAIRS)
    st.markdown("\n".join(f"- {escaped(sentence)}" for sentence in sentences[:shown]))
    if rest := sentences[shown:]:
        fold = st.expander(f"{count(len(rest), 'other pair')}", key="fold_pairs", on_change="rerun", type="compact")
        if fold.open:
            fold.markdown("\n".join(f"- {escaped(sentence)}" for sentence in rest))


def show_cells(comparison: Comparison) -> None:
    """Fold away all cells as a table."""
    fold = st.expander("All numbers as a table", key="fold_cells", on_change="rerun", icon=":material/table_rows:")
    if fold.open:
        show_table(fold, cells_table(comparison), "compare_cells", winner_sentence(comparison))


def _at(comparison: Comparison) -> float:
    """Let one of the epsilons be chosen; at first the one on the Coverage page, or the nearest."""
    options = comparison.epsilons
    if st.session_state.get(AT) not in options:
        wanted = controls.settings().epsilon
        st.session_state[AT] = min(options, key=lambda epsilon: abs(epsilon - wanted))
    if len(options) == 1:
        return options[0]
    chosen = st.select_slider(
        "Look closer at ε", options, key=AT, persist_state="session", format_func=lambda value: f"{value:g}"
    )
    return float(chosen)


def _is_close() -> bool:
    return bool(st.session_state.get(CLOSE, False))
