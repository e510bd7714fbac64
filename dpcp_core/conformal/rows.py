"""Which rows train and which are ranked.

>>> train, rank = split_rows(5, 0.6, np.random.default_rng(0))
>>> len(train), len(rank), sorted([*train.tolist(), *rank.tolist()])
(3, 2, [0, 1, 2, 3, 4])
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from dpcp_core.errors import InputError

Rows: TypeAlias = npt.NDArray[np.int64]


def split_rows(n_rows: int, row_share: float, rng: np.random.Generator | np.random.RandomState) -> tuple[Rows, Rows]:
    """Draw at random which rows train; the others are ranked.

    Parameters
    ----------
    n_rows : int
    row_share : float
        Share of the rows that train, in (0, 1).
    rng : numpy Generator or RandomState
        Source of the split.

    Returns
    -------
    train, rank : int arrays
        Row numbers, each in one of the two.

    Raises
    ------
    InputError
        Fewer than one row would be left for one of them.
    """
    n_train = round(row_share * n_rows)
    if not 0 < n_train < n_rows:
        # scikit-learn's checks look for the word n_samples.
        raise InputError(
            f"The table has n_samples = {n_rows}, which cannot be split with row_share = {row_share:g}; "
            "bring more rows."
        )
    order = rng.permutation(n_rows)
    return order[:n_train], order[n_train:]
