"""Guesses of kinds and roles from rows, and bounds read off rows; both in words as well."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandas.api import types

from dpcp_core._arrays import Floats
from dpcp_core.data.cells import as_numbers, as_text, holds_dates, is_text
from dpcp_core.data.column import Column
from dpcp_core.errors import InputError

MOST_CATEGORIES = 50
"""Text with more distinct values than this is taken for free text."""

_FEW_ROWS = 20  # below this, unique values say nothing about being an identifier
_LOOKED_AT = 1_000  # values that decide whether text is dates or numbers

_OPPOSITES = (
    ("no", "yes"), ("n", "y"), ("false", "true"), ("f", "t"), ("0", "1"), ("absent", "present"),
    ("negative", "positive"), ("nein", "ja"), ("non", "oui"), ("no", "sí"), ("no", "si"), ("não", "sim"),
    ("nee", "ja"), ("nej", "ja"), ("nie", "tak"), ("ne", "ano"), ("нет", "да"),
    ("falsch", "wahr"), ("faux", "vrai"), ("falso", "verdadero"), ("falso", "verdadeiro"), ("falso", "vero"),
    ("onwaar", "waar"), ("falskt", "sant"), ("fałsz", "prawda"), ("nepravda", "pravda"), ("ложь", "истина"),
)  # fmt: skip
_DAY = r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})"
_DAY_IN_WORDS = r"\d{1,2}[-. ]{1,2}[^\W\d]{3,9}\.?[- ]\d{2,4}|[^\W\d]{3,9}\.? \d{1,2},? \d{4}|\d{4}年\d{1,2}月\d{1,2}日"
_TIME = r"\d{1,3}:[0-5]\d(:[0-5]\d([.,]\d+)?)?( ?[AaPp][Mm])?"
_DURATION = rf"-?\d+ days?,? {_TIME}|P(?=[\dT])(\d+[YMWD])*(T(\d+(\.\d+)?[HMS])+)?"
DAY = re.compile(
    rf"([^\W\d]{{2,9}}\.?,? )?({_DAY}|{_DAY_IN_WORDS})([T ]\d{{1,2}}:\d{{2}}.*)?|\d{{8}}T\d{{4,6}}Z?"
    r"|\d{4}-?W[0-5]\d(-?[1-7])?"
)
"""A day or a week, as programs and people write them, perhaps with a time."""
_DATE = re.compile(rf"{DAY.pattern}|\d{{4}}-(0[1-9]|1[0-2])|{_TIME}|{_DURATION}")

_DATE_NAME = re.compile(
    r"(?i)(.*[_ .-])?(date|datum|dato|fecha|data|dob|timestamp)([_ .-].*)?|.*[a-z](?-i:Date)|\w*datum"
    r"|(birth|start|end|visit)date"
)
# Days since 1900 as a spreadsheet counts them, seconds or milliseconds since 1970 as a computer does.
_DAYS, _SECONDS = (10_000, 80_000), (5e8, 4e9)
# Digits that begin with a zero, or too many for a float to hold: a code, which the reader keeps as text.
_CODE = r"\s*(?:[+-]?(?:0\d+|\d{16,})|\+\d{8,})\s*"
_POWERS, _MAY_BE_POWERS = r"\s*\d+[eE]\d+\s*", r"\s*\d+([eE]\d+)?\s*"  # 2E10 is a code among whole numbers
_ID_NAME = re.compile(r"(?i)(.*[_ .-])?(id|ids|uuid|guid|mrn|identifier)|.*[a-z](?-i:ID|Id)|unnamed: \d+(\.\d+)?")
# What numbers the rows, or people; taken so only where no value comes twice.
_COUNT_NAME = re.compile(r"(?i)#|n[or]\.?|n°|№|row")
# What may follow without making an amount of it, as in "zip_distance" or "phone_calls".
_WHICH = r"([_ .-](number|no|nr|num|code|home|work|office|private|[0-9]+)\.?)?"
_CODE_NAME = re.compile(
    r"(?i)(.*[_ .-])?(((zip|post|postal)[_ .-]?code|plz|postleitzahl|iban|fips)([_ .-].*)?" rf"|zip{_WHICH})"
)
_PHONE_NAME = re.compile(rf"(?i)(.*[_ .-])?(phone|telephone|telefon|mobile|fax){_WHICH}")
_SMALLEST_PHONE_NUMBER = 10_000  # smaller numbers under such a name count calls, minutes or telephones
_NUMBER_NAME = re.compile(
    r"(?i)(patient|subject|participant|respondent|proband|record|case|pat|client|customer|member|fall)"
    r"|.*(nummer|[_ .-]?number|[_ .-](no|nr|num|key))\.?"
)

Noted = tuple[tuple[Column, ...], tuple[str, ...]]


class _Guess(NamedTuple):
    column: Column
    note: str = ""


def draft_columns(frame: pd.DataFrame) -> Noted:
    """Guess kind and role of every column; say why columns are ignored."""
    guesses = [_guess(str(name), frame.iloc[:, i]) for i, name in enumerate(frame.columns)]
    return tuple(guess.column for guess in guesses), tuple(guess.note for guess in guesses if guess.note)


def fill_columns(columns: Sequence[Column], frame: pd.DataFrame) -> Noted:
    """Fill missing bounds and categories from the rows; say which."""
    guesses = [
        _Guess(column) if column.role == "ignore" or column.is_complete else _fill(column, frame[column.name])
        for column in columns
    ]
    return tuple(guess.column for guess in guesses), tuple(guess.note for guess in guesses if guess.note)


def _guess(name: str, cells: pd.Series) -> _Guess:
    present = cells.dropna()
    if present.empty:
        return _ignored(Column(name, "category"), "it is empty in every row")
    if holds_dates(cells):
        return _ignored(Column(name, "category"), "it holds dates or times")
    numeric = _reads_as_numbers(present)
    try:
        distinct = present.nunique()
    except TypeError:
        return _ignored(Column(name, "category"), "its cells are neither numbers nor text")
    pair = _opposites(present) if distinct == 2 else None
    if pair:
        # The words are common knowledge, but which of them this column uses was seen in its rows.
        return _Guess(Column(name, "boolean", categories=pair, bounds_from_file=True))
    guess = _guess_number(name, present, distinct) if numeric else _guess_text(name, present, distinct)
    if distinct > 1:
        return guess
    filled = len(present) == len(cells)
    return _ignored(guess.column, "it is the same in every row" if filled else "it is the same wherever it is filled")


def _guess_number(name: str, present: pd.Series, distinct: int) -> _Guess:
    if types.is_float_dtype(present) and np.isinf(present.to_numpy(dtype=float)).any():
        return _ignored(Column(name, "number"), "it holds an infinite number")
    values = as_numbers(present, name)
    whole = bool((values == np.floor(values)).all())
    column = Column(name, "integer" if whole else "number")
    if _are_dates(values) or (_DATE_NAME.fullmatch(name) and _count_time(values)):
        return _ignored(column, "it holds dates or times")
    if not whole:
        return _Guess(column)
    unique = distinct == len(values)
    if _ID_NAME.fullmatch(name):
        return _ignored(column, _identifier(unique))
    if _CODE_NAME.fullmatch(name) or (_PHONE_NAME.fullmatch(name) and values.min() >= _SMALLEST_PHONE_NUMBER):
        return _guess_code(name, distinct, identifies=unique and len(values) >= _FEW_ROWS)
    if unique and len(values) >= _FEW_ROWS and _NUMBER_NAME.fullmatch(name):
        return _ignored(column, _identifier(unique))
    consecutive = unique and float(np.ptp(values)) == len(values) - 1
    if consecutive and (len(values) >= _FEW_ROWS or _COUNT_NAME.fullmatch(name)):
        return _ignored(column, "it counts the rows")
    return _Guess(column)


def _guess_code(name: str, distinct: int, *, identifies: bool) -> _Guess:
    column = Column(name, "category")
    if identifies:
        return _ignored(column, _identifier(unique=True))
    if distinct > MOST_CATEGORIES:
        return _ignored(column, f"by its name it holds codes, and {distinct:,} different ones")
    return _Guess(column, f"Column {name!r} holds codes by its name, not amounts, and is taken for a category.")


def _are_dates(values: Floats) -> bool:
    """Whether numbers spell dates, as 20240131 does."""
    if len(values) < _FEW_ROWS or not ((values >= 19000101) & (values <= 21001231)).all():
        return False
    month, day = values // 100 % 100, values % 100
    return bool(((month >= 1) & (month <= 12) & (day >= 1) & (day <= 31) & (values % 1 == 0)).all())


def _count_time(values: Floats) -> bool:
    """Whether numbers may count days, seconds or milliseconds."""
    ranges = (_DAYS, _SECONDS, tuple(1000 * end for end in _SECONDS))
    return any(low <= values.min() and values.max() <= high for low, high in ranges)


def _guess_text(name: str, present: pd.Series, distinct: int) -> _Guess:
    column = Column(name, "category")
    texts = as_text(present.iloc[:_LOOKED_AT])
    if all(_DATE.fullmatch(text.strip()) for text in texts):
        return _ignored(column, "it holds dates or times")
    unique = distinct == len(present) and len(present) >= _FEW_ROWS
    if unique or _ID_NAME.fullmatch(name):
        return _ignored(column, _identifier(distinct == len(present)))
    if distinct > MOST_CATEGORIES:
        return _ignored(column, f"it is text with {distinct:,} different values")
    return _Guess(column)


def _ignored(column: Column, reason: str) -> _Guess:
    note = f"Column {column.name!r} is ignored because {reason}."
    return _Guess(replace(column, role="ignore"), note)


def _identifier(unique: bool) -> str:
    if unique:
        return "it looks like an identifier"
    return "it looks like an identifier; it repeats, so one row may not be one person"


def _reads_as_numbers(present: pd.Series) -> bool:
    if types.is_bool_dtype(present):
        return False
    if types.is_numeric_dtype(present):
        return not types.is_complex_dtype(present)
    if not is_text(present):
        return False
    for part in (present.iloc[:_LOOKED_AT], present):
        if any(isinstance(cell, bool) for cell in part.iloc[:1]):
            return False
        texts = as_text(part.drop_duplicates()).str
        around_e = texts.fullmatch(_POWERS).any() and texts.fullmatch(_MAY_BE_POWERS).all()
        if texts.fullmatch(_CODE).any() or around_e:
            return False
        numbers = pd.to_numeric(part, errors="coerce").to_numpy(dtype=float, na_value=np.nan)
        if not np.isfinite(numbers).all():
            return False
    return True


def _opposites(present: pd.Series) -> tuple[str, str] | None:
    texts = as_text(present.drop_duplicates()).tolist()
    spelled = {text.strip().casefold(): text for text in texts}
    for negative, positive in _OPPOSITES:
        if spelled.keys() == {negative, positive}:
            return spelled[negative], spelled[positive]
    return None


def _fill(column: Column, cells: pd.Series) -> _Guess:
    present = cells.dropna()
    if present.empty:
        return _unusable(column, "it is empty in every row")
    if column.is_numeric:
        values = as_numbers(present, column.name)
        if float(values.min()) == float(values.max()):
            return _unusable(column, "it is the same in every row")
        return _fill_numbers(column, values)
    return _fill_categories(column, present)


def _fill_numbers(column: Column, values: Floats) -> _Guess:
    low, high = outward(float(values.min()), float(values.max()), whole=column.kind == "integer")
    if column.typical:
        low, high = min(low, column.typical[0]), max(high, column.typical[1])
    typical = column.typical or _middle(values)
    filled = replace(column, bounds=(low, high), typical=typical, bounds_from_file=True)
    return _Guess(filled, f"The bounds of column {column.name!r} were read off the rows; they are not public.")


def _fill_categories(column: Column, present: pd.Series) -> _Guess:
    found = sorted(set(as_text(present)))
    if len(found) == 1:
        return _unusable(column, "it is the same in every row")
    if len(found) > MOST_CATEGORIES and column.role != "target":
        return _unusable(column, f"it is text with {len(found):,} different values")
    filled = replace(column, categories=tuple(found), bounds_from_file=True)
    return _Guess(filled, f"The categories of column {column.name!r} were read off the rows; they are not public.")


def _unusable(column: Column, reason: str) -> _Guess:
    if column.role == "target":
        raise InputError(
            f"Column {column.name!r} is the target but {reason.removeprefix('it ')}, "
            "so there is nothing to predict; choose another target."
        )
    return _ignored(column, reason)


def outward(low: float, high: float, *, whole: bool = False) -> tuple[float, float]:
    """Round a range outward to two significant digits of its length.

    >>> outward(0.0123, 98.76)
    (0.0, 99.0)
    >>> outward(1999.0, 2004.0, whole=True)
    (1999.0, 2004.0)
    """
    if not 1e-300 < high - low < 1e300:
        return low, high
    digits = min(_digits(high - low), 0) if whole else _digits(high - low)
    step = 10.0**-digits
    down, up = round(math.floor(low / step) * step, digits), round(math.ceil(high / step) * step, digits)
    # At the edge of a float's precision that may have rounded inward; the range must hold.
    return min(low, down), max(high, up)


def _digits(length: float) -> int:
    return 1 - math.floor(math.log10(length))


def _middle(values: Floats) -> tuple[float, float] | None:
    low, high = (float(q) for q in np.quantile(values, [0.16, 0.84]))
    if low == high:  # mostly one value, as in counts of rare events: spread says more than quantiles
        centre, spread = float(values.mean()), float(values.std())
        low, high = max(centre - spread, float(values.min())), min(centre + spread, float(values.max()))
    if not 1e-300 < high - low < 1e300:
        return None
    digits = _digits(high - low)
    return round(low, digits), round(high, digits)
