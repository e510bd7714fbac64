"""Run the studies of every table that is there, each as one sweep whose finished cells are kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dpcp_core.data.dataset import Dataset
from dpcp_core.experiments.reproduce.evidence import Evidence, TableRun
from dpcp_core.experiments.reproduce.published.registry import FoundTable, PublishedTable
from dpcp_core.experiments.reproduce.studies import Effort, Study, studies_of
from dpcp_core.experiments.reproduce.timing import N_ROWS, Timing, measure_time
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.experiments.sweep.engine import run_plan
from dpcp_core.experiments.sweep.result import Progress, SweepResult

OnStep = Callable[[str, str, Progress | None], None]
"""Hears of a table, what is done with it, and how far a study is."""


@dataclass(frozen=True, eq=False)
class Reproduction:
    """What was run, and what could not be.

    Attributes
    ----------
    runs : tuple of TableRun
    missing : tuple of PublishedTable
        Tables of the texts that are not there.
    left_out : tuple of PublishedTable
        Tables that are there and were not asked for.
    effort : Effort
    timing : Timing
    seconds : float
        Wall time, of what was not found finished.

    Notes
    -----
    **Privacy.** Measured on real rows: simulations, in no release.
    """

    runs: tuple[TableRun, ...]
    missing: tuple[PublishedTable, ...]
    left_out: tuple[PublishedTable, ...]
    effort: Effort
    timing: Timing
    seconds: float

    @property
    def evidence(self) -> Evidence:
        """What claims are held against."""
        return Evidence(self.runs, self.timing)


def reproduce(
    found: Sequence[FoundTable],
    effort: Effort,
    folder: Path,
    *,
    missing: tuple[PublishedTable, ...] = (),
    left_out: tuple[PublishedTable, ...] = (),
    n_timed: int = N_ROWS,
    on_step: OnStep | None = None,
) -> Reproduction:
    """Run the experiments of the texts on these tables.

    Parameters
    ----------
    found : sequence of FoundTable
    effort : Effort
    folder : Path
        Keeps finished cells; what it holds is not run again.
    missing, left_out : tuples of PublishedTable
        Handed on, to be named beside the results.
    n_timed : int
        Rows of the simulated table on which the steps of a release are timed.
    on_step : callable, optional

    Raises
    ------
    InputError
        A file that cannot be read, or a folder that cannot be written into.

    Notes
    -----
    Trainings run side by side where the caller's ``joblib.parallel_config`` says so.

    **Privacy.** None: simulations.
    """
    begun, say = time.perf_counter(), on_step or _say_nothing
    # All files are read before the first training: a damaged one is found at once, and not after minutes.
    tables = [(entry.table, _loaded(entry, say)) for entry in found]
    runs = tuple(_run(table, data, effort, folder, say) for table, data in tables)
    say("", "Timing one release", None)
    timing = measure_time(n_timed)
    return Reproduction(runs, missing, left_out, effort, timing, time.perf_counter() - begun)


def _loaded(entry: FoundTable, say: OnStep) -> Dataset:
    say(entry.table.title, "reading", None)
    return entry.load()


def _run(table: PublishedTable, data: Dataset, effort: Effort, folder: Path, say: OnStep) -> TableRun:
    results = [_swept(table, study, data, folder, say) for study in studies_of(table, effort)]
    first = results[0]
    return TableRun(
        name=table.name,
        title=table.title,
        task=first.task,
        n_rows=data.n_rows,
        digest=data.digest,
        target=first.target,
        one_row_is=first.one_row_is,
        cells=_each_once(results),
        n_reused=sum(result.n_reused for result in results),
        seconds=sum(result.seconds for result in results),
    )


def _swept(table: PublishedTable, study: Study, data: Dataset, folder: Path, say: OnStep) -> SweepResult:
    def heard(progress: Progress, _cells: tuple[CellResult, ...]) -> None:
        say(table.title, study.name, progress)

    return run_plan(data, study.plan, folder=folder, on_progress=heard)


def _each_once(results: Sequence[SweepResult]) -> tuple[CellResult, ...]:
    """Return all cells; studies have some in common."""
    return tuple({repr(cell.settings): cell for result in results for cell in result.cells}.values())


def _say_nothing(_table: str, _step: str, _progress: Progress | None) -> None:
    pass
