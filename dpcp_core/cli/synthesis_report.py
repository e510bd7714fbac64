"""What ``dpcp synthesize`` prints: about the table that was made, and about what it is worth."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from dpcp_core.cli.report import WIDTH, for_terminal
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording import synthesis as words
from dpcp_core.presentation.wording.nouns import shortened
from dpcp_core.presentation.wording.plain import SIMULATION
from dpcp_core.presentation.wording.synthesis_measures import MEASURES

if TYPE_CHECKING:
    from dpcp_core.cli.synthesis_files import TableFiles
    from dpcp_core.evaluation.fidelity import LabelRates
    from dpcp_core.experiments.synthesis.result import SynthesisResult
    from dpcp_core.synthesis.run import Synthesis
    from dpcp_core.synthesis.settings import SynthesisSettings

_GAP = 2


def evaluation_text(result: SynthesisResult, made: Synthesis | None = None, files: TableFiles | None = None) -> str:
    """Return what a synthetic table is worth, at most 88 characters wide.

    Parameters
    ----------
    result : SynthesisResult
    made, files : Synthesis and TableFiles, optional
        The table that was written, from all rows, and where.
    """
    name = result.dataset_name or "table"
    about = f" for {shortened(result.target.title)}" if result.target else ""
    sentences = [
        words.utility_sentence(result),
        words.control_sentence(result),
        words.label_sentence(result.label_rates),
        words.fidelity_sentence(result),
        words.rules_sentence(result),
        *words.rival_sentences(result),
        words.partial_sentence(result),
    ]
    blocks = [
        f"{name}: synthetic tables{about}\n{_settings(result.settings)}\n"
        f"{say.count(len(result.runs), 'repetition')}, seed {result.settings.seed}\n{SIMULATION}.",
        _paragraphs(sentences),
        _scores(result),
        _paragraphs(
            [words.uncertainty_sentence(result), words.split_sentence(result), _seconds(result), *_notes(result)], "  "
        ),
        (made or result).receipt.to_text().rstrip(),
        "" if made is None or files is None else written_text(files, made.report.n_rows),
    ]
    return for_terminal("\n\n".join(block for block in blocks if block))


def made_text(made: Synthesis, files: TableFiles, name: str, settings: SynthesisSettings) -> str:
    """Return what is said of a table that was written, without an evaluation."""
    report = made.report
    dropped = f"Rules dropped {say.whole(report.n_dropped)} of {say.count(report.n_drawn, 'drawn row')}."
    sentences = [
        words.label_sentence(label_rates(made)),
        dropped if report.dropped_by else "",
        *report.notes,
        f"Fitted in {report.seconds_fit:.2g} s, drawn in {report.seconds_sample:.2g} s.",
    ]
    blocks = [
        f"{name or 'table'}: {say.count(len(made.table), 'synthetic row')}\n"
        f"{_settings(settings)}\nseed {settings.seed}\n{SIMULATION}.",
        _paragraphs(sentences),
        made.receipt.to_text().rstrip(),
        written_text(files, report.n_rows),
    ]
    return for_terminal("\n\n".join(block for block in blocks if block))


def written_text(files: TableFiles, n_rows: int) -> str:
    """Say which files were written, and from how many rows."""
    return "\n".join([f"WRITTEN, made from all {say.count(n_rows, 'row')}", *(f"  {path}" for path in files.all)])


def made_values(made: Synthesis, files: TableFiles) -> dict[str, Any]:
    """Return what is said of a table that was written as plain values."""
    rates = label_rates(made)
    rate = {} if rates is None else {"label_rate": {of: _rate(rates, of) for of in ("real", "synthetic")}}
    return {
        "out": str(files.table),
        "rows": len(made.table),
        **rate,
        "n_dropped": made.report.n_dropped,
        "seconds_fit": made.seconds_fit,
        "seconds_sample": made.seconds_sample,
        "receipt": made.receipt.to_dict(),
    }


def label_rates(made: Synthesis) -> LabelRates | None:
    """Return how frequent classes are in the table and in the rows it was made from; None for numbers."""
    from dpcp_core.evaluation.fidelity import LabelRates

    if not made.report.label_rate or not made.report.real_label_rate:
        return None
    classes = made.schema.column(made.report.targets[0]).categories
    return LabelRates(classes, made.report.label_rate, made.report.real_label_rate)


def _rate(rates: LabelRates, of: str) -> dict[str, float]:
    return dict(zip(rates.classes, rates.real if of == "real" else rates.synthetic, strict=True))


def _settings(settings: SynthesisSettings) -> str:
    return (
        f"attributes {settings.attributes}, task model {settings.task_model}, labels {settings.labels}\n"
        f"epsilon = {settings.epsilon:g}, delta = {settings.delta:g}"
    )


def _scores(result: SynthesisResult) -> str:
    """Return a line for each model and table that it was trained on, and a column for each measure."""
    rows = words.score_rows(result)
    if not rows:
        return ""
    head = ("trained on", *(MEASURES[measure] for measure in result.measures))
    lines = [(f"  {row.source}" if row.model else row.source, *row.texts) for row in rows]
    cells = [[for_terminal(text) for text in line] for line in (head, *lines)]
    wide = [max(len(line[place]) for line in cells) for place in range(len(head))]
    # What does not fit is in --json; the last measure is the one that adds least.
    while sum(wide) + _GAP * len(wide) > WIDTH:
        wide.pop()
    cells = [line[: len(wide)] for line in cells]
    said, model = [_line(cells[0], wide)], ""
    for row, line in zip(rows, cells[1:], strict=True):
        if row.model != model:
            model = row.model
            said.append(f"  {for_terminal(model)}" if model else "")
        said.append(_line(line, wide))
    return "\n".join(["SCORES ON HELD-OUT REAL ROWS", *said])


def _line(cells: list[str], wide: list[int]) -> str:
    numbers = (f"{cell:>{width + _GAP}}" for cell, width in zip(cells[1:], wide[1:], strict=True))
    return f"  {cells[0]:<{wide[0]}}{''.join(numbers)}".rstrip()


def _seconds(result: SynthesisResult) -> str:
    parts = {name: f"{found.mean:.2g} s" for name, found in result.part_seconds().items()}
    rivals = "".join(f", {rival.title} {rival.making_seconds.mean:.2g} s" for rival in result.rivals)
    return f"Fitted in {parts['fit']}, drawn in {parts['sample']}, measured in {parts['evaluate']}{rivals}."


def _notes(result: SynthesisResult) -> list[str]:
    utility = result.runs[0].scores.utility
    return [*result.report.notes, *(utility.notes if utility else ())]


def _paragraphs(sentences: Iterable[str], indent: str = "") -> str:
    said = (for_terminal(sentence) for sentence in sentences if sentence)
    filled = (textwrap.fill(each, WIDTH, initial_indent=indent, subsequent_indent=indent) for each in said)
    return ("\n" if indent else "\n\n").join(filled)
