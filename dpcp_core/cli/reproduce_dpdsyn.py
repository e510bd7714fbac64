"""``dpcp reproduce dpdsyn``: the experiments on synthetic tables, and what becomes of their claims."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from dpcp_core import _validate as check
from dpcp_core.cli.reproduce_output import CELLS, how_to_go_on, refuse_missing, report_of, write_files
from dpcp_core.errors import InputError

if TYPE_CHECKING:
    from dpcp_core.experiments.reproduce.published.registry import FoundTable, PublishedTable
    from dpcp_core.experiments.reproduce_synthesis.plan import Effort

_ALL = "all"


def effort_of(quick: bool, **typed: Any) -> Effort:
    """Return how much is run, from what was typed; None stands for what was not."""
    from dpcp_core.experiments.reproduce_synthesis.plan import QUICK, Effort

    chosen = {name: value for name, value in typed.items() if value is not None}
    return dataclasses.replace(QUICK if quick else Effort(), **chosen)


def reproduce_dpdsyn(
    data: Path | None,
    out: Path,
    typed_tables: str,
    effort: Effort,
    with_backend: Callable[[], AbstractContextManager[None]],
) -> None:
    """Run what the folder holds, write what came out, and say it."""
    from dpcp_core.experiments.reproduce_synthesis.run import reproduce_synthesis
    from dpcp_core.experiments.reproduce_synthesis.store import CellStore
    from dpcp_core.presentation.findings.synthesis_files import synthesis_files
    from dpcp_core.presentation.findings.synthesis_page import synthesis_sheet

    found, missing, left_out = _tables(data, typed_tables)
    CellStore.at(out / CELLS)
    with with_backend(), how_to_go_on(out):
        done = reproduce_synthesis(found, effort, out / CELLS, missing=missing, left_out=left_out, on_cells=_show)
    sheet = synthesis_sheet(done)
    write_files(synthesis_files(done, sheet), out)
    typer.echo(report_of(sheet.texts, sheet.own, sheet.lines, out))


def _tables(
    folder: Path | None, typed: str
) -> tuple[tuple[FoundTable, ...], tuple[PublishedTable, ...], tuple[PublishedTable, ...]]:
    """Return the tables that are to run, those that are not there, and those that are there and not wanted."""
    from dpcp_core.experiments.reproduce.published.registry import look_into
    from dpcp_core.experiments.reproduce_synthesis.tables import BY_NAME, TABLES

    if folder is None:
        raise InputError("Name the folder that holds the tables: --data FOLDER.")
    some = (
        () if typed == _ALL else tuple(check.one_of([*BY_NAME, _ALL], tables=name.strip()) for name in typed.split(","))
    )
    names = frozenset(BY_NAME if typed == _ALL or _ALL in some else some)
    here, missing = look_into(folder, TABLES)
    refuse_missing(typed, missing)
    found = tuple(entry for entry in here if entry.table.name in names)
    if not found:
        titles = ", ".join(table.title for table in TABLES)
        raise InputError(
            f"{folder} holds none of the tables {titles}; put files such as {TABLES[0].files[0]} there, from "
            f"{TABLES[0].source} and the like."
        )
    return found, missing, tuple(entry.table for entry in here if entry.table.name not in names)


def _show(table: str, done: int, total: int) -> None:
    if sys.stderr.isatty():
        typer.echo(f"\r\x1b[K{table}: {done} of {total} cells", err=True, nl=False)
