"""The options that commands share: name, type and help in one place each.

Numbers come in as text: the library's own checks turn them into numbers, so that ``--epsilon abc`` and
``ConformalSettings(epsilon="abc")`` answer with the same sentence. ``{method}`` and the like in a help text stand for
the registered names, which are looked up only when somebody asks for help.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


def number(help_text: str) -> Any:
    """Return an option that takes a number."""
    return typer.Option(metavar="NUMBER", help=help_text)


def name(help_text: str) -> Any:
    """Return an option that takes one of several names."""
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
PublicOpt = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.csv",
        help="A public table with the same columns, on which training begins; it costs nothing.",
    ),
]
TargetOpt = Annotated[
    str, typer.Option(metavar="COLUMN", help="Column to predict; the default is the schema's target.")
]
LeaveOutEmptyOpt = Annotated[
    str,
    typer.Option(metavar="COLUMN", help="Leave out rows in which this column is empty; how many are left is public."),
]
MethodOpt = Annotated[str, name("How model and threshold are made: {method}.")]
TrainerOpt = Annotated[str, name("Model: {trainer}.")]
ScoreOpt = Annotated[str, name("How far a row is from its prediction: {score}.")]
EpsilonOpt = Annotated[str, number("Privacy budget, above 0; smaller is more private.")]
DeltaOpt = Annotated[str, number("Second part of the budget, between 0 and 1.")]
AlphaOpt = Annotated[str, number("Allowed miss rate, between 0 and 1; coverage is 1 - alpha.")]
TrainingShareOpt = Annotated[str, number("Share of epsilon that pays for training.")]
RowShareOpt = Annotated[str, number("Share of rows that train, in methods that split rows.")]
TestShareOpt = Annotated[str, number("Share of rows held out to measure coverage on.")]
BinsOpt = Annotated[
    str,
    typer.Option(metavar="NUMBER|RULE", help="Candidate thresholds: a number, or one of the rules {bins}."),
]
GridOpt = Annotated[str, name("Spacing of the candidates: {grid} (the last is not private).")]
SmallestWidthOpt = Annotated[
    str | None, number("Finest threshold worth telling apart, from public knowledge; default: the score's own.")
]
BoundShareOpt = Annotated[str, number("Share of the threshold's epsilon that buys a bound of the scores.")]
BoundsEpsilonOpt = Annotated[str, number("Part of epsilon that buys bounds of columns of which none are known.")]
RepetitionsOpt = Annotated[str, number("How often split and noise are drawn anew.")]
SeedOpt = Annotated[str, number("Seed of the simulation.")]
LossOpt = Annotated[str, name("Loss of the private quantile: {loss}.")]
StabilityOpt = Annotated[str, name("What makes in-sample scores valid: {stability}.")]
GuaranteeOpt = Annotated[str, name("What is promised about coverage: {guarantee}.")]
CompositionOpt = Annotated[str, name("How the two costs add up: {composition}.")]
ByGroupOpt = Annotated[
    bool, typer.Option("--by-group", help="A threshold for each group of the schema's group column.")
]
AllowEmptyOpt = Annotated[bool, typer.Option("--allow-empty", help="Let sets of classes be empty.")]
StepsOpt = Annotated[str | None, number("Steps of training; default: public, from rows, columns and budget.")]
StepSizeOpt = Annotated[str | None, number("Length of a step of training; default: public.")]
MaxGradNormOpt = Annotated[str | None, number("Clip norm: the most that one row may pull in a step; default: public.")]
PenaltyOpt = Annotated[str | None, number("Penalty on the size of weights; default: public.")]
NoiseMultiplierOpt = Annotated[
    str | None, number("Noise of a step in units of the clip norm; default: what the budget needs.")
]
SamplingRateOpt = Annotated[str | None, number("Chance of each row to be in a batch, above 0 and up to 1.")]
BatchSizeOpt = Annotated[str | None, number("Rows in a batch on average: another way to give the sampling rate.")]
EpochsOpt = Annotated[str | None, number("Passes over the rows on average: another way to give the steps.")]
WarmupShareOpt = Annotated[str, number("Share of the steps over which steps grow to their full length.")]
DecayOpt = Annotated[str, name("How steps shrink: {decay}.")]
JsonOpt = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
JsonListOpt = Annotated[bool, typer.Option("--json", help="Print a list of JSON objects, one for each cell, only.")]
MethodsOpt = Annotated[
    str,
    typer.Option(metavar="NAME,...", help="Methods to compare: all (of the comparison), or some of {method}."),
]
EpsilonsOpt = Annotated[str, typer.Option(metavar="NUMBER,...", help="Privacy budgets to compare.")]
OverOpt = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE,...",
        help="Values of any other option below, such as bins=50,100,sqrt; may be given several times, and every "
        "combination is a cell. The word default stands for the option's own default.",
    ),
]
JobsOpt = Annotated[str | None, number("Trainings at a time; default: one for each core, here or in the cluster.")]
BackendOpt = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Where trainings run: loky (processes), threading, or a cluster of dask or ray; numbers are the same.",
    ),
]
SchedulerOpt = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        help="A running cluster of dask or ray; without it, one starts here, of as many workers as jobs.",
    ),
]
FolderOpt = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER", help="Keeps finished cells: the same command goes on from there. Protect it like the table."
    ),
]
OutOpt = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write a row for each cell, as the name says: .csv, .parquet or .json."),
]
RepetitionsOutOpt = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write a row for each cell and repetition, likewise.")
]
