"""What the cells of one column are, read as numbers or as text, the same way everywhere.

>>> as_text(pd.Series([1.0, 2.0, None])).tolist()
['1', '2', None]
>>> as_numbers(pd.Series(["1.5", None]), "dose").tolist()
[1.5, nan]
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from pandas.api import types

from dpcp_core._arrays import Floats
from dpcp_core.errors import InputError


def as_numbers(cells: pd.Series, name: str) -> Floats:
    """Return the cells as floats, with NaN where a cell is empty.

    Parameters
    ----------
    cells : Series of length n
        Numbers, booleans (0 and 1) or text that spells numbers with a decimal point.
    name
        The column's name, for the message.

    Returns
    -------
    array of shape (n,), float64

    Raises
    ------
    InputError
        If a cell is not a finite number. The sentence gives the row, never the cell: it may be private.

    >>> as_numbers(pd.Series(["1", "two"]), "age")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    dpcp_core.errors.InputError: Column 'age' should hold numbers but row 2 does not; ...
    """
    if holds_dates(cells):
        raise InputError(f"Column {name!r} should hold numbers but holds dates; ignore it, or turn it into a number.")
    if isinstance(cells.dtype, pd.CategoricalDtype):
        cells = cells.astype(object)
    try:
        numbers = pd.to_numeric(cells, errors="coerce")
    except (TypeError, ValueError):
        raise InputError(f"Column {name!r} should hold numbers but holds {cells.dtype}; ignore it.") from None
    except OverflowError:
        raise InputError(f"Column {name!r} holds a number too large to compute with; correct it.") from None
    if types.is_complex_dtype(numbers):
        raise InputError(f"Column {name!r} should hold real numbers but holds complex ones; ignore it.")
    values = numbers.to_numpy(dtype=np.float64, na_value=np.nan)
    wrong = ~np.isfinite(values)
    if wrong.any():
        wrong &= cells.notna().to_numpy()
    if wrong.any():
        raise InputError(
            f"Column {name!r} should hold numbers but row {int(wrong.argmax()) + 1} does not; "
            "correct it or use a category."
        )
    return values


def as_text(cells: pd.Series) -> pd.Series:
    """Return the cells as text (dtype object), with None where a cell is empty.

    Whole numbers have no decimal point, so that a code column reads the same with and without empty cells;
    booleans become ``false`` and ``true``; text stays as it is.
    """
    if types.is_object_dtype(cells):  # may mix 1, 1.0 and True, which a factorisation would hold for equal
        texts = cells.map(_text, na_action="ignore").astype(object)
        return texts.where(cells.notna(), None)
    codes, values = pd.factorize(cells)
    known = np.array([*map(_text, values.tolist()), None], dtype=object)
    return pd.Series(known[codes], index=cells.index, name=cells.name, dtype=object)  # code -1, empty, is the None


def is_text(cells: pd.Series) -> bool:
    """Whether a column holds text, or a mixture that can only be read as text."""
    if isinstance(cells.dtype, pd.CategoricalDtype):
        return is_text(cells.cat.categories.to_series())
    return types.is_string_dtype(cells) or types.is_object_dtype(cells)


def holds_dates(cells: pd.Series) -> bool:
    """Whether a column holds dates, times or periods."""
    of_time = types.is_datetime64_any_dtype(cells) or types.is_timedelta64_dtype(cells)
    return of_time or isinstance(cells.dtype, pd.PeriodDtype)


def _text(value: object) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
