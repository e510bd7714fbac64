"""Controls that only the page on attacks has; epsilon, coverage, bins and the seed are those of all pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import streamlit as st

from dpcp_core.presentation.wording.attack import CONTROLS, WHICH
from dpcp_core.presentation.wording.attack_audit import EFFORTS, KINDS
from dpcp_core.presentation.wording.numbers import short, whole
from pages.ui.controls.keys import held
from pages.ui.controls.widgets import drawer

WHICH_KEY, PLACE, ROWS, HIDDEN = "attack_which", "attack_place", "attack_rows", "attack_hidden"
"""Keys of the widgets."""

KINDS_KEY, EPSILONS_KEY, EFFORT, FAULTS = "attack_kinds", "attack_epsilons", "attack_effort", "attack_faults"
"""Keys of the widgets of the audit."""

ROWS_OFFERED = (100, 200, 400, 1000, None)
"""How many rows may be ranked; None stands for all."""

AUDITED_EPSILONS = (0.1, 0.5, 1.0, 2.0, 4.0, 8.0)

_FIRST_ROWS = 400
_FIRST_EPSILONS = (0.5, 1.0, 4.0)


T = TypeVar("T")


@dataclass(frozen=True)
class AuditAsked:
    """What an audit is asked for."""

    kinds: tuple[str, ...]
    epsilons: tuple[float, ...]
    effort: str
    faults: bool
    seed: int

    @property
    def is_complete(self) -> bool:
        """Whether there is something to attack."""
        return bool(self.kinds and self.epsilons)


def shared(field: str) -> None:
    """Draw the control of a setting that all pages share."""
    drawer(field)(field, {})


def n_rows() -> int | None:
    """Draw how many rows are ranked."""
    words = CONTROLS["n"]
    chosen: int | None = st.selectbox(
        words.label,
        ROWS_OFFERED,
        ROWS_OFFERED.index(_FIRST_ROWS),
        format_func=lambda n: "all" if n is None else whole(n),
        key=ROWS,
        persist_state="session",
        help=words.help,
    )
    return chosen


def which() -> str:
    """Draw how the row is chosen that is taken out."""
    words = CONTROLS["which"]
    chosen: str = st.selectbox(
        words.label,
        tuple(WHICH),
        format_func=WHICH.__getitem__,
        key=WHICH_KEY,
        persist_state="session",
        help=words.help,
    )
    return chosen


def place(most: int) -> int:
    """Draw the rank of the row; of fewer rows than before, the last takes its place."""
    words = CONTROLS["place"]
    if st.session_state.get(PLACE, 1) > most:
        st.session_state[PLACE] = most
    return int(st.number_input(words.label, 1, most, 1, 1, key=PLACE, persist_state="session", help=words.help))


def hidden_row(n_rows: int) -> int:
    """Draw which row the attacker does not know; return its place, from 0."""
    words = CONTROLS["hidden"]
    if st.session_state.get(HIDDEN, 1) > n_rows:
        st.session_state[HIDDEN] = n_rows
    return int(st.number_input(words.label, 1, n_rows, 1, 1, key=HIDDEN, persist_state="session", help=words.help)) - 1


def audit_row() -> AuditAsked:
    """Draw what to attack, how hard, and whether faults are planted; the seed is that of all pages."""
    grid = st.grid(5, min_column_width=150, gap="medium")
    with grid.cell(column_span=2):
        kinds = _pills("kinds", tuple(KINDS), tuple(KINDS), KINDS_KEY, KINDS.__getitem__)
    with grid.cell(column_span=2):
        epsilons = _pills("epsilons", AUDITED_EPSILONS, _FIRST_EPSILONS, EPSILONS_KEY, short)
    with grid.cell():
        words = CONTROLS["effort"]
        effort = st.segmented_control(
            words.label,
            tuple(EFFORTS),
            default="quick",
            format_func=EFFORTS.__getitem__,
            key=EFFORT,
            required=True,
            persist_state="session",
            help=words.help,
        )
        words = CONTROLS["faults"]
        faults = st.toggle(words.label, True, key=FAULTS, persist_state="session", help=words.help)
    return AuditAsked(kinds, epsilons, str(effort), faults, held()["seed"])


def _pills(
    name: str, offered: tuple[T, ...], first: tuple[T, ...], key: str, words_of: Callable[[T], str]
) -> tuple[T, ...]:
    words = CONTROLS[name]
    chosen = st.pills(
        words.label,
        offered,
        selection_mode="multi",
        default=first,
        format_func=words_of,
        key=key,
        persist_state="session",
        help=words.help,
    )
    return tuple(option for option in offered if option in chosen)
