"""What a synthetic table is scored by: names, sentences and numbers, the same on the page and the command line.

>>> MEASURES["auc"], MEASURE_TITLES["rmse"]
('AUC', 'Typical error')
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from dpcp_core.presentation.wording import numbers as say

if TYPE_CHECKING:
    from dpcp_core.experiments.synthesis.measured import Measured
    from dpcp_core.experiments.synthesis.result import SynthesisResult

MEASURES: Mapping[str, str] = MappingProxyType(
    {
        "accuracy": "accuracy",
        "f1": "F1",
        "auc": "AUC",
        "balanced_accuracy": "balanced accuracy",
        "rmse": "typical error",
        "r2": "R²",
    }
)
"""What each measure is called within a sentence."""

MEASURE_TITLES: Mapping[str, str] = MappingProxyType(
    {key: f"{name[0].upper()}{name[1:]}" for key, name in MEASURES.items()}
)
"""What each measure is called by itself."""

MEASURE_SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        "accuracy": "Accuracy is the share of held-out rows whose class is predicted correctly.",
        "f1": "F1 says how well the second class is found without false alarms; with more classes, the mean over them.",
        "auc": "AUC is the chance that a row of the class ranks above a row that is not of it; a guess reaches 0.5.",
        "balanced_accuracy": (
            "Balanced accuracy is the mean, over the classes, of the share of their rows that is predicted correctly: "
            "rare classes count as much as common ones."
        ),
        "rmse": "The typical error (RMSE) is in the target's unit; smaller is better.",
        "r2": "R² is the share of the variation that is explained; a guess of the mean reaches 0.",
    }
)

SHARES_OF_ROWS = frozenset({"accuracy", "balanced_accuracy"})
"""Measures that are told in per cent."""


def score_words(result: SynthesisResult, measure: str, value: float, digits: int = 3) -> str:
    """Return a score as a person reads it; ``digits`` are those of an error in the target's unit."""
    if math.isnan(value):
        return "not measured"
    if measure in SHARES_OF_ROWS:
        return say.percent(value)
    if measure == "rmse":
        return say.quantity(value, result.target.unit if result.target else "", digits)
    return say.fixed(value, 3)


def score_text(result: SynthesisResult, measure: str, found: Measured) -> str:
    """Write a score, with its standard deviation where it was measured more than once."""
    text = score_words(result, measure, found.mean)
    if found.n < 2:
        return text
    if measure in SHARES_OF_ROWS:
        return f"{text} ± {say.fixed(100 * found.sd, 1)}"
    return f"{text} ± {say.number(found.sd, 2) if measure == 'rmse' else say.fixed(found.sd, 3)}"
