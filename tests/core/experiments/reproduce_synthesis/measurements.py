"""Measurements made by hand, so that a test knows what a check must say of them; and a small table in a known form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from dpcp_core.evaluation.utility.scores import ClassScores
from dpcp_core.experiments.reproduce_synthesis.evidence import TableCells
from dpcp_core.experiments.reproduce_synthesis.measurement import Measurement, ModelScores
from dpcp_core.experiments.reproduce_synthesis.methods import METHODS
from dpcp_core.experiments.reproduce_synthesis.plan import Cell

MODELS = ("logistic", "svm", "mlp")
_SPREAD = (-0.001, 0.0, 0.001)


def measured(
    method: str = "shuffle",
    epsilon: float = 1.0,
    *,
    accuracy: float = 0.83,
    f1: float = 0.6,
    real: float = 0.85,
    guess_f1: float = 0.0,
    label_rate: float = 0.24,
    two_way: float = 0.05,
    feature: float = 0.001,
    seconds: float = 2.0,
    task_model: str = "mlp",
    **cell: object,
) -> list[Measurement]:
    """Return three repetitions around these means, which differ by the split and alike for every method."""
    model = "" if METHODS[method].is_rival else task_model
    return [
        Measurement(
            cell=Cell(method, model, epsilon, seed, **cell),
            n_train=80,
            n_test=10,
            n_leaked=0,
            is_private=method != "shuffle",
            models=tuple(
                ModelScores(name, _scores(accuracy + 20 * off, f1 + 20 * off), _scores(real + 20 * off, 0.65))
                for name in MODELS
            ),
            guess=_scores(0.76, guess_f1 + 20 * off),
            label_rate=label_rate + off,
            real_label_rate=0.24,
            feature_error=feature,
            two_way_error=two_way + off,
            seconds=seconds,
        )
        for seed, off in enumerate(_SPREAD)
    ]


def stopped(method: str, seconds: float = 600.0) -> list[Measurement]:
    """Return repetitions of a rival that was stopped."""
    return [
        replace(
            one,
            models=(),
            guess=None,
            seconds=seconds,
            problem=f"{METHODS[method].title} was stopped.",
            is_timeout=True,
        )
        for one in measured(method)
    ]


def table_of(*groups: Sequence[Measurement], name: str = "adult") -> TableCells:
    """Return a table with these measurements."""
    cells = tuple(one for group in groups for one in group)
    return TableCells(name, {"lpd": "LPD"}.get(name, name.title()), 100, "0" * 64, ">50K", cells)


def write_br2000(folder: Path, n_rows: int = 240) -> Path:
    """Write simulated rows in the form of Br2000."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"attr_{place:02d}": rng.integers(0, 2, n_rows) for place in range(14)})
    frame["attr_13"] = ((frame["attr_00"] + frame["attr_01"] + rng.normal(0, 0.4, n_rows)) > 1).astype(int)
    folder.mkdir(exist_ok=True)
    path = folder / "br2000.csv"
    frame.to_csv(path, index=False)
    return path


def _scores(accuracy: float, f1: float) -> ClassScores:
    return ClassScores(accuracy, f1, 0.8, 0.7)
