"""Hand-made maps of the budget: every number in them is chosen, so that every word about them can be checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcp_core.data.column import Column
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.splits import SplitMap
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.experiments.sweep.plan import SweepPlan
from dpcp_core.presentation.wording import numbers as say

PRESSURE = Column("sbp", "number", "target", bounds=(70, 250), unit="mmHg", label="Systolic blood pressure")
KIND = Column("kind", "category", "target", categories=("a", "b", "c"), label="Kind")
REPETITIONS = 5
JITTER = np.array([-0.1, -0.05, 0.0, 0.06, 0.09])


def cell(size: float, *, coverage: float = 0.91, **told: Any) -> CellResult:
    """Return a cell whose repetitions lie closely around a size and a coverage."""
    settings = {name: told.pop(name) for name in ("epsilon", "training_share", "bins") if name in told}
    task = told.pop("task", "regression")
    return CellResult(
        ConformalSettings(repetitions=REPETITIONS, **settings),
        task=task,
        n=3200,
        n_test=800,
        coverage=coverage + JITTER / 100,
        size=size * (1 + JITTER / 100),
        certified=told.pop("certified", True),
        **told,
    )


def shares(sizes: dict[float, float], *, epsilon: float = 1.0, task: Any = "regression", **told: Any) -> SplitMap:
    """Return a map over shares at one epsilon."""
    cells = [cell(size, epsilon=epsilon, training_share=share, task=task, **told) for share, size in sizes.items()]
    plan = SweepPlan.of(ConformalSettings(repetitions=REPETITIONS), training_share=list(sizes), epsilons=[epsilon])
    return SplitMap.growing(plan, "training_share", PRESSURE if task == "regression" else KIND, task, cells)


def bins(sizes: dict[int, float]) -> SplitMap:
    """Return a map over bins at epsilon 1."""
    plan = SweepPlan.of(ConformalSettings(repetitions=REPETITIONS), bins=list(sizes), epsilons=[1.0])
    return SplitMap.growing(plan, "bins", PRESSURE, "regression", [cell(s, bins=b) for b, s in sizes.items()])


def plain(text: str) -> str:
    """Return text with every space an ordinary one."""
    return text.replace(say.NARROW, " ").replace(say.FIXED, " ")
