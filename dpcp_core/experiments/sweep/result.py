"""What a sweep found: its cells, and tables of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from dpcp_core.data.schema import Column
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.experiments.sweep.plan import SweepPlan
from dpcp_core.training.protocol import Task


@dataclass(frozen=True)
class Progress:
    """How far a sweep is.

    Attributes
    ----------
    done, total : int
        Cells; those that were found finished count as done.
    seconds : float
        Since it began.
    left_s : float or None
        About how much longer it takes; None before anything can be said.
    """

    done: int
    total: int
    seconds: float
    left_s: float | None

    @property
    def share(self) -> float:
        """Finished share of the cells."""
        return self.done / self.total if self.total else 1.0


@dataclass(frozen=True, eq=False)
class SweepResult:
    """Cells of a sweep, in the plan's order.

    Attributes
    ----------
    plan : SweepPlan
    dataset_name, dataset_digest : str
    target : Column
    one_row_is : str
        What one row stands for.
    task : "regression" or "classification"
    cells : tuple of CellResult
        Those that are finished; all of them, unless the sweep was stopped.
    n_reused : int
        How many of them were found finished from an earlier run.
    seconds : float
        Wall time.

    Notes
    -----
    **Privacy.** Measured on real rows: the curator's view of simulations, in no release.
    """

    plan: SweepPlan
    dataset_name: str
    dataset_digest: str
    target: Column
    one_row_is: str
    task: Task
    cells: tuple[CellResult, ...]
    n_reused: int
    seconds: float

    @property
    def is_complete(self) -> bool:
        """Whether every cell of the plan is there."""
        return len(self.cells) == self.plan.n_cells

    @property
    def failures(self) -> tuple[CellResult, ...]:
        """Cells that cannot be computed, each with its sentence."""
        return tuple(cell for cell in self.cells if cell.failed)

    @property
    def reasons(self) -> Mapping[str, tuple[CellResult, ...]]:
        """The same cells by the sentence that says why."""
        reasons = dict.fromkeys(cell.problem for cell in self.failures)
        return {why: tuple(cell for cell in self.failures if cell.problem == why) for why in reasons}

    def where(self, **values: Any) -> tuple[CellResult, ...]:
        """Return the cells with these values of settings, e.g. ``result.where(method="dpcp", epsilon=1.0)``."""
        return tuple(
            cell for cell in self.cells if all(getattr(cell.settings, name) == value for name, value in values.items())
        )

    def frame(self) -> pd.DataFrame:
        """Return one row per cell: the axes' values, then what was measured."""
        return pd.DataFrame([self._axes_of(cell) | _measured(cell) for cell in self.cells])

    def repetitions(self) -> pd.DataFrame:
        """Return one row per cell and repetition: the axes' values, the repetition, coverage, size and threshold."""
        return pd.DataFrame(list(self._repetitions()))

    def summaries(self) -> list[dict[str, Any]]:
        """Return one plain object per cell, ready for JSON."""
        others = [name for name in self.plan.axes if name not in ("method", "epsilon")]
        return [cell.summary() | {name: getattr(cell.settings, name) for name in others} for cell in self.cells]

    def _axes_of(self, cell: CellResult) -> dict[str, Any]:
        named = dict.fromkeys(("method", "epsilon", *self.plan.axes))
        return {name: getattr(cell.settings, name) for name in named}

    def _repetitions(self) -> Iterator[dict[str, Any]]:
        for cell in self.cells:
            axes = self._axes_of(cell)
            for number, (coverage, size, threshold) in enumerate(
                zip(cell.coverage, cell.size, cell.thresholds, strict=True)
            ):
                yield axes | {
                    "repetition": number,
                    "coverage": float(coverage),
                    "size": float(size),
                    "threshold": float(threshold),
                }


def _measured(cell: CellResult) -> dict[str, Any]:
    low, high = cell.coverage_interval
    narrow, wide = cell.size_interval
    return {
        "coverage": cell.coverage_mean,
        "coverage_low": low,
        "coverage_high": high,
        "size": cell.size_mean,
        "size_low": narrow,
        "size_high": wide,
        "size_ratio": cell.size_ratio,
        "certified": cell.certified,
        "private": cell.is_private,
        "n_train": cell.n_train,
        "n_calibration": cell.n_calibration,
        "n_test": cell.n_test,
        "repetitions": cell.settings.repetitions,
        "top_share": cell.top_share,
        "seconds": cell.seconds,
        "problem": cell.problem,
    }
