"""One line of the ledger, and the chain that ties it to all lines before it.

>>> first = Entry.after(None, at="2026-01-01T00:00:00Z", kind="budget", rows="ab" * 32, facts={"epsilon": 1.0})
>>> second = Entry.after(first, at="2026-01-02T00:00:00Z", kind="reserve", rows="ab" * 32, release="r1")
>>> second.number, second.previous == first.hash
(2, True)
>>> Entry.from_text(second.to_text()) == second
True
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, get_args

from dpcp_core.errors import InputError

Kind = Literal["budget", "reserve", "commit", "void"]
KINDS: tuple[str, ...] = get_args(Kind)

_MOST_LINES = 2**31
START = "0" * 64
"""What the first line follows."""


@dataclass(frozen=True)
class Entry:
    """A line, never changed once it is written.

    Attributes
    ----------
    number
        1 for the first line, and so on without a gap.
    at
        When it was written, UTC.
    kind
        ``budget`` (an owner sets one), ``reserve`` (a release is about to draw), ``commit`` (it is out), ``void``
        (nothing was drawn).
    rows
        Digest of the table's rows.
    release
        Name of the release, shared by its reservation and what became of it; "" for a budget.
    facts
        What else belongs to the line: budget and composition, cost and title, digest of what was published, or why
        it is void.
    previous
        Hash of the line before.
    """

    number: int
    at: str
    kind: str
    rows: str
    release: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    previous: str = START

    def __post_init__(self) -> None:
        object.__setattr__(self, "facts", MappingProxyType(dict(self.facts)))

    @classmethod
    def after(
        cls,
        last: Entry | None,
        *,
        at: str,
        kind: Kind,
        rows: str,
        release: str = "",
        facts: Mapping[str, Any] | None = None,
    ) -> Entry:
        """Return the line that follows ``last``."""
        number, previous = (1, START) if last is None else (last.number + 1, last.hash)
        return cls(number, at, kind, rows, release, facts or {}, previous)

    @property
    def _texts(self) -> tuple[object, ...]:
        return self.at, self.kind, self.rows, self.release, self.previous

    @property
    def hash(self) -> str:
        """SHA-256 of the line, that of the line before included: a change anywhere shows in every later one."""
        return hashlib.sha256(self.to_text().encode()).hexdigest()

    def to_text(self) -> str:
        """Return the line as JSON; the same line gives the same text everywhere."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return json.dumps({**values, "facts": dict(self.facts)}, sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> Entry:
        """Return the line that :meth:`to_text` wrote.

        Raises
        ------
        InputError
            If it is no such line.
        """
        try:
            entry = cls(**json.loads(text))
            is_counted = type(entry.number) is int and 0 < entry.number < _MOST_LINES
            if not is_counted or not all(isinstance(said, str) for said in entry._texts):
                raise TypeError
            return entry
        except (TypeError, ValueError, RecursionError):
            raise InputError("A line of the ledger cannot be read: it was changed after it was written.") from None
