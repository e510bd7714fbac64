"""What one person is told, in plain words: a count of people like them, never a chance for this one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dpcp_core.experiments.person import N_DOTS
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.crossings import listed
from dpcp_core.presentation.wording.nouns import plural, shortened
from dpcp_core.presentation.wording.plain import is_private, noun_of
from dpcp_core.presentation.wording.readouts import Readout

if TYPE_CHECKING:
    from dpcp_core.data.schema import Column
    from dpcp_core.experiments.person import ClassAnswer, NumberAnswer, PersonAnswer, PersonModel
    from dpcp_core.experiments.person.values import Value

LONGEST_CLASS = 40
_MOST_NAMES = 3


def people_like(model: PersonModel) -> str:
    """Return how one speaks of people like this one: "patients like this one"."""
    return f"{plural(noun_of(model.result))} like this one"


def value_words(value: Value, column: Column) -> str:
    r"""Write somebody's value with its unit.

    >>> from dpcp_core.data.column import Column
    >>> value_words(54.0, Column("age", "integer", unit="years")), value_words(None, Column("sex", "category"))
    ('54\xa0years', 'not known')
    """
    if value is None:
        return "not known"
    if isinstance(value, str):
        return shortened(value, LONGEST_CLASS)
    return say.with_unit(say.short(value, 4), column.unit)


def amount(value: float, column: Column) -> str:
    """Write a value of the target with its unit, with the digits that its range deserves."""
    return say.with_unit(_plain(value, column), column.unit)


def reach(low: float, high: float, column: Column) -> str:
    """Write an interval of the target with its unit."""
    return say.with_unit(f"{_plain(low, column)} to {_plain(high, column)}", column.unit)


def _plain(value: float, column: Column) -> str:
    """Write a value so that a two-hundredth of the typical range can be told apart."""
    low, high = column.scale_range
    if say.is_extreme(value) or say.is_extreme(high - low):
        return say.number(value, 3)
    return say.fixed(value, max(0, -math.floor(math.log10((high - low) / 20))))


def dots_of(number: int) -> str:
    """Return so many of the fifty.

    >>> dots_of(7), dots_of(0), dots_of(50)
    ('about 7 of 50', 'none of 50', 'all of 50')
    """
    return {0: f"none of {N_DOTS}", N_DOTS: f"all of {N_DOTS}"}.get(number, f"about {number} of {N_DOTS}")


def cards(model: PersonModel, given: PersonAnswer, threshold: float) -> tuple[Readout, ...]:
    """Return the three things that a person takes away."""
    if given.classes is not None:
        return _class_cards(model, given.classes)
    assert given.number is not None
    return _number_cards(model, given.number, threshold)


def _number_cards(model: PersonModel, told: NumberAnswer, threshold: float) -> tuple[Readout, ...]:
    target, noun = model.result.target, noun_of(model.result)
    guess = Readout(
        "Best guess",
        amount(told.predicted, target),
        "of a private model" if is_private(model.result) else "of the model",
        f"The model's best guess is {amount(told.predicted, target)}.",
        "One number, and almost never exactly right: the interval says how far off it may be.",
    )
    held = Readout(
        "Interval",
        reach(told.lower, told.upper, target),
        f"{amount(told.width, target)} wide",
        f"The interval goes from {reach(told.lower, told.upper, target)}.",
        f"It is no hard limit: some {plural(noun)} lie outside, and nobody can say whether this one does.",
    )
    return guess, held, _above_card(model, told, threshold)


def _above_card(model: PersonModel, told: NumberAnswer, threshold: float) -> Readout:
    label = f"Above {amount(threshold, model.result.target)}"
    if told.dots is None:
        return Readout(label, "no count", "there are no dots", no_dots_sentence(model), "")
    sentence = above_sentence(model, told, threshold)
    return Readout(label, dots_of(told.above(threshold)), people_like(model), sentence, dots_sentence(model))


def _class_cards(model: PersonModel, told: ClassAnswer) -> tuple[Readout, ...]:
    likeliest = int(told.probabilities.argmax())
    n_classes = len(told.classes)
    held = Readout(
        "Set of answers",
        names_in_set(told),
        f"{int(told.members.sum())} of {say.whole(n_classes)} classes",
        set_sentence(model, told),
        f"The set is what is promised: over all {plural(noun_of(model.result))} it holds the true class often enough.",
    )
    guess = Readout(
        "The model's own guess",
        shortened(told.classes[likeliest], LONGEST_CLASS),
        f"{int(told.dots[likeliest])} of {N_DOTS} dots",
        f"The model gives “{shortened(told.classes[likeliest], LONGEST_CLASS)}” the most.",
        "How the model spreads its guess over the classes. Nothing promises that this is right.",
    )
    return held, guess


def names_in_set(told: ClassAnswer) -> str:
    """Return the classes in a set, the likeliest first, the first few of many."""
    names = [shortened(name, LONGEST_CLASS) for name in told.names]
    if not names:
        return "no class"
    if len(names) == len(told.classes):
        return "both classes" if len(names) == 2 else f"all {say.whole(len(names))} classes"
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return " or ".join(names[:_MOST_NAMES]) + more


def quoted_set(told: ClassAnswer) -> str:
    """Return the classes in a set for a sentence, where a class called “no” must not read as a word of it."""
    names, more = told.names, len(told.names) - _MOST_NAMES
    if not names or len(names) == len(told.classes):
        return names_in_set(told)
    quoted = [f"“{shortened(name, LONGEST_CLASS)}”" for name in names[:_MOST_NAMES]]
    return listed([*quoted, *([f"{more} more"] if more > 0 else [])])


def set_sentence(model: PersonModel, told: ClassAnswer) -> str:
    """Say which classes the set holds, and what that leaves open."""
    noun, size = noun_of(model.result), int(told.members.sum())
    if size == len(told.classes):
        return f"The set holds {names_in_set(told)}: nothing can be ruled out for this {noun}."
    if not size:
        return "The set is empty: no class is likely enough. That is a sign of an unusual case, not an answer."
    return f"The set holds {quoted_set(told)}{'' if size > 1 else ' alone'}."


def above_sentence(model: PersonModel, told: NumberAnswer, threshold: float) -> str:
    """Count the people like this one above a threshold: "About 7 of 50 patients like this one are above 160 mmHg"."""
    number, verb = told.above(threshold), "is" if told.above(threshold) == 0 else "are"
    who = dots_of(number)
    return f"{who[0].upper()}{who[1:]} {people_like(model)} {verb} above {amount(threshold, model.result.target)}"


def class_title(told: ClassAnswer) -> str:
    """Say in one line how the model spreads its guess, and what the set holds."""
    return f"The set holds {quoted_set(told)}; dots show the model's own guess, which nothing promises"


def dots_sentence(model: PersonModel) -> str:
    """Say what a dot is, what it rests on and how far noise moves it."""
    if model.shape is None:
        return no_dots_sentence(model)
    noun, people = noun_of(model.result), plural(noun_of(model.result))
    return (
        f"Each dot is one in {N_DOTS} {people} with this best guess, if the model errs for them as it does over the "
        f"whole table. This counts {people}; it is no chance for this {noun}. {_noise_words(model)}"
    )


def _noise_words(model: PersonModel) -> str:
    shape = model.shape
    assert shape is not None
    if math.isinf(shape.epsilon):
        return "The errors are counted exactly, so these dots are not private."
    moved = model.shift * N_DOTS
    far = "less than one dot" if moved < 0.75 else "about one dot" if moved < 1.5 else f"about {round(moved)} dots"
    return (
        f"The errors are counted with noise, which may move {far} past a limit; that count costs "
        f"ε = {say.short(shape.epsilon)} on top."
    )


def class_dots_sentence(model: PersonModel) -> str:
    """Say what a dot of a class is."""
    noun = noun_of(model.result)
    return (
        f"The model spreads {N_DOTS} dots over the classes. They are its own guess and cost nothing more; only the set "
        f"carries a promise, and neither is a chance for this {noun}."
    )


def no_dots_sentence(model: PersonModel) -> str:
    """Say why there are no dots."""
    epsilon = model.settings.allocation.quantile_epsilon
    more = f" They would cost ε = {say.short(epsilon)} more." if epsilon else ""
    if math.isfinite(model.shift) and model.shift * N_DOTS > 5:
        return (
            f"No dots: noise would move about {min(round(model.shift * N_DOTS), N_DOTS)} of {N_DOTS} of them, so they "
            "would show noise. Raise ε or bring more rows."
        )
    return f"No dots: they are switched off.{more}"
