"""One epsilon that a goal-first search looked at, and whether it meets the goal.

What is asked of an answer: simulated anew with other seeds, as often repeated as the settings say, its mean size is at
most the goal's, and its coverage is not below the goal's by more than its own 95 % interval allows. Such a *trial*
varies by the standard error of R repetitions; what is known here varies by that of all N repetitions looked at.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpcp_core.data.target import Floats
from dpcp_core.evaluation.coverage import mean_interval
from dpcp_core.experiments.goal.wish import Goal
from dpcp_core.experiments.sweep.cell import CellResult

# A trial stays below its mean by this many of its standard errors in 98 of 100 cases; with the mean itself known up to
# _SURE standard errors, 18 trials in 20 succeed nearly always.
_TRIAL, _SURE = 2.05, 2.0
# A recipe without a proof may fall short of its coverage by this part of a trial's standard error: 97 % of trials
# still reach it within their intervals.
_SHORT = 0.25


@dataclass(frozen=True, eq=False)
class Look:
    """Cells of one epsilon and one share for training, which differ in their seeds.

    Attributes
    ----------
    epsilon, training_share : float
    goal : Goal
    cells : tuple of CellResult
        One per seed, each with as many repetitions as a trial.
    """

    epsilon: float
    training_share: float
    goal: Goal
    cells: tuple[CellResult, ...]

    @property
    def problem(self) -> str:
        """Why it cannot be computed; "" if it can."""
        return self.cells[0].problem

    @property
    def coverage(self) -> Floats:
        """Share of held-out rows covered in each of N repetitions."""
        return np.concatenate([cell.coverage for cell in self.cells])

    @property
    def size(self) -> Floats:
        """Mean size in each of N repetitions."""
        return np.concatenate([cell.size for cell in self.cells])

    @property
    def n_repetitions(self) -> int:
        """Repetitions of all cells, N."""
        return sum(len(cell.size) for cell in self.cells)

    @property
    def coverage_mean(self) -> float:
        """Mean share of held-out rows covered."""
        return float(self.coverage.mean())

    @property
    def coverage_interval(self) -> tuple[float, float]:
        """95 % interval of the mean coverage."""
        return mean_interval(self.coverage, n_test=self.cells[0].n_test)

    @property
    def size_mean(self) -> float:
        """Mean size: interval width in target units, or classes in a set."""
        return float(self.size.mean())

    @property
    def size_interval(self) -> tuple[float, float]:
        """95 % interval of the mean size."""
        return mean_interval(self.size)

    @property
    def certified(self) -> bool:
        """Whether coverage is proved."""
        return self.cells[0].certified

    @property
    def meets(self) -> bool:
        """Whether new simulations will meet the goal, 18 in 20 and more."""
        return not self.problem and self._covers and self.size_mean + self.margin <= self.goal.most

    @property
    def may_meet(self) -> bool:
        """Whether a simulation may meet the goal: it is not clearly missed."""
        return not self.problem and self._may_cover and self.size_mean - self._doubt(self.size) <= self.goal.most

    @property
    def meets_on_average(self) -> bool:
        """Whether the mean size does, whatever a single simulation may show."""
        return not self.problem and self._covers and self.size_mean <= self.goal.most

    @property
    def misses_coverage(self) -> bool:
        """Whether the size would do, and coverage is what is missing."""
        return not self.problem and self.size_mean <= self.goal.most and not self._covers

    @property
    def margin(self) -> float:
        """How far below the goal the mean size has to be."""
        return _TRIAL * self._trial_error(self.size) + _SURE * self._error(self.size)

    @property
    def _covers(self) -> bool:
        mean, wanted = self.coverage_mean, self.goal.coverage
        if self.certified:
            # Rows of a random split are exchangeable, so the proof speaks of this very table.
            return mean + _SURE * self._error(self.coverage) >= wanted
        return mean >= wanted - _SHORT * self._trial_error(self.coverage)

    @property
    def _may_cover(self) -> bool:
        return self._covers or self.coverage_mean + self._doubt(self.coverage) >= self.goal.coverage

    def _error(self, values: Floats) -> float:
        return float(values.std(ddof=1)) / math.sqrt(len(values))

    def _trial_error(self, values: Floats) -> float:
        return float(values.std(ddof=1)) / math.sqrt(len(self.cells[0].size))

    def _doubt(self, values: Floats) -> float:
        """Return how far apart what is known and another's simulation may lie."""
        return _SURE * math.hypot(self._error(values), self._trial_error(values))
