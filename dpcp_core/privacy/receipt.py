"""The receipt of a private run: what was read, what it cost, what is promised, and what is not.

>>> receipt = PrivacyReceipt(
...     entries=(ReceiptEntry("Private quantile", "scores of 4,000 rows", ONE_ROW, "1 row", epsilon=0.5),),
...     composition="basic",
...     total=PrivacyBudget(0.5),
...     guarantee="A new patient's value lies inside the interval with a chance of at least 90 %.",
...     one_row_is="one patient",
... )
>>> PrivacyReceipt.from_json(receipt.to_json()) == receipt
True
>>> receipt.with_leak("The bounds of age were read off the rows.").total.is_finite
False
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from dpcp_core import _validate
from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget

ONE_ROW = "one row is there, or is replaced by an empty row; the number of rows is public"

COMPOSITION_SENTENCES: dict[str, str] = {
    "basic": "All parts read the same rows, so their costs are added.",
    "tight": "All parts read the same rows; their exact joint cost is computed, which is below the sum.",
    "parallel": "The parts read different rows, so the total is the largest of their costs.",
}


@dataclass(frozen=True)
class ReceiptEntry:
    """One mechanism's line on a receipt.

    Attributes
    ----------
    mechanism
        What ran, in plain words.
    reads
        Which rows and columns it read.
    neighbours
        What is hidden: the change of the data that the cost refers to.
    sensitivity
        How far one row can move what is released, with its unit.
    epsilon, delta
        Cost; infinity means not private.
    detail
        Anything else worth a line, for instance the amount of noise.

    Raises
    ------
    InputError
        If the sensitivity is neither words nor a finite number, 0 or more.
    """

    mechanism: str
    reads: str
    neighbours: str
    sensitivity: float | str
    epsilon: float
    delta: float = 0.0
    detail: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.sensitivity, str):
            object.__setattr__(self, "sensitivity", _validate.non_negative(sensitivity=self.sensitivity))

    @property
    def cost(self) -> PrivacyBudget:
        """Cost as a budget."""
        return PrivacyBudget(self.epsilon, self.delta)


@dataclass(frozen=True)
class PrivacyReceipt:
    """Everything a private run owes to the people in the data.

    Attributes
    ----------
    entries
        One per mechanism.
    composition
        ``"basic"``, ``"tight"``, ``"parallel"``, or a sentence of its own.
    total
        Cost of all entries together; made infinite if there is a leak or an infinite entry.
    guarantee
        What is promised about coverage, in one sentence.
    assumptions
        What the promises rest on.
    not_protected
        What the receipt does not cover.
    leaks
        Why the run is not private, one sentence each; empty for a private run.
    mode
        ``"simulation"`` or ``"release"``.
    one_row_is
        What one row stands for, for instance "one patient".

    Raises
    ------
    InputError
        If the total is less than the entries cost, or the mode is unknown.
    """

    entries: tuple[ReceiptEntry, ...]
    composition: str
    total: PrivacyBudget
    guarantee: str
    assumptions: tuple[str, ...] = ()
    not_protected: tuple[str, ...] = ()
    leaks: tuple[str, ...] = ()
    mode: Literal["simulation", "release"] = "simulation"
    one_row_is: str = ""

    def __post_init__(self) -> None:
        for name in ("entries", "assumptions", "not_protected", "leaks"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        _validate.one_of(("simulation", "release"), mode=self.mode)
        if self.leaks or any(not entry.cost.is_finite for entry in self.entries):
            object.__setattr__(self, "total", PrivacyBudget.infinite())
        elif not self.total.covers(_least_total(self.entries, self.composition)):
            raise InputError(f"total is {self.total}, which is less than the entries of the receipt cost.")

    @property
    def is_private(self) -> bool:
        """Whether anything at all is promised about privacy."""
        return self.total.is_finite

    def with_leak(self, reason: str) -> PrivacyReceipt:
        """Return this receipt with one more reason why the run is not private."""
        return replace(self, leaks=(*self.leaks, reason))

    def to_text(self) -> str:
        """Return the receipt for a reader who is no statistician."""
        from dpcp_core.privacy.receipt_text import receipt_text

        return receipt_text(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; infinity is the word "infinity", so that strict JSON can hold it."""
        values = asdict(self)
        for part in (values["total"], *values["entries"]):
            part["epsilon"] = "infinity" if math.isinf(part["epsilon"]) else part["epsilon"]
        listed = ("entries", "assumptions", "not_protected", "leaks")
        return {name: list(value) if name in listed else value for name, value in values.items()}

    def to_json(self) -> str:
        """Return strict JSON that ``from_json`` reads back exactly."""
        return json.dumps(self.to_dict(), allow_nan=False, ensure_ascii=False, indent=2)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> PrivacyReceipt:
        """Return the receipt that ``to_dict`` was called on.

        Raises
        ------
        InputError
            If it is anything else, whatever that is.
        """
        try:
            given = dict(values)
            _require_words(given)
            given["total"] = PrivacyBudget(float(given["total"]["epsilon"]), given["total"]["delta"])
            given["entries"] = tuple(
                ReceiptEntry(**{**entry, "epsilon": float(entry["epsilon"])}) for entry in given["entries"]
            )
            return cls(**given)
        except InputError:
            raise
        except (KeyError, TypeError, AttributeError, ValueError, OverflowError):
            raise InputError("This is not a privacy receipt: a field is missing, unknown or damaged.") from None

    @classmethod
    def from_json(cls, text: str) -> PrivacyReceipt:
        """Return the receipt that ``to_json`` was called on."""
        try:
            values = json.loads(text)
        except json.JSONDecodeError as error:
            raise InputError(f"This is not a privacy receipt: line {error.lineno} is no JSON.") from None
        except (ValueError, RecursionError):
            raise InputError("This is not a privacy receipt: it nests too deep, or a number is too long.") from None
        return cls.from_dict(values)


def _require_words(given: Mapping[str, Any]) -> None:
    """Raise a TypeError unless all that a person reads on a receipt is text."""
    lines = [line for name in ("assumptions", "not_protected", "leaks") for line in list(given.get(name, ()))]
    parts = [entry[name] for entry in given["entries"] for name in ("mechanism", "reads", "neighbours")]
    notes = [entry.get("detail", "") for entry in given["entries"]]
    whole = [given["composition"], given["guarantee"], given.get("one_row_is", "")]
    if not all(isinstance(text, str) for text in (*lines, *parts, *notes, *whole)):
        raise TypeError
    if any(isinstance(given.get(name), str) for name in ("assumptions", "not_protected", "leaks")):
        raise TypeError


def _least_total(entries: tuple[ReceiptEntry, ...], composition: str) -> PrivacyBudget:
    """Return a lower bound of what the entries cost together."""
    if not entries:
        return PrivacyBudget(math.ulp(0.0))
    epsilons, deltas = [e.epsilon for e in entries], [e.delta for e in entries]
    if composition == "basic":
        return PrivacyBudget(math.fsum(epsilons), math.fsum(deltas))
    return PrivacyBudget(max(epsilons), 0.0)
