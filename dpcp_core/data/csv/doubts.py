"""What was read as it stands and may yet mean something else: told, never changed.

>>> of_text({"Male", "male", "f"})
('{columns} {hold} spellings that differ only in capital letters or blanks; each counts as a category of its own.',)
>>> of_numbers(np.array([30, 41, -999, 52]))
'-999'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

CASE = "{columns} {hold} spellings that differ only in capital letters or blanks; each counts as a category of its own."
DATES = (
    "{columns} {hold} dates among other text, as spreadsheets make them of ranges and codes; compare with where they "
    "come from."
)
PAIRS = "{columns} {hold} two numbers in a cell and {were} kept as text; give each number a column of its own."
BESIDE = (
    "{columns} {hold} numbers with something beside them, such as a unit, and {were} kept as text; write the numbers "
    "alone to use them as numbers."
)
SENTINEL = (
    "{cells} '{mark}' in {columns} {were} kept as a number, far from all others; if it means a missing value, leave "
    "the cell empty."
)
EXPONENTS = (
    "{columns} {hold} whole numbers of more than ten digits written with an exponent, as spreadsheets shorten codes; "
    "check that no digits are lost."
)

_MOST_VALUES, _FEWEST = 1_000, 3
_ALMOST_ALL, _FAR = 0.9, 2.0
_MONTHS = "jan|feb|mar|mrz|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez"
_SHORT_DATE = re.compile(rf"(?i)\d{{1,2}}[-. ]+({_MONTHS})|({_MONTHS})[-. ]\d{{2}}")
_NUMBER = r"[-+]?[0-9][0-9.,]*"
_PAIR = re.compile(rf"{_NUMBER}\s*/\s*{_NUMBER}")
_WITH_UNIT = re.compile(rf"{_NUMBER}\s?(?P<unit>[^\W\d_][^\d]{{0,7}})")
_ODD_NUMBER = re.compile(
    rf"\W{{1,3}}{_NUMBER}\W{{0,3}}|[0-9]+·[0-9]+|{_NUMBER}\s*±\s*{_NUMBER}|[0-9]{{1,2}}(,[0-9]{{2}})+,[0-9]{{3}}|(?![0-9])\d+"
)
_MOST_UNITS = 3
_SENTINELS = frozenset(float(sign * int(digit * n)) for sign in (1, -1) for digit in "789" for n in range(1, 7))
_LARGE = 1e10
_MOST_CELLS = 1_000_000  # looked at for copies, which takes as long as reading them
_HARDLY = np.log(0.01)


def of_text(values: Collection[str]) -> tuple[str, ...]:
    """Return a sentence for each doubt about a column's different texts; none where they are too many to be categories.

    Parameters
    ----------
    values
        Without blanks around them; up to a thousand are looked at.
    """
    if not 0 < len(values) <= _MOST_VALUES:
        return ()
    told = []
    if len({" ".join(value.casefold().split()) for value in values}) < len(values):
        told.append(CASE)
    if 0 < _share(values, _SHORT_DATE.fullmatch) < 1:
        told.append(DATES)
    if len(values) >= _FEWEST:
        told += [PAIRS] if _share(values, _PAIR.fullmatch) >= _ALMOST_ALL else _beside(values)
    return tuple(told)


def _beside(values: Collection[str]) -> list[str]:
    found = [_WITH_UNIT.fullmatch(value) for value in values]
    units = [match["unit"].strip() for match in found if match]
    # Many different endings are codes, such as 12A, not units.
    with_units = len(units) >= _ALMOST_ALL * len(values) and len({*units}) <= min(_MOST_UNITS, len(units) // 2)
    return [BESIDE] if with_units or _share(values, _ODD_NUMBER.fullmatch) >= _ALMOST_ALL else []


def _share(values: Collection[str], fits: Callable[[str], object]) -> float:
    return sum(fits(value) is not None for value in values) / len(values)


def of_numbers(values: npt.NDArray[Any]) -> str:
    """Return a number such as -999 that stands far from all others at one end, as it is written, or an empty string.

    Parameters
    ----------
    values : array of shape (n,)
        Numbers, NaN where one is missing.
    """
    # fmin and fmax pass over what is missing.
    for end in (float(np.fmin.reduce(values)), float(np.fmax.reduce(values))):
        if end not in _SENTINELS:
            continue
        others = values[~np.isnan(values) & (values != end)].astype(np.float64)
        length = float(np.ptp(others)) if len(others) else 0.0
        if length > 0 and float(np.abs(others - end).min()) > _FAR * length:
            return f"{end:.0f}"
    return ""


def of_exponents(values: npt.NDArray[Any]) -> bool:
    """Whether most numbers of a column are so large that, written with exponents, they may be codes cut short."""
    if values.dtype.kind != "f" or not np.fmax.reduce(values) >= _LARGE:
        return False
    large = values[np.abs(values) >= _LARGE]
    return bool(len(large) * 2 > np.count_nonzero(~np.isnan(values)) and (large == np.floor(large)).all())


def of_table(frame: pd.DataFrame) -> tuple[str, ...]:
    """Return a sentence where rows are copies of others, and one where the table may lie on its side."""
    told = []
    n_rows, n_columns = frame.shape
    if n_columns >= 2 * n_rows > 2:
        told.append(
            f"The table has {n_columns:,} columns but only {n_rows:,} rows; if each column is one person, swap rows "
            "and columns."
        )
    copies = _copies(frame)
    if copies:
        rows = "1 row is an exact copy" if copies == 1 else f"{copies:,} rows are exact copies"
        told.append(
            f"{rows} of another; privacy protects one row, so remove copies, and bring the rows of one person together."
        )
    return tuple(told)


def _copies(frame: pd.DataFrame) -> int:
    """Count copied rows, where independent columns would hardly make one by chance."""
    if frame.size > _MOST_CELLS:
        return 0
    by_chance = 2 * np.log(max(1, len(frame)))
    for name in frame.columns:
        by_chance -= np.log(max(1, frame[name].nunique()))
        if by_chance < _HARDLY:
            return int(frame.duplicated().sum())
    return 0
