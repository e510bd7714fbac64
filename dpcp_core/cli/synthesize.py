"""``dpcp synthesize``: a synthetic table with its receipt, or what such a table would be worth."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from dpcp_core.cli import aside
from dpcp_core.cli import options as opt
from dpcp_core.cli import synthesis_options as syn
from dpcp_core.cli.synthesis_tables import described, notes_on
from dpcp_core.cli.tables import open_public, open_table
from dpcp_core.errors import InputError

if TYPE_CHECKING:
    from dpcp_core.cli.synthesis_files import TableFiles
    from dpcp_core.data.dataset import Dataset
    from dpcp_core.experiments.synthesis.result import SynthesisResult
    from dpcp_core.experiments.synthesis.steps import SynthesisProgress
    from dpcp_core.synthesis.run import Synthesis
    from dpcp_core.synthesis.settings import SynthesisSettings

# Other programs read these. Scores are those of classes or of a number; their _sd are there with several repetitions,
# rivals where some were asked for.
_MEASURES = ("accuracy", "f1", "auc", "balanced_accuracy", "rmse", "r2")
JSON_KEYS = (
    *_MEASURES, *(f"{measure}_sd" for measure in _MEASURES), "label_rate", "seconds_fit", "seconds_sample", "rivals",
    "receipt",
)  # fmt: skip


@dataclasses.dataclass(frozen=True)
class _Evaluation:
    """What ``--evaluate`` was asked for."""

    models: tuple[str, ...]
    rivals: tuple[str, ...]
    timeout: str
    repetitions: str


@dataclasses.dataclass(frozen=True, eq=False)
class _Done:
    """What was measured, what was made and where it goes; None where nobody asked for it."""

    result: SynthesisResult | None
    made: Synthesis | None
    files: TableFiles | None


@syn.taking_settings()
def synthesize_command(
    data: opt.DataArg,
    schema: opt.SchemaOpt = None,
    public: syn.PublicRowsOpt = None,
    *,
    leave_out_empty: opt.LeaveOutEmptyOpt = "",
    out: syn.TableOutOpt = None,
    force: syn.ForceOpt = False,
    evaluate: syn.EvaluateOpt = False,
    models: syn.ModelsOpt = "logistic,mlp,svm",
    rivals: syn.RivalsOpt = "",
    timeout: syn.TimeoutOpt = "600",
    repetitions: syn.RepeatsOpt = "1",
    as_json: opt.JsonOpt = False,
    **typed: Any,
) -> None:
    """Make a synthetic table from a seed, or measure what one is worth; neither is a private release."""
    settings = syn.settings_from(typed)
    asked = _evaluation(models, rivals, timeout, repetitions) if evaluate else None
    files = _files(out, [Path(data), schema, public], force, asked, rivals)
    with aside.stage("Reading the table"):
        table, left_out = described(open_table(data, schema, leave_out_empty=leave_out_empty), settings)
        start = None if public is None else open_public(public, table)
    with aside.leaks_heard() as leaks:
        result = None if asked is None else _evaluate(table, settings, asked, start)
        done = _Done(result, None if files is None else _make(table, settings, start), files)
    if done.made is not None and files is not None:
        files.write(done.made)
    # Notes come after the run, so that a refusal is the only thing on standard error.
    for sentence in (*left_out, *notes_on(table, data, settings, leaks, written=files is not None)):
        aside.note(sentence)
    typer.echo(_answer(table, settings, done, as_json))


def as_json_text(result: SynthesisResult) -> str:
    """Return the agreed part of the summary as one strict JSON object."""
    from dpcp_core.presentation.strict_json import strict_json

    summary = result.summary()
    if not result.rivals:
        del summary["rivals"]
    return strict_json({key: summary[key] for key in JSON_KEYS if key in summary})


def _evaluation(models: str, rivals: str, timeout: str, repetitions: str) -> _Evaluation:
    from dpcp_core.evaluation.utility import DOWNSTREAM
    from dpcp_core.synthesis.rivals import RIVALS

    chosen = syn.names_from(models, DOWNSTREAM, "models")
    if not chosen:
        raise InputError(f"models is empty; name some of: {', '.join(DOWNSTREAM)}.")
    return _Evaluation(chosen, syn.names_from(rivals, RIVALS, "rivals"), timeout, repetitions)


def _files(
    out: Path | None, inputs: list[Path | None], force: bool, asked: _Evaluation | None, rivals: str
) -> TableFiles | None:
    from dpcp_core.cli.synthesis_files import TableFiles

    if out is None and asked is None:
        raise InputError("There is nothing to do: name a file with --out, or measure with --evaluate, or both.")
    if rivals and asked is None:
        raise InputError("--rivals are measured beside the table; add --evaluate.")
    files = None if out is None else TableFiles.beside(out)
    if files is not None:
        files.refuse(inputs, force)
    return files


def _evaluate(
    table: Dataset, settings: SynthesisSettings, asked: _Evaluation, start: Dataset | None
) -> SynthesisResult:
    from dpcp_core import _validate as check
    from dpcp_core.experiments.synthesis.run import simulate_synthesis

    try:
        return simulate_synthesis(
            table,
            settings,
            models=asked.models,
            rivals=asked.rivals,
            on_progress=_show if sys.stderr.isatty() else None,
            repetitions=check.whole(repetitions=asked.repetitions),
            public=None if start is None else start.frame,
            rival_timeout=check.positive(timeout=asked.timeout),
        )
    finally:
        if sys.stderr.isatty():
            typer.echo("\r\x1b[K", err=True, nl=False)


def _show(progress: SynthesisProgress) -> None:
    from dpcp_core.presentation.wording.synthesis import progress_words

    typer.echo(f"\r\x1b[K{progress_words(progress)} ...", err=True, nl=False)


def _make(table: Dataset, settings: SynthesisSettings, start: Dataset | None) -> Synthesis:
    from dpcp_core.synthesis.run import synthesize

    with aside.stage("Making the table"):
        return synthesize(table, settings, None if start is None else start.frame)


def _answer(table: Dataset, settings: SynthesisSettings, done: _Done, as_json: bool) -> str:
    from dpcp_core.cli import synthesis_report as report
    from dpcp_core.presentation.strict_json import strict_json

    if done.result is not None:
        return as_json_text(done.result) if as_json else report.evaluation_text(done.result, done.made, done.files)
    assert done.made is not None
    assert done.files is not None
    if as_json:
        return strict_json(report.made_values(done.made, done.files))
    return report.made_text(done.made, done.files, table.name, settings)
