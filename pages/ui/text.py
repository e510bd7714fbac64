"""Text on its way to Markdown."""

from __future__ import annotations

_SPECIAL = frozenset("\\`*_{}[]<>#|~$:")


def escaped(text: str) -> str:
    r"""Return text so that Markdown shows it as it is, whatever a table's author put into a column's name.

    >>> escaped("a_b [x] $y$")
    'a\\_b \\[x\\] \\$y\\$'
    """
    return "".join(f"\\{character}" if character in _SPECIAL else character for character in text)
