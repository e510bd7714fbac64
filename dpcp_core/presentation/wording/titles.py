"""The sentence above each picture: what it shows, in this run's numbers, without a full stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.plain import noun_of
from dpcp_core.presentation.wording.regions import everything, is_of_classes, is_whole_range, mean_size, size_phrase
from dpcp_core.presentation.wording.thresholds import threshold_noun

if TYPE_CHECKING:
    from dpcp_core.experiments.result import SimulationResult
    from dpcp_core.training.protocol import TrainingTrace


def strip_sentence(result: SimulationResult) -> str:
    """Say how many of the rows shown have the truth outside their interval or set."""
    covered = np.asarray(result.rows.covered, dtype=bool)
    total, outside = len(covered), int((~covered).sum())
    rows = say.count(total, f"held-out {noun_of(result)}")
    if is_of_classes(result):
        return f"{rows}: {_classes_outside(outside)}"
    if outside == 0:
        return f"{rows}: every true value falls inside its interval"
    values = "1 true value falls" if outside == 1 else f"{outside} true values fall"
    return f"{rows}: {values} outside {'its' if outside == 1 else 'their'} interval"


def _classes_outside(outside: int) -> str:
    if outside == 0:
        return "every true class is in its set"
    return "1 true class is not in its set" if outside == 1 else f"{outside} true classes are not in their set"


def mechanism_sentence(result: SimulationResult) -> str:
    """Say what the picture of the mechanism shows."""
    if result.distribution is None:
        if result.certificate.quantile_epsilon is not None:
            return "A threshold drawn with noise; for this method the chance of each is not worked out"
        return "This method draws nothing at random: its threshold is computed from the rows themselves"
    if is_whole_range(result):
        if is_of_classes(result):
            return f"The only threshold that can be promised lets {everything(result)} in"
        return f"The only {threshold_noun(result)} that can be promised is {everything(result)}"
    return "What could have been released, and how likely it was"


def spread_sentence(result: SimulationResult) -> str:
    """Say how coverage and size varied over repetitions."""
    n = len(result.coverage)
    size = "mean set size" if is_of_classes(result) else "mean width"
    if n == 1:
        return f"One repetition: coverage {say.percent(result.coverage_mean)}, {size} {mean_size(result)}"
    reached = int(np.sum(result.coverage >= result.settings.confidence_level))
    things = "sets" if is_of_classes(result) else "intervals"
    return (
        f"In {reached} of {n} repetitions coverage reached {say.level(result.settings.confidence_level)}; "
        f"on average it was {say.percent(result.coverage_mean)} with {things} {size_phrase(result)}"
    )


def sets_sentence(result: SimulationResult) -> str:
    """Say how sets share out between one class, several and none."""
    assert result.sets is not None
    single, empty = float(result.sets.singleton_share.mean()), float(result.sets.empty_share.mean())
    several = max(0.0, 1 - single - empty)
    nothing = f", {say.percent(empty)} none" if empty else ""
    return f"{say.percent(single)} of sets name one class, {say.percent(several)} several{nothing}"


def training_sentence(trace: TrainingTrace) -> str:
    """Say how training went: how far the loss fell, and how many rows were clipped at the end."""
    first, last = float(trace.loss[0]), float(trace.loss[-1])
    clipped = f"{say.percent(float(trace.clipped_share[-1]))} of the rows were clipped"
    if len(trace.step) == 1:
        return f"The model is found in one step, at a mean loss of {say.number(last, 3)}; {clipped}"
    way = "fell" if last < first else "rose" if last > first else "stayed"
    return (
        f"In {say.whole(float(trace.step[-1]))} steps the mean loss {way} from {say.number(first, 3)} to "
        f"{say.number(last, 3)}; at the end {clipped}"
    )
