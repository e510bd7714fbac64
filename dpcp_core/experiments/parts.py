"""Parts of a result: the rows that are shown, and what was measured within a group."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from dpcp_core.conformal.certificate import CoverageCertificate
from dpcp_core.data.target import Floats


@dataclass(frozen=True, eq=False)
class HeldOutIntervals:
    """Up to 100 held-out rows of the first repetition, in target units; each array has shape (k,)."""

    predicted: Floats
    lower: Floats
    upper: Floats
    truth: Floats

    @property
    def covered(self) -> npt.NDArray[np.bool_]:
        """Whether each interval contains the truth."""
        return (self.lower <= self.truth) & (self.truth <= self.upper)


@dataclass(frozen=True, eq=False)
class HeldOutSets:
    """Up to 100 held-out rows of the first repetition.

    Attributes
    ----------
    probabilities : array of shape (k, K)
        What the model gives each class.
    members : bool array of shape (k, K)
        Which classes are in each set.
    truth : int array of shape (k,)
        Codes of the true classes.
    """

    probabilities: Floats
    members: npt.NDArray[np.bool_]
    truth: npt.NDArray[np.int64]

    @property
    def covered(self) -> npt.NDArray[np.bool_]:
        """Whether each set holds the true class."""
        held: npt.NDArray[np.bool_] = self.members[np.arange(len(self.truth)), self.truth]
        return held


HeldOutRows: TypeAlias = HeldOutIntervals | HeldOutSets


@dataclass(frozen=True, eq=False)
class GroupResult:
    """What was measured within one public group.

    Attributes
    ----------
    name : str
    n_calibration, n_test : float
        Ranked and held-out rows of the group, on average over repetitions.
    coverage, size : arrays of shape (R,)
        NaN where a repetition holds out no row of the group.
    certificate : CoverageCertificate or None
        The group's own promise; None where one threshold serves all groups.
    column : str
        What the group column is called.
    """

    name: str
    n_calibration: float
    n_test: float
    coverage: Floats
    size: Floats
    certificate: CoverageCertificate | None
    column: str = ""

    @property
    def coverage_mean(self) -> float:
        """Mean share of held-out rows of the group covered; NaN if none was held out."""
        return _mean_of_numbers(self.coverage)

    @property
    def size_mean(self) -> float:
        """Mean size within the group; NaN if none of its rows was held out."""
        return _mean_of_numbers(self.size)


def _mean_of_numbers(values: Floats) -> float:
    numbers = values[~np.isnan(values)]
    return float(numbers.mean()) if len(numbers) else math.nan
