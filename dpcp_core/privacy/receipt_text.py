"""The receipt in words, for a data protection officer."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING

from dpcp_core._words import limit_text, one_in_text
from dpcp_core.privacy.budget import PrivacyBudget

if TYPE_CHECKING:
    from dpcp_core.privacy.receipt import PrivacyReceipt, ReceiptEntry

_WIDTH = 88
_RULE = "-" * _WIDTH


def receipt_text(receipt: PrivacyReceipt) -> str:
    """Return the whole receipt, at most 88 characters wide."""
    blocks = [_heading(receipt), _spending(receipt), _total(receipt)]
    blocks.append("\n".join(["WHAT IS PROMISED ABOUT THE RESULT", *_wrapped(receipt.guarantee)]))
    blocks.append(_listed("THIS RESTS ON", receipt.assumptions))
    blocks.append(_listed("NOT PROTECTED", receipt.not_protected))
    return f"\n{_RULE}\n".join(block for block in blocks if block) + "\n"


def odds_factor(epsilon: float) -> str:
    """Return ``exp(epsilon)`` as people write it, to three digits and rounded up, as it is a limit.

    Examples
    --------
    >>> odds_factor(0.05), odds_factor(1.0), odds_factor(5.0), odds_factor(30.0)
    ('1.06', '2.72', '149', 'over a million')
    """
    if epsilon > math.log(1e6):
        return "over a million"
    factor = math.exp(epsilon)
    return limit_text(factor, 3 if factor >= 1.01 else 6)


def chance(delta: float) -> str:
    """Return a small probability as "1 in ...", rounded up.

    Examples
    --------
    >>> chance(1e-5), chance(0.0), chance(0.3)
    ('1 in 100,000', 'never', '1 in 3')
    """
    if delta <= 0:
        return "never"
    return one_in_text(delta) if delta > 1e-15 else f"{delta:.1e}"


def privacy_sentence(total: PrivacyBudget, one_row_is: str = "") -> str:
    """Return what a total means for one person, in two sentences at most.

    Examples
    --------
    >>> print(privacy_sentence(PrivacyBudget.infinite(), "one patient"))
    This result is NOT private: it may show facts about one patient to anybody who sees it.
    """
    who = one_row_is or "what one row stands for"
    if not total.is_finite:
        return f"This result is NOT private: it may show facts about {who} to anybody who sees it."
    sentence = (
        f"Anything that can be concluded from this result about {who} could also be concluded if that row had "
        f"been left empty; its odds change by a factor of at most {odds_factor(total.epsilon)}."
    )
    if total.delta > 0:
        sentence += f" On top of that, delta leaves an extra chance of at most {chance(total.delta)}."
    return sentence


def _wrapped(text: str, indent: str = "  ", first: str | None = None) -> list[str]:
    start = indent if first is None else first
    return textwrap.wrap(text, _WIDTH, initial_indent=start, subsequent_indent=indent)


def _heading(receipt: PrivacyReceipt) -> str:
    if receipt.mode == "release":
        mode = "Release: drawn once, with fresh randomness."
    else:
        mode = "Simulation: NOT A PRIVATE RELEASE. A release would cost what is stated here."
    row = receipt.one_row_is or "not stated. The protection is for one row, whatever that is."
    return "\n".join(["PRIVACY RECEIPT", mode, *_wrapped(f"One row stands for: {row}", "", "")])


def _spending(receipt: PrivacyReceipt) -> str:
    from dpcp_core.privacy.receipt import COMPOSITION_SENTENCES

    lines = ["WHAT WAS SPENT"]
    if not receipt.entries:
        lines += _wrapped("Nothing is accounted for.")
    hidden = {entry.neighbours for entry in receipt.entries}
    for number, entry in enumerate(receipt.entries, 1):
        lines += _entry_lines(number, entry, with_hidden=len(hidden) > 1)
    if len(receipt.entries) > 1:
        lines += _wrapped(COMPOSITION_SENTENCES.get(receipt.composition, receipt.composition))
    if len(hidden) == 1:
        lines += _wrapped(f"What stays hidden: whether {hidden.pop()}.")
    return "\n".join(lines)


def _entry_lines(number: int, entry: ReceiptEntry, *, with_hidden: bool) -> list[str]:
    share = f"{entry.sensitivity:g}" if isinstance(entry.sensitivity, float | int) else entry.sensitivity
    facts = {
        "reads": entry.reads,
        "hides whether": entry.neighbours if with_hidden else "",
        "one row moves it by": share,
        "cost": str(entry.cost),
        "detail": entry.detail,
    }
    lines = _wrapped(entry.mechanism, "     ", f"  {number}. ")
    for label, fact in facts.items():
        if fact:
            lines += _wrapped(f"{label}: {fact}", "       ", "     ")
    return lines


def _total(receipt: PrivacyReceipt) -> str:
    lines = [f"TOTAL   {receipt.total}", *_wrapped(privacy_sentence(receipt.total, receipt.one_row_is))]
    if receipt.leaks:
        lines.append("  Because:")
        for leak in receipt.leaks:
            lines += _wrapped(leak, "    ", "  - ")
    return "\n".join(lines)


def _listed(title: str, items: tuple[str, ...]) -> str:
    if not items:
        return ""
    return "\n".join([title, *(line for item in items for line in _wrapped(item, "    ", "  - "))])
