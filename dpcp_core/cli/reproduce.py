"""``dpcp reproduce``: the experiments of the texts on their own tables, and what becomes of their claims."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from dpcp_core import _validate as check
from dpcp_core.cli import options as opt
from dpcp_core.cli import reproduce_options as ro
from dpcp_core.cli.reproduce_output import CELLS, how_to_go_on, report_of, write_files
from dpcp_core.cli.reproduce_tables import Tables, effort_from, tables_in
from dpcp_core.errors import InputError

if TYPE_CHECKING:
    from dpcp_core.experiments.reproduce.run import Reproduction
    from dpcp_core.experiments.reproduce.studies import Effort
    from dpcp_core.experiments.sweep.result import Progress

PAPERS = ("dpcp", "dpdsyn")
NUMBERS, ALL = "numbers", "all"

WithBackend = Callable[[], AbstractContextManager[None]]


def reproduce_command(
    paper: ro.PaperArg,
    data: ro.DataFolderOpt = None,
    out: ro.OutFolderOpt = None,
    tables: ro.TablesOpt = None,
    repetitions: ro.RepetitionsOpt = None,
    class_repetitions: ro.ClassRepetitionsOpt = None,
    quick: ro.QuickOpt = False,
    rivals: ro.RivalChoiceOpt = None,
    timeout: ro.RivalTimeoutOpt = None,
    transformer: ro.TransformerOpt = False,
    seed: opt.SeedOpt = "0",
    jobs: opt.JobsOpt = None,
    backend: opt.BackendOpt = "loky",
    scheduler: opt.SchedulerOpt = "",
) -> None:
    """Run a paper's experiments again and hold its claims against them; nothing written is itself private."""
    from dpcp_core.cli.backends import running_on
    from dpcp_core.cli.reproduce_dpdsyn import effort_of, reproduce_dpdsyn

    check.one_of(PAPERS, paper=paper)
    of_dpcp = {"class_repetitions": class_repetitions}
    of_dpdsyn = {"rivals": rivals, "timeout": timeout, "has_transformer": transformer or None}
    _refuse_others(paper, of_dpdsyn if paper == "dpcp" else of_dpcp)
    asked = {"repetitions": repetitions, "seed": seed}
    with_backend = partial(running_on, backend, jobs, scheduler)
    if paper == "dpcp":
        _dpcp(data, out or Path("reproduction"), tables or NUMBERS, _effort(quick, **asked, **of_dpcp), with_backend)
    else:
        wanted = effort_of(quick, **asked, **of_dpdsyn)
        reproduce_dpdsyn(data, out or Path("reproduction-dpdsyn"), tables or ALL, wanted, with_backend)


def _refuse_others(paper: str, given: Mapping[str, object]) -> None:
    """Refuse an option that belongs to the other paper."""
    for name, value in given.items():
        if value is not None:
            option = name.removeprefix("has_").replace("_", "-")
            raise InputError(f"--{option} is not for {paper}; leave it out.")


def _dpcp(data: Path | None, out: Path, tables: str, effort: Effort, with_backend: WithBackend) -> None:
    from dpcp_core.presentation.findings.files import files_of

    chosen = _tables(data, tables)
    _refuse_unwritable(out)
    with with_backend(), how_to_go_on(out):
        done = _run(chosen, effort, out)
    write_files(files_of(done), out)
    typer.echo(report_text(done, out))


def _effort(quick: bool, **typed: Any) -> Effort:
    from dpcp_core.experiments.reproduce.studies import QUICK, Effort

    return effort_from(QUICK if quick else Effort(), typed)


def _tables(folder: Path | None, typed: str) -> Tables:
    from dpcp_core.experiments.reproduce.published.registry import PUBLISHED

    with_numbers = frozenset(table.name for table in PUBLISHED if table.task == "regression")
    groups = {NUMBERS: with_numbers, ALL: frozenset(table.name for table in PUBLISHED)}
    tables = tables_in(folder, typed, PUBLISHED, groups)
    if not tables.found:
        titles = ", ".join(table.title for table in tables.left_out)
        raise InputError(
            f"{folder} holds no table with a number to predict; --tables {ALL} runs what there is: {titles}."
        )
    return tables


def _refuse_unwritable(out: Path) -> None:
    from dpcp_core.experiments.sweep.store import SweepStore

    SweepStore.at(out / CELLS)


def _run(tables: Tables, effort: Effort, out: Path) -> Reproduction:
    from dpcp_core.experiments.reproduce.run import reproduce

    return reproduce(tables.found, effort, out / CELLS, missing=tables.missing, left_out=tables.left_out, on_step=_show)


def _show(table: str, step: str, progress: Progress | None) -> None:
    if sys.stderr.isatty():
        from dpcp_core.presentation.wording.progress import progress_words

        said = ": ".join(part for part in (table, step) if part)
        how_far = "" if progress is None else f", {progress_words(progress)}"
        typer.echo(f"\r\x1b[K{said}{how_far}", err=True, nl=False)


def report_text(done: Reproduction, out: Path) -> str:
    """Return what became of each claim, what was not run, and where everything lies."""
    from dpcp_core.presentation.findings.claims import OF_THE_TEXTS, OUR_OWN
    from dpcp_core.presentation.findings.page import findings, run_lines

    return report_of(findings(done, OF_THE_TEXTS), findings(done, OUR_OWN), run_lines(done), out)
