"""The caches of what is planned and compared before a release; see :mod:`pages.ui.compute` for the rules of caches."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

import streamlit as st

from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.digest import row_hashes
from pages.ui.errors import without_leak_warnings

if TYPE_CHECKING:
    from dpcp_core.privacy.ledger import NearTable
    from dpcp_core.release import ReleasePlan
    from dpcp_core.synthesis.settings import SynthesisSettings

_INTERVALS = {Dataset: attrgetter("digest"), ConformalChoices: repr}
_TABLE = {Dataset: attrgetter("digest"), "dpcp_core.synthesis.settings.SynthesisSettings": repr}


@st.cache_resource(scope="session", show_spinner=False, max_entries=2, hash_funcs=_INTERVALS)
def intervals(data: Dataset, choices: ConformalChoices, schema_text: str) -> ReleasePlan:
    """Return the plan of releasing intervals or sets; nothing is drawn.

    Raises
    ------
    InputError, NotPrivateError
        What cannot be released, in one sentence.
    """
    from dpcp_core.release import plan_intervals

    with without_leak_warnings():
        return plan_intervals(data, choices, schema_text)


@st.cache_resource(scope="session", show_spinner=False, max_entries=2, hash_funcs=_TABLE)
def table(data: Dataset, settings: SynthesisSettings, schema_text: str) -> ReleasePlan:
    """Return the plan of releasing a synthetic table; nothing is drawn.

    Raises
    ------
    InputError, NotPrivateError
        What cannot be released, in one sentence.
    """
    from dpcp_core.release import plan_table

    with without_leak_warnings():
        return plan_table(data, settings, schema_text)


@st.cache_resource(scope="session", show_spinner=False, max_entries=2, hash_funcs=_INTERVALS)
def near(data: Dataset, url: str | None, known: tuple[tuple[str, str], ...]) -> tuple[NearTable, ...]:
    """Return the tables of the ledger that share most of their rows with this one.

    Parameters
    ----------
    data : Dataset
    url : str, optional
        Of the ledger.
    known : tuple of pairs
        Digest and name of each table of the ledger: the answer can only change with them.
    """
    if all(rows == data.rows_digest for rows, _ in known):
        return ()
    from dpcp_core.privacy.ledger import Ledger

    with Ledger(url) as ledger:
        return ledger.near(data.rows_digest, row_hashes(data.frame))


def clear() -> None:
    """Drop the plans of this session."""
    for cached in (intervals, table, near):
        cached.clear()
