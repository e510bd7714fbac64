"""Sentences that list columns and count cells, one sentence for all columns that share a fact.

>>> gathered = Gathered()
>>> gathered.add("{cells} '?' in {columns} {were} read as missing.", "ca", 4)
>>> gathered.add("{cells} '?' in {columns} {were} read as missing.", "thal", 2)
>>> gathered.sentences()
("6 cells '?' in `ca` and `thal` were read as missing.",)
"""

from __future__ import annotations

from collections.abc import Sequence

_SHOWN, _LONGEST = 4, 60


class Gathered:
    """Facts about columns, gathered by the sentence that tells them.

    A sentence is a template with any of ``{columns}``, ``{cells}`` (a count), ``{were}`` and ``{they}``.
    """

    def __init__(self) -> None:
        self._facts: dict[str, list[tuple[str, int]]] = {}

    def add(self, sentence: str, column: str, count: int = 0) -> None:
        """Note that a sentence holds for a column, there for so many cells."""
        self._facts.setdefault(sentence, []).append((column, count))

    def sentences(self) -> tuple[str, ...]:
        """Return one sentence per fact, in the order in which the facts came up."""
        return tuple(_filled(sentence, columns) for sentence, columns in self._facts.items())


def listed(names: Sequence[str]) -> str:
    """List column names for a sentence, the first few where there are many.

    >>> listed(["a", "b", "c"])
    '`a`, `b` and `c`'
    >>> listed(["a", "b", "c", "d", "e", "f"])
    '`a`, `b`, `c`, `d` and 2 more columns'
    """
    shown = [_quoted(name) for name in names[:_SHOWN]]
    rest = len(names) - len(shown)
    if rest == 1:
        shown, rest = [_quoted(name) for name in names], 0
    if rest:
        return f"{', '.join(shown)} and {rest:,} more columns"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _quoted(name: str) -> str:
    return f"`{name}`" if len(name) <= _LONGEST else f"`{name[: _LONGEST - 1]}…`"


def _filled(sentence: str, columns: Sequence[tuple[str, int]]) -> str:
    total = sum(count for _, count in columns)
    one = total == 1 if "{cells}" in sentence else len(columns) == 1
    return (
        sentence.replace("{cells}", "1 cell" if total == 1 else f"{total:,} cells")
        .replace("{were}", "was" if one else "were")
        .replace("{they}", "it" if one else "they")
        .replace("{hold}", "holds" if len(columns) == 1 else "hold")
        .replace("{columns}", listed([name for name, _ in columns]))
    )
