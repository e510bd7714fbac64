"""What was read as it stands and may yet mean something else: told, never changed.

>>> of_text(["Male", "male", "f"])[0]  # doctest: +ELLIPSIS
'{columns} {hold} spellings that differ only in capital letters or blanks; each counts as a category of its own, ...'
>>> [mark for mark, _ in of_numbers(np.array([30, 41, -999, 9999, 52]))]
['9999', '-999']
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpcp_core.data.csv.numbers import WAYS
from dpcp_core.data.schema_draft import DAY

CASE = (
    "{columns} {hold} spellings that differ only in capital letters or blanks; each counts as a category of its own, "
    "so write them one way."
)
ALIKE = (
    "{columns} {hold} spellings that look the same but consist of other characters, such as letters of another "
    "alphabet; each counts as a category of its own, so write them one way."
)
DATES = (
    "{columns} {hold} dates among other text and {were} kept as text; a date is of use only as a number, such as days."
)
SHORT_DATES = (
    "{columns} {hold} dates without a year or a day, as spreadsheets make them of ranges and codes; compare with where "
    "they come from."
)
FORMULAS = (
    "{columns} {hold} formulas in place of their results and {were} kept as text; save the sheet so that it shows "
    "values, not formulas."
)
PAIRS = "{columns} {hold} two numbers in a cell and {were} kept as text; give each number a column of its own."
BESIDE = (
    "{columns} {hold} numbers with something beside them, such as a unit, and {were} kept as text; write the numbers "
    "alone to use them as numbers."
)
SOME_NUMBERS = (
    "{columns} {hold} many different numbers, but most cells are no number, and {were} kept as text; to use the "
    "numbers, write a number in the other cells too: below a limit such as <5, the limit or half of it."
)
TICKS = (
    "{columns} {hold} one mark or nothing, as boxes to tick do; a blank was read as missing, so write no, or 0, "
    "where that is meant."
)
SENTINEL = (
    "{cells} '{mark}' in {columns} {were} kept as a number, far from all others; if it means a missing value, leave "
    "the cell empty."
)
NEGATIVE = (
    "{cells} '{mark}' in {columns} {were} kept as a number, where few different numbers are negative; if it means a "
    "missing value, leave the cell empty."
)
DAYS = (
    "{columns} {hold} whole numbers from 40,000 to 50,000 alone, as spreadsheets count the days of these years; if "
    "they are dates, leave the column out or make an age or a duration of it."
)
EXPONENTS = (
    "{columns} {hold} whole numbers of more than ten digits written with an exponent, as spreadsheets shorten codes; "
    "check that no digits are lost."
)

_MOST_VALUES, _FEWEST = 1_000, 3
_ALMOST_ALL, _HALF, _FAR = 0.9, 0.5, 2.0
_MONTHS = "jan|feb|mar|mrz|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez"
_SHORT_DATE = re.compile(rf"(?i)\d{{1,2}}[-. ]+({_MONTHS})|({_MONTHS})[-. ]\d{{2}}")
_NUMBER = r"[-+]?[0-9][0-9.,]*"
_PLAIN = re.compile("|".join(way.pattern for way in WAYS))
_PAIR = re.compile(rf"{_NUMBER}\s*/\s*{_NUMBER}")
_WITH_UNIT = re.compile(rf"{_NUMBER}\s?(?P<unit>[^\W\d_][^\d]{{0,7}})")
_ODD_NUMBER = re.compile(
    rf"\W{{1,3}}{_NUMBER}\W{{0,3}}|[0-9.]+,[-\u2013\u2014]{{1,2}}|[0-9]+·[0-9]+|{_NUMBER}\s*±\s*{_NUMBER}|np\.\w+\({_NUMBER}\)"
    r"|[0-9]{1,2}(,[0-9]{2})+,[0-9]{3}|(?![0-9])\d+"
)
_TICKS = frozenset({*"x✓✔√☑☒✗•*+o1yjs", "yes", "ja", "si", "sí", "oui", "true", "wahr", "vrai"})
# Capitals and small letters that other alphabets share with ours.
_TWINS = str.maketrans("АВЕКМНОРСТХаеорсухіΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEKMHOPCTXaeopcyxiABEZHIKMNOPTYXo")
_MOST_UNITS = 3
_SENTINELS = frozenset(float(sign * int(digit * n)) for sign in (1, -1) for digit in "789" for n in range(1, 7))
_MOST_MARKS = 4
_MISSING_CODES = frozenset({-1.0, *(mark for mark in _SENTINELS if mark < 0)})
_FEWEST_OTHERS = 5
_DAYS, _FEWEST_DAYS = (40_000, 50_000), 10
_LARGE = 1e10
_MOST_CELLS = 1_000_000  # looked at for copies, which takes as long as reading them
_HARDLY = np.log(0.01)  # of the copies found, how many may be chance
_HEADING_COLUMNS, _HEADING_SHARE = 4, 1 / 3


def is_tick(value: str) -> bool:
    """Whether a value is what people put into a box to tick."""
    return value.casefold() in _TICKS


def of_text(values: Collection[str], *, told: bool = False) -> tuple[str, ...]:
    """Return a sentence for each doubt about a column's different texts.

    Parameters
    ----------
    values
        Without blanks around them; where they are more than a thousand, they are no categories.
    told
        Whether it is said already that some of them are numbers.
    """
    if not values:
        return ()
    doubts = _of_spellings(values) if len(values) <= _MOST_VALUES else []
    some = list(values)[:_MOST_VALUES]
    if _share(some, _starts_formula) >= _HALF:
        return (*doubts, FORMULAS)
    doubts += [SHORT_DATES] if _share(some, _SHORT_DATE.fullmatch) > 0 else []
    doubts += [DATES] if _HALF <= _share(some, DAY.fullmatch) < 1 else []
    if len(some) >= _FEWEST:
        doubts += [PAIRS] if _share(some, _PAIR.fullmatch) >= _ALMOST_ALL else _beside(some)
        if not told and len(doubts) == 0 and _share(some, _PLAIN.fullmatch) >= _HALF:
            doubts.append(SOME_NUMBERS)
    return tuple(doubts)


def _of_spellings(values: Collection[str]) -> list[str]:
    folded = {" ".join(value.casefold().split()) for value in values}
    if len({_seen(value) for value in folded}) < len(folded):
        return [ALIKE]
    return [CASE] if len(folded) < len(values) else []


def _seen(value: str) -> str:
    """Return a text as it looks: composed letters, ours for those of other alphabets, nothing without width."""
    shown = "".join(letter for letter in unicodedata.normalize("NFKC", value) if unicodedata.category(letter) != "Cf")
    return shown.translate(_TWINS).casefold()


def _starts_formula(value: str) -> object:
    return True if value.startswith("=") and len(value) > 1 else None


def _beside(values: Sequence[str]) -> list[str]:
    found = [_WITH_UNIT.fullmatch(value) for value in values]
    units = [match["unit"].strip() for match in found if match]
    # Many different endings are codes, such as 12A, not units.
    with_units = len(units) >= _ALMOST_ALL * len(values) and len({*units}) <= min(_MOST_UNITS, len(units) // 2)
    return [BESIDE] if with_units or _share(values, _ODD_NUMBER.fullmatch) >= _ALMOST_ALL else []


def _share(values: Sequence[str], fits: Callable[[str], object]) -> float:
    return sum(fits(value) is not None for value in values) / len(values)


def of_numbers(values: npt.NDArray[Any]) -> tuple[tuple[str, str], ...]:
    """Return numbers such as -999 that may stand for a missing one, as they are written, each with its sentence.

    Parameters
    ----------
    values : array of shape (n,)
        Numbers, NaN where one is missing.
    """
    found: list[tuple[str, str]] = []
    while len(found) < _MOST_MARKS and len(values):
        mark = _far_end(values)
        if np.isnan(mark):
            break
        found.append((f"{mark:.0f}", SENTINEL))
        values = values[values != mark]
    return (*found, *((f"{mark:.0f}", NEGATIVE) for mark in _odd_negatives(values)))


def _far_end(values: npt.NDArray[Any]) -> float:
    # fmin and fmax pass over what is missing.
    for end in (float(np.fmin.reduce(values)), float(np.fmax.reduce(values))):
        if end not in _SENTINELS:
            continue
        others = values[~np.isnan(values) & (values != end)].astype(np.float64)
        length = float(np.ptp(others)) if len(others) else 0.0
        if length > 0 and float(np.abs(others - end).min()) > _FAR * length:
            return end
    return np.nan


def _odd_negatives(values: npt.NDArray[Any]) -> list[float]:
    """Return the negative numbers of a column of whole ones, if all of them are codes that surveys use."""
    if not len(values) or float(np.fmin.reduce(values)) not in _MISSING_CODES:
        return []
    different = np.unique(values[~np.isnan(values)])
    negative = [float(value) for value in different[different < 0]]
    others = different[different >= 0]
    whole = len(others) >= _FEWEST_OTHERS and bool((others == np.floor(others)).all())
    return negative if whole and len(negative) <= _MOST_MARKS and _MISSING_CODES.issuperset(negative) else []


def of_days(values: npt.NDArray[Any]) -> bool:
    """Whether a column holds nothing but what may be days of our time, counted from 1900."""
    low, high = float(np.fmin.reduce(values)), float(np.fmax.reduce(values))
    if not (_DAYS[0] <= low < high <= _DAYS[1]):
        return False
    different = np.unique(values[~np.isnan(values)])
    return len(different) >= _FEWEST_DAYS and bool((different == np.floor(different)).all())


def of_exponents(values: npt.NDArray[Any]) -> bool:
    """Whether most numbers of a column are so large that, written with exponents, they may be codes cut short."""
    if values.dtype.kind != "f" or not np.fmax.reduce(values) >= _LARGE:
        return False
    large = values[np.abs(values) >= _LARGE]
    return bool(len(large) * 2 > np.count_nonzero(~np.isnan(values)) and (large == np.floor(large)).all())


def of_table(frame: pd.DataFrame) -> tuple[str, ...]:
    """Return a sentence where the table may lie on its side, where rows may be headings, and where rows are copies."""
    told = []
    n_rows, n_columns = frame.shape
    if n_columns >= 2 * n_rows > 2:
        told.append(
            f"The table has {n_columns:,} columns but only {n_rows:,} rows; if each column is one person, swap rows "
            "and columns."
        )
    if headings := _headings(frame):
        rows = "1 row has a value" if headings == 1 else f"{headings:,} rows have a value"
        told.append(f"{rows} in the first column alone; remove those that are headings within the table.")
    copies = _copies(frame)
    if copies:
        rows = "1 row is an exact copy" if copies == 1 else f"{copies:,} rows are exact copies"
        told.append(
            f"{rows} of another; privacy protects one row, so remove those that repeat a "
            "person, and bring the rows of one person together."
        )
    return tuple(told)


def _copies(frame: pd.DataFrame) -> int:
    """Count copied rows, where independent columns with these values would hardly make so many by chance."""
    if frame.size > _MOST_CELLS or frame.empty:
        return 0
    log_by_chance = 2 * np.log(len(frame)) - np.log(2)
    for name in frame.columns:
        # Two rows agree as often as the squares of the shares add up to: often where most cells are alike.
        shares = frame[name].value_counts(normalize=True, dropna=False).to_numpy()
        log_by_chance += np.log(np.square(shares).sum())
        if log_by_chance < _HARDLY:
            break
    found = int(frame.duplicated().sum())
    return found if found and log_by_chance < np.log(found) + _HARDLY else 0


def _headings(frame: pd.DataFrame) -> int:
    """Count rows that hold nothing beside their first cell, where they are few."""
    n_rows, n_columns = frame.shape
    if n_columns < _HEADING_COLUMNS or frame.size > _MOST_CELLS:
        return 0
    alone = frame.iloc[:, 0].notna()
    for place in range(1, n_columns):
        alone &= frame.iloc[:, place].isna()
        if not alone.any():
            return 0
    found = int(alone.sum())
    return found if found <= _HEADING_SHARE * n_rows else 0
