"""A few held-out rows in words: what was said about each, and what was true."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpcp_core.experiments.result import HeldOutSets
from dpcp_core.presentation.figures.set_strip import sorted_rows
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.nouns import shortened

if TYPE_CHECKING:
    from dpcp_core.experiments.result import HeldOutIntervals, SimulationResult

LONGEST_SET = 6
"""Classes of a set that are named; of more, the rest is counted."""


def example_rows(result: SimulationResult, k: int = 5) -> pd.DataFrame:
    """Return a few held-out rows as a table in words, a missed one among them if there is any.

    Parameters
    ----------
    result
        A finished simulation.
    k
        How many rows at most, 1 or more.

    Returns
    -------
    DataFrame
        Columns ``Set``, ``True class``, ``Held`` ("in", "out"); for a number ``Interval``, ``True value``, ``Held``.

    Privacy
    -------
    Shows true values of real rows: the curator's view, never part of a release.
    """
    if isinstance(result.rows, HeldOutSets):
        return _of_sets(result, sorted_rows(result), k)
    return _of_intervals(result, result.rows, k)


def _of_sets(result: SimulationResult, rows: HeldOutSets, k: int) -> pd.DataFrame:
    names = [shortened(name) for name in result.target.categories]
    chosen = _chosen(rows.covered, k)
    return pd.DataFrame(
        {
            "Set": [_set_words(rows.members[row], rows.probabilities[row], names) for row in chosen],
            "True class": [names[int(rows.truth[row])] for row in chosen],
            "Held": ["in" if rows.covered[row] else "out" for row in chosen],
        }
    )


def _set_words(members: npt.NDArray[np.bool_], probabilities: npt.NDArray[np.float64], names: list[str]) -> str:
    """Name the classes of a set, the likeliest first."""
    held = [code for code in np.argsort(-probabilities, kind="stable") if members[code]]
    if not held:
        return "none"
    named = ", ".join(names[code] for code in held[:LONGEST_SET])
    more = len(held) - LONGEST_SET
    return f"{named} and {more} more" if more > 0 else named


def _of_intervals(result: SimulationResult, rows: HeldOutIntervals, k: int) -> pd.DataFrame:
    unit = result.target.unit
    order = np.argsort(rows.predicted, kind="stable")
    chosen = order[_chosen(rows.covered[order], k)]
    return pd.DataFrame(
        {
            "Interval": [
                f"{say.number(rows.lower[row], 3)} to {say.quantity(rows.upper[row], unit, 3)}" for row in chosen
            ],
            "True value": [say.quantity(rows.truth[row], unit, 3) for row in chosen],
            "Held": ["in" if rows.covered[row] else "out" for row in chosen],
        }
    )


def _chosen(covered: npt.NDArray[np.bool_], k: int) -> npt.NDArray[np.int64]:
    """Return places spread evenly over the rows; if none of them was missed, the last makes room for the first miss."""
    n = len(covered)
    places = np.unique(np.linspace(0, n - 1, max(1, min(k, n))).round().astype(np.int64))
    missed = np.flatnonzero(~covered)
    if len(missed) and covered[places].all() and len(places) > 1:
        nearest = int(np.argmin(np.abs(places - missed[len(missed) // 2])))
        places[nearest] = missed[len(missed) // 2]
    return np.unique(places)
