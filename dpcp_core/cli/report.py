"""A simulation's result as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpcp_core.experiments.result import SimulationResult


def report_text(result: SimulationResult) -> str:
    raise NotImplementedError
