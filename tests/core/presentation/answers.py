"""Hand-made answers of a goal-first search."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcp_core.experiments.goal import Goal, GoalAnswer
from dpcp_core.experiments.goal.look import Look
from dpcp_core.experiments.settings import ConformalSettings
from tests.core.presentation.maps import KIND, PRESSURE, cell

SIZES = {0.1: 60.0, 0.2: 42.0, 0.4: 38.0, 1.0: 34.0, 10.0: 31.0}


def look(epsilon: float, size: float, goal: Goal, **told: Any) -> Look:
    """Return one look, of one seed."""
    return Look(epsilon, told.get("training_share", 0.5), goal, (cell(size, epsilon=epsilon, **told),))


def answer(*, task: Any = "regression", sizes: dict[float, float] | None = None, **told: Any) -> GoalAnswer:
    """Return an answer to a goal of 40, or of 1.5 classes; whatever is told replaces what it holds."""
    goal = told.pop("goal", None) or (Goal(coverage=0.9, size=1.5) if task == "classification" else Goal(0.9, width=40))
    looks = tuple(look(epsilon, size, goal, task=task) for epsilon, size in (sizes or SIZES).items())
    epsilon = told.get("epsilon", 0.4)
    held: dict[str, Any] = {
        "goal": goal,
        "settings": ConformalSettings(),
        "status": "reached" if epsilon else "unreachable",
        "epsilon": epsilon,
        "low": 0.2 if epsilon else None,
        "high": epsilon,
        "until": None,
        "training_share": 0.5,
        "largest_epsilon": 10.0,
        "looks": looks,
        "best": next((one for one in looks if one.epsilon == epsilon), looks[-1] if looks else None),
        "why": "" if epsilon else "epsilon",
        "needed_epsilon": None,
        "rows": None,
        "feasibility": None,
        "reference_size": 30.0,
        "reference_interval": (29.5, 30.5),
        "dataset_name": "made by hand",
        "dataset_digest": "0",
        "target": KIND if task == "classification" else PRESSURE,
        "task": task,
        "n": 3200,
        "seconds": 1.0,
    }
    return GoalAnswer(**{**held, **told})


def nothing_computed(goal: Goal) -> Look:
    """Return a look that could not be computed."""
    failed = cell(1.0, epsilon=0.01)
    object.__setattr__(failed, "problem", "Too few rows.")
    for name in ("size", "coverage", "reference_size"):
        object.__setattr__(failed, name, np.empty(0))
    return Look(0.01, 0.5, goal, (failed,))
