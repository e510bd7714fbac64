"""The three readouts of a result: coverage, width, privacy. Each compares, and none is cut off."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.odds import delta_sentence, moved, odds_sentence, times
from dpcp_core.presentation.wording.plain import is_private, is_whole_range, mean_width, noun_of, width_cost

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
    """Return the readouts of coverage, width and privacy, in this order."""
    return coverage_readout(result), width_readout(result), privacy_readout(result)


def coverage_readout(result: SimulationResult) -> Readout:
    """Say how often intervals held the truth, against the target, with the uncertainty of that."""
    low, high = result.coverage_interval
    target = result.settings.confidence_level
    above = 100 * (result.coverage_mean - target)
    half = 100 * max(high - result.coverage_mean, result.coverage_mean - low)
    n_decimals = 1 if half >= 0.05 or abs(above) >= 0.05 else 2
    uncertainty = f"±{say.FIXED}{say.fixed(half, n_decimals)}"
    place = _place(above, n_decimals, say.level(target))
    held_out = say.count(result.n_test, f"held-out {noun_of(result)}")
    repetitions = len(result.coverage)
    averaged = f", on average over {repetitions} repetitions" if repetitions > 1 else ""
    return Readout(
        label="Coverage",
        value=say.percent(result.coverage_mean),
        comparison=f"{place}, {uncertainty}" if half else f"{place}, in every repetition",
        sentence=(
            f"Intervals held the true value of {say.percent(result.coverage_mean)} of {held_out}{averaged}: "
            f"{place}."
            + (f" {uncertainty} points is the {_source(repetitions)}." if half else " Every repetition gave the same.")
        ),
        hint=(
            "Coverage is the share of intervals that hold the true value. It is measured on rows that were "
            "hidden while intervals were made."
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


def width_readout(result: SimulationResult) -> Readout:
    """Say how wide intervals are, against those without privacy."""
    unit, bounds = result.target.unit, result.target.bounds
    value = mean_width(result)
    comparison = "the whole range" if is_whole_range(result) else width_cost(result)
    share = ""
    if bounds and not is_whole_range(result):
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


def privacy_readout(result: SimulationResult) -> Readout:
    """Say what privacy means in odds, for the total on the receipt."""
    total, noun = result.receipt.total, noun_of(result)
    sentence = odds_sentence(total.epsilon, noun)
    hint = (
        f"The privacy budget ε limits how much odds about one {noun} can change, for any onlooker and "
        "whatever else is published. It is a worst case, not a forecast. It protects the rows used here, not "
        "the person an interval is made for."
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
