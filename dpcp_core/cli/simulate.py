"""``dpcp simulate``: what a privacy budget would buy on this table, measured on held-out rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from dpcp_core.cli import aside
from dpcp_core.cli import options as opt
from dpcp_core.cli.settings import settings_from, taking_settings
from dpcp_core.cli.tables import notes, tables_to_explore

# Other programs read these: nothing is renamed, and nothing is added that they did not ask for. Those that a result
# does not have are left out: widths for classes, set sizes for a number.
JSON_KEYS = (
    "method", "epsilon", "delta", "alpha", "n_train", "n_test", "repetitions", "coverage_mean", "coverage_sd",
    "width_mean", "width_sd", "width_median", "set_size_mean", "threshold_mean", "seconds", "receipt",
)  # fmt: skip

if TYPE_CHECKING:
    from dpcp_core.data.dataset import Dataset
    from dpcp_core.experiments.result import SimulationResult
    from dpcp_core.experiments.settings import ConformalSettings


@taking_settings()
def simulate_command(
    data: opt.DataArg,
    schema: opt.SchemaOpt = None,
    public: opt.PublicOpt = None,
    *,
    leave_out_empty: opt.LeaveOutEmptyOpt = "",
    as_json: opt.JsonOpt = False,
    **typed: Any,
) -> None:
    """Measure coverage and size of intervals or sets at a privacy budget; nothing printed is itself private."""
    settings = settings_from(typed)
    table, start = tables_to_explore(data, schema, public, settings.target, leave_out_empty)
    with aside.leaks_heard() as leaks:
        result = _run(table, settings, start)
    # Notes come after the run, so that a refusal is the only thing on standard error.
    for sentence in notes(table, data, settings, leaks):
        aside.note(sentence)
    typer.echo(as_json_text(result) if as_json else _report(result))


def _run(table: Dataset, settings: ConformalSettings, start: Dataset | None) -> SimulationResult:
    from dpcp_core.experiments.run import simulate

    with aside.stage(f"Fitting {settings.repetitions} models"):
        return simulate(table, settings, start)


def _report(result: SimulationResult) -> str:
    from dpcp_core.cli.report import report_text

    return report_text(result)


def as_json_text(result: SimulationResult) -> str:
    """Return the agreed part of the summary as one strict JSON object: no NaN and no bare infinity."""
    from dpcp_core.presentation.strict_json import strict_json

    summary = result.summary()
    return strict_json({key: summary[key] for key in JSON_KEYS if key in summary})
