"""A comparison of methods to take away: two tables, a machine-readable file, or one page that opens anywhere.

Each is the curator's view of a simulation: measured on real rows, for whoever keeps the data, in no release.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any

import pandas as pd

from dpcp_core.data.spreadsheet import csv_text
from dpcp_core.experiments.comparison import Comparison, difference
from dpcp_core.presentation.comparison_tables import cells_table, standings_table
from dpcp_core.presentation.figures.boxes import coverage_boxes, size_boxes
from dpcp_core.presentation.figures.compare import coverage_over_epsilon, size_over_epsilon
from dpcp_core.presentation.figures.picture import picture_config
from dpcp_core.presentation.html_parts import document, paragraph, picture_section, section, table_of
from dpcp_core.presentation.report import Download
from dpcp_core.presentation.snippets import LINE, python_snippet
from dpcp_core.presentation.strict_json import strict_json
from dpcp_core.presentation.wording import compare as words
from dpcp_core.presentation.wording.crossings import (
    at_sentence,
    beside_sentence,
    crossing_sentences,
    miss_sentences,
    winner_sentence,
)
from dpcp_core.presentation.wording.nouns import shortened
from dpcp_core.presentation.wording.plain import SIMULATION, SIMULATION_MEANING
from dpcp_core.presentation.wording.terms import term

if TYPE_CHECKING:
    from dpcp_core.data.dataset import Dataset
    from dpcp_core.experiments.sweep.result import SweepResult


def comparison_downloads(result: SweepResult, epsilon: float, data: Dataset | None = None) -> tuple[Download, ...]:
    """Return the files that a comparison can be taken away as; none is made before its ``make`` is called.

    Parameters
    ----------
    result
        Of a plan with the axes ``method`` and ``epsilon``.
    epsilon
        At which the page shows how repetitions spread.
    data
        Its table; with it, the page ends with the code that repeats the comparison.
    """
    stem = comparison_stem(result)
    return (
        Download("Report (HTML)", f"{stem}.html", "text/html", lambda: comparison_html(result, epsilon, data)),
        Download("Summary (CSV)", f"{stem}.csv", "text/csv", lambda: _csv(result.frame())),
        Download("Repetitions (CSV)", f"{stem}-repetitions.csv", "text/csv", lambda: _csv(result.repetitions())),
        Download("Everything (JSON)", f"{stem}.json", "application/json", lambda: comparison_json(result)),
    )


def comparison_stem(result: SweepResult) -> str:
    """Return a file name without its ending, from the table's name; safe on every system."""
    text = f"{result.dataset_name or 'table'}-methods"
    return "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_.") else "_" for letter in text)


def comparison_json(result: SweepResult) -> str:
    """Return plan, cells with all repetitions, who leads where, and every paired difference, as strict JSON."""
    comparison = Comparison(result)
    values = {
        "note": f"{SIMULATION}. {SIMULATION_MEANING}",
        "dataset": {"name": result.dataset_name, "digest": result.dataset_digest, "one_row_is": result.one_row_is},
        "target": {"name": result.target.name, "unit": result.target.unit, "task": result.task},
        "settings": result.plan.settings.to_dict(),
        "axes": {name: list(axis) for name, axis in result.plan.axes.items()},
        "complete": result.is_complete,
        "in_words": _sentences(comparison),
        "standings": [vars(standing) for standing in comparison.standings()],
        "paired_differences": list(_differences(comparison)),
        "cells": [summary | _repetitions(result, i) for i, summary in enumerate(result.summaries())],
    }
    return strict_json(values, indent=1)


def comparison_html(result: SweepResult, epsilon: float, data: Dataset | None = None) -> str:
    """Return one page that holds everything, pictures included, and asks nothing of any network.

    Parameters
    ----------
    result, epsilon, data
        See :func:`comparison_downloads`.
    """
    comparison = Comparison(result)
    title = f"{shortened(result.target.title)}: which method wins where?"
    partial = words.partial_words(result)
    parts = [
        f"<h1>{escape(title)}</h1>",
        f'<p><span class="badge">{escape(SIMULATION)}.</span> {escape(words.KEEP)}</p>',
        paragraph(f"{partial}." if partial else ""),
        paragraph(words.plan_line(result, result.dataset_name or "a table")),
        section("The answer", _list([winner_sentence(comparison), at_sentence(comparison, epsilon)])),
        *_pictures(comparison, epsilon),
        section("Who leads at each ε", table_of(standings_table(comparison))),
        section("Which is narrower where, two by two", _list(crossing_sentences(comparison))),
        section("What wins nothing", _list([*miss_sentences(comparison), beside_sentence(comparison)])),
        *_failures(result),
        section("The methods", _methods(comparison)),
        section("All cells", table_of(cells_table(comparison))),
    ]
    if data is not None:
        parts.append(section("Python that repeats this", f"<pre>{escape(comparison_snippet(result, data))}</pre>"))
    parts.append(section("How to read this", paragraph(words.HOW_TOLD_APART) + paragraph(SIMULATION_MEANING)))
    return document(title, "\n".join(parts))


def comparison_snippet(result: SweepResult, data: Dataset) -> str:
    """Return Python that repeats a comparison, exactly."""
    axes = "".join(f"    {_axis(name, values)},\n" for name, values in result.plan.axes.items())
    return (
        python_snippet(result.plan.settings, data)
        .replace("simulate\n", "sweep\n", 1)
        .replace("result = simulate(data, settings)", f"result = sweep(\n    data,\n    settings,\n{axes})")
        .replace("print(result.summary())", "print(result.frame())")
    )


_ARGUMENTS = {"method": "methods", "epsilon": "epsilons"}


def _axis(name: str, values: Iterable[Any]) -> str:
    line = f"{_ARGUMENTS.get(name, name)}={json.dumps(list(values))}"
    return textwrap.fill(line, LINE - 8, subsequent_indent=" " * 8, break_long_words=False)


def _csv(frame: pd.DataFrame) -> str:
    return csv_text(frame)


def _sentences(comparison: Comparison) -> list[str]:
    said = [winner_sentence(comparison), *crossing_sentences(comparison), *miss_sentences(comparison)]
    return [sentence for sentence in (*said, beside_sentence(comparison)) if sentence]


def _differences(comparison: Comparison) -> Iterable[dict[str, Any]]:
    for i, one in enumerate(comparison.methods):
        for other in comparison.methods[i + 1 :]:
            for epsilon in comparison.epsilons:
                first, second = comparison.cell(one, epsilon), comparison.cell(other, epsilon)
                if first is not None and second is not None:
                    mean, low, high = difference(first, second)
                    named = {"method": one, "other": other, "epsilon": epsilon}
                    yield named | {"size_difference": mean, "low": low, "high": high}


def _repetitions(result: SweepResult, number: int) -> dict[str, Any]:
    cell = result.cells[number]
    return {"coverage": cell.coverage.tolist(), "size": cell.size.tolist(), "threshold": cell.thresholds.tolist()}


def _pictures(comparison: Comparison, epsilon: float) -> list[str]:
    drawn = [
        (coverage_over_epsilon(comparison), "coverage"),
        (size_over_epsilon(comparison), "size"),
        (coverage_boxes(comparison, epsilon), "coverage-boxes"),
        (size_boxes(comparison, epsilon), "size-boxes"),
    ]
    stem = comparison_stem(comparison.result)
    # The plotly library goes in once, with the first picture.
    return [
        picture_section(picture, with_library=i == 0, config=picture_config(f"{stem}-{name}"))
        for i, (picture, name) in enumerate(drawn)
    ]


def _failures(result: SweepResult) -> list[str]:
    sentences = words.failure_sentences(result)
    return [section("What could not be computed", _list(sentences))] if sentences else []


def _methods(comparison: Comparison) -> str:
    meant = [term("method", name) for name in comparison.methods]
    return f"<ul>{''.join(f'<li><b>{escape(m.title)}</b>: {escape(m.sentence)}</li>' for m in meant)}</ul>"


def _list(sentences: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(sentence)}</li>' for sentence in sentences if sentence)}</ul>"
