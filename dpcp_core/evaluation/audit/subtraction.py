"""What is left of a released table when every row but one is subtracted, and how well that one can be guessed.

What did the columns give away?  ``left_over(released, known)``.
Which row speaks out of noisy counts?  ``log_likelihoods(left, noise, cells)``, and which cell, ``belief``.
How often may anybody guess right?  ``AttackLimits.chance_named`` of ``privacy/attack_limits``.

>>> known, released = pd.DataFrame({"age": [30, 40]}), pd.DataFrame({"age": [40, 97, 30]})
>>> left_over(released, known)
{'age': ('97',)}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from pandas.api.types import infer_dtype, is_object_dtype

from dpcp_core._arrays import Counts, Floats
from dpcp_core.data.cells import as_text
from dpcp_core.errors import InputError

# Less noise than this is as good as none, and its square would be too small to divide by.
_LEAST_NOISE = 1e-6


def left_over(
    released: pd.DataFrame, known: pd.DataFrame | Mapping[str, Counter[str | None]]
) -> dict[str, tuple[str | None, ...]]:
    """Return what each column of a released table holds more often than the rows that are known.

    Parameters
    ----------
    released : DataFrame
    known : DataFrame, or what ``counted`` returns of it
        Every row but those that are sought, with the released columns.

    Returns
    -------
    dict of column to tuple of str or None
        Cells as text, None for an empty one; as often as there are too many of it.

    Notes
    -----
    Where columns were only put in another order, the difference of two multisets is exactly the cells of the missing
    rows, whatever the order.

    Examples
    --------
    >>> left_over(pd.DataFrame({"sex": ["f", None]}), pd.DataFrame({"sex": ["f"]}))
    {'sex': (None,)}
    """
    rest = counted(known) if isinstance(known, pd.DataFrame) else known
    for name in map(str, released.columns):
        if name not in rest:
            raise InputError(f"The known rows lack the column {name!r}, so nothing can be subtracted from it.")
    return {name: tuple((counts - rest[name]).elements()) for name, counts in counted(released).items()}


def counted(frame: pd.DataFrame) -> dict[str, Counter[str | None]]:
    """Return how often each column holds each cell, as text; None for an empty one.

    >>> counted(pd.DataFrame({"age": [30.0, 30.0, None]}))
    {'age': Counter({'30': 2, None: 1})}
    """
    return {str(name): _counted(frame[name]) for name in frame.columns}


def _counted(cells: pd.Series) -> Counter[str | None]:
    if is_object_dtype(cells):
        # May mix 1, 1.0 and True, which counting would hold for equal.
        texts = cells if infer_dtype(cells, skipna=True) == "string" else as_text(cells)
        pairs: Iterable[tuple[object, int]] = Counter(texts.tolist()).items()
    else:
        counts = cells.value_counts(dropna=False, sort=False)
        pairs = zip(as_text(counts.index.to_series()), counts.tolist(), strict=True)
    found: Counter[str | None] = Counter()
    for text, count in pairs:
        found[text if isinstance(text, str) else None] += count
    return found


def log_likelihoods(left: Sequence[Floats], noise: Sequence[float], cells: Counts) -> Floats:
    """Return how much noisy counts speak for each of several rows, against a row that is in no count at all.

    Parameters
    ----------
    left : sequence of arrays
        Released counts minus those of the known rows, one array per histogram.
    noise : sequence of float
        Standard deviation of the Gaussian noise on each histogram's counts.
    cells : int array of shape (k, histograms)
        The cell of each candidate in each histogram, -1 for none.

    Returns
    -------
    array of shape (k,)
        Logarithms of likelihood ratios.

    Notes
    -----
    Nobody does better from the same counts (Neyman and Pearson 1933): the likeliest of equally likely candidates is
    the best guess, and a threshold on one candidate's ratio the best test.

    Examples
    --------
    >>> log_likelihoods([np.array([0.1, 1.2])], [0.5], np.array([[0], [1], [-1]])).round(3).tolist()
    [-1.6, 2.8, 0.0]
    """
    total = np.zeros(len(cells))
    for counts, spread, places in zip(left, noise, cells.T, strict=True):
        ratio = (np.append(counts, 0.5) - 0.5) / max(spread, _LEAST_NOISE) ** 2
        total += ratio[places]
    return total


def belief(left: Floats, noise: float, prior: Floats) -> Floats:
    """Return the chance of each cell to hold the missing row, from the noisy counts of one histogram.

    Parameters
    ----------
    left : array of shape (k,)
        Released counts minus those of the known rows.
    noise : float
    prior : array of shape (k,)
        Chances before the release, which sum to 1.

    Examples
    --------
    >>> belief(np.array([0.0, 1.0]), 1.0, np.array([0.5, 0.5])).round(3).tolist()
    [0.269, 0.731]
    """
    with np.errstate(divide="ignore"):
        logs = np.log(prior) + left / max(noise, _LEAST_NOISE) ** 2
    weights = np.exp(logs - logs.max())
    chances: Floats = weights / weights.sum()
    return chances
