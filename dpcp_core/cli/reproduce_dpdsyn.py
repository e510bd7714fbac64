"""``dpcp reproduce dpdsyn``: the experiments on synthetic tables, and what becomes of their claims."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from dpcp_core.cli.reproduce_output import CELLS, how_to_go_on, report_of, write_files
from dpcp_core.cli.reproduce_tables import Tables, effort_from, tables_in

if TYPE_CHECKING:
    from dpcp_core.experiments.reproduce_synthesis.plan import Effort

_ALL = "all"


def effort_of(quick: bool, **typed: Any) -> Effort:
    """Return how much is run, from what was typed; None stands for what was not."""
    from dpcp_core.experiments.reproduce_synthesis.plan import QUICK, Effort

    return effort_from(QUICK if quick else Effort(), typed)


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

    tables = _tables(data, typed_tables)
    CellStore.at(out / CELLS)
    with with_backend(), how_to_go_on(out):
        done = reproduce_synthesis(
            tables.found, effort, out / CELLS, missing=tables.missing, left_out=tables.left_out, on_cells=_show
        )
    sheet = synthesis_sheet(done)
    write_files(synthesis_files(done, sheet), out)
    typer.echo(report_of(sheet.texts, sheet.own, sheet.lines, out))


def _tables(folder: Path | None, typed: str) -> Tables:
    from dpcp_core.experiments.reproduce_synthesis.tables import TABLES

    return tables_in(folder, typed, TABLES, {_ALL: frozenset(table.name for table in TABLES)})


def _show(table: str, done: int, total: int) -> None:
    if sys.stderr.isatty():
        typer.echo(f"\r\x1b[K{table}: {done} of {total} cells", err=True, nl=False)
