"""Plain words: what a result means, for somebody who has never heard of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.nouns import plural, row_noun, shortened
from dpcp_core.presentation.wording.on_page import on_page
from dpcp_core.presentation.wording.regions import (
    costs_nothing,
    is_of_classes,
    mean_size,
    says_nothing,
    size_cost,
    thing,
)

if TYPE_CHECKING:
    from dpcp_core.data.schema import Column
    from dpcp_core.experiments.result import SimulationResult

SIMULATION = "Simulation: not a private release"
"""The badge that every page in simulation mode wears."""

SIMULATION_MEANING = (
    "A simulation hides some rows, makes intervals or sets from the others, and looks whether they hold the hidden "
    "true values. It does so again and again, with noise from a seed. That look at real rows makes it "
    "useful, and makes it not private: its numbers are for you, not for publishing."
)
"""What simulation means, and why its numbers are not private."""


_FEW_ROWS = 30
"""Held-out rows of a class, all repetitions together, below which nothing is said of it."""

_FAR_BELOW = 0.05
"""How far coverage within a class must lie below the target to be worth a sentence."""

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


def plain_words(result: SimulationResult) -> str:
    """Say what intervals or sets mean for people like those in the table, and what nobody can say.

    Returns
    -------
    str
        A short paragraph; every number in it is computed from the result.
    """
    if says_nothing(result):
        return _whole_range_words(result)
    return " ".join((_coverage_words(result), _cost_words(result)))


def _coverage_words(result: SimulationResult) -> str:
    people, held = plural(noun_of(result)), _held_words(result)
    if result.coverage_mean == 1:
        return f"For all {people} that were held out, {held}"
    hits, total = say.out_of(result.coverage_mean)
    most, few = ("more than", "fewer than") if result.coverage_mean > 0.995 else ("about", "about")
    return (
        f"For {most} {hits} in {total} {people} like those in this table, {held} For {few} "
        f"{total - hits} in {total} {'the true one was not in it' if is_of_classes(result) else 'it did not'}. "
        f"We cannot say which group this {noun_of(result)} is in.{_weak_class_words(result)}"
    )


def _held_words(result: SimulationResult) -> str:
    if is_of_classes(result):
        return f"the set of possible answers held the true one. {_single_words(result)}"
    return f"the {true_value_of(result.target)} fell inside its interval, on average {mean_size(result)} wide."


def _single_words(result: SimulationResult) -> str:
    """Say how many sets name one class, and how many none."""
    assert result.sets is not None
    words = f"{_of_sets(float(result.sets.singleton_share.mean()))} named a single class"
    empty = float(result.sets.empty_share.mean())
    if empty:
        words += f", and {_of_sets(empty).lower()} named none"
    return f"{words}."


def _weak_class_words(result: SimulationResult) -> str:
    """Say which class is held far less often than all together, as nothing promises coverage within a class."""
    if result.sets is None:
        return ""
    coverage = np.where(result.sets.class_counts >= _FEW_ROWS, result.sets.class_coverage, np.nan)
    if np.isnan(coverage).all() or np.nanmin(coverage) > result.settings.confidence_level - _FAR_BELOW:
        return ""
    hits, total = say.out_of(float(np.nanmin(coverage)))
    name = shortened(result.target.categories[int(np.nanargmin(coverage))])
    return (
        f" Where the true one is “{name}”, only about {hits} in {total} sets held it: coverage is promised over all "
        f"{plural(noun_of(result))} together, not within each class."
    )


def _of_sets(share: float) -> str:
    if share in (0.0, 1.0):
        return "All sets" if share else "No set"
    if share > 0.995 or share < 0.005:
        return f"{'More than 99' if share > 0.5 else 'Fewer than 1'} in 100 sets"
    hits, total = say.out_of(share)
    return f"About {hits} in {total} sets"


def _cost_words(result: SimulationResult) -> str:
    many = f"{thing(result)}s"
    if not is_private(result):
        return f"These {many} are not private: they may give away somebody's exact value."
    if costs_nothing(result):
        return f"Privacy costs no {'certainty' if is_of_classes(result) else 'width'} here."
    if is_of_classes(result):
        return f"Sets hold {mean_size(result)} on average, {size_cost(result)}."
    return f"Intervals are {size_cost(result)}."


def _whole_range_words(result: SimulationResult) -> str:
    target = result.target
    if is_of_classes(result):
        n_classes = len(target.categories)
        says = f"every set holds {'both classes' if n_classes == 2 else f'all {say.whole(n_classes)} classes'},"
    else:
        whole = f", {say.span(*target.bounds, target.unit)}," if target.bounds else ""
        says = f"every interval is the whole range{whole}"
    return (
        f"At these settings {says} so it holds every {'true class' if is_of_classes(result) else 'true value'} and "
        f"says nothing about this {noun_of(result)}."
    )


def certificate_sentence(result: SimulationResult) -> str:
    """Say whether coverage is certified, for whom, and why or why not."""
    certificate, people = result.certificate, plural(noun_of(result))
    reason = _sentence(certificate.reason)
    if not certificate.holds:
        return f"Coverage is not certified. {reason}"
    group = "of the largest group " if result.settings.by_group else ""
    return f"Certified for new {people} {group}drawn from where these {say.whole(certificate.n)} came from. {reason}"


def _sentence(text: str) -> str:
    text = on_page(_IN_POWERS.sub(lambda found: say.number(float(found[0]), 3), text.strip()))
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
