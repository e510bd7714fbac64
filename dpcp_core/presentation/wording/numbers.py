r"""Numbers as a person reads them: sensible digits, units, thousands set apart, counts with their noun.

>>> quantity(38.27, "mmHg"), percent(0.905), count(4000, "patient")
('38\xa0mmHg', '90.5\u202f%', '4,000\xa0patients')
"""

from __future__ import annotations

import math

from dpcp_core._words import one_in_text
from dpcp_core.presentation.wording.nouns import plural

NARROW = "\u202f"
"""Narrow space that does not break: before a per cent sign."""

THOUSANDS = ","
"""What sets thousands apart."""

FIXED = "\u00a0"
"""Space that does not break: between a number and its unit."""

MINUS = "\u2212"

SMALLEST, LARGEST = 1e-6, 1e15
"""Below and from these sizes on, powers of ten say more than a row of zeros."""

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float, digits: int = 2) -> str:
    r"""Write a number with at least ``digits`` significant digits, never fewer than its whole part has.

    >>> number(38.27), number(1.53), number(0.0471), number(12345.6), number(-2)
    ('38', '1.5', '0.047', '12,346', '\u22122.0')
    >>> number(9.96), number(0), number(4.97e16), number(-5.1e-9)
    ('10', '0', '5.0\xa0×\xa010¹⁶', '\u22125.1\xa0×\xa010⁻⁹')
    """
    if not math.isfinite(value):
        return "not a number" if math.isnan(value) else f"{MINUS if value < 0 else ''}infinity"
    if is_extreme(value):
        mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
        return f"{mantissa.replace('-', MINUS)}{FIXED}×{FIXED}10{str(int(power)).translate(_RAISED)}"
    return fixed(value, decimals(value, digits))


def is_extreme(value: float) -> bool:
    """Return whether a number is so large or so small that it is written with a power of ten.

    >>> is_extreme(2e15), is_extreme(1e-7), is_extreme(0), is_extreme(12)
    (True, True, False, False)
    """
    return value != 0 and not SMALLEST <= abs(value) < LARGEST


def decimals(value: float, digits: int = 2) -> int:
    """Return how many decimals show ``digits`` significant digits of a value.

    >>> decimals(38.27), decimals(1.53), decimals(0.0471), decimals(9.96), decimals(0)
    (0, 1, 3, 0, 0)
    """
    if value == 0 or not math.isfinite(value):
        return 0
    # The exponent of the rounded value: 9.96 has two digits as 10, not as 10.0.
    exponent = int(f"{abs(value):.{digits - 1}e}".partition("e")[2])
    return max(0, digits - 1 - exponent)


def short(value: float, digits: int = 2) -> str:
    r"""Write a number that somebody chose, or its like: no zeros that say nothing.

    >>> short(1.0), short(0.5), short(0.638), short(0.058), short(12.0), short(1500)
    ('1', '0.5', '0.64', '0.058', '12', '1,500')
    """
    text = number(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text and not is_extreme(value) else text


def fixed(value: float, n_decimals: int) -> str:
    r"""Write a number with a set number of decimals, thousands set apart, a true minus sign.

    >>> fixed(-0.04, 1), fixed(1234.5, 1)
    ('0.0', '1,234.5')
    """
    text = f"{value:,.{n_decimals}f}".replace(",", THOUSANDS)
    if text.strip("-0.") == "":
        return text.lstrip("-")
    return text.replace("-", MINUS)


def whole(value: float) -> str:
    r"""Write a whole number, thousands set apart.

    >>> whole(1234567)
    '1,234,567'
    """
    return fixed(round(value), 0)


def quantity(value: float, unit: str = "", digits: int = 2) -> str:
    r"""Write a number with its unit.

    >>> quantity(1.534, "mmHg"), quantity(0.5)
    ('1.5\xa0mmHg', '0.50')
    """
    return with_unit(number(value, digits), unit)


def with_unit(text: str, unit: str) -> str:
    r"""Put a unit behind a number that is already written.

    >>> with_unit("5", ""), with_unit("5", "%"), with_unit("5", "days")
    ('5', '5\u202f%', '5\xa0days')
    """
    if not unit:
        return text
    return f"{text}{NARROW if unit == '%' else FIXED}{unit}"


def span(low: float, high: float, unit: str = "") -> str:
    r"""Write a range, both ends with the same decimals.

    >>> span(70, 250, "mmHg"), span(0.5, 12), span(0, 2e16)
    ('70 to 250\xa0mmHg', '0.5 to 12.0', '0 to 2.0\xa0×\xa010¹⁶')
    """
    if is_extreme(low) or is_extreme(high):
        return with_unit(f"{number(low)} to {number(high)}", unit)
    shared = max(plain_decimals(low), plain_decimals(high))
    return with_unit(f"{fixed(low, shared)} to {fixed(high, shared)}", unit)


def plain_decimals(value: float) -> int:
    """Return how many decimals a value has when written with three significant digits.

    >>> plain_decimals(70), plain_decimals(0.5), plain_decimals(0.123456), plain_decimals(1234.56)
    (0, 1, 3, 0)
    """
    return max(0, 2 - math.floor(math.log10(abs(value))) - _trailing_zeros(value)) if value else 0


def _trailing_zeros(value: float) -> int:
    mantissa = f"{abs(value):.2e}".partition("e")[0].replace(".", "")
    return len(mantissa) - len(mantissa.rstrip("0"))


def percent(share: float, n_decimals: int = 1) -> str:
    r"""Write a share in per cent; never 100 % or 0 % unless it is exactly that.

    >>> percent(0.905), percent(0.9, 0), percent(0.9999), percent(1.0), percent(0.0002)
    ('90.5\u202f%', '90\u202f%', 'over 99.9\u202f%', '100\u202f%', 'under 0.1\u202f%')
    """
    least = 10.0**-n_decimals
    value = 100 * share
    if value in (0.0, 100.0):
        return f"{value:.0f}{NARROW}%"
    if value > 100 - least / 2 and value < 100:
        return f"over {fixed(100 - least, n_decimals)}{NARROW}%"
    if 0 < value < least / 2:
        return f"under {fixed(least, n_decimals)}{NARROW}%"
    return f"{fixed(value, n_decimals)}{NARROW}%"


def level(share: float) -> str:
    r"""Write a chosen level in per cent with just the decimals that it has.

    >>> level(0.9), level(0.975), level(1 - 0.9)
    ('90\u202f%', '97.5\u202f%', '10\u202f%')
    """
    return f"{100 * share:.6g}{NARROW}%"


def one_in(chance: float) -> str:
    r"""Write a small chance as one in so many; rounded up, as most of them are limits.

    >>> one_in(1e-5), one_in(0.25), one_in(6e-4)
    ('1 in 100,000', '1 in 4', '1 in 1,666')
    """
    return one_in_text(chance)


def out_of(share: float) -> tuple[int, int]:
    """Return the simplest honest "so many in so many" for a share: in 10, else 20, else 100.

    Only 0 and 1 themselves become none or all.

    >>> out_of(0.905), out_of(0.95), out_of(0.93), out_of(0.997), out_of(1.0)
    ((9, 10), (19, 20), (93, 100), (99, 100), (100, 100))
    """
    for total in (10, 20):
        hits = round(share * total)
        if 0 < hits < total and abs(hits / total - share) <= 0.01:
            return hits, total
    hits = round(100 * share)
    if 0 < share < 1:
        hits = min(99, max(1, hits))
    return hits, 100


def count(n: float, noun: str) -> str:
    r"""Write a count with its noun in the right number.

    >>> count(1, "patient"), count(0, "patient"), count(2, "study")
    ('1\xa0patient', '0\xa0patients', '2\xa0studies')
    """
    return f"{whole(n)}{FIXED}{noun if n == 1 else plural(noun)}"


def axis(title: str, unit: str) -> str:
    """Return the title of an axis.

    >>> axis("Length of stay", "days"), axis("Score", "")
    ('Length of stay, days', 'Score')
    """
    return f"{title}, {unit}" if unit else title


def mid_sentence(title: str) -> str:
    """Return a title as it stands inside a sentence; names and abbreviations keep their capitals.

    >>> mid_sentence("Systolic blood pressure"), mid_sentence("LDL cholesterol"), mid_sentence("pH of blood")
    ('systolic blood pressure', 'LDL cholesterol', 'pH of blood')
    >>> mid_sentence("HbA1c"), mid_sentence("G3")
    ('HbA1c', 'G3')
    """
    first = title.partition(" ")[0]
    return title[0].lower() + title[1:] if first.isalpha() and first == first.capitalize() else title
