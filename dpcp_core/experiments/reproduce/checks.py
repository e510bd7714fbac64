"""How each kind of claim is tried: a check takes the evidence and returns contrasts, one for each place.

A repetition has the same splits and the same noise seeds in all cells of a table, so two cells are compared repetition
by repetition.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from typing import TypeAlias

import numpy as np

from dpcp_core.data.target import Floats
from dpcp_core.experiments.comparison import sizes_apart
from dpcp_core.experiments.reproduce.evidence import Evidence, TableRun
from dpcp_core.experiments.reproduce.studies import (
    BINS,
    SHARES,
    TEST_SHARES,
    VARIED_EPSILONS,
    VARIED_TRAINER,
)
from dpcp_core.experiments.reproduce.verdict import Contrast
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.training.protocol import Task

Check: TypeAlias = Callable[[Evidence], tuple[Contrast, ...]]
Where: TypeAlias = Callable[[TableRun, float], bool]

_USUAL_SHARE, _USUAL_BINS = 0.5, 100
_WITHIN = 0.1
"""What "hardly differs" means: at most a tenth."""
_POINT = 0.01


def anywhere(_run: TableRun, _epsilon: float) -> bool:
    """Take every table and every epsilon."""
    return True


def covers(method: str, task: Task | None = None) -> Check:
    """Try whether a method covers at least as often as it is asked to."""

    def check(evidence: Evidence) -> Iterable[Contrast]:
        for run, trainer, epsilon in evidence.compared(task):
            if cell := evidence.cell(run.name, method, trainer, epsilon):
                yield _place(run, trainer, epsilon, cell.coverage_mean, _above_target(cell), floor=True)

    return _listed(check)


def covers_but_leaks(method: str) -> Check:
    """Try whether a method covers, and its receipt names no finite epsilon."""

    def check(evidence: Evidence) -> Iterable[Contrast]:
        for run, trainer, epsilon in evidence.compared():
            if cell := evidence.cell(run.name, method, trainer, epsilon):
                margin = _above_target(cell) if not cell.is_private else np.full(2, -1.0)
                yield _place(run, trainer, epsilon, cell.coverage_mean, margin, floor=True)

    return _listed(check)


def misses(method: str, where: Where = anywhere) -> Check:
    """Try whether a method covers less often than it is asked to, by more than a point."""

    def check(evidence: Evidence) -> Iterable[Contrast]:
        for run, trainer, epsilon in evidence.compared("regression"):
            cell = evidence.cell(run.name, method, trainer, epsilon)
            if cell and where(run, epsilon):
                yield _place(run, trainer, epsilon, cell.coverage_mean, -_POINT - _above_target(cell))

    return _listed(check)


def narrower(method: str, than: str, where: Where = anywhere, task: Task = "regression") -> Check:
    """Try whether one method's sizes are below another's."""

    def check(evidence: Evidence) -> Iterable[Contrast]:
        for run, trainer, epsilon in evidence.compared(task):
            one, other = (evidence.cell(run.name, name, trainer, epsilon) for name in (method, than))
            if one and other and where(run, epsilon):
                yield _place(run, trainer, epsilon, _ratio(one, other), sizes_apart(other, one))

    return _listed(check)


def narrowest(method: str, than: Iterable[str]) -> Check:
    """Try whether one method's sizes are below those of each of the others."""
    each = tuple(narrower(method, other) for other in than)
    return lambda evidence: tuple(contrast for check in each for contrast in check(evidence))


def alike(method: str, other_method: str, where: Where = anywhere) -> Check:
    """Try whether two methods' sizes differ by less than a tenth."""

    def check(evidence: Evidence) -> Iterable[Contrast]:
        for run, trainer, epsilon in evidence.compared("regression"):
            one, other = (evidence.cell(run.name, name, trainer, epsilon) for name in (method, other_method))
            if one and other and where(run, epsilon):
                yield _place(run, trainer, epsilon, _ratio(one, other), _closer(one, other))

    return _listed(check)


def falls_with_epsilon(method: str) -> Check:
    """Try, from each epsilon to the next, whether sizes get smaller."""

    def check(evidence: Evidence) -> Iterable[Contrast]:
        for run, trainer, cells in _curves(evidence, method):
            for before, after in itertools.pairwise(cells):
                value, margin = _ratio(after, before), sizes_apart(before, after)
                yield _place(run, trainer, after.settings.epsilon, value, margin)

    return _listed(check)


def grows_at_least(factor: float, method: str, table: str, *, smaller: float, larger: float) -> Check:
    """Try whether sizes at a smaller epsilon are so many times those at a larger one."""

    def check(evidence: Evidence) -> Iterable[Contrast]:
        for run in evidence.runs:
            for trainer in run.trainers if run.name == table else ():
                one, other = (evidence.cell(table, method, trainer, epsilon) for epsilon in (smaller, larger))
                if one and other:
                    yield _place(run, trainer, smaller, _ratio(one, other), one.size - factor * other.size)

    return _listed(check)


def narrower_with_trainer(trainer: str, method: str) -> Check:
    """Try whether one model gives smaller sizes than each of the others."""

    def check(evidence: Evidence) -> Iterable[Contrast]:
        for run, rival, epsilon in evidence.compared("regression"):
            one, other = (evidence.cell(run.name, method, model, epsilon) for model in (trainer, rival))
            if one and other and rival != trainer:
                yield _place(run, rival, epsilon, _ratio(one, other), sizes_apart(other, one))

    return _listed(check)


def cheaper_on(table: str, method: str) -> Check:
    """Try whether sizes, over those without privacy, are smaller on one table than on each of the others."""

    def check(evidence: Evidence) -> Iterable[Contrast]:
        for run, trainer, epsilon in evidence.compared("regression"):
            one, other = (evidence.cell(name, method, trainer, epsilon) for name in (table, run.name))
            if one and other and run.name != table and len(one.size) == len(other.size):
                value = one.size_ratio / other.size_ratio
                yield _place(run, trainer, epsilon, value, _relative(other) - _relative(one))

    return _listed(check)


def closes_half_of_the_gap(method: str, between: str) -> Check:
    """Try whether a method is at least half-way from another one to the size without privacy."""

    def check(evidence: Evidence) -> Iterable[Contrast]:
        for run, trainer, epsilon in evidence.compared("regression"):
            one, other = (evidence.cell(run.name, name, trainer, epsilon) for name in (method, between))
            if one and other:
                left, gap = one.size - one.reference_size, other.size - other.reference_size
                yield _place(run, trainer, epsilon, 1 - left.mean() / gap.mean(), gap / 2 - left)

    return _listed(check)


def shrinks_with_rows(method: str) -> Check:
    """Try whether sizes, over those without privacy, are smaller where more rows are there to learn from."""

    def check(evidence: Evidence) -> Iterable[Contrast]:
        for run, epsilon in _varied(evidence):
            many, few = (
                evidence.cell(run.name, method, VARIED_TRAINER, epsilon, test_share=share) for share in TEST_SHARES
            )
            if many and few:
                margin = _relative(few) - _relative(many)
                yield _place(run, VARIED_TRAINER, epsilon, many.size_ratio / few.size_ratio, margin)

    return _listed(check)


def even_split_is_good(method: str) -> Check:
    """Try whether no other split of the budget is better than the even one by more than a tenth."""

    def check(evidence: Evidence) -> Iterable[Contrast]:
        for run, epsilon in _varied(evidence):
            even, *others = (
                evidence.cell(run.name, method, VARIED_TRAINER, epsilon, training_share=share)
                for share in (_USUAL_SHARE, *(share for share in SHARES if share != _USUAL_SHARE))
            )
            for other in others:
                if even and other:
                    margin = (1 + _WITHIN) * other.size - even.size
                    yield _place(run, VARIED_TRAINER, epsilon, _ratio(even, other), margin)

    return _listed(check)


def bins_hardly_matter(method: str) -> Check:
    """Try whether any number of candidates gives sizes within a tenth of the usual number's."""

    def check(evidence: Evidence) -> Iterable[Contrast]:
        for run, epsilon in _varied(evidence):
            usual, *others = (
                evidence.cell(run.name, method, VARIED_TRAINER, epsilon, bins=bins)
                for bins in (_USUAL_BINS, *(bins for bins in BINS if bins != _USUAL_BINS))
            )
            for other in others:
                if usual and other:
                    yield _place(run, VARIED_TRAINER, epsilon, _ratio(other, usual), _closer(other, usual))

    return _listed(check)


def quantile_is_the_bottleneck(evidence: Evidence) -> tuple[Contrast, ...]:
    """Try whether the private quantile takes longer than training does."""
    timing = evidence.timing
    if timing is None:
        return ()
    value = float(timing.quantile.mean() / timing.training.mean())
    return (Contrast("a simulated table", VARIED_TRAINER, 1.0, value, timing.quantile - timing.training),)


def _listed(check: Callable[[Evidence], Iterable[Contrast]]) -> Check:
    return lambda evidence: tuple(check(evidence))


def _place(
    run: TableRun, trainer: str, epsilon: float, value: float, margin: Floats, *, floor: bool = False
) -> Contrast:
    return Contrast(run.title, trainer, epsilon, float(value), margin, floor)


def _above_target(cell: CellResult) -> Floats:
    margin: Floats = cell.coverage - cell.settings.confidence_level
    return margin


def _ratio(one: CellResult, other: CellResult) -> float:
    return one.size_mean / other.size_mean if other.size_mean else math.nan


def _closer(one: CellResult, other: CellResult) -> Floats:
    """Return by how much the distance of two sizes stays below a tenth of the other one."""
    side = math.copysign(1.0, one.size_mean - other.size_mean)
    margin: Floats = _WITHIN * other.size - side * (one.size - other.size)
    return margin


def _relative(cell: CellResult) -> Floats:
    relative: Floats = cell.size / cell.reference_size
    return relative


def _curves(evidence: Evidence, method: str) -> Iterable[tuple[TableRun, str, list[CellResult]]]:
    for run in evidence.runs:
        for trainer in run.trainers if run.task == "regression" else ():
            epsilons = sorted({cell.settings.epsilon for cell in run.comparison()})
            cells = [evidence.cell(run.name, method, trainer, epsilon) for epsilon in epsilons]
            yield run, trainer, [cell for cell in cells if cell is not None]


def _varied(evidence: Evidence) -> Iterable[tuple[TableRun, float]]:
    for run in evidence.runs:
        if run.task == "regression":
            yield from ((run, epsilon) for epsilon in VARIED_EPSILONS)
