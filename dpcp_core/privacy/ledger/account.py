"""What one table may spend, has spent and has left, computed from the lines of the ledger."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import cast

from dpcp_core import _validate
from dpcp_core.errors import BudgetExceededError, InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.composition import COMPOSITIONS, Composition
from dpcp_core.privacy.ledger.composing import fits, together
from dpcp_core.privacy.ledger.entry import Entry
from dpcp_core.privacy.ledger.parts import ReleaseCost


@dataclass(frozen=True)
class Spending:
    """One release that counts.

    Attributes
    ----------
    release
        Its name.
    at
        When it was reserved, UTC.
    title
        What was published, in words.
    cost
    is_finished
        False where it was reserved and nobody said what became of it: it counts as spent.
    published
        Digest of what was published; "" while it is not finished.
    """

    release: str
    at: str
    title: str
    cost: ReleaseCost
    is_finished: bool = False
    published: str = ""


@dataclass(frozen=True)
class Account:
    """The budget of one table.

    Attributes
    ----------
    rows
        Digest of its rows.
    name
        What its owner calls it.
    budget
        None while nobody has set one.
    composition
        ``basic`` or ``tight``.
    spendings
        Releases that count, in order; void ones do not.
    """

    rows: str
    name: str = ""
    budget: PrivacyBudget | None = None
    composition: Composition = "tight"
    spendings: tuple[Spending, ...] = ()

    @property
    def title(self) -> str:
        """What to call the table: its name, or the beginning of its digest."""
        return self.name or self.rows[:12]

    @property
    def keeps_to_budget(self) -> bool:
        """Whether all releases together cost no more than the budget; without one, whether there are none."""
        if self.budget is None:
            return not self.spendings
        # The sum is computed at once, and never less than what is exact.
        return fits(self.costs, self.budget, "basic") or fits(self.costs, self.budget, self.composition)

    @property
    def costs(self) -> tuple[ReleaseCost, ...]:
        """What each release cost."""
        return tuple(spending.cost for spending in self.spendings)

    @property
    def unfinished(self) -> tuple[Spending, ...]:
        """Releases that were reserved and never finished; they count as spent."""
        return tuple(spending for spending in self.spendings if not spending.is_finished)

    @property
    def spent(self) -> PrivacyBudget | None:
        """Cost of all releases together; None for none."""
        return self._joint(self.costs)

    @property
    def epsilon_left(self) -> float:
        """Epsilon of the budget that is not spent, 0 or more; what a release may cost can be a little more."""
        if self.budget is None:
            return 0.0
        spent = self.spent
        return self.budget.epsilon if spent is None else max(0.0, self.budget.epsilon - spent.epsilon)

    def after(self, cost: ReleaseCost) -> PrivacyBudget:
        """Return what all would cost together with one more release."""
        total = self._joint((*self.costs, cost))
        assert total is not None
        return total

    def require_room(self, cost: ReleaseCost) -> None:
        """Raise unless one more release keeps to the budget.

        Raises
        ------
        BudgetExceededError
            If it does not, or if there is no budget; the sentence names the numbers.
        """
        if self.budget is None:
            raise BudgetExceededError(
                "This table has no budget yet, as it is read here: its owner sets one first, on the Release page or "
                "with `dpcp ledger budget` and the same --schema."
            )
        total = self.after(cost)
        if not self.budget.covers(total):
            raise BudgetExceededError(
                f"This release would bring the table to {total}, above its budget of {self.budget}; "
                "ask for less epsilon, or let the owner raise the budget."
            )

    def _joint(self, costs: tuple[ReleaseCost, ...]) -> PrivacyBudget | None:
        return together(costs, self.budget or PrivacyBudget(1.0), self.composition)


def accounts_of(entries: Iterable[Entry]) -> dict[str, Account]:
    """Return the account of each table by the digest of its rows.

    Raises
    ------
    InputError
        If a line holds a cost or budget that cannot be read.
    """
    accounts: dict[str, Account] = {}
    for entry in entries:
        accounts[entry.rows] = after_line(accounts.get(entry.rows, Account(entry.rows)), entry)
    return accounts


def after_line(account: Account, entry: Entry) -> Account:
    """Return an account as one more line leaves it.

    Raises
    ------
    InputError
        If the line holds a cost or budget that cannot be read.
    """
    try:
        return _with(account, entry)
    except (KeyError, TypeError, OverflowError):
        raise InputError(f"Line {entry.number} of the ledger holds a budget that cannot be read.") from None


def _with(account: Account, entry: Entry) -> Account:
    facts = entry.facts
    if entry.kind == "budget":
        budget = PrivacyBudget(facts["epsilon"], facts["delta"])
        _validate.one_of(COMPOSITIONS, composition=facts["composition"])
        return replace(
            account, budget=budget, composition=cast(Composition, facts["composition"]), name=facts.get("name", "")
        )
    if entry.kind == "reserve":
        new = Spending(entry.release, entry.at, facts.get("title", ""), ReleaseCost.from_dict(facts))
        return replace(account, spendings=(*account.spendings, new))
    if entry.kind == "void":
        kept = tuple(spending for spending in account.spendings if spending.release != entry.release)
        return replace(account, spendings=kept)
    done = tuple(
        replace(s, is_finished=True, published=facts.get("published", "")) if s.release == entry.release else s
        for s in account.spendings
    )
    return replace(account, spendings=done)
