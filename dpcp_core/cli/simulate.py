"""``dpcp simulate``: what a privacy budget would buy on this table, measured on held-out rows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from dpcp_core import _validate as check
from dpcp_core.cli import aside
from dpcp_core.cli import options as opt
from dpcp_core.cli.tables import guesses, leak_sentence, open_table, ready_to_explore

# Other programs read these: nothing is renamed, and nothing is added that they did not ask for.
JSON_KEYS = (
    "method", "epsilon", "delta", "alpha", "n_train", "n_test", "repetitions", "coverage_mean", "coverage_sd",
    "width_mean", "width_sd", "width_median", "threshold_mean", "seconds", "receipt",
)  # fmt: skip

_SMALLEST_ALPHA, _MOST_REPETITIONS = 1e-9, 10_000

if TYPE_CHECKING:
    from dpcp_core.data.dataset import Dataset
    from dpcp_core.experiments.result import SimulationResult
    from dpcp_core.experiments.settings import ConformalSettings


def simulate_command(
    data: opt.DataArg,
    schema: opt.SchemaOpt = None,
    target: opt.TargetOpt = "",
    method: opt.MethodOpt = "dpcp",
    trainer: opt.TrainerOpt = "ridge",
    score: opt.ScoreOpt = "absolute",
    epsilon: opt.EpsilonOpt = "1",
    delta: opt.DeltaOpt = "1e-5",
    alpha: opt.AlphaOpt = "0.1",
    training_share: opt.TrainingShareOpt = "0.5",
    row_share: opt.RowShareOpt = "0.5",
    bins: opt.BinsOpt = "100",
    grid: opt.GridOpt = "geometric",
    loss: opt.LossOpt = "bracket",
    stability: opt.StabilityOpt = "best",
    guarantee: opt.GuaranteeOpt = "certified",
    composition: opt.CompositionOpt = "tight",
    repetitions: opt.RepetitionsOpt = "50",
    seed: opt.SeedOpt = "0",
    as_json: opt.JsonOpt = False,
) -> None:
    """Measure coverage and width of intervals at a privacy budget; nothing printed is itself private."""
    settings = _settings(
        target=target, method=method, trainer=trainer, score=score, epsilon=epsilon, delta=delta,
        alpha=alpha, training_share=training_share, row_share=row_share, bins=bins, grid=grid, loss=loss,
        stability=stability, guarantee=guarantee, composition=composition, repetitions=repetitions, seed=seed,
    )  # fmt: skip
    with aside.stage("Reading the table"):
        table = ready_to_explore(open_table(data, schema), target)
    with aside.leaks_heard() as leaks:
        result = _run(table, settings)
    # Notes come after the run, so that a refusal is the only thing on standard error.
    for sentence in [*guesses(table, data), *([leak_sentence(table)] if table.schema.from_file else leaks)]:
        aside.note(sentence)
    typer.echo(as_json_text(result) if as_json else _report(result))


def _settings(*, alpha: str, **choices: object) -> ConformalSettings:
    from dpcp_core.experiments.settings import ConformalSettings

    level = round(1 - check.between((_SMALLEST_ALPHA, 1 - _SMALLEST_ALPHA), alpha=check.share(alpha=alpha)), 12)
    choices["repetitions"] = check.whole(at_most=_MOST_REPETITIONS, repetitions=choices["repetitions"])
    return ConformalSettings(confidence_level=level, **choices)  # type: ignore[arg-type]


def _run(table: Dataset, settings: ConformalSettings) -> SimulationResult:
    from dpcp_core.experiments.run import simulate

    with aside.stage(f"Fitting {settings.repetitions} models"):
        return simulate(table, settings)


def _report(result: SimulationResult) -> str:
    from dpcp_core.cli.report import report_text

    return report_text(result)


def as_json_text(result: SimulationResult) -> str:
    """Return the agreed part of the summary as one strict JSON object: no NaN and no bare infinity."""
    summary = result.summary()
    return json.dumps(_strict({key: summary[key] for key in JSON_KEYS}), ensure_ascii=False, allow_nan=False)


def _strict(value: object) -> object:
    if isinstance(value, dict):
        return {key: _strict(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_strict(inner) for inner in value]
    if isinstance(value, float):
        if value != value:
            return None
        return "infinity" if value == float("inf") else value
    return value
