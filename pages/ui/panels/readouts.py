"""The three numbers that a person takes away, each with what it is compared to."""

from __future__ import annotations

import streamlit as st

from dpcp_core.experiments.result import SimulationResult
from dpcp_core.presentation.wording.readouts import Readout, readouts
from pages.ui.layout import answer_box, cards
from pages.ui.text import escaped


def show_readouts(result: SimulationResult) -> None:
    """Draw coverage, size and privacy side by side, and say in full what privacy means."""
    shown = readouts(result)
    with answer_box():
        places = cards(len(shown))
    for card, readout in zip(places, shown, strict=True):
        with card:
            _card(readout)
    st.caption(escaped(shown[-1].sentence))


def _card(readout: Readout) -> None:
    st.caption(escaped(readout.label), help=f"{escaped(readout.sentence)}\n\n{escaped(readout.hint)}")
    st.markdown(f"## {escaped(readout.value)}", anchors=False)
    comparison = escaped(readout.comparison)
    st.markdown(
        f":small[:orange[:material/warning: {comparison}]]" if readout.tone == "attention" else f":small[{comparison}]"
    )
