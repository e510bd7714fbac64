"""What the table in use may spend, has spent and has left, and its owner's way to set a budget."""

from __future__ import annotations

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.errors import InputError
from dpcp_core.presentation.release_tables import spendings_table
from dpcp_core.presentation.wording import release as words
from dpcp_core.presentation.wording.numbers import one_in
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.composition import COMPOSITIONS
from dpcp_core.privacy.ledger import Account
from pages.ui import release_ledger, runs, state
from pages.ui.choices import DELTAS
from pages.ui.errors import sentence
from pages.ui.layout import cards
from pages.ui.panels.picture import show_table
from pages.ui.text import escaped

_USUAL = PrivacyBudget(4.0, 1e-5)
_PROBLEM = "_release_budget_problem"


def show_what() -> None:
    """Say what a release is, and that one of a sample is a rehearsal."""
    st.markdown(words.LEAD)
    if release_ledger.is_rehearsal():
        st.info(words.REHEARSAL, icon=":material/theater_comedy:")


def show_account(data: Dataset) -> Account:
    """Draw the account of the table in use and return it."""
    st.header(words.ACCOUNT, anchor=False)
    found = release_ledger.standing(data)
    account = found.account
    if account.budget is None:
        _say_there_is_none()
    else:
        _cards(account)
    for near in found.near:
        st.warning(escaped(words.near_words(near, named=release_ledger.may_set_budget())), icon=":material/group:")
    if account.unfinished and not runs.going_on():
        st.warning(escaped(words.unfinished_words(len(account.unfinished))), icon=":material/hourglass_disabled:")
    _earlier(account)
    if release_ledger.may_set_budget():
        _offer_budget(data, account)
        if not release_ledger.is_rehearsal():
            st.caption(escaped(f"Ledger: {found.place}"))
    elif account.budget is not None:
        st.caption(words.RAISED_ELSEWHERE)
    return account


def _say_there_is_none() -> None:
    if release_ledger.may_set_budget():
        st.markdown(words.NO_BUDGET)
        return
    st.markdown(words.NO_BUDGET_SHARED)
    st.code(words.COMMAND, language="bash", wrap_lines=True)


def _cards(account: Account) -> None:
    for card, (label, value, below) in zip(cards(3), words.account_cards(account), strict=True):
        with card:
            st.caption(label)
            st.markdown(f"## {escaped(value)}", anchors=False)
            st.markdown(f":small[{escaped(below)}]")


def _earlier(account: Account) -> None:
    if not account.spendings:
        if account.budget is not None:
            st.caption(words.NONE_EARLIER)
        return
    fold = st.expander(words.EARLIER, key="fold_earlier", on_change="rerun", icon=":material/history:")
    if fold.open:
        show_table(fold, spendings_table(account), "table_earlier", words.RELEASES_ALT)


def _offer_budget(data: Dataset, account: Account) -> None:
    if account.budget is None:
        _budget_form(data, account, words.SET_BUDGET)
        return
    fold = st.expander(words.CHANGE_BUDGET, key="fold_budget", on_change="rerun", icon=":material/savings:")
    if fold.open:
        with fold:
            _budget_form(data, account, words.CHANGE_BUDGET)


def _budget_form(data: Dataset, account: Account, label: str) -> None:
    budget, key = account.budget or _USUAL, _key(data)
    offered = tuple(sorted({*DELTAS, budget.delta}))
    with st.form(f"{key}_form", border=account.budget is None):
        epsilon, delta, rule, name = (cell.container() for cell in st.columns([2, 2, 2, 3], gap="medium"))
        epsilon.number_input(
            "ε of all releases", 1e-4, 1e4, budget.epsilon, key=f"{key}_epsilon", help=words.BUDGET_HELP
        )
        delta.selectbox(
            "δ of all releases",
            offered,
            offered.index(budget.delta),
            format_func=lambda value: one_in(value) if value else "0",
            key=f"{key}_delta",
            help=words.DELTA_HELP,
        )
        rule.selectbox(
            "Costs add up",
            COMPOSITIONS,
            COMPOSITIONS.index(account.composition),
            format_func=words.RULES.__getitem__,
            key=f"{key}_composition",
            help=words.RULES_HELP,
        )
        usual = account.name or state.title_of(data.name)
        name.text_input("Name in the ledger", usual, max_chars=60, key=f"{key}_name", help=words.NAME_HELP)
        st.form_submit_button(label, on_click=_set, args=(data,), icon=":material/savings:")
    if problem := st.session_state.pop(_PROBLEM, ""):
        st.error(escaped(problem), icon=":material/error:")


def _key(data: Dataset) -> str:
    return f"release_of_{data.rows_digest[:12]}_budget"


def _set(data: Dataset) -> None:
    """Set what was typed; what is wrong with it is said below the form."""
    typed = {part: st.session_state[f"{_key(data)}_{part}"] for part in ("epsilon", "delta", "composition", "name")}
    try:
        if not release_ledger.may_set_budget():
            raise InputError(words.RAISED_ELSEWHERE)
        budget = PrivacyBudget(typed["epsilon"], typed["delta"])
        release_ledger.set_budget(data, budget, typed["composition"], typed["name"])
    except Exception as problem:  # the budget stays as it was
        st.session_state[_PROBLEM] = sentence(problem, "setting the budget")
    else:
        st.toast(words.BUDGET_SET, icon=":material/savings:")
