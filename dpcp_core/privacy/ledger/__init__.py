"""Spend once: budgets, reservations and releases, kept where several processes can trust them."""

from __future__ import annotations

from dpcp_core.privacy.ledger.account import Account, Spending
from dpcp_core.privacy.ledger.entry import Entry
from dpcp_core.privacy.ledger.ledger import Ledger, NearTable, Reservation
from dpcp_core.privacy.ledger.parts import Part, ReleaseCost
from dpcp_core.privacy.ledger.verifying import Verification

__all__ = [
    "Account",
    "Entry",
    "Ledger",
    "NearTable",
    "Part",
    "ReleaseCost",
    "Reservation",
    "Spending",
    "Verification",
]
