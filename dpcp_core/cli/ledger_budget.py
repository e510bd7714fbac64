"""Setting a table's budget from what was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from dpcp_core import _validate as check
from dpcp_core.data.digest import row_hashes
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.composition import COMPOSITIONS, Composition
from dpcp_core.privacy.ledger import Ledger

if TYPE_CHECKING:
    from dpcp_core.data.dataset import Dataset


def set_budget(data: Dataset, epsilon: str, delta: str, name: str, composition: str, url: str | None) -> str:
    """Set a budget, and say so in one or two sentences; a known table with the same people in it is named.

    Raises
    ------
    InputError
        A value out of range, or a table that has spent more already.
    """
    check.one_of(COMPOSITIONS, composition=composition)
    budget = PrivacyBudget(check.positive(epsilon=epsilon), check.share(zero=True, delta=delta))
    hashes = row_hashes(data.frame)
    with Ledger(url) as ledger:
        near = ledger.near(data.rows_digest, hashes)
        ledger.set_budget(data.rows_digest, budget, name=name or data.name, composition=cast(Composition, composition))
        ledger.remember(data.rows_digest, hashes)
        said = f"{name or data.name or 'The table'} ({data.rows_digest[:12]}) may spend {budget}."
    others = [f"{100 * one.shared_share:.0f} % of its rows are in {one.account.title}" for one in near]
    if not others:
        return said
    return f"{said} Beware: {'; '.join(others)}: what several tables spend adds up for the people in all of them."
