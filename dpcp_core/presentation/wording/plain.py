"""Plain words: what a result means, for somebody who has never heard of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.nouns import plural, row_noun, shortened

if TYPE_CHECKING:
    from dpcp_core.data.schema import Column
    from dpcp_core.experiments.result import SimulationResult

SIMULATION = "Simulation: not a private release"
"""The badge that every page in simulation mode wears."""

SIMULATION_MEANING = (
    "A simulation hides some rows, makes intervals from the others, and looks whether they hold the hidden "
    "true values. It does so again and again, with noise from a seed. That look at real rows makes it "
    "useful, and makes it not private: its numbers are for you, not for publishing."
)
"""What simulation means, and why its numbers are not private."""


_IN_POWERS = re.compile(r"\b\d\.?\d*e[+-]\d+\b")


def noun_of(result: SimulationResult) -> str:
    """Return what one row stands for, as a noun: "patient"."""
    return row_noun(result.one_row_is)


def axis_title(column: Column) -> str:
    """Return the title of an axis that shows a column: name and unit."""
    return say.axis(shortened(column.title), column.unit)


def true_value_of(column: Column) -> str:
    """Return how a sentence speaks of somebody's value: a label is a phrase, a column's bare name is not.

    >>> from dpcp_core.data.column import Column
    >>> true_value_of(Column("sbp", "number", label="Systolic blood pressure")), true_value_of(Column("G3", "integer"))
    ('true systolic blood pressure', 'true value of G3')
    """
    if not column.label:
        return f"true value of {shortened(column.name)}"
    return f"true {say.mid_sentence(shortened(column.label))}"


def is_private(result: SimulationResult) -> bool:
    """Whether the run's receipt has a finite total."""
    return bool(np.isfinite(result.receipt.total.epsilon))


def is_whole_range(result: SimulationResult) -> bool:
    """Whether the threshold had to be the whole range, because nothing narrower can be promised."""
    return any(finding.code in ("nothing_certified", "level_too_small") for finding in result.findings)


def plain_words(result: SimulationResult) -> str:
    """Say what the intervals mean for people like those in the table, and what nobody can say.

    Returns
    -------
    str
        A short paragraph; every number in it is computed from the result.
    """
    if is_whole_range(result):
        return _whole_range_words(result)
    return " ".join((_coverage_words(result), _cost_words(result)))


def _coverage_words(result: SimulationResult) -> str:
    people, width = plural(noun_of(result)), mean_width(result)
    inside = f"the {true_value_of(result.target)} fell inside its interval, on average {width} wide."
    if result.coverage_mean == 1:
        return f"For all {people} that were held out, {inside}"
    hits, total = say.out_of(result.coverage_mean)
    most, few = ("more than", "fewer than") if result.coverage_mean > 0.995 else ("about", "about")
    return (
        f"For {most} {hits} in {total} {people} like those in this table, {inside} For {few} "
        f"{total - hits} in {total} it did not. We cannot say which group this {noun_of(result)} is in."
    )


def _cost_words(result: SimulationResult) -> str:
    if not is_private(result):
        return "These intervals are not private: they may give away somebody's exact value."
    cost = width_cost(result)
    return "Privacy costs no width here." if cost.startswith("as wide") else f"Intervals are {cost}."


def _whole_range_words(result: SimulationResult) -> str:
    target = result.target
    whole = f", {say.span(*target.bounds, target.unit)}," if target.bounds else ""
    return (
        f"At these settings every interval is the whole range{whole} so it holds every true value and says "
        f"nothing about this {noun_of(result)}."
    )


def mean_width(result: SimulationResult) -> str:
    """Return the mean interval width with its unit; nothing but rounding is 0."""
    width = result.size_mean
    return say.quantity(0.0 if width <= _almost_nothing(result) else width, result.target.unit)


def width_cost(result: SimulationResult) -> str:
    """Compare mean interval width with the one without privacy, in per cent and in the target's unit.

    Returns
    -------
    str
        For example ``"4 % (1.5 mmHg) wider than without privacy"``.
    """
    without = float(np.mean(result.reference_size))
    difference, unit = result.size_mean - without, result.target.unit
    if without <= _almost_nothing(result):
        is_point = result.size_mean <= _almost_nothing(result)
        return "as wide as without privacy" if is_point else "wider than without privacy, where they are almost points"
    share = difference / without
    if abs(share) < 0.005:
        return "as wide as without privacy"
    if share >= 1:
        return f"{say.number(1 + share)} times as wide as without privacy ({say.quantity(difference, unit)} more)"
    size = f"{say.number(100 * abs(share), 1)}{say.NARROW}% ({say.quantity(abs(difference), unit)})"
    return f"{size} {'wider' if share > 0 else 'narrower'} than without privacy"


def _almost_nothing(result: SimulationResult) -> float:
    """Return a width below which intervals are points: every true value lies on its prediction."""
    low, high = result.target.bounds or (0.0, 0.0)
    return 1e-9 * (high - low)


def certificate_sentence(result: SimulationResult) -> str:
    """Say whether coverage is certified, for whom, and why or why not."""
    certificate, people = result.certificate, plural(noun_of(result))
    if not certificate.holds:
        return f"Coverage is not certified. {_sentence(certificate.reason)}"
    return (
        f"Certified for new {people} drawn from where these {say.whole(certificate.n)} came from. "
        f"{_sentence(certificate.reason)}"
    )


def _sentence(text: str) -> str:
    text = _IN_POWERS.sub(lambda found: say.number(float(found[0]), 3), text.strip())
    if not text:
        return ""
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def strip_sentence(result: SimulationResult) -> str:
    """Say how many of the rows shown fall outside their interval: the title of the strip."""
    covered = np.asarray(result.rows.covered, dtype=bool)
    total, outside = len(covered), int((~covered).sum())
    rows = say.count(total, f"held-out {noun_of(result)}")
    if outside == 0:
        return f"{rows}: every true value falls inside its interval"
    values = "1 true value falls" if outside == 1 else f"{outside} true values fall"
    return f"{rows}: {values} outside {'its' if outside == 1 else 'their'} interval"


def mechanism_sentence(result: SimulationResult) -> str:
    """Say what the picture of the mechanism shows: its title, without a full stop."""
    if result.distribution is None:
        return "This method draws nothing at random: its threshold is computed from the rows themselves"
    if is_whole_range(result):
        return "The only half-width that can be promised is the whole range"
    return "What could have been released, and how likely it was"


def spread_sentence(result: SimulationResult) -> str:
    """Say how coverage and width varied over repetitions: the title of that picture."""
    n = len(result.coverage)
    unit = result.target.unit
    if n == 1:
        return (
            f"One repetition: coverage {say.percent(result.coverage_mean)}, mean width "
            f"{say.quantity(result.size_mean, unit)}"
        )
    reached = int(np.sum(result.coverage >= result.settings.confidence_level))
    return (
        f"In {reached} of {n} repetitions coverage reached {say.level(result.settings.confidence_level)}; "
        f"on average it was {say.percent(result.coverage_mean)} with intervals "
        f"{say.quantity(result.size_mean, unit)} wide"
    )
