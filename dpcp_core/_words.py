"""Numbers in the sentences of certificates, receipts and findings, as a person reads them.

>>> number_text(0.06132), number_text(2.5), number_text(1336.4), number_text(-45678.9)
('0.0613', '2.5', '1,336', '-45,679')
"""

from __future__ import annotations

import math
from collections.abc import Sequence

_DIGITS = 3
_LARGEST = 1e15
"""From here on a power of ten says more than so many digits."""


def number_text(value: float, digits: int = _DIGITS) -> str:
    """Return a number with so many significant digits, and with all digits of its whole part, thousands set apart.

    >>> number_text(1e-5), number_text(0.1 + 0.2), number_text(999.96), number_text(2e16), number_text(float("inf"))
    ('1e-05', '0.3', '1,000', '2e+16', 'infinity')
    """
    if not math.isfinite(value):
        return "not a number" if math.isnan(value) else "infinity" if value > 0 else "-infinity"
    short = f"{value:.{digits}g}"
    if ("e+" not in short and abs(float(short)) < 1000) or abs(value) >= _LARGEST:
        return short
    return f"{value:,.0f}"


def limit_text(value: float, digits: int = _DIGITS) -> str:
    """Return a number that something does not exceed, rounded up.

    >>> limit_text(0.2341, 3), limit_text(0.234, 3), limit_text(0.0, 3)
    ('0.235', '0.234', '0')
    """
    if not math.isfinite(value) or value <= 0:
        return number_text(value, digits)
    step = 10.0 ** (math.floor(math.log10(value)) + 1 - digits)
    return number_text(math.ceil(value / step - 1e-9) * step, digits)


def count_text(count: int, noun: str) -> str:
    """Return a number of things, with an s unless it is one.

    >>> count_text(1, "row"), count_text(39073, "row")
    ('1 row', '39,073 rows')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def percent_text(share: float, digits: int = _DIGITS) -> str:
    r"""Return a share in per cent with so many significant digits.

    >>> percent_text(0.125), percent_text(0.9)
    ('12.5\u202f%', '90\u202f%')
    """
    return f"{number_text(100 * share, digits)}\u202f%"


def names_text(names: Sequence[str], most: int = 3) -> str:
    """Return names in a row, the first few where there are many.

    >>> names_text(("age", "sex")), names_text(("a", "b", "c", "d", "e"))
    ('age, sex', 'a, b, c and 2 more')
    """
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{rest}"
