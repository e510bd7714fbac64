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

from dpcp_core.data.csv.notes import is_summary, is_total

_TOLERANCE = 0.005  # published tables round every cell
_MOST = 0.5
_FEWEST, _FEW = 3, 0.25


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
    others : tuple of int
        Other rows that are labelled as a total or an average.
    """

    is_labelled: bool = False
    is_proved: bool = False
    row: int = 0
    others: tuple[int, ...] = ()

    def notes(self, line: Callable[[int], int]) -> tuple[str, ...]:
        """Say what was found."""
        told = []
        if self.is_proved:
            told.append(f"Line {line(self.row):,} adds up the rows above it and was left out.")
        elif self.is_labelled:
            told.append(
                f"Line {line(self.row):,} is labelled as a total but does not add up; it was kept as a row, "
                "so remove it from the file if it is none."
            )
        if self.others:
            told.append(_kept(len(self.others), line(self.others[0])))
        return tuple(told)


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
        return Total(others=_summaries(frame, labels))
    numbers = frame[[column for column in frame.columns if column not in labels]].to_numpy(dtype=np.float64)
    last, above = numbers[-1], np.nansum(numbers[:-1], axis=0)
    known = ~np.isnan(last)
    adds_up = np.abs(last - above) <= _TOLERANCE * np.abs(above)
    is_proved = bool(known.any() and adds_up[known].mean() > _MOST)
    return Total(True, is_proved, row, tuple(i for i in _summaries(frame, labels) if i != row))


def _kept(count: int, line: int) -> str:
    if count == 1:
        return (
            f"Line {line:,} is labelled as a total or an average and was kept as a row; remove it from the file if it "
            "is none."
        )
    return (
        f"{count:,} rows are labelled as totals or averages (the first is line {line:,}) and were kept; remove them "
        "from the file if they are none."
    )


def _summaries(frame: pd.DataFrame, labels: list[str]) -> tuple[int, ...]:
    """Return the rows that the first column of text calls totals or averages; none where many are called so."""
    if len(frame) < _FEWEST or not labels:
        return ()
    cells = frame[labels[0]]
    called = [value for value in cells.dropna().unique() if is_summary(str(value))]
    rows = cells.index[cells.isin(called)].tolist() if called else []
    return tuple(rows) if len(rows) <= _FEW * len(frame) else ()
