"""``dpcp sweep``: many settings on one table, side by side, kept in a folder from which the next run goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from dpcp_core.cli import aside
from dpcp_core.cli import options as opt
from dpcp_core.cli.settings import taking_settings
from dpcp_core.cli.simulate import JSON_KEYS
from dpcp_core.cli.tables import notes, tables_to_explore
from dpcp_core.errors import InputError

if TYPE_CHECKING:
    from dpcp_core.cli.watching import Watch
    from dpcp_core.data.dataset import Dataset
    from dpcp_core.experiments.sweep.plan import SweepPlan
    from dpcp_core.experiments.sweep.result import SweepResult

_STOPPED = 130


@taking_settings("method", "epsilon")
def sweep_command(
    data: opt.DataArg,
    schema: opt.SchemaOpt = None,
    public: opt.PublicOpt = None,
    methods: opt.MethodsOpt = "all",
    epsilons: opt.EpsilonsOpt = "0.25,0.5,1,2,4",
    over: opt.OverOpt = None,
    *,
    leave_out_empty: opt.LeaveOutEmptyOpt = "",
    jobs: opt.JobsOpt = None,
    backend: opt.BackendOpt = "loky",
    scheduler: opt.SchedulerOpt = "",
    folder: opt.FolderOpt = None,
    out: opt.OutOpt = None,
    repetitions_out: opt.RepetitionsOutOpt = None,
    as_json: opt.JsonListOpt = False,
    **typed: Any,
) -> None:
    """Measure coverage and size for every combination of settings; nothing printed is itself private."""
    from dpcp_core.cli.backends import running_on
    from dpcp_core.cli.sweep_plan import plan_from
    from dpcp_core.cli.watching import Watch

    plan = plan_from(typed, methods, epsilons, over or ())
    _refuse_unwritable(out, repetitions_out, [Path(data), schema, public], folder)
    table, start = tables_to_explore(data, schema, public, plan.settings.target, leave_out_empty)
    watch = Watch()
    with aside.leaks_heard() as leaks, running_on(backend, jobs, scheduler), _how_to_go_on(watch, folder):
        result = _run(table, plan, start, folder, watch)
    _refuse_nothing(result)
    _write(result, out, repetitions_out)
    # Notes come after the run, so that a refusal is the only thing on standard error.
    for sentence in notes(table, data, plan.settings, leaks):
        aside.note(sentence)
    typer.echo(as_json_text(result) if as_json else _report(result))
    if not result.is_complete:
        _end_early(len(result.cells), plan.n_cells, folder)


def _run(table: Dataset, plan: SweepPlan, start: Dataset | None, folder: Path | None, watch: Watch) -> SweepResult:
    from dpcp_core.experiments.sweep.engine import run_plan

    with watch.listening():
        return run_plan(table, plan, folder=folder, public=start, on_progress=watch.progress, should_stop=watch.stopped)


@contextmanager
def _how_to_go_on(watch: Watch, folder: Path | None) -> Iterator[None]:
    """Say what is kept where a sweep was stopped at once."""
    try:
        yield
    except KeyboardInterrupt:
        if watch.latest is None:
            raise
        _end_early(watch.latest.done, watch.latest.total, folder)


def _end_early(n_done: int, n_cells: int, folder: Path | None) -> NoReturn:
    how = (
        "with --folder FOLDER they would have been kept for the next run"
        if folder is None
        else f"they are kept in {folder}, and the same command goes on from there"
    )
    typer.echo(aside.printable(f"Stopped: {n_done:,} of {n_cells:,} cells are finished; {how}."), err=True)
    raise typer.Exit(_STOPPED)


def _refuse_nothing(result: SweepResult) -> None:
    """Refuse settings with which no cell can be computed, as a simulation refuses them."""
    if result.is_complete and all(cell.failed for cell in result.cells):
        raise InputError(result.cells[0].problem)


def _refuse_unwritable(
    out: Path | None, repetitions_out: Path | None, inputs: list[Path | None], folder: Path | None
) -> None:
    from dpcp_core.cli.table_files import refuse_unwritable

    wanted = [path for path in (out, repetitions_out) if path is not None]
    for path in wanted:
        refuse_unwritable(path, inputs)
        if folder is not None and path.suffix.lower() == ".parquet" and path.parent.resolve() == folder.resolve():
            raise InputError(
                f"{path} would lie among the finished cells in {folder}, which the next run reads: "
                "choose another place for it."
            )
    if len({path.resolve() for path in wanted}) < len(wanted):
        raise InputError(f"{out} is named twice, and one table would replace the other: give each a file of its own.")


def _write(result: SweepResult, out: Path | None, repetitions_out: Path | None) -> None:
    from dpcp_core.cli.table_files import write_table

    if out is not None:
        write_table(result.frame(), out)
    if repetitions_out is not None:
        write_table(result.repetitions(), repetitions_out)


def _report(result: SweepResult) -> str:
    from dpcp_core.cli.sweep_report import sweep_text

    return sweep_text(result)


def as_json_text(result: SweepResult) -> str:
    """Return a list of strict JSON objects: the keys of a simulation, those of other axes, and what went wrong."""
    from dpcp_core.presentation.strict_json import strict_json

    keys = (*JSON_KEYS, *result.plan.axes, "problem")
    objects = (strict_json({key: said[key] for key in keys if key in said}) for said in result.summaries())
    return f"[{f',{chr(10)} '.join(objects)}]"
