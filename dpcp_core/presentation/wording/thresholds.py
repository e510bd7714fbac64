"""How one speaks of a threshold: a half-width with its unit, so many usual distances, or a bare score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpcp_core.conformal.scores import SCORES
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.regions import is_of_classes

if TYPE_CHECKING:
    from dpcp_core.conformal.scores.protocol import Score
    from dpcp_core.experiments.result import SimulationResult


def score_of(result: SimulationResult) -> Score:
    """Return the score of a run."""
    return SCORES[result.settings.score]


def threshold_noun(result: SimulationResult) -> str:
    """Return what a threshold is called: "half-width" where it is a distance on the target's scale."""
    return "half-width" if score_of(result).in_target_unit else "threshold"


def threshold_unit(result: SimulationResult) -> str:
    """Return the unit of thresholds: the target's own only where a threshold is a distance on its scale."""
    return result.target.unit if score_of(result).in_target_unit else ""


def threshold_in_words(result: SimulationResult, value: float, digits: int = 3) -> str:
    """Return a threshold as it stands in a sentence.

    Returns
    -------
    str
        ``"± 12.3 mmHg"``, ``"± 1.31 times the usual distance"`` or ``"0.870"``.
    """
    if score_of(result).in_target_unit or _is_relative(result):
        return f"±{say.FIXED}{step_in_words(result, value, digits)}"
    return say.number(value, digits)


def step_in_words(result: SimulationResult, value: float, digits: int = 2) -> str:
    """Return a difference between thresholds, with its unit."""
    text = say.quantity(value, threshold_unit(result), digits)
    return f"{text} times the usual distance" if _is_relative(result) else text


def threshold_title(result: SimulationResult) -> str:
    """Return the title of an axis of thresholds."""
    if _is_relative(result):
        return "Half-width of an interval, times the usual distance"
    if score_of(result).in_target_unit:
        return say.axis("Half-width of an interval", result.target.unit)
    inside = "a set" if is_of_classes(result) else "an interval"
    return f"Threshold: largest {score_of(result).title} inside {inside}"


def _is_relative(result: SimulationResult) -> bool:
    return score_of(result).needs_spread
