"""What would not be private, in the words of a page.

>>> folded_title(3, 1)
'3 things would not be private, and 1 only you can know'
"""

from __future__ import annotations

from dpcp_core._words import count_text
from dpcp_core.conformal.linter import Leak
from dpcp_core.presentation.wording.on_page import on_page

REFUSED, REMINDERS = "What would not be private", "What only you can know"
"""Titles of the two lists."""

MOST_OPEN = 1
"""So many lines stand open; more are folded, so that they never push the answer off the screen."""

_FIXES = {
    "training": "Choose “DPCP, certified” under “Method”; methods without privacy are there to compare with.",
    "order_statistics": "Choose another “Spacing of bins”: one that is public.",
    "one_row_is": "Say it on the page Start, such as “one patient”; one person should have one row.",
}
_FIXES["quantile"] = _FIXES["training"]


def leak_words(leak: Leak) -> tuple[str, str]:
    """Return what is not private, and what to do about it on a page."""
    return on_page(leak.sentence), _FIXES.get(leak.code) or on_page(leak.fix)


def folded_title(n_refused: int, n_reminders: int) -> str:
    """Return the heading of folded lists; at least one of them holds something.

    >>> folded_title(1, 0), folded_title(0, 2)
    ('1 thing would not be private', '2 things that only you can know')
    """
    if not n_refused:
        return f"{count_text(n_reminders, 'thing')} that only you can know"
    more = f", and {n_reminders} only you can know" if n_reminders else ""
    return f"{count_text(n_refused, 'thing')} would not be private{more}"
