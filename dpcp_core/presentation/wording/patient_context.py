"""What an answer to one person rests on: how often it is right, for whom, at what privacy, and what it cannot know."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.nouns import plural, shortened
from dpcp_core.presentation.wording.odds import delta_sentence, moved, odds_sentence
from dpcp_core.presentation.wording.patient import LONGEST_CLASS, amount
from dpcp_core.presentation.wording.plain import noun_of, true_value_of
from dpcp_core.presentation.wording.readouts import Readout
from dpcp_core.presentation.wording.regions import everything, is_of_classes, thing, truth

if TYPE_CHECKING:
    from dpcp_core.experiments.person import NumberAnswer, PersonAnswer, PersonModel, Subgroup


def promise_sentences(model: PersonModel) -> str:
    """Say for how many people interval or set is right, and what nobody can say about this one."""
    result, all_rows = model.result, model.everybody
    noun, people = noun_of(result), plural(noun_of(result))
    counted = f"of {say.count(all_rows.n, f'held-out {noun}')}, {say.whole(all_rows.hits)} {thing(result)}s held it"
    if all_rows.hits == all_rows.n:
        return f"The {thing(result)} held the {_truth(model)} of every {noun} that was held out: {counted}."
    hits, total = say.out_of(all_rows.share)
    most, few = ("more than", "fewer than") if all_rows.share > 0.995 else ("about", "about")
    return (
        f"For {most} {hits} in {total} {people} like those in this table, the {_truth(model)} lies in such "
        f"{'a set' if is_of_classes(result) else 'an interval'}; for {few} {total - hits} in {total} it does not "
        f"({counted}). We cannot say which group this {noun} is in."
    )


def _truth(model: PersonModel) -> str:
    return truth(model.result) if is_of_classes(model.result) else true_value_of(model.result.target)


def nothing_sentence(model: PersonModel, given: PersonAnswer) -> str:
    """Say that nothing is ruled out for this person; "" where something is."""
    target = model.result.target
    if given.classes is not None:
        says = bool(given.classes.members.all())
    else:
        assert given.number is not None
        low, high = target.bounds or (-math.inf, math.inf)
        says = given.number.width >= (high - low) * (1 - 1e-9)
    if not says:
        return ""
    return (
        f"This is {everything(model.result)}, so it says nothing about this {noun_of(model.result)}: raise ε, accept "
        "more misses, or bring more rows."
    )


def truth_sentence(model: PersonModel, given: PersonAnswer) -> str:
    """Say what was true of a held-out row; "" for somebody who is in no table."""
    if given.covered is None:
        return ""
    if given.classes is not None:
        assert given.classes.truth is not None
        value = f"“{shortened(given.classes.classes[given.classes.truth], LONGEST_CLASS)}”"
    else:
        assert given.number is not None
        assert given.number.truth is not None
        value = amount(given.number.truth, model.result.target)
    place, noun = "inside" if given.covered else "outside", noun_of(model.result)
    return f"In truth it was {value}: {place} the {thing(model.result)}. For a real {noun} nobody knows."


def difference_sentence(model: PersonModel, told: NumberAnswer, difference: float) -> str:
    """Compare the interval's width with a difference that matters to whoever asks."""
    target, noun = model.result.target, noun_of(model.result)
    width, wanted = amount(told.width, target), amount(difference, target)
    ratio = told.width / difference
    if ratio <= 1:
        return f"The interval is {width} wide: its ends are no further apart than the {wanted} that matter to you."
    return (
        f"The interval is {width} wide, {say.number(ratio)} times the {wanted} that matter to you: two "
        f"{plural(noun)} whose best guesses are that far apart get intervals that overlap."
    )


def subgroup_sentence(model: PersonModel, group: Subgroup) -> str:
    """Say how often intervals or sets held the truth within this person's group, on how many rows that rests."""
    noun, name = noun_of(model.result), f"“{shortened(group.column)}: {shortened(group.name, LONGEST_CLASS)}”"
    if not group.n:
        return f"None of the {plural(noun)} in the group {name} was held out, so nothing is known of its coverage."
    # Near the ends whole per cent would be all alike.
    places = 0 if 0.015 <= group.share <= 0.985 else 1
    share, low, high = (say.percent(part, places) for part in (group.share, *group.interval))
    own = len(model.thresholds) > 1
    promise = "This group has a threshold of its own." if own else "The promise is over everybody, not within a group."
    return (
        f"In the group {name}, {say.whole(group.hits)} of {say.count(group.n, f'held-out {noun}')} had the "
        f"{truth(model.result)} in their {thing(model.result)}: {share}, or {low} to {high} "
        f"with 95{say.NARROW}% confidence. {promise}"
    )


def privacy_sentences(model: PersonModel) -> str:
    """Say what privacy means in odds for everything on this page together, and for whom."""
    total, noun = model.receipt.total, noun_of(model.result)
    words = [odds_sentence(total.epsilon, noun)]
    if total.is_finite:
        words.append(delta_sentence(total.delta, model.result.n, noun))
        words.append(_spent_words(model))
    words.append(f"That is about the {plural(noun)} in the table; this {noun} only asks the model.")
    return " ".join(words)


def privacy_card(model: PersonModel) -> Readout:
    """Return what privacy means in odds, for everything on the page together."""
    total, sentence = model.receipt.total, privacy_sentences(model)
    if not total.is_finite:
        return Readout("Privacy", "no bound", "nothing is protected: ε is infinite", sentence, "", "attention")
    together = "interval and dots together" if model.shape else f"for this {thing(model.result)}"
    comparison = f"from 50 in 100, {together}"
    return Readout("Privacy", f"at most {moved(total.epsilon)}", comparison, sentence, "")


def _spent_words(model: PersonModel) -> str:
    if model.shape is None:
        return f"The answer costs ε = {say.short(model.receipt.total.epsilon, 3)}."
    alone = model.result.receipt.total.epsilon
    return (
        f"The {thing(model.result)} costs ε = {say.short(alone, 3)}, the dots ε = {say.short(model.dots_epsilon, 3)} "
        f"more: {say.short(model.receipt.total.epsilon, 3)} together."
    )


def unknowns(model: PersonModel) -> tuple[str, ...]:
    """Return what the answer does not know, one sentence each."""
    noun, people = noun_of(model.result), plural(noun_of(model.result))
    known = say.count(len(model.schema.features), "thing")
    same = f"How the model errs for {people} of just this kind: dots spread alike for all."
    return (
        f"Anything beyond the {known} that it was told about this {noun}.",
        f"Whether this {noun} is one of those whom the {thing(model.result)} misses.",
        f"Whether this {noun} comes from where the table came from. If not, nothing is promised.",
        "What would change if something were done: it predicts, it does not explain.",
        *(() if model.shape is None else (same,)),
    )
