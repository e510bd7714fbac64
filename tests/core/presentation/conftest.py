"""Real results, each simulated once however many tests look at it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from dpcp_core.data.samples import load_sample
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
}


@cache
def simulated(case: str) -> SimulationResult:
    sample, choices = CASES[case]
    return simulate(load_sample(sample), ConformalSettings(**choices))


@pytest.fixture(scope="session")
def result_of() -> Callable[[str], SimulationResult]:
    """Return a function from the name of a case to its result."""
    return simulated


@pytest.fixture(params=CASES, scope="session")
def any_result(request: pytest.FixtureRequest) -> SimulationResult:
    """Every case in turn."""
    return simulated(request.param)
