"""A last row that adds up the rows above it.

>>> frame = pd.DataFrame({"sector": ["Timber", "Food", "Total"], "tonnes": [2, 3, 5]})
>>> find_total(frame).is_proved
True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from pandas.api import types

from dpcp_core.data.csv.notes import is_total

_TOLERANCE = 0.005  # published tables round every cell
_MOST = 0.5


@dataclass(frozen=True)
class Total:
    """Whether the last row is a total.

    Attributes
    ----------
    is_labelled : bool
        A cell calls it so.
    is_proved : bool
        It is also the sum of the rows above, and so no row of its own.
    row : int
        Which row it is, from 0.
    """

    is_labelled: bool = False
    is_proved: bool = False
    row: int = 0

    def notes(self, line: Callable[[int], int]) -> tuple[str, ...]:
        """Say what was found."""
        if self.is_proved:
            return (f"Line {line(self.row):,} adds up the rows above it and was left out.",)
        if self.is_labelled:
            return (
                f"Line {line(self.row):,} is labelled as a total but does not add up; it was kept as a row, "
                "so remove it from the file if it is none.",
            )
        return ()


def find_total(frame: pd.DataFrame) -> Total:
    """Find out whether the last row is the total of the others, by its label and by adding them up.

    Parameters
    ----------
    frame : DataFrame of shape (n_rows, n_columns)
        Numbers and text.
    """
    row = len(frame) - 1
    labels = [column for column in frame.columns if not types.is_numeric_dtype(frame[column])]
    label = next((frame[column].iloc[-1] for column in labels if pd.notna(frame[column].iloc[-1])), None)
    if row < 2 or label is None or not is_total(str(label)):
        return Total()
    numbers = frame[[column for column in frame.columns if column not in labels]].to_numpy(dtype=np.float64)
    last, above = numbers[-1], np.nansum(numbers[:-1], axis=0)
    known = ~np.isnan(last)
    adds_up = np.abs(last - above) <= _TOLERANCE * np.abs(above)
    return Total(True, bool(known.any() and adds_up[known].mean() > _MOST), row)
