"""The looks of a goal-first search: cells of the sweep's kind, each run once, kept by epsilon and share."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeAlias

import numpy as np

from dpcp_core.data.target import Floats
from dpcp_core.experiments.goal.look import Look
from dpcp_core.experiments.goal.wish import Goal
from dpcp_core.experiments.prepare import Prepared
from dpcp_core.experiments.settings import ConformalSettings, TrainingTask
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.experiments.sweep.result import Progress
from dpcp_core.experiments.sweep.running import OnProgress, ShouldStop
from dpcp_core.experiments.sweep.tables import Tables
from dpcp_core.experiments.sweep.unit import Outcome, Unit, run_reference, run_unit
from dpcp_core.experiments.sweep.workers import Call, side_by_side
from dpcp_core.experiments.trained import Reference

Point: TypeAlias = tuple[float, float]
"""A share for training, and an epsilon."""

_SEED_STEP = 10_007
"""Seeds of further cells are so far apart that nobody's next seeds are among them."""


class Stopped(Exception):
    """Somebody asked the search to stop."""


class Looking:
    """Runs cells and keeps them.

    Parameters
    ----------
    tables : Tables
    settings : ConformalSettings
        Resolved, at the goal's coverage.
    goal : Goal
    n_jobs : int or None
        See :func:`dpcp_core.experiments.sweep.engine.sweep`.
    on_progress, should_stop : callables

    Attributes
    ----------
    expected : int
        Cells that are expected in all.
    """

    def __init__(
        self,
        tables: Tables,
        settings: ConformalSettings,
        goal: Goal,
        n_jobs: int | None,
        on_progress: OnProgress,
        should_stop: ShouldStop,
    ) -> None:
        self.expected, self._n_elsewhere = 0, 0
        self.settings, self.goal = settings, goal
        self._tables, self._n_jobs = tables, n_jobs
        self._on_progress, self._should_stop = on_progress, should_stop
        self._cells: dict[Point, list[CellResult]] = {}
        self._references: dict[TrainingTask, Reference | None] = {}
        self._begun = time.perf_counter()

    @property
    def prepared(self) -> Prepared:
        """The table."""
        return self._tables.of(self.settings)

    @property
    def seconds(self) -> float:
        """Since the search began."""
        return time.perf_counter() - self._begun

    @property
    def looks(self) -> tuple[Look, ...]:
        """Everything looked at, by share and epsilon."""
        return tuple(self._look(point) for point in sorted(self._cells))

    @property
    def reference_size(self) -> Floats:
        """Mean size without privacy in each repetition of each seed."""
        cells = (cell for of_point in self._cells.values() for cell in of_point if not cell.failed)
        of_seeds = {cell.settings.seed: cell.reference_size for cell in cells}
        return np.concatenate(list(of_seeds.values())) if of_seeds else np.array([np.nan])

    def of_share(self, share: float, most: float | None = None) -> list[Look]:
        """Return the looks of a share in the order of their epsilons, up to ``most``."""
        return [look for look in self.looks if look.training_share == share and (most is None or look.epsilon <= most)]

    def at(self, share: float, epsilon: float, n_seeds: int = 1) -> Look:
        """Look at one epsilon, with so many seeds at least."""
        return self.at_all([(share, epsilon)], n_seeds)[0]

    def at_all(self, points: Iterable[Point], n_seeds: int = 1) -> list[Look]:
        """Look at several points.

        Raises
        ------
        Stopped
            It was asked for; what is finished is kept.
        """
        wanted = list(points)
        missing = [
            self._settings(point, number)
            for point in wanted
            for number in range(len(self._cells.get(point, ())), n_seeds)
        ]
        self.expected = max(self.expected, self._n_cells + len(missing))
        for outcome in side_by_side(self._work(missing), self._n_jobs):
            self._keep(outcome)
        if any(len(self._cells.get(point, ())) < n_seeds for point in wanted):
            raise Stopped
        return [self._look(point) for point in wanted]

    def elsewhere(self, table: Prepared, share: float, epsilon: float) -> CellResult:
        """Run one cell on another table, which is no look.

        Raises
        ------
        Stopped
            It was asked for.
        """
        if self._should_stop():
            raise Stopped
        settings = self._settings((share, epsilon), 0)
        (cell,) = run_unit(table, Unit(settings.training_key(), (settings,)), None)
        self._n_elsewhere += 1
        self._say(())
        return cell

    def _settings(self, point: Point, number: int) -> ConformalSettings:
        share, epsilon = point
        seed = self.settings.seed + number * _SEED_STEP
        return self._tables.resolved(self.settings.replace(training_share=share, epsilon=epsilon, seed=seed))

    def _work(self, missing: list[ConformalSettings]) -> Iterator[Call[Outcome]]:
        for settings in missing:
            if self._should_stop():
                return
            task = settings.training_key()
            yield run_unit, (self._tables.of(settings), Unit(task, (settings,)), self._reference(settings, task))

    def _reference(self, settings: ConformalSettings, task: TrainingTask) -> Reference | None:
        """Return what would be without privacy: it depends on the seed only, so all looks share it."""
        key = task.without_privacy()
        if key not in self._references:
            self._references[key] = run_reference(self._tables.of(settings), task)
        return self._references[key]

    def _keep(self, outcome: Outcome) -> None:
        for cell in outcome:
            point = (cell.settings.training_share, cell.settings.epsilon)
            self._cells.setdefault(point, []).append(cell)
        self._say(outcome)

    def _say(self, outcome: Outcome) -> None:
        done = self._n_cells + self._n_elsewhere
        total = max(self.expected, done)
        self._on_progress(Progress(done, total, self.seconds, self.seconds / done * (total - done)), outcome)

    @property
    def _n_cells(self) -> int:
        return sum(len(cells) for cells in self._cells.values())

    def _look(self, point: Point) -> Look:
        share, epsilon = point
        cells = sorted(self._cells[point], key=lambda cell: cell.settings.seed)
        return Look(epsilon, share, self.goal, tuple(cells))
