"""Rows set aside before a synthetic table is made, so that scores on them mean something.

>>> frame = pd.DataFrame({"x": [*range(50), *range(50)]})
>>> split = split_for_synthesis(frame)
>>> len(split.train), len(split.validation), len(split.test), split.n_duplicates, split.n_leaked
(80, 10, 10, 50, 0)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpcp_core import _validate as check
from dpcp_core.data.column import did_you_mean
from dpcp_core.errors import InputError

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SyntheticSplit:
    """A table in three parts.

    Attributes
    ----------
    train, validation, test : DataFrame
        Rows in random order, with the numbers they had in the table.
    n_duplicates : int
        Rows of the table that equal an earlier one.
    n_leaked : int
        Rows of ``test`` that equal a row of ``train``: a model that learns rows by heart scores on them.
    """

    train: pd.DataFrame
    validation: pd.DataFrame
    test: pd.DataFrame
    n_duplicates: int
    n_leaked: int


def split_for_synthesis(
    frame: pd.DataFrame,
    shares: tuple[float, float, float] = (0.8, 0.1, 0.1),
    keep_duplicates_together: bool = True,
    *,
    columns: Sequence[str] | None = None,
    seed: int = 0,
) -> SyntheticSplit:
    """Split a table for training, validation and test.

    Parameters
    ----------
    frame : DataFrame of n rows
    shares : three floats
        Of training, validation and test rows; they add up to 1. Only validation may be 0.
    keep_duplicates_together : bool
        Whether rows that are equal go into the same part. Tables that were gathered from several copies need it: with
        plain random rows, part of the test rows has been seen in training. Sizes of the parts then differ from the
        shares by at most the number of equal rows.
    columns : sequence of str, optional
        Columns that decide whether rows are equal; all of them if not given. Rows that differ in one cell, say because
        it is empty in one of them, are not equal.
    seed : int

    Raises
    ------
    InputError
        Shares that do not add up to 1, a column that is not there, or so few rows that a part would be empty.

    Notes
    -----
    **Privacy.** For simulations: a release uses all rows, and holds none out.
    """
    counts = _counts(shares)
    for name in columns or ():
        if name not in frame.columns:
            raise InputError(
                f"There is no column {name!r}{did_you_mean(name, map(str, frame.columns))} to compare rows by."
            )
    alike = _alike(frame, list(columns) if columns else list(frame.columns))
    rng = np.random.default_rng(seed)
    groups = alike if keep_duplicates_together else np.arange(len(frame))
    parts = _parts(groups, counts, rng)
    if any(len(part) == 0 for part, share in zip(parts, counts, strict=True) if share):
        raise InputError(f"The table has {len(frame)} rows, too few different ones for three parts; give more rows.")
    train, validation, test = parts
    return SyntheticSplit(
        train=frame.iloc[train],
        validation=frame.iloc[validation],
        test=frame.iloc[test],
        n_duplicates=len(frame) - len(np.unique(alike)),
        n_leaked=int(np.isin(alike[test], alike[train]).sum()),
    )


def _counts(shares: Any) -> tuple[float, float, float]:
    given = tuple(shares)
    if len(given) != 3 or abs(sum(given) - 1) > 1e-9:
        raise InputError(f"shares are {given} but must be three numbers that add up to 1, like (0.8, 0.1, 0.1).")
    train, validation, test = given
    check.share(training_share=train)
    check.share(zero=True, validation_share=validation)
    check.share(test_share=test)
    return train, validation, test


def _alike(frame: pd.DataFrame, columns: list[str]) -> Places:
    """Return a number for each row, the same for equal rows; empty cells equal each other."""
    if len(frame) == 0:
        raise InputError("The table has no rows to split; give some.")
    alike = frame.groupby(columns, dropna=False, observed=True, sort=False).ngroup()
    return np.asarray(alike, dtype=np.int64)


def _parts(groups: Places, shares: tuple[float, float, float], rng: np.random.Generator) -> tuple[Places, ...]:
    """Return the rows of each part: groups in random order, cut where the shares are reached."""
    places = rng.permutation(groups.max() + 1)[groups]
    order = np.lexsort((rng.random(len(groups)), places))
    sorted_places = places[order]
    ends = np.rint(np.cumsum(shares[:2]) * len(groups)).astype(np.int64)
    # A cut goes to where the group that it would divide begins.
    cuts = np.searchsorted(sorted_places, sorted_places[np.minimum(ends, len(groups) - 1)], side="left")
    return tuple(np.asarray(rng.permutation(part), dtype=np.int64) for part in np.split(order, cuts))
