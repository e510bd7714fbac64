"""A process that releases over and over until the budget is gone; what is released is a line in a file."""

from __future__ import annotations

import sys
from pathlib import Path

from dpcp_core.errors import BudgetExceededError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.ledger import Ledger, ReleaseCost


def spend(url: str, rows: str, rounds: int, epsilon: float, out: Path) -> None:
    """Try ``rounds`` releases; every fourth one that is granted is given back before anything is drawn."""
    ledger, cost, granted = Ledger(url), ReleaseCost(PrivacyBudget(epsilon)), 0
    with out.open("a") as published:
        for _ in range(rounds):
            try:
                held = ledger.reserve(rows, cost, "a round")
            except BudgetExceededError:
                continue
            granted += 1
            if granted % 4 == 0:
                ledger.void(held, "nothing was drawn")
                continue
            # What stands in the file is out: it must never be there without a line in the ledger.
            published.write(f"{held.release}\n")
            published.flush()
            ledger.commit(held, "ef" * 32)


if __name__ == "__main__":
    spend(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]), Path(sys.argv[5]))
