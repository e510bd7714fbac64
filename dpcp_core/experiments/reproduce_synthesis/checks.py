"""How each kind of claim about synthetic tables is tried: a check takes the evidence and returns contrasts.

A repetition has the same split in all cells of a table, so two cells are compared repetition by repetition. Scores are
those of models that were trained on the synthetic table; differences of shares are told in points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeAlias

import numpy as np

from dpcp_core.experiments.reproduce.verdict import Contrast
from dpcp_core.experiments.reproduce_synthesis.evidence import Group, SynthesisEvidence, TableCells, paired
from dpcp_core.experiments.reproduce_synthesis.measurement import Measurement
from dpcp_core.experiments.reproduce_synthesis.methods import METHODS
from dpcp_core.experiments.reproduce_synthesis.plan import SCALES, USUAL_EPSILON

SynthesisCheck: TypeAlias = Callable[[SynthesisEvidence], tuple[Contrast, ...]]
Score = Literal["accuracy", "f1"]
Likeness = Literal["feature_error", "two_way_error"]


def reaches(
    score: Score, at_least: float, method: str, *, table: str, task_model: str, models: Iterable[str]
) -> SynthesisCheck:
    """Try whether models reach a score on one table at the usual epsilon."""
    wanted = tuple(models)

    def check(evidence: SynthesisEvidence) -> Iterable[Contrast]:
        for run in _named(evidence, table):
            group = run.group(method, USUAL_EPSILON, task_model=task_model)
            for model in wanted if group.has_tables else ():
                found = group.values(_score(model, score))
                yield Contrast(run.title, model, USUAL_EPSILON, float(found.mean()), found - at_least, floor=True)

    return _listed(check)


def close_to_real(method: str, within: float) -> SynthesisCheck:
    """Try whether accuracy stays so close to that of the same model on real rows, at the usual epsilon."""

    def check(evidence: SynthesisEvidence) -> Iterable[Contrast]:
        for run, model, epsilon in evidence.places():
            group = run.group(method, epsilon)
            if epsilon == USUAL_EPSILON and group.has_tables:
                gap = group.values(_score(model, "accuracy")) - group.values(_real(model, "accuracy"))
                yield Contrast(run.title, model, epsilon, float(gap.mean()), gap + within)

    return _listed(check)


def better(score: Score, method: str, than: Iterable[str], *, by: float = 0.0) -> SynthesisCheck:
    """Try whether a score is above that of each other method; with a negative ``by``, not further below than that."""
    others = tuple(than)

    def check(evidence: SynthesisEvidence) -> Iterable[Contrast]:
        for run, model, epsilon in evidence.places():
            for one, other in _pairs(run, method, others, epsilon):
                gap = one.values(_score(model, score)) - other.values(_score(model, score))
                yield Contrast(run.title, model, epsilon, float(gap.mean()), gap - by)

    return _listed(check)


def gains_more_in_f1(method: str, than: Iterable[str]) -> SynthesisCheck:
    """Try whether the gain over other methods is larger in F1 than in accuracy."""
    others = tuple(than)

    def check(evidence: SynthesisEvidence) -> Iterable[Contrast]:
        for run, model, epsilon in evidence.places():
            for one, other in _pairs(run, method, others, epsilon):
                in_f1, in_accuracy = (
                    one.values(_score(model, score)) - other.values(_score(model, score))
                    for score in ("f1", "accuracy")
                )
                more = in_f1 - in_accuracy
                yield Contrast(run.title, model, epsilon, float(more.mean()), more)

    return _listed(check)


def beats_the_guess(method: str, table: str) -> SynthesisCheck:
    """Try whether F1 on one table is above that of the guess that looks at no feature."""

    def check(evidence: SynthesisEvidence) -> Iterable[Contrast]:
        for run in _named(evidence, table):
            for model in evidence.models:
                for epsilon in run.epsilons:
                    group = run.group(method, epsilon)
                    if group.has_tables:
                        gap = group.values(_score(model, "f1")) - group.values(_guess("f1"))
                        yield Contrast(run.title, model, epsilon, float(gap.mean()), gap)

    return _listed(check)


def quicker(method: str, than: Iterable[str], factor: float = 1.0) -> SynthesisCheck:
    """Try whether others take so many times as long; one that was stopped took at least until then."""
    others = tuple(than)

    def check(evidence: SynthesisEvidence) -> Iterable[Contrast]:
        for run in evidence.runs:
            for other in others:
                mine, theirs = (run.group(name, USUAL_EPSILON).seconds() for name in (method, other))
                n = min(len(mine), len(theirs))
                if n:
                    times = theirs[:n] / mine[:n]
                    margin = np.log10(times) - np.log10(factor)
                    yield Contrast(run.title, other, USUAL_EPSILON, float(np.median(times)), margin)

    return _listed(check)


def never_beaten_in_both(method: str, than: Iterable[str]) -> SynthesisCheck:
    """Try whether no other method is more accurate and quicker at once."""
    others = tuple(than)

    def check(evidence: SynthesisEvidence) -> Iterable[Contrast]:
        for run, model, epsilon in evidence.places():
            for one, other in _pairs(run, method, others, epsilon) if epsilon == USUAL_EPSILON else ():
                gap = one.values(_score(model, "accuracy")) - other.values(_score(model, "accuracy"))
                times = np.log10(other.seconds() / one.seconds())
                # One of the two is enough, whichever is clearer.
                margin = times if times.mean() > 0 >= gap.mean() else gap
                yield Contrast(run.title, model, epsilon, float(gap.mean()), margin)

    return _listed(check)


def holds_with_more_rows(method: str, within: float) -> SynthesisCheck:
    """Try whether accuracy stays or rises as rows get twice and three times as many."""

    def check(evidence: SynthesisEvidence) -> Iterable[Contrast]:
        for run, model, epsilon in evidence.places():
            for scale in SCALES if epsilon == USUAL_EPSILON else ():
                large, plain = paired(run.group(method, epsilon, scale=scale), run.group(method, epsilon))
                if large.has_tables:
                    gap = large.values(_score(model, "accuracy")) - plain.values(_score(model, "accuracy"))
                    yield Contrast(run.title, model, epsilon, float(gap.mean()), gap + within)

    return _listed(check)


def holds_at_small_epsilon(method: str, within: float) -> SynthesisCheck:
    """Try whether accuracy at smaller budgets stays so close to that at the usual one."""

    def check(evidence: SynthesisEvidence) -> Iterable[Contrast]:
        for run, model, epsilon in evidence.places():
            small, usual = paired(run.group(method, epsilon), run.group(method, USUAL_EPSILON))
            if epsilon < USUAL_EPSILON and small.has_tables:
                gap = small.values(_score(model, "accuracy")) - usual.values(_score(model, "accuracy"))
                yield Contrast(run.title, model, epsilon, float(gap.mean()), gap + within)

    return _listed(check)


def close_in(likeness: Likeness, method: str, within: float) -> SynthesisCheck:
    """Try whether an error against the real rows stays below a value."""

    def check(evidence: SynthesisEvidence) -> Iterable[Contrast]:
        for run, epsilon, group in _groups(evidence, method):
            found = group.values(lambda one: getattr(one, likeness))
            yield Contrast(run.title, method, epsilon, float(found.mean()), within - found)

    return _listed(check)


def closer_in(likeness: Likeness, method: str, than: str) -> SynthesisCheck:
    """Try whether an error against the real rows is below another method's."""

    def check(evidence: SynthesisEvidence) -> Iterable[Contrast]:
        for run, epsilon, group in _groups(evidence, method):
            one, other = paired(group, run.group(than, epsilon))
            if one.has_tables:
                errors = [each.values(lambda found: getattr(found, likeness)) for each in (one, other)]
                yield Contrast(run.title, method, epsilon, errors[0].mean() / errors[1].mean(), errors[1] - errors[0])

    return _listed(check)


def label_rate_within(method: str, within: float) -> SynthesisCheck:
    """Try whether the share of labels stays so close to the real one."""

    def check(evidence: SynthesisEvidence) -> Iterable[Contrast]:
        for run, epsilon, group in _groups(evidence, method):
            gap = group.values(lambda one: one.label_rate - one.real_label_rate)
            yield Contrast(run.title, method, epsilon, float(gap.mean()), within - np.abs(gap))

    return _listed(check)


def label_rate_off(method: str, beyond: float) -> SynthesisCheck:
    """Try whether the share of labels is off by more than that."""
    near = label_rate_within(method, beyond)
    return lambda evidence: tuple(
        Contrast(one.table, one.trainer, one.epsilon, one.value, -one.margin) for one in near(evidence)
    )


def costs_a_finite_epsilon(method: str) -> SynthesisCheck:
    """Try whether the receipt of a whole release names a finite epsilon."""

    def check(evidence: SynthesisEvidence) -> Iterable[Contrast]:
        for run, epsilon, group in _groups(evidence, method):
            found = group.values(lambda one: float(one.is_private))
            # A receipt is a fact, not a measurement.
            yield Contrast(run.title, method, epsilon, float(found.mean()), np.repeat(2 * found - 1, 2))

    return _listed(check)


def leaks_through_copies(tables: Iterable[str]) -> SynthesisCheck:
    """Try whether rows dealt out as they come flatter models of real rows, as copies are on both sides."""
    wanted = tuple(tables)

    def check(evidence: SynthesisEvidence) -> Iterable[Contrast]:
        for run in evidence.runs if wanted else ():
            for model in evidence.models if run.name in wanted else ():
                naive, apart = paired(
                    run.group("marginals", USUAL_EPSILON, split="naive"), run.group("marginals", USUAL_EPSILON)
                )
                if naive.has_tables:
                    gap = naive.values(_real(model, "accuracy")) - apart.values(_real(model, "accuracy"))
                    yield Contrast(run.title, model, USUAL_EPSILON, float(gap.mean()), gap)

    return _listed(check)


def _listed(check: Callable[[SynthesisEvidence], Iterable[Contrast]]) -> SynthesisCheck:
    return lambda evidence: tuple(check(evidence))


def _named(evidence: SynthesisEvidence, table: str) -> Iterator[TableCells]:
    return (run for run in evidence.runs if run.name == table)


def _groups(evidence: SynthesisEvidence, method: str) -> Iterator[tuple[TableCells, float, Group]]:
    for run in evidence.runs:
        for epsilon in run.epsilons:
            group = run.group(method, epsilon)
            if group.has_tables:
                yield run, epsilon, group


def _pairs(run: TableCells, method: str, others: Iterable[str], epsilon: float) -> Iterator[tuple[Group, Group]]:
    for other in others:
        one, another = paired(run.group(method, epsilon), run.group(other, epsilon))
        if one.has_tables:
            yield one, another


def _score(model: str, score: Score) -> Callable[[Measurement], float]:
    return lambda found: _of(found, model, score, "on_synthetic")


def _real(model: str, score: Score) -> Callable[[Measurement], float]:
    return lambda found: _of(found, model, score, "on_real")


def _of(found: Measurement, model: str, score: Score, where: str) -> float:
    scores = found.model(model)
    return float(getattr(getattr(scores, where), score)) if scores else float("nan")


def _guess(score: Score) -> Callable[[Measurement], float]:
    return lambda found: float(getattr(found.guess, score)) if found.guess else float("nan")


RIVAL_NAMES: tuple[str, ...] = tuple(name for name, method in METHODS.items() if method.is_rival)
