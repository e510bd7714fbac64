"""What can ail sets of classes: one class for all, every class for all, a class that hardly anybody has."""

from __future__ import annotations

import math

from dpcp_core._words import names_text, percent_text
from dpcp_core.evaluation.doctor.remedies import more_budget
from dpcp_core.evaluation.symptoms import ClassSigns, Finding, Symptoms

ONE_CLASS = 0.99
"""From this share of rows on, the model names one class for all."""

MOSTLY_ALL = 0.5
"""From this share of sets on, sets mostly hold every class."""

FEW_MEMBERS = 20
"""Classes of fewer rows are worth a word."""

_MORE_BUDGET = 2.0


def sets_of_everything(s: Symptoms) -> Finding | None:
    """Find that most sets rule nothing out."""
    signs = s.classes
    if signs is None or signs.full_share < MOSTLY_ALL or s.nothing_certified or s.level_too_small:
        return None
    symptom = f"{percent_text(signs.full_share)} of the sets hold every class, so they rule nothing out."
    without = f"Without privacy {percent_text(signs.reference_full_share)} of them would"
    if signs.reference_full_share >= MOSTLY_ALL:
        cause = f"{without}: features say too little for {percent_text(1 - s.alpha)} coverage with smaller sets."
        return Finding("sets_of_everything", symptom, cause, "Aim at a lower coverage, or bring better features.")
    if not s.is_private:
        return None
    words, change = _smaller_sets(s)
    return Finding("sets_of_everything", symptom, f"{without}: the rest is the price of privacy.", words, change)


def _smaller_sets(s: Symptoms) -> tuple[str, dict[str, object]]:
    if not s.default_trainer:
        return "Take the trainer that suits classes by default.", {"trainer": "auto"}
    if s.method == "dpcp" and not s.splits_rows:
        words = "Rank rows that the model has not seen, which needs no widening of the sets."
        return words, {"stability": "split"}
    return more_budget(s, _MORE_BUDGET, "more rows")


def one_class(s: Symptoms) -> Finding | None:
    """Find that the model names the same class for nearly all rows."""
    signs = s.classes
    if signs is None or signs.predicted_share < ONE_CLASS:
        return None
    symptom = f"The likeliest class is “{signs.predicted}” for {percent_text(signs.predicted_share)} of the rows."
    # A little noise tips a model that names another class for hardly anybody anyway.
    if signs.reference_share >= 0.95 * ONE_CLASS:
        cause = (
            f"{percent_text(signs.true_share)} of the rows are of that class, and also without privacy the model names "
            f"it for {percent_text(signs.reference_share)}."
        )
        return Finding("one_class", symptom, cause, _judge_by_sets(signs))
    if not s.is_private:
        return None
    cause = f"Without privacy it names it for {percent_text(signs.reference_share)}: noise drowns the rest."
    return Finding("one_class", symptom, cause, *more_budget(s, _MORE_BUDGET, "more rows of the other classes"))


def _judge_by_sets(signs: ClassSigns) -> str:
    if math.isnan(signs.others_coverage):
        return "Judge the model by its sets, not by how often it is right."
    return (
        "Judge it by its sets, not by how often it is right: of the rows of other classes, "
        f"{percent_text(signs.others_coverage)} have their class in the set."
    )


def rare_class(s: Symptoms) -> Finding | None:
    """Find classes of so few rows that nothing can be learnt about them."""
    rare = {} if s.classes is None else {name: n for name, n in s.classes.counts.items() if n < FEW_MEMBERS}
    if not rare:
        return None
    named = names_text(tuple(f"“{name}” ({n})" for name, n in sorted(rare.items(), key=lambda pair: pair[1])))
    return Finding(
        "rare_class",
        f"Few rows are of the class {named}." if len(rare) == 1 else f"Few rows are of the classes {named}.",
        f"Private training learns nothing from fewer than {FEW_MEMBERS} rows, and coverage is promised for rows of all "
        "classes taken together, not for those of each.",
        "Join such a class to another one in the schema, or bring more of its rows.",
    )
