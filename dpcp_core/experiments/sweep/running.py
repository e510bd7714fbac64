"""A sweep as it goes on: which cells are wanted, which are finished, and who hears of it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

from threadpoolctl import threadpool_limits

from dpcp_core.errors import InputError
from dpcp_core.experiments.settings import ConformalSettings, TrainingTask
from dpcp_core.experiments.sweep.cell import CellResult, cell_key
from dpcp_core.experiments.sweep.plan import SweepPlan
from dpcp_core.experiments.sweep.result import Progress
from dpcp_core.experiments.sweep.store import SweepStore
from dpcp_core.experiments.sweep.tables import Tables
from dpcp_core.experiments.sweep.unit import Outcome, Unit, run_reference, run_unit, units_of
from dpcp_core.experiments.sweep.workers import Call, side_by_side
from dpcp_core.experiments.trained import Reference

OnProgress: TypeAlias = Callable[[Progress, tuple[CellResult, ...]], None]
ShouldStop: TypeAlias = Callable[[], bool]

References: TypeAlias = Mapping[TrainingTask, Reference]


def say_nothing(_progress: Progress, _cells: tuple[CellResult, ...]) -> None:
    """Hear of progress where nobody listens."""


def never_stop() -> bool:
    """Answer for somebody who is not there to stop it."""
    return False


class Running:
    """One run of a plan.

    Parameters
    ----------
    tables : Tables
    plan : SweepPlan
    store : SweepStore or None
        Where finished cells are kept and looked up.

    Attributes
    ----------
    n_reused : int
        Cells that were found finished.
    """

    def __init__(self, tables: Tables, plan: SweepPlan, store: SweepStore | None) -> None:
        self.n_reused = 0
        self._tables, self._plan, self._store = tables, plan, store
        self._finished: dict[str, CellResult] = {}
        wanted = [self._want(settings) for settings in plan.cells]
        # Two cells may turn out to be the same, where a choice changes nothing for this table.
        self._order, self._wanted = tuple(key for key, _ in wanted), dict(wanted)
        self._looked_at: set[Path] = set()
        self._added: list[Path] = []
        self._has_begun = False
        # What is to run next may be asked for in a worker's thread.
        self._lock = threading.Lock()

    @property
    def cells(self) -> tuple[CellResult, ...]:
        """Finished cells in the plan's order."""
        return tuple(self._finished[key] for key in self._order if key in self._finished)

    def go(self, n_jobs: int | None, on_progress: OnProgress, should_stop: ShouldStop) -> None:
        """Run what is not finished."""
        self._reuse()
        self._has_begun = True
        units = units_of(self._unfinished(self._wanted.values()))
        clock = _Clock(len(units))
        on_progress(clock.progress(len(self._finished), len(self._wanted)), self.cells)
        # Two trainings that each use all cores are slower than two that use one each.
        with threadpool_limits(limits=1):
            references = self._references(units, n_jobs, should_stop)
            clock.start()
            with closing(side_by_side(self._work(units, references, should_stop), n_jobs)) as outcomes:
                for outcome in outcomes:
                    self._keep(outcome)
                    clock.n_done += 1
                    on_progress(clock.progress(len(self._finished), len(self._wanted)), outcome)
        if self._store is not None:
            self._store.pack(self._added)

    def _want(self, settings: ConformalSettings) -> tuple[str, ConformalSettings]:
        try:
            settings = self._tables.resolved(settings)
        except InputError as problem:
            failed = CellResult(settings, self._tables.any_of(self._plan).task, problem=str(problem))
            self._finished[self._key(settings)] = failed
        return self._key(settings), settings

    def _key(self, settings: ConformalSettings) -> str:
        public = self._tables.public
        return cell_key(self._tables.data.digest, settings, "" if public is None else public.digest)

    def _unfinished(self, cells: Iterable[ConformalSettings]) -> tuple[ConformalSettings, ...]:
        return tuple(settings for settings in cells if self._key(settings) not in self._finished)

    def _reuse(self) -> None:
        """Take in what this or another sweep has finished before."""
        if self._store is None:
            return
        with self._lock:
            for path in self._store.files():
                if path not in self._looked_at:
                    self._take_in(self._store, path)

    def _take_in(self, store: SweepStore, path: Path) -> None:
        try:
            found = store.read(self._wanted.keys() - self._finished.keys(), [path])
        except InputError:
            if not self._has_begun:
                raise
            # Perhaps it is being copied into the folder just now: what it holds is run, which is safe.
            return
        self._looked_at.add(path)
        self._finished |= found
        self.n_reused += len(found)

    def _references(self, units: tuple[Unit, ...], n_jobs: int | None, should_stop: ShouldStop) -> References:
        """Train what would be without privacy, once for all that share it."""
        wanted = {unit.task.without_privacy(): unit for unit in units}
        calls: Iterator[Call[Reference | None]] = (
            (run_reference, (self._tables.of(unit.cells[0]), task))
            for task, unit in wanted.items()
            if not should_stop()
        )
        return {reference.task: reference for reference in side_by_side(calls, n_jobs) if reference is not None}

    def _work(
        self, units: tuple[Unit, ...], references: References, should_stop: ShouldStop
    ) -> Iterator[Call[Outcome]]:
        for unit in self._in_turn(units):
            if should_stop():
                return
            self._reuse()
            if cells := self._unfinished(unit.cells):
                reference = references.get(unit.task.without_privacy())
                yield run_unit, (self._tables.of(cells[0]), Unit(unit.task, cells), reference)

    def _in_turn(self, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
        """Begin somewhere else than another process that runs the same plan into the same folder."""
        first = os.getpid() % len(units) if self._store is not None and units else 0
        return units[first:] + units[:first]

    def _keep(self, cells: Outcome) -> None:
        new = {self._key(cell.settings): cell for cell in cells}
        with self._lock:
            self._finished |= new
            # What ails a cell may be this computer's: it is tried again the next time.
            fine = {key: cell for key, cell in new.items() if not cell.failed}
            if self._store is not None and fine:
                path = self._store.add(fine)
                self._added.append(path)
                self._looked_at.add(path)


class _Clock:
    """How long it takes, told by what is done: trainings, not cells, take the time."""

    def __init__(self, n_units: int) -> None:
        self.n_units, self.n_done = n_units, 0
        self._begun = self._started = time.perf_counter()

    def start(self) -> None:
        """Begin to count trainings."""
        self._started = time.perf_counter()

    def progress(self, done: int, total: int) -> Progress:
        """Return how far it is, of ``total`` cells."""
        now = time.perf_counter()
        left = (now - self._started) / self.n_done * (self.n_units - self.n_done) if self.n_done else None
        return Progress(done, total, now - self._begun, left)
