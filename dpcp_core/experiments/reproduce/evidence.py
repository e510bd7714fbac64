"""Finished cells of all tables, looked up by what was run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dpcp_core.data.schema import Column
from dpcp_core.experiments.reproduce.timing import Timing
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.experiments.sweep.plan import SweepPlan
from dpcp_core.experiments.sweep.result import SweepResult
from dpcp_core.training.protocol import Task

_USUAL_SHARE, _USUAL_BINS, _USUAL_TEST_SHARE = 0.5, 100, 0.2

_Key = tuple[str, str, float, float, object, float]


@dataclass(frozen=True, eq=False)
class TableRun:
    """What was run on one table.

    Attributes
    ----------
    name, title : str
    task : "regression" or "classification"
    n_rows : int
    digest : str
        Of the data set.
    target : Column
    one_row_is : str
    cells : tuple of CellResult
        Each once; those that cannot be computed say why.
    n_reused : int
        Cells that were found finished.
    seconds : float
        Wall time.
    """

    name: str
    title: str
    task: Task
    n_rows: int
    digest: str
    target: Column
    one_row_is: str
    cells: tuple[CellResult, ...]
    n_reused: int = 0
    seconds: float = 0.0

    def comparison(self) -> tuple[CellResult, ...]:
        """Return the cells of the comparison of methods: with everything else as in the texts."""
        return tuple(cell for cell in self.cells if _key(cell)[3:] == (_USUAL_SHARE, _USUAL_BINS, _USUAL_TEST_SHARE))

    @property
    def trainers(self) -> tuple[str, ...]:
        """Models of the comparison, in the order in which they ran."""
        return tuple(dict.fromkeys(cell.settings.trainer for cell in self.comparison()))

    def sweep_of(self, trainer: str) -> SweepResult:
        """Return the comparison of methods with one model, as a sweep over methods and epsilons."""
        cells = tuple(cell for cell in self.comparison() if cell.settings.trainer == trainer)
        axes = {
            name: tuple(dict.fromkeys(getattr(cell.settings, name) for cell in cells)) for name in ("method", "epsilon")
        }
        return SweepResult(
            plan=SweepPlan(cells[0].settings, axes),
            dataset_name=self.title,
            dataset_digest=self.digest,
            target=self.target,
            one_row_is=self.one_row_is,
            task=self.task,
            cells=cells,
            n_reused=0,
            seconds=self.seconds,
        )

    @property
    def failures(self) -> tuple[CellResult, ...]:
        """Cells that cannot be computed."""
        return tuple(cell for cell in self.cells if cell.failed)


class Evidence:
    """Everything that claims are held against.

    Parameters
    ----------
    runs : iterable of TableRun
    timing : Timing or None
        How long the steps of one release take.
    """

    def __init__(self, runs: Iterable[TableRun], timing: Timing | None = None) -> None:
        self.runs, self.timing = tuple(runs), timing
        self._cells = {(run.name, *_key(cell)): cell for run in self.runs for cell in run.cells if not cell.failed}

    def cell(
        self,
        table: str,
        method: str,
        trainer: str,
        epsilon: float,
        *,
        training_share: float = _USUAL_SHARE,
        bins: int = _USUAL_BINS,
        test_share: float = _USUAL_TEST_SHARE,
    ) -> CellResult | None:
        """Return one cell, or None where it was not run or cannot be computed."""
        return self._cells.get((table, method, trainer, epsilon, training_share, bins, test_share))

    def compared(self, task: Task | None = None) -> Iterator[tuple[TableRun, str, float]]:
        """Yield every table, model and epsilon of the comparison."""
        for run in self.runs:
            if task in (None, run.task):
                pairs = dict.fromkeys((cell.settings.trainer, cell.settings.epsilon) for cell in run.comparison())
                yield from ((run, trainer, epsilon) for trainer, epsilon in pairs)


def _key(cell: CellResult) -> _Key:
    chosen = cell.settings
    return (
        chosen.method,
        chosen.trainer,
        chosen.epsilon,
        chosen.training_share,
        chosen.bins,
        chosen.test_share,
    )
