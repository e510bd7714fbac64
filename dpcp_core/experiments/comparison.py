"""Which method is narrower where: cells of a sweep held against each other, repetition by repetition.

All cells of one seed see the same splits and the same noise, so that the difference of two of them is taken in each
repetition. A method counts as narrower only where the interval of the mean difference lies beside zero, and as missing
its target only where the interval of its mean coverage lies below it; to lead, its mean coverage must reach the target.
These intervals hold with 95 % for all values of epsilon together (Bonferroni), so that one odd epsilon in a row of
twelve is no crossing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from dpcp_core._arrays import Floats
from dpcp_core.evaluation.coverage import mean_interval
from dpcp_core.experiments.result import largest_size
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.experiments.sweep.result import SweepResult

CONFIDENCE = 0.95

_ROUNDING = 1e-9
_SAME_COVERAGE = 0.0005


@dataclass(frozen=True)
class Standing:
    """Who leads at one epsilon.

    Attributes
    ----------
    epsilon : float
    front : tuple of str
        Methods with the smallest mean size, and those not told apart from it; the smallest first. Only private methods
        that reach their target and say something; empty if there is none.
    nothing : tuple of str
        Private methods that reach their target by the whole range, or every class.
    missed : tuple of str
        Methods, private or not, whose mean coverage lies below the target by more than its uncertainty.
    doubtful : tuple of str
        Private methods whose mean coverage lies below the target, but within its uncertainty: none of them leads.
    """

    epsilon: float
    front: tuple[str, ...]
    nothing: tuple[str, ...]
    missed: tuple[str, ...]
    doubtful: tuple[str, ...]


@dataclass(frozen=True)
class Stretch:
    """Neighbouring epsilons at which the comparison of two methods comes out the same.

    Attributes
    ----------
    narrower : str
        The narrower method, or "" where they are not told apart or the narrower one does not reach its target.
    epsilons : tuple of float
    """

    narrower: str
    epsilons: tuple[float, ...]


class Comparison:
    """Methods over epsilon, as far as their cells are finished.

    Parameters
    ----------
    result : SweepResult
        Of a plan with the axes ``method`` and ``epsilon``.

    Attributes
    ----------
    result : SweepResult
    methods : tuple of str
        In the plan's order.
    epsilons : tuple of float
        From small to large.
    """

    def __init__(self, result: SweepResult) -> None:
        self.result = result
        shared = result.plan.settings
        self.methods = tuple(result.plan.axes.get("method", (shared.method,)))
        self.epsilons = tuple(sorted(result.plan.axes.get("epsilon", (shared.epsilon,))))
        self._cells = {(cell.settings.method, cell.settings.epsilon): cell for cell in result.cells}
        self._largest = largest_size(result.target, result.task)
        self._confidence = 1 - (1 - CONFIDENCE) / len(self.epsilons)
        self._standings: dict[float, Standing] = {}

    def cell(self, method: str, epsilon: float) -> CellResult | None:
        """Return a cell that was computed; None if it failed or is not there."""
        cell = self._cells.get((method, epsilon))
        return None if cell is None or cell.failed else cell

    def line(self, method: str) -> tuple[CellResult, ...]:
        """Return the computed cells of a method, from small epsilon to large."""
        cells = (self.cell(method, epsilon) for epsilon in self.epsilons)
        return tuple(cell for cell in cells if cell is not None)

    @property
    def private_methods(self) -> tuple[str, ...]:
        """Methods of which everything that is released is paid for."""
        return tuple(name for name in self.methods if any(cell.is_private for cell in self.line(name)))

    def says_nothing(self, cell: CellResult) -> bool:
        """Whether all that a cell says is the whole range, or every class."""
        return bool(cell.size.min() >= self._largest * (1 - _ROUNDING))

    def misses(self, cell: CellResult) -> bool:
        """Whether mean coverage lies below the target by more than its uncertainty."""
        _, high = mean_interval(cell.coverage, self._confidence, n_test=cell.n_test)
        return high < cell.settings.confidence_level - _ROUNDING

    def reaches(self, cell: CellResult) -> bool:
        """Whether mean coverage, to a tenth of a per cent, is at least the target."""
        return cell.coverage_mean >= cell.settings.confidence_level - _SAME_COVERAGE

    def narrower(self, one: CellResult, other: CellResult) -> int:
        """Return -1 if one cell's sizes are surely smaller, 1 if the other's are, 0 if they are not told apart."""
        _, low, high = difference(one, other, self._confidence)
        return -1 if high < 0 else 1 if low > 0 else 0

    def tells_apart(self, one: str, other: str, epsilons: Iterable[float]) -> bool:
        """Whether one of two methods is surely narrower at some of these epsilons, on target or not."""
        pairs = [(self.cell(one, epsilon), self.cell(other, epsilon)) for epsilon in epsilons]
        return any(first and second and self.narrower(first, second) for first, second in pairs)

    def standing(self, epsilon: float) -> Standing:
        """Return who leads at an epsilon."""
        if epsilon not in self._standings:
            self._standings[epsilon] = self._stand(epsilon)
        return self._standings[epsilon]

    def standings(self) -> tuple[Standing, ...]:
        """Return who leads at each epsilon at which something was computed."""
        at = [epsilon for epsilon in self.epsilons if any(self.cell(name, epsilon) for name in self.methods)]
        return tuple(map(self.standing, at))

    def stretches(self, one: str, other: str) -> tuple[Stretch, ...]:
        """Return where one of two methods is narrower, from small epsilon to large."""
        runs = groupby(self._verdicts(one, other), key=lambda verdict: verdict[1])
        return tuple(Stretch(name, tuple(epsilon for epsilon, _ in run)) for name, run in runs)

    def _stand(self, epsilon: float) -> Standing:
        cells = [cell for name in self.methods if (cell := self.cell(name, epsilon)) is not None]
        private = [cell for cell in cells if cell.is_private]
        reaching = [cell for cell in private if self.reaches(cell)]
        saying = sorted((cell for cell in reaching if not self.says_nothing(cell)), key=lambda cell: cell.size_mean)
        return Standing(
            epsilon,
            front=_names(cell for cell in saying if self.narrower(saying[0], cell) == 0),
            nothing=_names(cell for cell in reaching if self.says_nothing(cell)),
            missed=_names(cell for cell in cells if self.misses(cell)),
            doubtful=_names(cell for cell in private if not self.reaches(cell) and not self.misses(cell)),
        )

    def _verdicts(self, one: str, other: str) -> Iterator[tuple[float, str]]:
        for epsilon in self.epsilons:
            first, second = self.cell(one, epsilon), self.cell(other, epsilon)
            if first is not None and second is not None:
                sign = self.narrower(first, second)
                best = first if sign < 0 else second
                yield epsilon, best.settings.method if sign and self.reaches(best) else ""


def _names(cells: Iterable[CellResult]) -> tuple[str, ...]:
    return tuple(cell.settings.method for cell in cells)


def difference(one: CellResult, other: CellResult, confidence: float = CONFIDENCE) -> tuple[float, float, float]:
    """Return the mean difference of two cells' sizes, and its interval over repetitions.

    Returns
    -------
    mean, low, high : float
        Negative where ``one`` is narrower. With a single repetition the interval is all numbers.
    """
    apart = sizes_apart(one, other)
    if len(apart) < 2:
        return float(apart.mean()), -np.inf, np.inf
    return float(apart.mean()), *mean_interval(apart, confidence)


def sizes_apart(one: CellResult, other: CellResult) -> Floats:
    """Return the difference of two cells' sizes in each repetition; what rounding leaves of equal ones is none."""
    apart = one.size - other.size
    return np.where(np.abs(apart) <= _ROUNDING * np.maximum(one.size, other.size), 0.0, apart)
