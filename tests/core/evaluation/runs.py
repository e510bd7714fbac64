"""Runs that are sick in a known way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.samples import load_sample
from dpcp_core.data.schema import Column, Schema
from dpcp_core.evaluation.doctor import Finding
from dpcp_core.experiments.result import SimulationResult
from dpcp_core.experiments.run import simulate
from dpcp_core.experiments.settings import ConformalSettings

FEW_ROWS, MANY_ROWS, CLASSES = "diabetes", "blood_pressure", "readmission"


def run(sample: str | Dataset, choices: dict[str, Any]) -> SimulationResult:
    """Simulate with a few repetitions."""
    data = load_sample(sample) if isinstance(sample, str) else sample
    return simulate(data, ConformalSettings(**{"repetitions": 10, **choices}))


def codes(result: SimulationResult) -> list[str]:
    """Return the codes of all findings."""
    return [finding.code for finding in result.findings]


def finding_of(result: SimulationResult, code: str) -> Finding:
    """Return the one finding with this code."""
    (found,) = [finding for finding in result.findings if finding.code == code]
    return found


def clicked(sample: str | Dataset, before: SimulationResult, code: str) -> SimulationResult:
    """Simulate again with the change that a finding proposes."""
    data = load_sample(sample) if isinstance(sample, str) else sample
    change = finding_of(before, code).change
    assert change
    return simulate(data, before.settings.replace(**change))


def said(finding: Finding) -> tuple[str, str, str]:
    """Return the three sentences."""
    return finding.symptom, finding.cause, finding.remedy


def wide_table(n_rows: int = 100, n_columns: int = 60) -> Dataset:
    """More freedom than rows can tie down: a model that has seen a row fits it far too well."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(n_rows, n_columns)), columns=[f"x{i}" for i in range(n_columns)])
    frame["y"] = frame["x0"] + rng.normal(size=n_rows)
    features = [Column(name, "number", bounds=(-4, 4), typical=(-1, 1)) for name in frame.columns[:-1]]
    target = Column("y", "number", role="target", bounds=(-8, 8), typical=(-1.4, 1.4))
    return Dataset.from_frame(frame, Schema((*features, target), one_row_is="one patient"))


def line(n_rows: int = 2000, *, noise: float = 0.3, **columns: object) -> Dataset:
    """One feature that explains the target, and whatever else is given."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=n_rows)
    frame = pd.DataFrame({"x": x, "y": x + noise * rng.normal(size=n_rows)} | columns)
    features = [Column(name, "number", bounds=(-4, 4), typical=(-1, 1)) for name in frame.columns if name != "y"]
    target = Column("y", "number", role="target", bounds=(-8, 8), typical=(-1, 1))
    return Dataset.from_frame(frame, Schema((*features, target), one_row_is="one patient"))


def classes(*counts: int, pull: float = 3.0) -> Dataset:
    """Rows of classes a, b, ... so many each; one feature tells them apart by ``pull`` standard deviations."""
    rng = np.random.default_rng(0)
    codes_of_rows = np.repeat(np.arange(len(counts)), counts)
    x = pull * codes_of_rows + rng.normal(size=len(codes_of_rows))
    names = tuple("abcdefgh"[: len(counts)])
    frame = pd.DataFrame({"x": x, "kind": np.array(names)[codes_of_rows]})
    reach = pull * len(counts) + 4
    columns = (
        Column("x", "number", bounds=(-4, reach), typical=(-1, reach - 3)),
        Column("kind", "category", role="target", categories=names),
    )
    return Dataset.from_frame(frame, Schema(columns, one_row_is="one patient"))
