"""``dpcp reproduce``: the experiments of the texts on their own tables, and what becomes of their claims."""

from __future__ import annotations

import dataclasses
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
from dpcp_core.cli.reproduce_output import CELLS, how_to_go_on, refuse_missing, report_of, write_files
from dpcp_core.errors import InputError

if TYPE_CHECKING:
    from dpcp_core.experiments.reproduce.published.registry import FoundTable, PublishedTable
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

    found, missing, left_out = _tables(data, tables)
    _refuse_unwritable(out)
    with with_backend(), how_to_go_on(out):
        done = _run(found, effort, out, missing=missing, left_out=left_out)
    write_files(files_of(done), out)
    typer.echo(report_text(done, out))


def _effort(quick: bool, **typed: Any) -> Effort:
    from dpcp_core.experiments.reproduce.studies import QUICK, Effort

    chosen = {name: value for name, value in typed.items() if value is not None}
    return dataclasses.replace(QUICK if quick else Effort(), **chosen)


def _tables(
    folder: Path | None, typed: str
) -> tuple[tuple[FoundTable, ...], tuple[PublishedTable, ...], tuple[PublishedTable, ...]]:
    """Return the tables that are to run, those that are not there, and those that are there and not wanted."""
    from dpcp_core.experiments.reproduce.published.registry import look_into

    if folder is None:
        raise InputError("Name the folder that holds the tables: --data FOLDER.")
    names = _names(typed)
    here, missing = look_into(folder)
    found = tuple(entry for entry in here if entry.table.name in names)
    refuse_missing(typed, missing)
    if not found:
        raise InputError(_nothing(folder, here))
    return found, missing, tuple(entry.table for entry in here if entry.table.name not in names)


def _names(typed: str) -> frozenset[str]:
    from dpcp_core.experiments.reproduce.published.registry import PUBLISHED

    known = [table.name for table in PUBLISHED]
    if typed == ALL:
        return frozenset(known)
    if typed == NUMBERS:
        return frozenset(table.name for table in PUBLISHED if table.task == "regression")
    return frozenset(check.one_of([*known, NUMBERS, ALL], tables=name.strip()) for name in typed.split(","))


def _nothing(folder: Path, here: tuple[FoundTable, ...]) -> str:
    from dpcp_core.experiments.reproduce.published.registry import PUBLISHED

    if here:
        titles = ", ".join(entry.table.title for entry in here)
        return f"{folder} holds no table with a number to predict; --tables {ALL} runs what there is: {titles}."
    first = PUBLISHED[0]
    titles = ", ".join(table.title for table in PUBLISHED)
    return (
        f"{folder} holds none of the tables {titles}; put files such as {first.files[0]} there, from {first.source} "
        "and the like."
    )


def _refuse_unwritable(out: Path) -> None:
    from dpcp_core.experiments.sweep.store import SweepStore

    SweepStore.at(out / CELLS)


def _run(found: tuple[FoundTable, ...], effort: Effort, out: Path, **others: Any) -> Reproduction:
    from dpcp_core.experiments.reproduce.run import reproduce

    return reproduce(found, effort, out / CELLS, on_step=_show, **others)


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
