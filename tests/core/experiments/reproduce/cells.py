"""Cells made by hand, so that a test knows what a check must say of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpcp_core import Column, ConformalSettings
from dpcp_core.experiments.reproduce.evidence import TableRun
from dpcp_core.experiments.sweep.cell import CellResult

SPREAD = np.array([-0.01, 0.0, 0.01])
TARGET = Column("rings", "integer", role="target", bounds=(0, 30), unit="rings")


def cell(
    method: str,
    epsilon: float,
    *,
    coverage: float = 0.95,
    size: float = 2.0,
    trainer: str = "ridge",
    **settings: object,
) -> CellResult:
    """Return a cell of three repetitions around these means; without privacy, sizes are 1."""
    chosen = ConformalSettings(
        method=method, epsilon=epsilon, trainer=trainer, score="absolute", repetitions=3, **settings
    )
    return CellResult(
        settings=chosen,
        n=80,
        n_train=80,
        n_calibration=80,
        n_test=20,
        coverage=coverage + SPREAD,
        # Repetitions differ a lot, but the same way in all cells: only pairs can tell cells apart.
        size=size + 10 * SPREAD,
        size_median=size + 10 * SPREAD,
        thresholds=size / 2 + SPREAD,
        reference_coverage=0.9 + SPREAD,
        reference_size=1 + 10 * SPREAD,
    )


def run_of(cells: Sequence[CellResult], name: str = "abalone", n_rows: int = 100) -> TableRun:
    """Return a table with these cells."""
    return TableRun(name, name.title(), "regression", n_rows, "0" * 64, TARGET, "one abalone", tuple(cells))
