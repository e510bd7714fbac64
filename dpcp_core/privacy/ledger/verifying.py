"""Is a ledger whole? Every line against the one before it, the noted end, and the rules of spending."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dpcp_core.errors import InputError
from dpcp_core.privacy.ledger.account import Account, accounts_of, after_line
from dpcp_core.privacy.ledger.entry import KINDS, START, Entry

_NEXT = {"": {"reserve"}, "reserve": {"commit", "void"}, "commit": set(), "void": set()}


@dataclass(frozen=True)
class Line:
    """A line as it is kept.

    Attributes
    ----------
    number
    text
        What :meth:`Entry.to_text` wrote.
    hash
    rows
        Digest of the table's rows, beside the text.
    """

    number: int
    text: str
    hash: str
    rows: str


@dataclass(frozen=True)
class Verification:
    """What a check of the whole ledger found.

    Attributes
    ----------
    n_entries
        Number of lines.
    last_hash
        Hash of the last line; note it elsewhere to find a ledger that was written anew.
    problems
        One sentence for each; none if the ledger is whole.
    unfinished
        Number of releases that were reserved and never finished; they count as spent.
    """

    n_entries: int
    last_hash: str
    problems: tuple[str, ...] = ()
    unfinished: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether no problem was found."""
        return not self.problems


def verification(lines: tuple[Line, ...], head: tuple[int, str]) -> Verification:
    """Check all lines, and the end that was noted apart from them."""
    entries: list[Entry] = []
    problems = [*_of_chain(lines, entries)]
    last = lines[-1].hash if lines else START
    if head != (len(lines), last):
        problems.append(f"The ledger ends with line {len(lines)}, but line {head[0]} was noted as its last.")
    unfinished = 0
    if not problems:
        problems.extend(_of_spending(entries))
    if not problems:
        unfinished = sum(len(account.unfinished) for account in accounts_of(entries).values())
    return Verification(len(lines), last, tuple(problems), unfinished)


def _of_chain(lines: tuple[Line, ...], entries: list[Entry]) -> Iterator[str]:
    """Yield what is wrong with each line; the lines that can be read are added to ``entries``."""
    previous = START
    for expected, line in enumerate(lines, start=1):
        try:
            entry = Entry.from_text(line.text)
        except InputError:
            yield f"Line {expected} cannot be read: it was changed after it was written."
            previous = line.hash
            continue
        if line.number != expected or entry.number != expected:
            yield f"Line {expected} is missing."
        elif (entry.hash, entry.to_text(), entry.rows) != (line.hash, line.text, line.rows):
            yield f"Line {expected} was changed after it was written."
        elif entry.previous != previous:
            yield f"Line {expected} does not follow the line before it."
        entries.append(entry)
        previous = line.hash


def _of_spending(entries: Iterable[Entry]) -> Iterator[str]:
    """Go through all lines as they were written, and yield where a rule was broken."""
    state: dict[tuple[str, str], str] = {}
    accounts: dict[str, Account] = {}
    for entry in entries:
        if entry.kind not in KINDS:
            yield f"Line {entry.number} is of an unknown kind."
            return
        release = (entry.rows, entry.release)
        if entry.kind != "budget":
            if entry.kind not in _NEXT[state.get(release, "")]:
                yield f"Line {entry.number} finishes a release that is not open."
            state[release] = entry.kind
        before = accounts.get(entry.rows, Account(entry.rows))
        try:
            accounts[entry.rows] = after_line(before, entry)
        except InputError:
            yield f"Line {entry.number} holds a budget or a cost that cannot be read."
            return
        yield from _of_account(before, accounts[entry.rows], entry)
    yield from (f"{_overspent(account)}." for account in accounts.values() if not account.keeps_to_budget)


def _of_account(before: Account, after: Account, entry: Entry) -> Iterator[str]:
    """Yield what is wrong with an account around one line.

    Reservations only add up, so that it is enough to look before something is given back or the budget changes, and
    right after that; and at the end.
    """
    if entry.kind == "reserve" and before.budget is None:
        yield f"Line {entry.number} reserves for the table {before.title}, which had no budget then."
    if entry.kind in ("budget", "void") and before.budget is not None and not before.keeps_to_budget:
        yield f"{_overspent(before)} before line {entry.number}."
    if entry.kind == "budget" and not after.keeps_to_budget:
        yield f"{_overspent(after)} when line {entry.number} set it."


def _overspent(account: Account) -> str:
    return f"The table {account.title} had spent more than its budget"
