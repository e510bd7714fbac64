"""What every page has: title, sidebar with the pages, the data in use, and what happens to them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.presentation.wording.nouns import shortened
from dpcp_core.presentation.wording.numbers import FIXED, whole
from pages.ui import compute, runs, state, training
from pages.ui.text import escaped

NAME = "DPCP Explorer"
PAGES = (
    ("app.py", "Start", ":material/home:"),
    ("pages/coverage.py", "Coverage", ":material/straighten:"),
    ("pages/compare.py", "Compare", ":material/compare_arrows:"),
    ("pages/budget.py", "Budget", ":material/savings:"),
    ("pages/synthesis.py", "Synthesis", ":material/table_view:"),
    ("pages/about.py", "About", ":material/info:"),
)
_ICON = str(Path(__file__).parent / "assets" / "icon.svg")


def open_page(page: str, question: str, of_classes: str = "") -> None:
    """Draw the frame; the first call of every page.

    Parameters
    ----------
    page : str
        The page's name in the sidebar.
    question : str
        The question that the page answers, its title.
    of_classes : str
        The same where a class is predicted, if it is put in other words.
    """
    st.set_page_config(page_title=f"{page} · {NAME}", page_icon=_ICON, layout="wide")
    if state.enter(page):
        compute.lighten_collections()
    with st.sidebar:
        st.markdown(f"### {NAME}", anchors=False)
        with st.container(gap="xxsmall"):
            for script, label, icon in PAGES:
                st.page_link(script, label=label, icon=icon, width="stretch")
        _choose_data()
        st.badge("Simulation: not a private release", icon=":material/science:", color="orange")
        _privacy()
    st.title(of_classes if of_classes and state.task() == "classification" else question, anchor=False)


def data_line(data: Dataset) -> str:
    """Return rows, target and its unit, or how many classes it has, in one line of Markdown."""
    target = data.schema.target
    rows = f"{whole(data.n_rows)}{FIXED}rows"
    if target is None:
        return rows
    unit = escaped(target.unit) if target.is_numeric else f"{len(target.categories)} classes"
    unit = f" ({unit})" if unit else ""
    return f"{rows} · predicts **{escaped(shortened(target.title))}**{unit}"


def _choose_data() -> None:
    options = state.sources()
    chosen = st.selectbox("Data", options, format_func=state.source_label, key=state.SOURCE, bind="query-params")
    state.settle_source(chosen)
    data = state.current()
    named = f"**{escaped(data.name)}**  \n" if state.is_own() and data.name else ""
    one_row = f"  \none row: {escaped(data.schema.one_row_is)}" if data.schema.one_row_is else ""
    st.markdown(f"{named}{data_line(data)}{one_row}")


def _privacy() -> None:
    st.caption(
        "A table you upload stays in the memory of this session, on the computer that runs the app. "
        "Nothing is written to disk and nothing is sent elsewhere. Closing the page forgets it within minutes."
    )
    st.button(
        "Forget my data",
        key="forget",
        on_click=_forget,
        icon=":material/delete:",
        # Always at hand: a file may have come in after this button was drawn.
        help="Drops what you uploaded and everything computed from it, now.",
    )


def _forget() -> None:
    trains = training.current() is not None or runs.going_on()
    state.forget()
    forgotten = "Forgotten: what you uploaded, and everything computed from it."
    until = " What the training read that was going on is dropped when it ends." if trains else ""
    st.toast(f"{forgotten}{until}", icon=":material/delete:")
