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


def rounded_up(value: float, decimals: int) -> float:
    """Return the next number of so many decimals (below 0: of so many zeros) that a value does not exceed.

    >>> rounded_up(0.2341, 3), rounded_up(0.1 + 0.2, 1), rounded_up(1234.0, -2)
    (0.235, 0.3, 1300.0)
    """
    step = 10.0**-decimals
    # A billionth of a step is what arithmetic left behind.
    return round(math.ceil(value / step - 1e-9) * step, decimals)


def digits_up(value: float, digits: int) -> float:
    """Return the next number of so many significant digits that a value above 0 does not exceed.

    >>> digits_up(0.12345, 3), digits_up(1234.0, 2), digits_up(2.5, 3)
    (0.124, 1300.0, 2.5)
    """
    return rounded_up(value, digits - 1 - math.floor(math.log10(value)))


def limit_text(value: float, digits: int = _DIGITS) -> str:
    """Return a number that something does not exceed, rounded up.

    >>> limit_text(0.2341, 3), limit_text(0.234, 3), limit_text(0.0, 3)
    ('0.235', '0.234', '0')
    """
    if not math.isfinite(value) or value <= 0:
        return number_text(value, digits)
    return number_text(digits_up(value, digits), digits)


def one_in_text(chance: float) -> str:
    """Return a chance above 0 as one in so many, rounded up, as most of them are limits.

    >>> one_in_text(1e-5), one_in_text(0.3), one_in_text(6e-4)
    ('1 in 100,000', '1 in 3', '1 in 1,666')
    """
    return f"1 in {math.floor(1 / chance + 1e-6):,}"


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
