"""The ledger: which table may spend how much, and which releases have spent it.

How do I start one? ``Ledger().set_budget(rows, PrivacyBudget(4.0, 1e-5))`` for the digest of a table's rows.
How do I spend? ``reserve`` before anything is drawn, then ``commit`` when it is out.
Is it whole? ``Ledger().verify()``.

>>> ledger, rows = Ledger("sqlite://"), "ab" * 32
>>> ledger.set_budget(rows, PrivacyBudget(1.0, 1e-5), name="patients", composition="basic")
>>> release = ledger.reserve(rows, ReleaseCost(PrivacyBudget(0.75, 1e-6)), "intervals of blood pressure")
>>> ledger.commit(release, published="cd" * 32)
>>> ledger.account(rows).epsilon_left
0.25
>>> ledger.reserve(rows, ReleaseCost(PrivacyBudget(0.5, 1e-6)), "once more")
Traceback (most recent call last):
    ...
dpcp_core.errors.BudgetExceededError: This release would bring the table to epsilon = 1.25, delta = 2e-06, above its \
budget of epsilon = 1, delta = 1e-05; ask for less epsilon, or let the owner raise the budget.
>>> ledger.verify().is_whole
True
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dpcp_core import _validate
from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.composition import COMPOSITIONS, Composition
from dpcp_core.privacy.ledger.account import Account, accounts_of
from dpcp_core.privacy.ledger.entry import Entry, Kind
from dpcp_core.privacy.ledger.location import ledger_url
from dpcp_core.privacy.ledger.near import MOST, shared_share, sketch
from dpcp_core.privacy.ledger.parts import ReleaseCost
from dpcp_core.privacy.ledger.store import Store
from dpcp_core.privacy.ledger.verifying import Verification, verification

_DIGEST = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class Reservation:
    """A part of a budget that is set aside for one release.

    Attributes
    ----------
    rows
        Digest of the table's rows.
    release
        Name of the release, drawn anew.
    """

    rows: str
    release: str


@dataclass(frozen=True)
class NearTable:
    """A known table that shares rows with another.

    Attributes
    ----------
    account
    shared_share
        About which share of the smaller table's rows, in [0, 1].
    """

    account: Account
    shared_share: float


class Ledger:
    """Who may spend what on which table, append-only and chained; safe for many processes at once.

    Parameters
    ----------
    url : str, optional
        A database as SQLAlchemy reads it; else what ``DPCP_LEDGER_URL`` names, else a file of this user.

    Raises
    ------
    InputError
        If it cannot be opened.

    Notes
    -----
    **Privacy.** A reservation counts as spent from the moment that it is written. A process that ends between
    reservation and commit leaves it spent: budgets can be lost that way, never overdrawn. Lines hold digests of tables,
    which whoever has the same table can recognise, and no cell.

    **Guarantee.** ``verify`` finds any line that was changed, dropped or inserted after it was written, unless all
    later lines were written anew as well: note the hash of the last line elsewhere to find that too.
    """

    def __init__(self, url: str | None = None) -> None:
        self._store = Store(ledger_url(url))

    @property
    def name(self) -> str:
        """Where it is kept, without a password."""
        return self._store.name

    def set_budget(
        self, rows: str, budget: PrivacyBudget, *, name: str = "", composition: Composition = "tight"
    ) -> None:
        """Set what a table may spend, as its owner; a later budget replaces an earlier one.

        Parameters
        ----------
        rows : str
            Digest of the table's rows, ``Dataset.rows_digest``.
        budget : PrivacyBudget
            Of all releases together; finite.
        name : str
            What its owner calls it.
        composition : "basic" or "tight"

        Raises
        ------
        InputError
            If the budget is infinite, or the table has spent more already.
        """
        _validate.one_of(COMPOSITIONS, composition=composition)
        if not budget.is_finite:
            raise InputError("A budget without a limit is none; choose an epsilon.")
        facts = {"epsilon": budget.epsilon, "delta": budget.delta, "composition": composition, "name": name}
        with self._store.writing() as writer:
            entry = _next(writer.last(), "budget", _digest(rows), facts=facts)
            _require_spent_within(accounts_of((*writer.entries(rows), entry))[rows])
            writer.append(entry)

    def reserve(self, rows: str, cost: ReleaseCost, title: str) -> Reservation:
        """Set part of a table's budget aside for a release, before anything is drawn.

        Raises
        ------
        BudgetExceededError
            If not enough is left, or nobody has set a budget.
        """
        with self._store.writing() as writer:
            accounts_of(writer.entries(_digest(rows))).get(rows, Account(rows)).require_room(cost)
            release = secrets.token_hex(8)
            writer.append(_next(writer.last(), "reserve", rows, release, {**cost.to_dict(), "title": title}))
        return Reservation(rows, release)

    def commit(self, reservation: Reservation, published: str) -> None:
        """Note that a release is out.

        Parameters
        ----------
        reservation : Reservation
        published : str
            Digest of what was published.

        Raises
        ------
        InputError
            If it is not open: unknown, finished before or void.
        """
        self._finish(reservation, "commit", {"published": published})

    def void(self, reservation: Reservation, reason: str) -> None:
        """Give a reservation back. Only right if nothing was drawn.

        Raises
        ------
        InputError
            If it is not open.
        """
        self._finish(reservation, "void", {"reason": reason})

    def account(self, rows: str) -> Account:
        """Return what a table may spend and has spent; an account without a budget if it is not known."""
        with self._store.reading() as reader:
            return accounts_of(reader.entries(_digest(rows))).get(rows, Account(rows))

    def accounts(self) -> tuple[Account, ...]:
        """Return all accounts, in the order in which they came in."""
        with self._store.reading() as reader:
            return tuple(accounts_of(reader.entries()).values())

    def entries(self) -> tuple[Entry, ...]:
        """Return all lines, in order."""
        with self._store.reading() as reader:
            return reader.entries()

    def verify(self) -> Verification:
        """Check every line against the chain and against the rules of spending."""
        with self._store.reading() as reader:
            return verification(reader.lines(), reader.head())

    def near(self, rows: str, row_hashes: NDArray[np.uint64]) -> tuple[NearTable, ...]:
        """Return the known tables that share most of their rows with this one, likest first; itself not.

        Parameters
        ----------
        rows : str
            Digest of the table's rows.
        row_hashes : array of shape (n,)
            See :func:`dpcp_core.data.digest.row_hashes`.
        """
        with self._store.reading() as reader:
            known, salt, accounts = reader.sketches(), reader.salt(), accounts_of(reader.entries())
        own, n_own = sketch(row_hashes, salt), len(np.unique(row_hashes))
        found = []
        for other, (n_other, hashes) in known.items():
            share = shared_share(own, n_own, tuple(map(int, hashes.split())), n_other)
            if other != rows and share >= MOST:
                found.append(NearTable(accounts.get(other, Account(other)), share))
        return tuple(sorted(found, key=lambda near: -near.shared_share))

    def remember(self, rows: str, row_hashes: NDArray[np.uint64]) -> None:
        """Keep some salted hashes of a table's rows, so that a near copy of it is noticed."""
        with self._store.writing() as writer:
            hashes = sketch(row_hashes, writer.salt())
            writer.keep_sketch(_digest(rows), len(np.unique(row_hashes)), " ".join(map(str, hashes)))

    def close(self) -> None:
        """Close the database."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _finish(self, reservation: Reservation, kind: Kind, facts: Mapping[str, Any]) -> None:
        with self._store.writing() as writer:
            _require_open(writer.entries(_digest(reservation.rows)), reservation)
            writer.append(_next(writer.last(), kind, reservation.rows, reservation.release, facts))


def _next(
    last: Entry | None, kind: Kind, rows: str, release: str = "", facts: Mapping[str, Any] | None = None
) -> Entry:
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return Entry.after(last, at=now, kind=kind, rows=rows, release=release, facts=facts)


def _digest(rows: str) -> str:
    if not _DIGEST.fullmatch(rows):
        raise InputError("A table is named by the digest of its rows, 64 hexadecimal digits: Dataset.rows_digest.")
    return rows


def _require_open(entries: tuple[Entry, ...], reservation: Reservation) -> None:
    kinds = [entry.kind for entry in entries if entry.release == reservation.release]
    if kinds != ["reserve"]:
        became = {"commit": "finished", "void": "given back"}.get(kinds[-1] if kinds else "", "not known")
        raise InputError(f"The reservation {reservation.release} is {became}; reserve anew for another release.")


def _require_spent_within(account: Account) -> None:
    assert account.budget is not None
    spent = account.spent
    if spent is not None and not account.budget.covers(spent):
        raise InputError(
            f"The table has spent {spent} already, which a budget of {account.budget} does not cover; "
            "choose a larger one."
        )
