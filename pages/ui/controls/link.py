"""What a link asks for: settings for pages without their widgets, and what no page offers, to be told."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from pages.ui import state
from pages.ui.choices import BIN_COUNTS, EPSILONS
from pages.ui.controls.keys import BINS, COVERAGE, COVERAGES, EPSILON, SHARE, SHARES


def from_link() -> None:
    """Take over the settings in a link to a page without these widgets; what they do not offer is left alone."""
    for name, read in _READ.items():
        found = read(st.query_params.get(name, ""))
        if found is not None and name not in st.session_state:
            st.session_state[name] = found


def not_offered() -> tuple[str, ...]:
    """Return what the address asks for and no widget can be set to, as it stands there; a table of one's own apart.

    Values of an address are anybody's text.
    """
    asked = {name: st.query_params[name] for name in _READ if name in st.query_params}
    refused = [name for name, value in asked.items() if _READ[name](value) is None]
    if not _knows(st.query_params.get(state.SOURCE)):
        refused.append(state.SOURCE)
    return tuple(f"{name}={st.query_params[name]}" for name in refused)


def asks_for_own_table() -> bool:
    """Return whether the address stands for an uploaded table that this session does not hold."""
    own = state.source_label(state.OWN)
    return st.query_params.get(state.SOURCE) == own and state.OWN not in state.sources()


def _knows(label: str | None) -> bool:
    return label is None or label in {state.source_label(source) for source in (*state.sources(), state.OWN)}


def _among(options: tuple[float, ...]) -> Callable[[str], float | None]:
    def read(asked: str) -> float | None:
        return next((value for value in options if f"{value:g}" == asked.removesuffix(".0")), None)

    return read


def _within(steps: range) -> Callable[[str], int | None]:
    def read(asked: str) -> int | None:
        # A slider holds every whole number between its ends, whatever its steps are.
        value = asked.removesuffix(".0")
        return int(value) if value in map(str, range(steps[0], steps[-1] + 1)) else None

    return read


_READ: Mapping[str, Callable[[str], float | None]] = {
    EPSILON: _among(EPSILONS),
    COVERAGE: _within(COVERAGES),
    SHARE: _within(SHARES),
    BINS: _among(BIN_COUNTS),
}
