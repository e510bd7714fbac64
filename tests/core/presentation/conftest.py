"""Real results, each simulated once however many tests look at it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.samples import load_sample
from dpcp_core.data.schema import Column, Schema
from dpcp_core.experiments.result import SimulationResult
from dpcp_core.experiments.run import simulate
from dpcp_core.experiments.settings import ConformalSettings

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "default": ("blood_pressure", {}),
    "strong": ("blood_pressure", {"epsilon": 0.1}),
    "weak": ("blood_pressure", {"epsilon": 8.0}),
    "nothing": ("diabetes", {"epsilon": 0.25}),
    "few": ("diabetes", {"epsilon": 4.0}),
    "paper": ("blood_pressure", {"method": "dpcp_paper", "epsilon": 5.0}),
    "pscp": ("blood_pressure", {"method": "pscp"}),
    "split_rows": ("blood_pressure", {"stability": "split"}),
    "naive": ("blood_pressure", {"method": "naive"}),
    "oracle": ("blood_pressure", {"method": "oracle"}),
    "once": ("blood_pressure", {"repetitions": 1}),
    "days": ("length_of_stay", {}),
    "coarse": ("blood_pressure", {"bins": 10}),
    "fine": ("blood_pressure", {"bins": 1000, "grid": "uniform"}),
    "relative": ("blood_pressure", {"score": "normalized"}),
    "bought": ("blood_pressure", {"bound_share": 0.2}),
    "histogram": ("blood_pressure", {"method": "laplace_histogram"}),
    "search": ("blood_pressure", {"method": "pcoqs"}),
    "clipped": ("blood_pressure", {"method": "clip_only"}),
    "own_groups": ("blood_pressure", {"by_group": True}),
    "classes": ("readmission", {}),
    "class_groups": ("readmission", {"by_group": True, "repetitions": 3}),
    "tumours": ("breast_cancer", {"epsilon": 4.0, "allow_empty": True}),
    "class_once": ("breast_cancer", {"epsilon": 4.0, "repetitions": 1}),
    "cumulative": ("breast_cancer", {"epsilon": 8.0, "score": "aps_randomized"}),
    "both": ("readmission", {"score": "aps", "repetitions": 3}),
    "every_class": ("breast_cancer", {"epsilon": 0.05}),
    "class_oracle": ("breast_cancer", {"method": "oracle"}),
    "many": ("lenses", {"epsilon": 8.0, "repetitions": 3}),
}
CLASSES = (
    "classes", "class_groups", "tumours", "class_once", "cumulative", "both", "every_class", "class_oracle", "many",
)  # fmt: skip


def lenses(n_classes: int = 24, n: int = 3000) -> Dataset:
    """Return a table whose target has more classes than a picture has lanes, one of them without rows."""
    rng = np.random.default_rng(0)
    centres, kind = rng.normal(0, 1.5, (n_classes, 4)), rng.integers(0, n_classes - 1, n)
    frame = pd.DataFrame((centres[kind] + rng.normal(0, 0.4, (n, 4))).round(3), columns=list("abcd"))
    names = tuple(f"kind {code}" for code in range(n_classes))
    features = tuple(Column(name, "number", bounds=(-6, 6), typical=(-1.5, 1.5)) for name in "abcd")
    target = Column("kind", "category", "target", categories=names, label="Kind of lens")
    schema = Schema((*features, target), one_row_is="one lens")
    return Dataset.from_frame(frame.assign(kind=np.asarray(names)[kind]), schema, "lenses")


@cache
def simulated(case: str) -> SimulationResult:
    sample, choices = CASES[case]
    return simulate(lenses() if sample == "lenses" else load_sample(sample), ConformalSettings(**choices))


@pytest.fixture(scope="session")
def result_of() -> Callable[[str], SimulationResult]:
    """Return a function from the name of a case to its result."""
    return simulated


@pytest.fixture(params=CASES, scope="session")
def any_result(request: pytest.FixtureRequest) -> SimulationResult:
    """Every case in turn."""
    return simulated(request.param)


@pytest.fixture(params=CLASSES, scope="session")
def any_sets(request: pytest.FixtureRequest) -> SimulationResult:
    """Every case of classes in turn."""
    return simulated(request.param)
