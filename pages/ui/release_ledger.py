"""The ledger behind the Release page: that of this computer, or, for a public sample, one for practice."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.digest import row_hashes
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.composition import Composition
from dpcp_core.privacy.ledger import Account, Ledger, NearTable
from pages.ui import compute_release, state
from pages.ui.sharing import is_shared

_REHEARSAL = "_release_rehearsal"


class _Folder:
    """A folder that is gone once nobody holds it."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="dpcp-rehearsal-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


@dataclass(frozen=True)
class Standing:
    """Where a table stands in the ledger.

    Attributes
    ----------
    account : Account
    near : tuple of NearTable
        Known tables that share most of its rows.
    place : str
        Where the ledger is kept.
    """

    account: Account
    near: tuple[NearTable, ...]
    place: str


def is_rehearsal() -> bool:
    """Whether the table in use is a sample: public, so that a release of it spends nobody's privacy."""
    return not state.is_own()


def may_set_budget() -> bool:
    """Whether whoever sits at this browser may act as the table's owner."""
    return is_rehearsal() or not is_shared()


def url() -> str | None:
    """Return the address of the ledger for the table in use; None for that of this computer."""
    if not is_rehearsal():
        return None
    if _REHEARSAL not in st.session_state:
        st.session_state[_REHEARSAL] = _Folder()
    folder = st.session_state[_REHEARSAL]
    return f"sqlite:///{(folder.path / 'ledger.sqlite').as_posix()}"


def standing(data: Dataset) -> Standing:
    """Return the account of the table in use, and the known tables that are near it.

    Raises
    ------
    InputError
        If the ledger cannot be used.
    """
    address = url()
    with Ledger(address) as ledger:
        accounts, place = ledger.accounts(), ledger.name
    own = next((account for account in accounts if account.rows == data.rows_digest), Account(data.rows_digest))
    known = tuple((account.rows, account.name) for account in accounts)
    near = () if is_rehearsal() else compute_release.near(data, address, known)
    return Standing(own, near, place)


def set_budget(data: Dataset, budget: PrivacyBudget, composition: Composition, name: str) -> None:
    """Set what the table in use may spend, as its owner.

    Raises
    ------
    InputError
        If the table has spent more already, or the ledger cannot be used.
    """
    with Ledger(url()) as ledger:
        ledger.set_budget(data.rows_digest, budget, name=name or data.name, composition=composition)
        ledger.remember(data.rows_digest, row_hashes(data.frame))


def account_after(address: str | None, rows: str) -> Account:
    """Return the account of a table as it is now.

    Raises
    ------
    InputError
        If the ledger cannot be used.
    """
    with Ledger(address) as ledger:
        return ledger.account(rows)
