"""``dpcp reproduce``: the experiments of the texts on their own tables, and what becomes of their claims."""

from __future__ import annotations

import dataclasses
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpcp_core import _validate as check
from dpcp_core.cli import aside
from dpcp_core.cli import options as opt
from dpcp_core.errors import InputError

if TYPE_CHECKING:
    from dpcp_core.experiments.reproduce.published.registry import FoundTable, PublishedTable
    from dpcp_core.experiments.reproduce.run import Reproduction
    from dpcp_core.experiments.reproduce.studies import Effort
    from dpcp_core.experiments.sweep.result import Progress

PAPERS = ("dpcp",)
NUMBERS, ALL = "numbers", "all"
CELLS = "cells"

_WIDTH, _STOPPED = 88, 130


def reproduce_command(
    paper: Annotated[str, typer.Argument(metavar="PAPER", help="Whose experiments: dpcp (arXiv 2604.14621).")],
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Holds the tables, under the names they are published with.")
    ] = None,
    out: Annotated[
        Path,
        typer.Option(
            metavar="FOLDER",
            help="Takes findings, tables and figures, and keeps finished cells: the same command goes on from there. "
            "Protect it like the tables.",
        ),
    ] = Path("reproduction"),
    tables: Annotated[
        str,
        typer.Option(
            metavar="NAME,...",
            help="Tables to run: numbers (those with a number to predict, some ten minutes), all (pictures as well, "
            "some hours), or some of abalone, bike, communities_crime, casp, tetouan, mnist, cifar10.",
        ),
    ] = NUMBERS,
    repetitions: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="How often split and noise are drawn anew; default: 100.")
    ] = None,
    class_repetitions: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="The same for pictures; default: 3.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="10 repetitions, and 2 for pictures: a first look in a minute or two.")
    ] = False,
    seed: opt.SeedOpt = "0",
    jobs: opt.JobsOpt = None,
    backend: opt.BackendOpt = "loky",
    scheduler: opt.SchedulerOpt = "",
) -> None:
    """Run a paper's experiments again and hold its claims against them; nothing written is itself private."""
    from dpcp_core.cli.backends import running_on

    check.one_of(PAPERS, paper=paper)
    effort = _effort(quick, repetitions=repetitions, class_repetitions=class_repetitions, seed=seed)
    found, missing, left_out = _tables(data, tables)
    _refuse_unwritable(out)
    with running_on(backend, jobs, scheduler), _how_to_go_on(out):
        done = _run(found, effort, out, missing=missing, left_out=left_out)
    _write(done, out)
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
    _refuse_missing(typed, missing)
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


def _refuse_missing(typed: str, missing: tuple[PublishedTable, ...]) -> None:
    """Refuse a table that was asked for by its name and is not there."""
    from dpcp_core.presentation.findings.page import missing_line

    asked = [table for table in missing if table.name in typed.split(",")]
    if asked:
        raise InputError(missing_line(asked[0]))


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
        from dpcp_core.cli.watching import progress_text

        said = ": ".join(part for part in (table, step) if part)
        how_far = "" if progress is None else f", {progress_text(progress)}"
        typer.echo(f"\r\x1b[K{said}{how_far}", err=True, nl=False)


@contextmanager
def _how_to_go_on(out: Path) -> Iterator[None]:
    """Say what is kept where a run was stopped, and clear the line that told how far it was."""
    try:
        yield
    except KeyboardInterrupt:
        kept = f"Stopped: finished cells are kept in {out / CELLS}, and the same command goes on from there."
        typer.echo(aside.printable(f"\n{kept}" if sys.stderr.isatty() else kept), err=True)
        raise typer.Exit(_STOPPED) from None
    if sys.stderr.isatty():
        typer.echo("\r\x1b[K", err=True, nl=False)


def _write(done: Reproduction, out: Path) -> None:
    from dpcp_core.presentation.findings.files import files_of

    for name, text in files_of(done):
        path = out / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            reason = (error.strerror or "no reason given").lower()
            raise InputError(f"{path} cannot be written ({reason}); choose another folder with --out.") from None


def report_text(done: Reproduction, out: Path) -> str:
    """Return what became of each claim, what was not run, and where everything lies; at most 88 characters wide."""
    from dpcp_core.presentation.findings.claims import OF_THE_TEXTS, OUR_OWN
    from dpcp_core.presentation.findings.page import findings, run_lines, tally
    from dpcp_core.presentation.findings.words import figure_words, status_words

    texts, own = findings(done, OF_THE_TEXTS), findings(done, OUR_OWN)
    lines = [*_wrapped(tally(texts), ""), ""]
    for title, some in (("WHAT THE TEXTS CLAIM", texts), ("WHAT WE CLAIM", own)):
        lines.append(title)
        for entry in some:
            lines += _wrapped(entry.claim.sentence, "  ")
            lines += _wrapped(f"{status_words(entry.verdict)}. {figure_words(entry.claim, entry.verdict)}", "    ")
        lines.append("")
    lines += ["WHAT WAS RUN", *(line for said in run_lines(done) for line in _wrapped(said, "  "))]
    lines += ["", aside.printable(f"Findings, tables and figures are in {out}: open {out / 'findings.html'}.")]
    return "\n".join(lines)


def _wrapped(text: str, indent: str) -> list[str]:
    from dpcp_core.cli.report import for_terminal

    # An address must stay in one piece.
    return textwrap.wrap(
        for_terminal(text),
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
