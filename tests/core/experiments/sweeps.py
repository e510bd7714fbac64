"""Comparisons made by hand: coverage and sizes of a few methods, without training anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dpcp_core.data.schema import Column
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.experiments.sweep.plan import SweepPlan
from dpcp_core.experiments.sweep.result import SweepResult

Cell = tuple[float, float] | str
"""Mean coverage and mean size, or the sentence that says why there is none."""

PRESSURE = Column("sbp", "number", "target", bounds=(70, 230), unit="mmHg", label="Blood pressure")
KIND = Column("kind", "category", "target", categories=("a", "b", "c"), label="Kind")


def comparison_of(
    lines: Mapping[str, Sequence[Cell | None]],
    epsilons: Sequence[float],
    *,
    repetitions: int = 20,
    noise: float = 0.3,
    classes: bool = False,
) -> SweepResult:
    """Return a sweep with these means; noise is shared by all cells of a repetition, as the engine shares it.

    Parameters
    ----------
    lines
        By method, a cell for each epsilon; None for one that is not finished.
    epsilons
    repetitions
    noise
        Standard deviation of what differs between two methods in one repetition.
    classes
        Whether sizes are classes in a set.
    """
    settings = ConformalSettings(repetitions=repetitions)
    plan = SweepPlan(settings, {"epsilon": tuple(epsilons), "method": tuple(lines)})
    rng = np.random.default_rng(1)
    shared = _centred(rng, repetitions)
    cells = []
    for place, epsilon in enumerate(epsilons):
        for method, line in lines.items():
            cell = line[place]
            if cell is not None:
                own = settings.replace(method=method, epsilon=epsilon)
                cells.append(_cell(own, cell, 5 * shared + noise * _centred(rng, repetitions), classes))
    return SweepResult(
        plan, "ward", "digest", KIND if classes else PRESSURE, "one patient", _task(classes), tuple(cells), 0, 1.0
    )


def _centred(rng: np.random.Generator, n: int) -> np.ndarray:
    values = rng.normal(size=n)
    return values - values.mean()


def _task(classes: bool) -> str:
    return "classification" if classes else "regression"


def _cell(settings: ConformalSettings, cell: Cell, noise: np.ndarray, classes: bool) -> CellResult:
    if isinstance(cell, str):
        return CellResult(settings, _task(classes), problem=cell)
    coverage, size = cell
    low, high = (0.0, 3.0) if classes else (0.0, 160.0)
    sizes = np.full(len(noise), size) if size >= high else np.clip(size + noise * (0.01 if classes else 1), low, high)
    covered = coverage + 0.002 * noise / max(float(np.abs(noise).max()), 1e-9)
    counts = (1000, 500, 500, 200)
    return CellResult(
        settings, _task(classes), *counts, covered, sizes, sizes, sizes / 2, covered, np.full(len(noise), 20.0)
    )
