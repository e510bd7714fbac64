"""Run the cells of every table that is there; finished ones are kept and not run again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from threadpoolctl import threadpool_limits

from dpcp_core.data.dataset import Dataset
from dpcp_core.experiments.reproduce.published.registry import FoundTable, PublishedTable
from dpcp_core.experiments.reproduce_synthesis.evidence import SynthesisEvidence, TableCells
from dpcp_core.experiments.reproduce_synthesis.measure import Bench
from dpcp_core.experiments.reproduce_synthesis.measurement import Measurement, cell_key
from dpcp_core.experiments.reproduce_synthesis.plan import Cell, Effort, cells_of
from dpcp_core.experiments.reproduce_synthesis.store import CellStore
from dpcp_core.experiments.sweep.workers import Call, side_by_side

OnCells = Callable[[str, int, int], None]
"""Hears of a table, how many of its cells are finished, and how many there are."""


@dataclass(frozen=True, eq=False)
class SynthesisReproduction:
    """What was run, and what could not be.

    Attributes
    ----------
    runs : tuple of TableCells
    missing, left_out : tuple of PublishedTable
        Tables of the text that are not there, and those that were not asked for.
    effort : Effort
    seconds : float
        Wall time, of what was not found finished.

    Notes
    -----
    **Privacy.** Measured on real rows: simulations, in no release.
    """

    runs: tuple[TableCells, ...]
    missing: tuple[PublishedTable, ...]
    left_out: tuple[PublishedTable, ...]
    effort: Effort
    seconds: float

    @property
    def evidence(self) -> SynthesisEvidence:
        """What claims are held against."""
        return SynthesisEvidence(self.runs, self.effort.models)


@dataclass(frozen=True)
class _Unit:
    """Cells of one split, which share the models of its real rows."""

    cells: tuple[Cell, ...]
    effort: Effort
    store: CellStore


def reproduce_synthesis(
    found: Sequence[FoundTable],
    effort: Effort,
    folder: Path,
    *,
    missing: tuple[PublishedTable, ...] = (),
    left_out: tuple[PublishedTable, ...] = (),
    on_cells: OnCells | None = None,
) -> SynthesisReproduction:
    """Run the experiments of the text on these tables.

    Parameters
    ----------
    found : sequence of FoundTable
    effort : Effort
    folder : Path
        Keeps finished cells; what it holds is not run again.
    missing, left_out : tuples of PublishedTable
        Handed on, to be named beside the results.
    on_cells : callable, optional

    Raises
    ------
    InputError
        A file that cannot be read, or a folder that cannot be written into.

    Notes
    -----
    Splits run side by side where the caller's ``joblib.parallel_config`` says so.

    **Privacy.** None: simulations.
    """
    begun, store = time.perf_counter(), CellStore.at(folder)
    # All files are read before the first table is made: a damaged one is found at once, and not after minutes.
    tables = [(entry.table, entry.load()) for entry in found]
    runs = tuple(_run(table, data, effort, store, on_cells or _say_nothing) for table, data in tables)
    return SynthesisReproduction(runs, missing, left_out, effort, time.perf_counter() - begun)


def _run(table: PublishedTable, data: Dataset, effort: Effort, store: CellStore, say: OnCells) -> TableCells:
    cells = cells_of(effort)
    done = {cell: kept for cell in cells if (kept := store.find(_key(data, cell, effort))) is not None}
    say(table.title, len(done), len(cells))
    n_reused = len(done)
    units = tuple(_units([cell for cell in cells if cell not in done], effort, store))
    with threadpool_limits(limits=1), closing(side_by_side(_calls(data, units), None)) as outcomes:
        for measured in outcomes:
            done |= {one.cell: one for one in measured}
            say(table.title, len(done), len(cells))
    target = data.schema.target
    assert target is not None
    found = tuple(done[cell] for cell in cells)
    return TableCells(table.name, table.title, data.n_rows, data.digest, target.categories[-1], found, n_reused)


def _units(cells: Sequence[Cell], effort: Effort, store: CellStore) -> Iterator[_Unit]:
    for split, seed in dict.fromkeys((cell.split, cell.seed) for cell in cells):
        yield _Unit(tuple(cell for cell in cells if (cell.split, cell.seed) == (split, seed)), effort, store)


def _calls(data: Dataset, units: Sequence[_Unit]) -> Iterator[Call[tuple[Measurement, ...]]]:
    yield from ((run_unit, (data, unit)) for unit in units)


def run_unit(data: Dataset, unit: _Unit) -> tuple[Measurement, ...]:
    """Run the cells of one split; each is on disk as soon as it is finished."""
    first = unit.cells[0]
    bench = Bench.of(data, first.split, first.seed, unit.effort.models, unit.effort.timeout)
    return tuple(_kept(bench, data, cell, unit) for cell in unit.cells)


def _kept(bench: Bench, data: Dataset, cell: Cell, unit: _Unit) -> Measurement:
    measured = bench.measure(cell)
    unit.store.add(_key(data, cell, unit.effort), measured)
    return measured


def _key(data: Dataset, cell: Cell, effort: Effort) -> str:
    return cell_key(data.digest, cell, effort.models, effort.timeout)


def _say_nothing(_table: str, _done: int, _total: int) -> None:
    pass
