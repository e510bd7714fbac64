"""The options that commands share: name, type and help in one place each.

Numbers come in as text: the library's own checks turn them into numbers, so that ``--epsilon abc`` and
``ConformalSettings(epsilon="abc")`` answer with the same sentence.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


def _number(help_text: str) -> Any:
    return typer.Option(metavar="NUMBER", help=help_text)


def _name(help_text: str) -> Any:
    return typer.Option(metavar="NAME", help=help_text)


DataArg = Annotated[
    str, typer.Argument(metavar="DATA", help="A CSV file, or sample:NAME for a table that comes along.")
]
SchemaOpt = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.toml",
        help="What is publicly known about the columns. Without it, bounds are read off the file, "
        "which is not private, and the receipt says so.",
    ),
]
TargetOpt = Annotated[
    str, typer.Option(metavar="COLUMN", help="Column to predict; the default is the schema's target.")
]
MethodOpt = Annotated[str, _name("oracle, split, naive, differential, pscp, dpcp_paper or dpcp.")]
TrainerOpt = Annotated[str, _name("Model: ols or ridge.")]
ScoreOpt = Annotated[str, _name("How far a row is from its prediction: absolute.")]
EpsilonOpt = Annotated[str, _number("Privacy budget, above 0; smaller is more private.")]
DeltaOpt = Annotated[str, _number("Second part of the budget, between 0 and 1.")]
AlphaOpt = Annotated[str, _number("Allowed miss rate, between 0 and 1; coverage is 1 - alpha.")]
TrainingShareOpt = Annotated[str, _number("Share of epsilon that pays for training.")]
RowShareOpt = Annotated[str, _number("Share of rows that train, in methods that split rows.")]
BinsOpt = Annotated[
    str,
    typer.Option(metavar="NUMBER|RULE", help="Candidate thresholds: a number, or the rule sqrt, cbrt or alpha."),
]
GridOpt = Annotated[str, _name("Spacing of the candidates: geometric or uniform.")]
RepetitionsOpt = Annotated[str, _number("How often split and noise are drawn anew.")]
SeedOpt = Annotated[str, _number("Seed of the simulation.")]
LossOpt = Annotated[str, _name("Loss of the private quantile: bracket or paper.")]
StabilityOpt = Annotated[str, _name("What makes in-sample scores valid: split, dp, profile, coupling or best.")]
GuaranteeOpt = Annotated[str, _name("certified (proved for every n) or paper.")]
CompositionOpt = Annotated[str, _name("How the two costs add up: tight or basic.")]
JsonOpt = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
