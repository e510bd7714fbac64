"""What every page has: title, sidebar with the pages, the data in use, and what happens to them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.errors import InputError
from dpcp_core.presentation.wording import page as words
from dpcp_core.presentation.wording.crossings import listed
from dpcp_core.presentation.wording.nouns import shortened
from dpcp_core.presentation.wording.numbers import FIXED, whole
from pages.ui import garbage, hygiene, runs, sharing, state, training
from pages.ui.controls import link
from pages.ui.text import escaped

NAME = "DPCP Explorer"
PAGES = (
    ("app.py", "Start", ":material/home:"),
    ("pages/coverage.py", "Coverage", ":material/straighten:"),
    ("pages/compare.py", "Compare", ":material/compare_arrows:"),
    ("pages/budget.py", "Budget", ":material/savings:"),
    ("pages/synthesis.py", "Synthesis", ":material/table_view:"),
    ("pages/patient.py", "Patient", ":material/person:"),
    ("pages/attack.py", "Attack", ":material/policy:"),
    ("pages/learn.py", "Learn", ":material/school:"),
    ("pages/release.py", "Release", ":material/publish:"),
    ("pages/about.py", "About", ":material/info:"),
)
_ICON = str(Path(__file__).parent / "assets" / "icon.svg")


def open_page(page: str, question: str, of_classes: str = "", *, releases: bool = False) -> None:
    """Draw the frame; the first call of every page.

    Parameters
    ----------
    page : str
        The page's name in the sidebar.
    question : str
        The question that the page answers, its title.
    of_classes : str
        The same where a class is predicted, if it is put in other words.
    releases : bool
        Whether the page spends budget, in place of simulating.
    """
    st.set_page_config(page_title=f"{page} · {NAME}", page_icon=_ICON, layout="wide")
    hygiene.begin()
    _check_limits()
    if state.enter(page):
        garbage.lighten_collections()
    else:
        _tell_what_the_link_lacks()
    garbage.collect_soon()
    with st.sidebar:
        st.markdown(f"**{NAME}**")
        with st.container(gap="xxsmall"):
            for script, label, icon in PAGES:
                st.page_link(script, label=label, icon=icon, width="stretch")
        _choose_data()
        if releases:
            st.badge(words.RELEASE_BADGE, icon=":material/publish:", color="violet")
        else:
            st.badge("Simulation: not a private release", icon=":material/science:", color="orange")
        _privacy(words.RELEASE_KEPT if releases else words.PRIVACY)
    st.title(of_classes if of_classes and state.task() == "classification" else question, anchor=False)


def _tell_what_the_link_lacks() -> None:
    if link.asks_for_own_table():
        st.toast(words.OWN_TABLE_GONE, icon=":material/upload_file:", duration="infinite")
    refused = link.not_offered()
    if refused:
        asked = listed([f"“{shortened(asked)}”" for asked in refused])
        st.toast(escaped(words.NOT_OFFERED.format(asked)), icon=":material/link_off:", duration="infinite")


def _check_limits() -> None:
    try:
        sharing.limits()
    except InputError as problem:
        st.error(escaped(str(problem)), icon=":material/error:")
        st.stop()


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


def _privacy(kept: str) -> None:
    st.caption(kept)
    st.button(
        "Forget my data",
        key="forget",
        on_click=_forget,
        icon=":material/delete:",
        # Always at hand: a file may have come in after this button was drawn.
        help=words.FORGET_HELP,
    )


def _forget() -> None:
    trains = training.current() is not None or runs.going_on()
    state.forget()
    forgotten = words.FORGOTTEN
    until = words.UNTIL_TRAINED if trains else ""
    st.toast(f"{forgotten}{until}", icon=":material/delete:")
