"""The three readouts of a result: coverage, width or set size, privacy. Each compares, and none is cut off."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.odds import delta_sentence, moved, odds_sentence, times
from dpcp_core.presentation.wording.plain import is_private, noun_of
from dpcp_core.presentation.wording.regions import (
    everything,
    is_of_classes,
    mean_size,
    says_nothing,
    size_cost,
    thing,
    truth,
)

if TYPE_CHECKING:
    from dpcp_core.experiments.result import SimulationResult

Tone = Literal["plain", "attention"]


@dataclass(frozen=True)
class Readout:
    """One number that a person takes away.

    Attributes
    ----------
    label
        What it is, in at most three words.
    value
        The number with its unit.
    comparison
        Against what it is large or small.
    sentence
        All of it in one or two full sentences, also for a screen reader.
    hint
        What the words in it mean.
    tone
        ``"attention"`` where it breaks what was asked for; never for a strong privacy budget.
    """

    label: str
    value: str
    comparison: str
    sentence: str
    hint: str
    tone: Tone = "plain"


def readouts(result: SimulationResult) -> tuple[Readout, Readout, Readout]:
    """Return the readouts of coverage, size and privacy, in this order."""
    return coverage_readout(result), size_readout(result), privacy_readout(result)


def coverage_readout(result: SimulationResult) -> Readout:
    """Say how often intervals or sets held the truth, against the target, with the uncertainty of that."""
    low, high = result.coverage_interval
    target = result.settings.confidence_level
    above = 100 * (result.coverage_mean - target)
    half = 100 * max(high - result.coverage_mean, result.coverage_mean - low)
    n_decimals = 1 if half >= 0.05 or abs(above) >= 0.05 else 2
    uncertainty = f"±{say.FIXED}{say.fixed(half, n_decimals)}"
    place = _place(above, n_decimals, say.level(target))
    held_out = say.count(result.n_test, f"held-out {noun_of(result)}")
    repetitions, things = len(result.coverage), f"{thing(result)}s"
    averaged = f", on average over {repetitions} repetitions" if repetitions > 1 else ""
    return Readout(
        label="Coverage",
        value=say.percent(result.coverage_mean),
        comparison=f"{place}, {uncertainty}" if half else f"{place}, in every repetition",
        sentence=(
            f"{things.capitalize()} held the {truth(result)} of {say.percent(result.coverage_mean)} of "
            f"{held_out}{averaged}: "
            f"{place}."
            + (f" {uncertainty} points is the {_source(repetitions)}." if half else " Every repetition gave the same.")
        ),
        hint=(
            f"Coverage is the share of {things} that hold the {truth(result)}. It is measured on rows that were "
            f"hidden while {things} were made."
        ),
        tone="attention" if high < target else "plain",
    )


def _place(above: float, n_decimals: int, target: str) -> str:
    points = say.fixed(abs(above), n_decimals)
    if float(points) == 0:
        return f"just the {target} target"
    noun = "point" if float(points) == 1 else "points"
    return f"{points} {noun} {'above' if above > 0 else 'below'} the {target} target"


def _source(repetitions: int) -> str:
    if repetitions > 1:
        return f"95{say.NARROW}% uncertainty of that average under new splits and new noise"
    return f"95{say.NARROW}% uncertainty that comes from the number of held-out rows"


def size_readout(result: SimulationResult) -> Readout:
    """Say how wide intervals or how large sets are, against those without privacy."""
    return _set_readout(result) if is_of_classes(result) else _width_readout(result)


def _width_readout(result: SimulationResult) -> Readout:
    unit, bounds = result.target.unit, result.target.bounds
    value, comparison = mean_size(result), _compared(result)
    share = ""
    if bounds and not says_nothing(result):
        part = say.percent(result.size_mean / (bounds[1] - bounds[0]), 0)
        share = f" That is {part} of the range {say.span(*bounds, unit)}."
    return Readout(
        label="Interval width",
        value=value,
        comparison=comparison,
        sentence=f"Intervals are {value} wide on average, {comparison}.{share}",
        hint=(
            "From the lower to the upper end. “Without privacy” is the same kind of model and interval, made "
            "from all rows with no noise."
        ),
    )


def _set_readout(result: SimulationResult) -> Readout:
    assert result.sets is not None
    value, comparison = mean_size(result), _compared(result)
    single = say.percent(float(result.sets.singleton_share.mean()), 0)
    empty = float(result.sets.empty_share.mean())
    none = f", and {say.percent(empty)} name none" if empty else ""
    n_classes = say.whole(len(result.target.categories))
    return Readout(
        label="Set size",
        value=value,
        comparison=comparison,
        sentence=(
            f"Sets hold {value} of {n_classes} on average, {comparison}. {single} of them name a single class{none}."
        ),
        hint=(
            "The number of classes in a set: one is a clear answer, all of them is none. “Without privacy” is the "
            "same kind of model and set, made from all rows with no noise."
        ),
    )


def _compared(result: SimulationResult) -> str:
    return everything(result) if says_nothing(result) else size_cost(result)


def privacy_readout(result: SimulationResult) -> Readout:
    """Say what privacy means in odds, for the total on the receipt."""
    total, noun = result.receipt.total, noun_of(result)
    sentence = odds_sentence(total.epsilon, noun)
    hint = (
        f"The privacy budget ε limits how much odds about one {noun} can change, for any onlooker and "
        "whatever else is published. It is a worst case, not a forecast. It protects the rows used here, not "
        f"the person {'a set' if is_of_classes(result) else 'an interval'} is made for."
    )
    if not is_private(result):
        return Readout("Privacy", "no bound", "nothing is protected: ε is infinite", sentence, hint, "attention")
    return Readout(
        label="Privacy",
        value=f"at most {moved(total.epsilon)}",
        comparison=f"from 50 in 100: odds grow at most {times(total.epsilon)}",
        sentence=f"{sentence} {delta_sentence(total.delta, result.n, noun)}",
        hint=hint,
        tone="attention" if total.delta * result.n >= 1 and math.isfinite(total.delta) else "plain",
    )
