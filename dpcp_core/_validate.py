"""Checks of single values; each names the parameter in its message.

Values go in by keyword, ``positive(epsilon=0.5)``, so that the message can say which one is wrong.

>>> positive(epsilon=0.5)
0.5
>>> positive(epsilon=-1)
Traceback (most recent call last):
    ...
dpcp_core.errors.InputError: epsilon is -1 but must be a number above 0.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from typing import cast

from dpcp_core.errors import InputError

_LONGEST = 200
"""Characters of a wrong value that a message repeats."""


def _number(name: str, value: object, wanted: str) -> float:
    is_number_like = isinstance(value, (int, float, str)) or hasattr(value, "__float__")
    if isinstance(value, bool) or not is_number_like:
        raise InputError(f"{name} is {_shown(value)} but must be {wanted}.")
    try:
        number = float(cast(str, value))
    except (TypeError, ValueError):
        raise InputError(f"{name} is {_shown(value)} but must be {wanted}.") from None
    except OverflowError:
        raise InputError(f"{name} is too large for any computer; it must be {wanted}.") from None
    if math.isnan(number):
        raise InputError(f"{name} is not a number (NaN) but must be {wanted}.")
    return number


def _single(values: dict[str, object]) -> tuple[str, object]:
    ((name, value),) = values.items()
    return name, value


def positive(*, infinite: bool = False, **values: object) -> float:
    """Return the value as a float above 0 (infinity only if ``infinite``)."""
    name, value = _single(values)
    wanted = "a number above 0"
    number = _number(name, value, wanted)
    if number <= 0 or (math.isinf(number) and not infinite):
        raise InputError(f"{name} is {value} but must be {wanted}.")
    return number


def non_negative(**values: object) -> float:
    """Return the value as a finite float, 0 or more."""
    name, value = _single(values)
    wanted = "a number that is 0 or more"
    number = _number(name, value, wanted)
    if number < 0 or math.isinf(number):
        raise InputError(f"{name} is {value} but must be {wanted}.")
    return number


def share(*, zero: bool = False, **values: object) -> float:
    """Return the value as a float strictly between 0 and 1 (0 itself only if ``zero``)."""
    name, value = _single(values)
    wanted = "a number from 0 up to but not including 1" if zero else "a number between 0 and 1, neither of them"
    number = _number(name, value, wanted)
    if not (0 < number < 1 or (zero and number == 0)):
        raise InputError(f"{name} is {value} but must be {wanted}.")
    return number


def between(limits: tuple[float, float], **values: object) -> float:
    """Return the value as a float within the limits, both of them allowed."""
    name, value = _single(values)
    low, high = limits
    number = _number(name, value, "a number above 0" if low > 0 else "a number")
    if number <= 0 < low:
        raise InputError(f"{name} is {value} but must be a number above 0.")
    if not low <= number <= high:
        raise InputError(f"{name} is {value} but must be from {low:g} to {high:g}.")
    return number


def whole(*, at_least: int = 1, at_most: int | None = None, **values: object) -> int:
    """Return the value as an int of at least ``at_least``, and at most ``at_most`` if that is given."""
    name, value = _single(values)
    wanted = f"a whole number of at least {at_least}"
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        as_float = _number(name, value, wanted)
        if not as_float.is_integer():
            raise InputError(f"{name} is {value} but must be {wanted}.") from None
        number = int(as_float)
    if number < at_least:
        raise InputError(f"{name} is {value} but must be {wanted}.")
    if at_most is not None and number > at_most:
        raise InputError(f"{name} is {value} but must be a whole number of at most {at_most:,}.")
    return number


def _shown(value: object) -> str:
    """Return how a value is written, its beginning if that is long."""
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def one_of(options: Iterable[str], **values: object) -> str:
    """Return the value if it is among the options."""
    name, value = _single(values)
    known = list(options)
    if not isinstance(value, str) or value not in known:
        raise InputError(f"{name} is {_shown(value)} but must be one of: {', '.join(known)}.")
    return value
