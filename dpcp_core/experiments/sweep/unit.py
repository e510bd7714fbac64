"""The unit of work of a sweep: one training, and all cells that share it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from dpcp_core._threads import one_thread
from dpcp_core.errors import InputError
from dpcp_core.experiments.calibrate import calibrate
from dpcp_core.experiments.prepare import Prepared
from dpcp_core.experiments.settings import ConformalSettings, TrainingTask
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.experiments.trained import Reference, TrainedRuns, train, train_reference

Outcome: TypeAlias = tuple[CellResult, ...]


@dataclass(frozen=True)
class Unit:
    """One training and its cells.

    Attributes
    ----------
    task : TrainingTask
    cells : tuple of ConformalSettings
        Resolved; all have this training key.
    """

    task: TrainingTask
    cells: tuple[ConformalSettings, ...]


def units_of(cells: Iterable[ConformalSettings]) -> tuple[Unit, ...]:
    """Bring cells with the same training together, in the order in which trainings first come up."""
    together: dict[TrainingTask, list[ConformalSettings]] = {}
    for settings in cells:
        together.setdefault(settings.training_key(), []).append(settings)
    return tuple(Unit(task, tuple(sharing)) for task, sharing in together.items())


def run_unit(prepared: Prepared, unit: Unit, reference: Reference | None) -> Outcome:
    """Train once and calibrate every cell; a cell that cannot be computed says why.

    Parameters
    ----------
    prepared : Prepared
    unit : Unit
    reference : Reference or None
        Of the same task without privacy; None trains it here.
    """
    begun = time.perf_counter()
    # In a worker that knows nothing of its neighbours, as on another computer.
    with one_thread():
        try:
            runs = train(prepared, unit.task, reference, record=False)
        except InputError as problem:
            return tuple(_failed(settings, prepared, problem) for settings in unit.cells)
        shared = (time.perf_counter() - begun) / len(unit.cells)
        return tuple(_calibrated(runs, settings, shared) for settings in unit.cells)


def _calibrated(runs: TrainedRuns, settings: ConformalSettings, shared_s: float) -> CellResult:
    begun = time.perf_counter()
    try:
        result = calibrate(runs, settings)
    except InputError as problem:
        return _failed(settings, runs.prepared, problem)
    return CellResult.of(result, shared_s + time.perf_counter() - begun)


def _failed(settings: ConformalSettings, prepared: Prepared, problem: InputError) -> CellResult:
    return CellResult(settings, prepared.task, problem=str(problem))


def run_reference(prepared: Prepared, task: TrainingTask) -> Reference | None:
    """Train what would be without privacy; None where that cannot be done, which every cell will say for itself."""
    with one_thread():
        try:
            return train_reference(prepared, task)
        except InputError:
            return None
