"""A table's account as a table: one line for each release."""

from __future__ import annotations

import pandas as pd

from dpcp_core.presentation.wording.release import spending_values
from dpcp_core.privacy.ledger import Account


def spendings_table(account: Account) -> pd.DataFrame:
    """Return one line per release that counts: when, what, cost, whether it was finished, its name in the ledger."""
    return pd.DataFrame([spending_values(spending) for spending in account.spendings])
