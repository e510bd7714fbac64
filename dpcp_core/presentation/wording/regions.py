"""How one speaks of what is said about a row: an interval and its width, or a set of classes and its size.

``thing`` and ``everything`` name it, ``mean_size`` and ``size_cost`` measure it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dpcp_core.experiments.result import largest_size as of_target
from dpcp_core.presentation.wording import numbers as say

if TYPE_CHECKING:
    from dpcp_core.data.schema import Column
    from dpcp_core.experiments.result import SimulationResult
    from dpcp_core.training.protocol import Task

SAME_SHARE = 0.005
"""Below this difference from the size without privacy, the two count as the same."""


def is_of_classes(result: SimulationResult) -> bool:
    """Whether sets of classes are made, and not intervals."""
    return result.sets is not None


def thing(result: SimulationResult) -> str:
    """Return what is made for each row: "interval", or "set"."""
    return "set" if is_of_classes(result) else "interval"


def truth(result: SimulationResult) -> str:
    """Return what it should hold: "true value", or "true class"."""
    return "true class" if is_of_classes(result) else "true value"


def everything(result: SimulationResult) -> str:
    """Return what it is at its largest: "the whole range", or "every class"."""
    return "every class" if is_of_classes(result) else "the whole range"


def is_whole_range(result: SimulationResult) -> bool:
    """Whether the threshold had to be the largest, because nothing smaller can be promised."""
    return result.certificate.nothing_narrower


def says_nothing(result: SimulationResult) -> bool:
    """Whether every interval is the whole range, or every set all classes: forced, or as it came out."""
    return is_whole_range(result) or bool(result.size.min() >= largest_size(result) * (1 - 1e-9))


def largest_size(result: SimulationResult) -> float:
    """Return the size of what says nothing: the width of the bounds, or the number of classes."""
    return of_target(result.target, result.task)


def mean_size(result: SimulationResult) -> str:
    """Return the mean width with its unit, or the mean number of classes; nothing but rounding is 0."""
    if is_of_classes(result):
        return classes(result.size_mean)
    width = result.size_mean
    return say.quantity(0.0 if width <= _almost_nothing(result) else width, result.target.unit)


def classes(size: float) -> str:
    r"""Write a mean number of classes.

    >>> classes(1.1764), classes(1.0), classes(2)
    ('1.18\xa0classes', '1\xa0class', '2\xa0classes')
    """
    text = say.short(size, 3)
    return f"{text}{say.FIXED}{'class' if text == '1' else 'classes'}"


def size_words(target: Column, task: Task, size: float, digits: int = 3) -> str:
    r"""Return a mean size with its unit.

    >>> from dpcp_core.data.column import Column
    >>> size_words(Column("sbp", "number", unit="mmHg"), "regression", 41.26)
    '41.3\xa0mmHg'
    """
    return classes(size) if task == "classification" else say.quantity(size, target.unit, digits)


def size_in_words(result: SimulationResult, size: float, digits: int = 3) -> str:
    """Return a size with its unit."""
    return size_words(result.target, result.task, size, digits)


def size_title(result: SimulationResult) -> str:
    """Return the title of an axis of mean sizes."""
    return "Mean classes in a set" if is_of_classes(result) else say.axis("Mean interval width", result.target.unit)


def size_phrase(result: SimulationResult) -> str:
    """Return how large intervals or sets are, to stand behind "intervals are"."""
    return f"of {mean_size(result)}" if is_of_classes(result) else f"{mean_size(result)} wide"


def size_cost(result: SimulationResult) -> str:
    """Compare the mean size with the one without privacy.

    Returns
    -------
    str
        For example ``"4 % (1.5 mmHg) wider than without privacy"`` or ``"12 % larger than without privacy"``.
    """
    without = float(np.mean(result.reference_size))
    if without <= _almost_nothing(result):
        return _beside_nothing(result)
    share = (result.size_mean - without) / without
    large, larger, smaller = ("large", "larger", "smaller") if is_of_classes(result) else ("wide", "wider", "narrower")
    if abs(share) < SAME_SHARE:
        return f"as {large} as without privacy"
    if share >= 1:
        return f"{say.number(1 + share)} times as {large} as without privacy{_more(result, without)}"
    size = f"{say.number(100 * abs(share), 1)}{say.NARROW}%{_difference(result, without)}"
    return f"{size} {larger if share > 0 else smaller} than without privacy"


def _more(result: SimulationResult, without: float) -> str:
    if is_of_classes(result):
        return ""
    return f" ({say.quantity(result.size_mean - without, result.target.unit)} more)"


def _difference(result: SimulationResult, without: float) -> str:
    if is_of_classes(result):
        return ""
    return f" ({say.quantity(abs(result.size_mean - without), result.target.unit)})"


def _beside_nothing(result: SimulationResult) -> str:
    same = result.size_mean <= _almost_nothing(result)
    if is_of_classes(result):
        return "as empty as without privacy" if same else "larger than without privacy, where they are empty"
    return "as wide as without privacy" if same else "wider than without privacy, where they are almost points"


def costs_nothing(result: SimulationResult) -> bool:
    """Whether intervals or sets are as large as without privacy."""
    return size_cost(result).startswith("as ")


def _almost_nothing(result: SimulationResult) -> float:
    """Return a width below which intervals are points: every true value lies on its prediction."""
    low, high = result.target.bounds or (0.0, 0.0)
    return 1e-9 * (high - low)
