"""Finished cells of all tables, looked up by what was run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from dpcp_core.data.target import Floats
from dpcp_core.experiments.reproduce_synthesis.measurement import Measurement
from dpcp_core.experiments.reproduce_synthesis.methods import METHODS
from dpcp_core.experiments.reproduce_synthesis.plan import USUAL_MODEL, Split


@dataclass(frozen=True, eq=False)
class TableCells:
    """What was run on one table.

    Attributes
    ----------
    name, title : str
    n_rows : int
    digest : str
        Of the data set.
    positive : str
        The class that F1 and label rates are about.
    cells : tuple of Measurement
    n_reused : int
        Cells that were found finished.
    """

    name: str
    title: str
    n_rows: int
    digest: str
    positive: str
    cells: tuple[Measurement, ...]
    n_reused: int = 0

    @property
    def methods(self) -> tuple[str, ...]:
        """Methods that were run, in the order of the registry."""
        ran = {found.cell.method for found in self.cells}
        return tuple(name for name in METHODS if name in ran)

    @property
    def epsilons(self) -> tuple[float, ...]:
        """Budgets that were run, smallest first."""
        return tuple(sorted({found.cell.epsilon for found in self.cells}))

    @property
    def failures(self) -> tuple[Measurement, ...]:
        """Cells without a table; those that were stopped among them."""
        return tuple(found for found in self.cells if found.problem)

    def group(
        self, method: str, epsilon: float, *, task_model: str = USUAL_MODEL, split: Split = "apart", scale: int = 1
    ) -> Group:
        """Return the repetitions of one cell; none where it was not run."""
        model = "" if METHODS[method].is_rival else task_model
        wanted = (method, model, epsilon, split, scale)
        return Group(tuple(found for found in self.cells if _place(found) == wanted))


@dataclass(frozen=True, eq=False)
class Group:
    """Repetitions of one cell, by seed.

    Attributes
    ----------
    cells : tuple of Measurement
    """

    cells: tuple[Measurement, ...]

    @property
    def has_tables(self) -> bool:
        """Whether some repetition gave a table."""
        return bool(self.finished)

    @property
    def finished(self) -> tuple[Measurement, ...]:
        """Repetitions that gave a table."""
        return tuple(found for found in self.cells if not found.problem)

    def values(self, of: Callable[[Measurement], float]) -> Floats:
        """Return one value for each repetition that gave a table."""
        return np.array([of(found) for found in self.finished], dtype=np.float64)

    def seconds(self) -> Floats:
        """Return how long each took that gave a table or was stopped."""
        return np.array([found.seconds for found in self.cells if not found.problem or found.is_timeout])


def paired(one: Group, other: Group) -> tuple[Group, Group]:
    """Return the repetitions whose seeds both have finished, in the same order."""
    seeds = {found.cell.seed for found in one.finished} & {found.cell.seed for found in other.finished}
    first, second = (
        Group(tuple(sorted((f for f in group.finished if f.cell.seed in seeds), key=lambda f: f.cell.seed)))
        for group in (one, other)
    )
    return first, second


class SynthesisEvidence:
    """Everything that claims are held against.

    Parameters
    ----------
    runs : iterable of TableCells
    models : tuple of str
        Models that were trained on every table.
    """

    def __init__(self, runs: Iterable[TableCells], models: tuple[str, ...]) -> None:
        self.runs, self.models = tuple(runs), models

    def places(self) -> Iterator[tuple[TableCells, str, float]]:
        """Yield every table, downstream model and epsilon."""
        for run in self.runs:
            yield from ((run, model, epsilon) for model in self.models for epsilon in run.epsilons)


def _place(found: Measurement) -> tuple[str, str, float, Split, int]:
    cell = found.cell
    return cell.method, cell.task_model, cell.epsilon, cell.split, cell.scale
