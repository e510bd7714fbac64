"""What every synthetic table is worth: one table for machines, one a table of the text for people."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from dpcp_core.evaluation.utility import DOWNSTREAM
from dpcp_core.experiments.reproduce_synthesis.evidence import Group, TableCells
from dpcp_core.experiments.reproduce_synthesis.measurement import Measurement
from dpcp_core.experiments.reproduce_synthesis.methods import METHODS
from dpcp_core.experiments.reproduce_synthesis.plan import SCALES, USUAL_EPSILON, USUAL_MODEL
from dpcp_core.presentation.findings.tables import markdown_table
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.terms import option_title

NONE = "–"

_FACTS = (
    "n_train", "n_test", "n_leaked", "is_private", "label_rate", "real_label_rate", "feature_error", "two_way_error",
    "seconds", "problem", "is_timeout",
)  # fmt: skip


def synthesis_frame(runs: Iterable[TableCells]) -> pd.DataFrame:
    """Return one row for each cell and model of all tables; cells without a table have one, which says why."""
    return pd.DataFrame([row for run in runs for found in run.cells for row in _rows(run, found)])


def _rows(run: TableCells, found: Measurement) -> Iterator[dict[str, Any]]:
    cell = {"table": run.name, **dataclasses.asdict(found.cell)}
    facts = {name: getattr(found, name) for name in _FACTS}
    guess = {} if found.guess is None else {"guess_accuracy": found.guess.accuracy, "guess_f1": found.guess.f1}
    for model in found.models:
        scores = dataclasses.asdict(model.on_synthetic)
        real = {f"real_{name}": value for name, value in dataclasses.asdict(model.on_real).items()}
        yield {**cell, "model": model.name, **scores, **real, **guess, **facts}
    if not found.models:
        yield {**cell, "model": "", **facts}


def synthesis_markdown(run: TableCells, models: Iterable[str]) -> str:
    """Return what was measured on one table, to read."""
    parts = [f"# {run.title}: synthetic tables", _explained(run)]
    for model in models:
        title = DOWNSTREAM[model].titled(2)
        for name, of in (("Accuracy", "accuracy"), ("F1", "f1")):
            parts += [
                f"## {name}, {title} trained on the table",
                _grid(run, _score_words(model, of), _beside(model, of)),
            ]
    parts += [
        f"## Share of “{run.positive}” among the labels",
        _grid(run, lambda group: _percent(group, lambda one: one.label_rate), _real_labels),
        "## Error of pairs of columns (total variation, 0 to 1)",
        _grid(run, lambda group: _spread(group.values(lambda one: one.two_way_error), 3)),
        "## Seconds from the rows to the table",
        _grid(run, lambda group: _spread(group.seconds(), 1)),
    ]
    return "\n\n".join([*parts, *_others(run, tuple(models))]) + "\n"


def _explained(run: TableCells) -> str:
    return (
        f"{say.count(run.n_rows, 'row')}. Mean ± standard deviation between repetitions; labels from a private "
        f"network. {NONE}: not run, or no table. F1 is that of “{run.positive}”. "
        f"“{METHODS['shuffle'].title}” is not private."
    )


Said = Callable[[Group], str]


def _grid(run: TableCells, said: Said, beside: Callable[[Group], list[tuple[str, str]]] | None = None) -> str:
    rows = [
        [METHODS[name].title, *(_said(run.group(name, epsilon), said) for epsilon in run.epsilons)]
        for name in run.methods
    ]
    groups = [run.group(run.methods[0], epsilon) for epsilon in run.epsilons]
    for place, _ in enumerate(beside(groups[0]) if beside and groups[0].has_tables else ()):
        # No budget changes it: it is measured on real rows, or on none.
        title, value = beside(groups[0])[place] if beside else ("", "")
        rows.append([title, *(value for _ in run.epsilons)])
    return markdown_table(["method", *(f"ε = {say.short(epsilon)}" for epsilon in run.epsilons)], rows)


def _said(group: Group, said: Said) -> str:
    return said(group) if group.has_tables else NONE


def _score_words(model: str, of: str) -> Said:
    return lambda group: _percent(group, lambda one: _value(one, model, of, "on_synthetic"))


def _beside(model: str, of: str) -> Callable[[Group], list[tuple[str, str]]]:
    return lambda group: [
        ("real rows", _percent(group, lambda one: _value(one, model, of, "on_real"))),
        ("most frequent class", _percent(group, lambda one: float(getattr(one.guess, of)))),
    ]


def _real_labels(group: Group) -> list[tuple[str, str]]:
    return [("real rows", _percent(group, lambda one: one.real_label_rate))]


def _value(found: Measurement, model: str, of: str, where: str) -> float:
    scores = found.model(model)
    return float(getattr(getattr(scores, where), of)) if scores else float("nan")


def _percent(group: Group, of: Callable[[Measurement], float]) -> str:
    return f"{_spread(100 * group.values(of), 1)}{say.NARROW}%"


def _spread(values: np.ndarray, n_decimals: int) -> str:
    if not len(values):
        return NONE
    mean = say.fixed(float(values.mean()), n_decimals)
    # One repetition tells nothing of the spread.
    return mean if len(values) == 1 else f"{mean} ± {say.fixed(float(values.std(ddof=1)), n_decimals)}"


def _others(run: TableCells, models: tuple[str, ...]) -> Iterator[str]:
    """Yield the tables that compare at one epsilon: other task models, more rows, rows dealt out as they come."""
    head = ["method", *(DOWNSTREAM[model].titled(2) for model in models)]
    for title, rows in (
        ("Accuracy by private model, epsilon 1", list(_by_task_model(run, models))),
        ("Accuracy with more rows, epsilon 1", list(_by_scale(run, models))),
        ("Accuracy by split, private histograms at epsilon 1", list(_by_split(run, models))),
    ):
        if rows:
            yield f"## {title}"
            yield markdown_table(head, rows)


def _line(title: str, group: Group, models: tuple[str, ...], where: str = "on_synthetic") -> list[str]:
    return [title, *(_percent(group, partial(_value, model=model, of="accuracy", where=where)) for model in models)]


def _by_task_model(run: TableCells, models: tuple[str, ...]) -> Iterator[list[str]]:
    others = {found.cell.task_model for found in run.cells} - {"", USUAL_MODEL}
    for task_model in (USUAL_MODEL, *sorted(others)):
        for method in run.methods if others else ():
            group = run.group(method, USUAL_EPSILON, task_model=task_model)
            if not METHODS[method].is_rival and group.has_tables:
                title = f"{METHODS[method].title}, {option_title('trainer', task_model)}"
                yield _line(title, group, models)


def _by_scale(run: TableCells, models: tuple[str, ...]) -> Iterator[list[str]]:
    for method in run.methods:
        groups = {scale: run.group(method, USUAL_EPSILON, scale=scale) for scale in (1, *SCALES)}
        if any(groups[scale].has_tables for scale in SCALES):
            for scale, group in groups.items():
                seconds = say.fixed(float(group.seconds().mean()), 1) if len(group.seconds()) else NONE
                title = f"{METHODS[method].title}, rows × {scale} ({seconds} s)"
                yield _line(title, group, models) if group.has_tables else [title, *(NONE for _ in models)]


def _by_split(run: TableCells, models: tuple[str, ...]) -> Iterator[list[str]]:
    for split, said in (("apart", "copies together"), ("naive", "as they come")):
        group = run.group("marginals", USUAL_EPSILON, split="naive" if split == "naive" else "apart")
        if group.has_tables:
            leaked = float(group.values(lambda one: one.n_leaked / one.n_test).mean())
            known = f"{say.percent(leaked)} of held-out rows have a copy"
            yield _line(f"synthetic, {said} ({known})", group, models)
            yield _line(f"real rows, {said}", group, models, "on_real")
