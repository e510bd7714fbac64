"""Which value of a setting is best at each epsilon, and which others are as good: compared repetition by repetition.

>>> from dpcp_core import ConformalSettings, load_sample
>>> from dpcp_core.experiments.sweep.engine import sweep
>>> shares = [0.1, 0.5, 0.9]
>>> result = sweep(load_sample("diabetes"), epsilons=[4.0], training_share=shares, repetitions=5)
>>> choice = SplitMap.of(result, "training_share").choice(4.0)
>>> choice.best in shares, choice.beside(choice.best).extra
(True, 0.0)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dpcp_core.data.schema import Column
from dpcp_core.errors import InputError
from dpcp_core.experiments.comparison import difference
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.experiments.sweep.plan import SweepPlan
from dpcp_core.experiments.sweep.result import SweepResult
from dpcp_core.training.protocol import Task

SAME_SHARE = 0.005
"""Below this relative difference two sizes count as the same, however surely they differ."""


@dataclass(frozen=True)
class Compared:
    """One value of the setting beside the best one.

    Attributes
    ----------
    value : float
    extra : float
        How much wider intervals (larger sets) are than with the best value, relative to those; NaN where the value
        cannot be compared.
    low, high : float
        95 % interval of ``extra``.
    covers : bool
        Whether coverage is certified, or was not found below the target.
    says_nothing : bool
        Every interval was the whole range, or every set all classes.
    """

    value: float
    extra: float
    low: float
    high: float
    covers: bool
    says_nothing: bool

    @property
    def is_as_good(self) -> bool:
        """Whether it covers, and no difference from the best that matters can be shown."""
        return self.covers and not self.says_nothing and (self.low <= 0 or self.extra <= SAME_SHARE)


@dataclass(frozen=True)
class Choice:
    """What is best at one epsilon.

    Attributes
    ----------
    epsilon : float
    best : float or None
        Value with the smallest mean size among those that cover; None where none does, or all say nothing.
    size : float
        Mean size there; NaN where there is no best.
    size_interval : pair of float
        95 % interval of that mean.
    compared : tuple of Compared
        Every value that could be computed, in order.
    """

    epsilon: float
    best: float | None
    size: float
    size_interval: tuple[float, float]
    compared: tuple[Compared, ...]

    @property
    def as_good(self) -> tuple[float, float] | None:
        """Smallest and largest value of the unbroken run around the best that is as good; None without a best."""
        if self.best is None:
            return None
        values = [one.value for one in self.compared]
        low = high = values.index(self.best)
        while low > 0 and self.compared[low - 1].is_as_good:
            low -= 1
        while high + 1 < len(values) and self.compared[high + 1].is_as_good:
            high += 1
        return values[low], values[high]

    @property
    def says_nothing(self) -> bool:
        """Whether nothing can be ruled out with any of the values."""
        return bool(self.compared) and all(one.says_nothing for one in self.compared)

    def beside(self, value: float) -> Compared | None:
        """Return how one value compares; None if it was not tried, or could not be computed."""
        return next((one for one in self.compared if one.value == value), None)


@dataclass(frozen=True, eq=False)
class SplitMap:
    """Cells over epsilon and the values of one more setting, as far as they are there.

    Attributes
    ----------
    plan : SweepPlan
        With the axes ``epsilon`` and ``field``.
    field : str
        Name of the setting: ``training_share``, ``row_share`` or ``bins``.
    target : Column
    task : "regression" or "classification"
    cells : mapping of (value, epsilon) to CellResult
    """

    plan: SweepPlan
    field: str
    target: Column
    task: Task
    cells: Mapping[tuple[float, float], CellResult]

    @classmethod
    def of(cls, result: SweepResult, field: str) -> SplitMap:
        """Make the map of a finished (or stopped) sweep."""
        return cls.growing(result.plan, field, result.target, result.task, result.cells)

    @classmethod
    def growing(cls, plan: SweepPlan, field: str, target: Column, task: Task, cells: Iterable[CellResult]) -> SplitMap:
        """Make the map of the cells that are there so far.

        Raises
        ------
        InputError
            The plan has other axes.
        """
        if set(plan.axes) != {"epsilon", field}:
            raise InputError(f"This map needs the axes epsilon and {field}, but has {', '.join(plan.axes) or 'none'}.")
        placed = {(getattr(cell.settings, field), cell.settings.epsilon): cell for cell in cells}
        return cls(plan, field, target, task, placed)

    @property
    def values(self) -> tuple[float, ...]:
        """Values of the setting, ascending."""
        return tuple(sorted(self.plan.axes[self.field]))

    @property
    def epsilons(self) -> tuple[float, ...]:
        """Values of epsilon, ascending."""
        return tuple(sorted(self.plan.axes["epsilon"]))

    @property
    def is_complete(self) -> bool:
        """Whether every cell is there."""
        return len(self.cells) == self.plan.n_cells

    def choice(self, epsilon: float) -> Choice | None:
        """Return what is best at one epsilon; None while a cell of it is missing, or where none could be computed."""
        cells = {value: self.cells.get((value, epsilon)) for value in self.values}
        found = {value: cell for value, cell in cells.items() if cell is not None}
        telling = {value: cell for value, cell in found.items() if not cell.failed}
        return _choice(epsilon, telling) if telling and len(found) == len(cells) else None

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What is best at each epsilon whose cells are all there."""
        return tuple(choice for epsilon in self.epsilons if (choice := self.choice(epsilon)) is not None)


def says_nothing(cell: CellResult) -> bool:
    """Whether every repetition had to let everything in: the whole range, or every class."""
    return not cell.failed and cell.top_share >= 1


def covers(cell: CellResult) -> bool:
    """Whether coverage is certified, or its 95 % interval reaches the target."""
    return cell.certified or (not cell.failed and cell.coverage_interval[1] >= cell.settings.confidence_level)


def _choice(epsilon: float, cells: Mapping[float, CellResult]) -> Choice:
    eligible = [value for value, cell in cells.items() if covers(cell) and not says_nothing(cell)]
    best = min(eligible, key=lambda value: cells[value].size_mean, default=None)
    winner = None if best is None else cells[best]
    return Choice(
        epsilon=epsilon,
        best=best,
        size=math.nan if winner is None else winner.size_mean,
        size_interval=(math.nan, math.nan) if winner is None else winner.size_interval,
        compared=tuple(_compared(value, cell, winner) for value, cell in cells.items()),
    )


def _compared(value: float, cell: CellResult, best: CellResult | None) -> Compared:
    """Compare with the best by paired differences: both saw the same splits and the same seeds of noise.

    Notes
    -----
    The best is the smallest of several means, so it looks a little better than it is: a value just outside the
    interval may still be as good. The interval is that of one comparison, not of all of them together.
    """
    extra, low, high = (math.nan,) * 3 if best is None else _extra(cell, best)
    return Compared(value, extra, low, high, covers(cell), says_nothing(cell))


def _extra(cell: CellResult, best: CellResult) -> tuple[float, float, float]:
    mean, low, high = difference(cell, best)
    return mean / best.size_mean, low / best.size_mean, high / best.size_mean
