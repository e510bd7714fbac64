"""``dpcp simulate``: what a privacy budget would buy on this table, measured on held-out rows.

Every field of ``ConformalSettings`` is an option of the same name, but for ``confidence_level``, which is ``--alpha``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from dpcp_core import _validate as check
from dpcp_core.cli import aside
from dpcp_core.cli import options as opt
from dpcp_core.cli.tables import guesses, leak_sentence, open_public, open_table, ready_to_explore

# Other programs read these: nothing is renamed, and nothing is added that they did not ask for. Those that a result
# does not have are left out: widths for classes, set sizes for a number.
JSON_KEYS = (
    "method", "epsilon", "delta", "alpha", "n_train", "n_test", "repetitions", "coverage_mean", "coverage_sd",
    "width_mean", "width_sd", "width_median", "set_size_mean", "threshold_mean", "seconds", "receipt",
)  # fmt: skip

_NO_SETTING = ("data", "schema", "public", "as_json")

# Shares that may also be 0 or 1 itself: the library takes those as numbers only.
_WITH_AN_END = ("bound_share", "warmup_share", "sampling_rate")

_SMALLEST_ALPHA, _MOST_REPETITIONS = 1e-9, 10_000

if TYPE_CHECKING:
    from dpcp_core.data.dataset import Dataset
    from dpcp_core.experiments.result import SimulationResult
    from dpcp_core.experiments.settings import ConformalSettings


def simulate_command(
    data: opt.DataArg,
    schema: opt.SchemaOpt = None,
    public: opt.PublicOpt = None,
    target: opt.TargetOpt = "",
    method: opt.MethodOpt = "dpcp",
    trainer: opt.TrainerOpt = "auto",
    score: opt.ScoreOpt = "auto",
    epsilon: opt.EpsilonOpt = "1",
    delta: opt.DeltaOpt = "1e-5",
    alpha: opt.AlphaOpt = "0.1",
    training_share: opt.TrainingShareOpt = "0.5",
    row_share: opt.RowShareOpt = "0.5",
    bins: opt.BinsOpt = "100",
    grid: opt.GridOpt = "geometric",
    smallest_width: opt.SmallestWidthOpt = None,
    bound_share: opt.BoundShareOpt = "0",
    bounds_epsilon: opt.BoundsEpsilonOpt = "0",
    loss: opt.LossOpt = "one_sided",
    stability: opt.StabilityOpt = "best",
    guarantee: opt.GuaranteeOpt = "certified",
    composition: opt.CompositionOpt = "tight",
    by_group: opt.ByGroupOpt = False,
    allow_empty: opt.AllowEmptyOpt = False,
    steps: opt.StepsOpt = None,
    step_size: opt.StepSizeOpt = None,
    max_grad_norm: opt.MaxGradNormOpt = None,
    penalty: opt.PenaltyOpt = None,
    noise_multiplier: opt.NoiseMultiplierOpt = None,
    sampling_rate: opt.SamplingRateOpt = None,
    batch_size: opt.BatchSizeOpt = None,
    epochs: opt.EpochsOpt = None,
    warmup_share: opt.WarmupShareOpt = "0",
    decay: opt.DecayOpt = "constant",
    test_share: opt.TestShareOpt = "0.2",
    repetitions: opt.RepetitionsOpt = "50",
    seed: opt.SeedOpt = "0",
    as_json: opt.JsonOpt = False,
) -> None:
    """Measure coverage and size of intervals or sets at a privacy budget; nothing printed is itself private."""
    # Options are called like the settings, so what was typed is handed on without naming each once more.
    typed = dict(locals())
    settings = _settings(**{name: value for name, value in typed.items() if name not in _NO_SETTING})
    with aside.stage("Reading the table"):
        table = ready_to_explore(open_table(data, schema), target)
        start = None if public is None else open_public(public, table)
    with aside.leaks_heard() as leaks:
        result = _run(table, settings, start)
    # Notes come after the run, so that a refusal is the only thing on standard error.
    for sentence in [*guesses(table, data), *_leaks(table, settings, leaks)]:
        aside.note(sentence)
    typer.echo(as_json_text(result) if as_json else _report(result))


def _settings(*, alpha: str, **choices: Any) -> ConformalSettings:
    from dpcp_core.experiments.settings import ConformalSettings

    level = round(1 - check.between((_SMALLEST_ALPHA, 1 - _SMALLEST_ALPHA), alpha=check.share(alpha=alpha)), 12)
    for name in _WITH_AN_END:
        choices[name] = _as_number(choices[name])
    choices["repetitions"] = check.whole(at_most=_MOST_REPETITIONS, repetitions=choices["repetitions"])
    return ConformalSettings(confidence_level=level, **choices)


def _as_number(text: str | None) -> float | str | None:
    """Return the number that a text is, or the text itself for the library to refuse."""
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def _leaks(table: Dataset, settings: ConformalSettings, heard: list[str]) -> list[str]:
    """Return one note on what was read off the rows; where bounds were bought, what the library says of the rest."""
    if not heard or settings.bounds_epsilon or not table.schema.from_file:
        return heard
    return [leak_sentence(table)]


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
