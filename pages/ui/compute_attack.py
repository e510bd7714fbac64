"""Caches of the page on attacks; see :mod:`pages.ui.compute` for what they are keyed by, and how they are dropped."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.experiments.audit.subtraction import SubtractionResult, subtraction_attack
from dpcp_core.experiments.membership import (
    MembershipReference,
    MembershipResult,
    membership_attack,
    membership_reference,
)
from dpcp_core.experiments.row_out import RankedRows, RowOut, likeliest_place, ranked_rows, take_row_out
from pages.ui import compute

_KEYS = {Dataset: attrgetter("digest")}
# A reference is a function of the table and the seed, which stand beside it in every key.
_MEMBERS = {**_KEYS, MembershipReference: lambda reference: (reference.digest, reference.seed)}


@st.cache_resource(scope="session", show_spinner=False, max_entries=4, hash_funcs=_KEYS)
def ranked(data: Dataset, n: int | None, seed: int) -> RankedRows:
    """Return scores of rows of this table by a model without privacy; no move of epsilon changes them.

    Raises
    ------
    InputError
        If the target, a column or the number of rows does not do.
    """
    return ranked_rows(compute.prepared(data), n=n, seed=seed)


def row_out(rows: RankedRows, which: int | str, epsilon: float, miss_rate: float, bins: int | str) -> RowOut:
    """Return what one row changes: one of a rank, or ``"risk"`` for the one most at risk."""
    place = which if isinstance(which, int) else likeliest_place(rows, epsilon=epsilon, miss_rate=miss_rate)
    return take_row_out(rows, place=place, epsilon=epsilon, miss_rate=miss_rate, bins=bins)


@st.cache_resource(scope="session", show_spinner=False, max_entries=24, hash_funcs=_KEYS)
def subtraction(
    data: Dataset, attributes: str, epsilon: float, delta: float, row: int, trials: int, seed: int
) -> SubtractionResult:
    """Return what an attacker finds out of one row of a synthetic table's columns."""
    return subtraction_attack(data, attributes, epsilon, delta, row=row, trials=trials, seed=seed)


@st.cache_resource(scope="session", show_spinner=False, max_entries=3, hash_funcs=_KEYS)
def member_reference(data: Dataset, seed: int) -> MembershipReference:
    """Return the models without privacy that membership attacks are compared with; no budget changes them."""
    return membership_reference(compute.prepared(data), seed=seed)


@st.cache_resource(scope="session", show_spinner=False, max_entries=16, hash_funcs=_MEMBERS)
def membership(
    data: Dataset, epsilon: float, delta: float, seed: int, reference: MembershipReference
) -> MembershipResult:
    """Return how well attacks tell who trained private models, and what the budget allows at most."""
    return membership_attack(compute.prepared(data), epsilon=epsilon, delta=delta, seed=seed, reference=reference)


def clear() -> None:
    """Drop what this session has computed."""
    cached: Any
    for cached in (ranked, subtraction, member_reference, membership):
        cached.clear()
