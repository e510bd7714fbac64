"""How the numbers of a column are written: decimal mark, thousands mark, percent and currency signs.

A column has a way of writing only if every cell fits it, so that ``12,5`` is never taken for 125. Where two ways
fit and differ in value (``1,234``), both are kept for the caller to settle.

>>> [way.decimal for way in ways_of(pa.chunked_array([["1,234", "12,5"]])).ways]
[',', ',', ',']
>>> sorted({way.decimal for way in ways_of(pa.chunked_array([["1,234", "5,678"]])).ways})
[',', '.']
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dpcp_core.data.csv.shapes import are_around_e, are_telephones

Cells: TypeAlias = Any
"""A ``pyarrow.ChunkedArray`` of text, null where a cell is missing."""

EXACT = 2**53
"""Whole numbers from here on are not exact as floats."""

_SAMPLE = 1_000
_SPACES = " \u00a0\u2009\u202f"
_CURRENCIES = (
    "US$", "$", "€", "£", "¥", "₹", "EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK",
    "kr.", "kr", "zł", "Kč",
)  # fmt: skip
_CURRENCY = "(?:" + "|".join(map(re.escape, _CURRENCIES)) + ")"
_NEGATIVE = {
    # An en dash where the program had no minus; what stands behind or around a number are accountants' ways.
    "dash": ("\u2013", "^\u2013" + rf"\s?({_CURRENCY}?\s*[0-9.,].*)$", r"-\1"),
    "behind": ("-", rf"^({_CURRENCY}?\s*[0-9][^-]*)-$", r"-\1"),
    "brackets": ("(", rf"^({_CURRENCY}?)\s*\(([^-+()]*[0-9][^-+()]*)\)(\s*(?:%|{_CURRENCY})?)$", r"-\1\2\3"),
}


@dataclass(frozen=True)
class Way:
    """A way of writing numbers.

    Attributes
    ----------
    decimal : str
        The decimal mark, a point or a comma.
    thousands : str
        The marks that may set off groups of three digits.
    """

    decimal: str
    thousands: str

    @property
    def pattern(self) -> str:
        """The regular expression that a number so written fits."""
        mark, point = f"[{self.thousands}]", re.escape(self.decimal)
        grouped = f"[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+(?:{point}[0-9]*)?"
        plain = f"(?:[0-9]+(?:{point}[0-9]*)?|{point}[0-9]+)(?:[eE][-+]?[0-9]+)?"
        return f"^[-+]?(?:{grouped}|{plain})$"


WAYS = tuple(Way(decimal, thousands) for thousands in ("", _SPACES, "'’") for decimal in (".", ","))
WAYS = tuple(replace(way, thousands=way.thousands or (",."[way.decimal == ","])) for way in WAYS)


@dataclass(frozen=True)
class Written:
    """A column of numbers with the ways in which it may be written.

    Attributes
    ----------
    cells : chunked array of str
        Digits, signs and marks only; percent and currency signs are taken off.
    ways : tuple of Way
        All that fit every cell; none if the column does not hold numbers alone.
    sign : str
        The percent or currency sign that was taken off.
    negative : tuple of str
        Unusual ways of writing a minus: ``dash``, ``behind`` the number, or ``brackets`` around it.
    """

    cells: Cells
    ways: tuple[Way, ...]
    sign: str = ""
    negative: tuple[str, ...] = ()

    @property
    def decimals(self) -> frozenset[str]:
        """The decimal marks of the ways that fit, or none where no cell has a mark and it does not matter."""
        if not (self.has(".") or self.has(",")):
            return frozenset()
        return frozenset(way.decimal for way in self.ways)

    def has(self, marks: str) -> bool:
        """Whether a cell contains one of the marks."""
        return any(_any(pc.match_substring(self.cells, mark)) for mark in marks)

    def restricted(self, decimal: str) -> Written:
        """Return the column with the ways that have this decimal mark."""
        return replace(self, ways=tuple(way for way in self.ways if way.decimal == decimal))

    def values(self) -> Cells:
        """Return the numbers as int64 or float64, in the first way that fits.

        Raises
        ------
        OverflowError
            If a number is too large.
        """
        cells, way = self.cells, self.ways[0]
        for mark in way.thousands:
            cells = pc.replace_substring(cells, mark, "")
        if way.decimal == ",":
            cells = pc.replace_substring(cells, ",", ".")
        return parsed(pc.utf8_ltrim(cells, characters="+"))


def parsed(cells: Cells) -> Cells:
    """Turn cells that all spell numbers with a decimal point into int64, or float64 where need be.

    Raises
    ------
    OverflowError
        If a number is too large to be held, or a whole number too large to be held exactly.
    """
    fractional = _any(pc.match_substring_regex(cells, "[.eE]"))
    values = _cast(cells, pa.float64() if fractional else pa.int64())
    if values is None or (fractional and not _all(pc.is_finite(values))):
        raise OverflowError
    if not fractional and values.null_count and not _below(values, EXACT):
        raise OverflowError
    return values


def plain(cells: Cells) -> Cells | None:
    """Return the numbers of a column that needs no interpretation, quickly, or None.

    Parameters
    ----------
    cells
        Text as it stands in the file, null where it is blank.
    """
    # The first cells tell which type to try: a failed attempt at a whole column takes its time.
    values = _cast(cells, pa.int64()) if _cast(cells.slice(0, _SAMPLE), pa.int64()) is not None else None
    if values is not None and values.null_count and not _below(values, EXACT):
        return None
    if values is None:
        values = _cast(cells, pa.float64())
        # Too large to be exact, or infinite, or the word nan: looked at more closely elsewhere.
        if values is None or not _below(values, float(EXACT)):
            return None
    if starts_with_zeros(cells) or are_telephones(cells.slice(0, _SAMPLE)):
        return None
    # Whole numbers have no letter E; a float may have it anywhere.
    return None if pa.types.is_floating(values.type) and are_around_e(cells) else values


def starts_with_zeros(cells: Cells) -> bool:
    """Whether a number begins with a zero before another digit, as codes do (``007``)."""
    return any(_zeros_in(chunk) for chunk in cells.chunks if len(chunk))


def _zeros_in(chunk: Any) -> bool:
    # Straight from the bytes of the cells: ten times as fast as a regular expression, on every column of numbers.
    _, ends, text = chunk.buffers()
    if text is None or not len(text):
        return False
    letters = np.frombuffer(text, np.uint8)
    ends = np.frombuffer(ends, np.int32)[chunk.offset : chunk.offset + len(chunk) + 1]
    start, length = ends[:-1], np.diff(ends)
    first = letters[np.minimum(start, len(letters) - 1)]
    signed = ((first == ord("-")) | (first == ord("+"))) & (length > 2)
    zero = np.flatnonzero((first == ord("0")) & (length > 1) | signed)
    start = start[zero] + signed[zero]
    second = letters[start + 1]
    return bool(
        ((letters[start] == ord("0")) & ((second >= ord("0")) & (second <= ord("9")) | (second == ord("x")))).any()
    )


def _cast(cells: Cells, kind: Any) -> Cells | None:
    try:
        return pc.cast(cells, kind)
    except pa.ArrowInvalid:
        return None


def _below(values: Cells, limit: float) -> bool:
    return _all(pc.less(pc.abs(values), limit))


def ways_of(cells: Cells) -> Written:
    """Find in which ways all cells of a column can be read as numbers.

    Parameters
    ----------
    cells
        Text without blanks around it, null where it is missing.
    """
    present = cells.drop_null()
    if not len(present):
        return Written(cells, ())
    sample = _without_signs(present.slice(0, _SAMPLE))
    ways = _fitting(sample.cells, WAYS) if sample is not None else ()
    if not ways:
        return Written(cells, ())
    whole = _without_signs(cells)
    return replace(whole, ways=_fitting(whole.cells, ways)) if whole is not None else Written(cells, ())


def are_numbers(cells: Cells) -> Cells:
    """Return, cell by cell, whether it is a number in one of the ways (null where it is missing)."""
    bare = _stripped(_signed(cells)[0])
    fits = None
    for way in WAYS:
        fit = pc.match_substring_regex(bare, way.pattern)
        fits = fit if fits is None else pc.or_(fits, fit)
    return fits


def _fitting(cells: Cells, ways: tuple[Way, ...]) -> tuple[Way, ...]:
    return tuple(way for way in ways if _all(pc.match_substring_regex(cells, way.pattern)))


def _without_signs(cells: Cells) -> Written | None:
    """Take percent and currency signs off, if the column has one of them throughout."""
    cells, negative = _signed(cells)
    found = [sign for sign in ("%", *_CURRENCIES) if _any(pc.match_substring(cells, sign))]
    signs = [sign for sign in found if not any(sign != other and sign in other for other in found)]
    if len(signs) > 1:
        return None
    if not signs:
        return Written(cells, (), negative=negative)
    # 12 % beside 0.12 would be two scales in one column.
    if signs == ["%"] and not _all(pc.match_substring_regex(cells, r"%$|^0$")):
        return None
    return Written(_stripped(cells), (), signs[0], negative)


def _signed(cells: Cells) -> tuple[Cells, tuple[str, ...]]:
    """Put every minus before its number as a hyphen, and say which unusual ways of writing it there were."""
    if _any(pc.match_substring(cells, "\u2212")):
        cells = pc.replace_substring(cells, "\u2212", "-")
    found = []
    for way, (mark, pattern, plainly) in _NEGATIVE.items():
        if not _any(pc.match_substring(cells, mark)):
            continue
        negative = pc.match_substring_regex(cells, pattern)
        # Brackets around every number say nothing.
        if _any(negative) and (way == "dash" or not _all(negative)):
            cells = pc.replace_substring_regex(cells, pattern, plainly)
            found.append(way)
    return cells, tuple(found)


def _stripped(cells: Cells) -> Cells:
    cells = pc.replace_substring_regex(cells, rf"\s*(?:%|{_CURRENCY})$", "")
    return pc.replace_substring_regex(cells, rf"^([-+]?)\s*{_CURRENCY}\s*", r"\1")


def _any(mask: Cells) -> bool:
    return bool(pc.any(mask).as_py())


def _all(mask: Cells) -> bool:
    return bool(pc.all(mask).as_py())
