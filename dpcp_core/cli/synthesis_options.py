"""The options of a synthetic table, and the way from what was typed to ``SynthesisSettings``.

A field has the option of the same name, but for ``n_rows``, which is ``--rows``, and ``rules``, which is ``--rule``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpcp_core import _validate as check
from dpcp_core.cli import options as opt
from dpcp_core.cli.settings import listed, number_or_text
from dpcp_core.cli.taking import Command, taking, training_options
from dpcp_core.errors import InputError

if TYPE_CHECKING:
    from dpcp_core.synthesis.settings import SynthesisSettings

# Shares that may also be 0 or 1 itself: the library takes those as numbers only.
_WITH_AN_END = ("warmup_share", "sampling_rate")
_RENAMED = {"rows": "n_rows", "rule": "rules"}


def _several(metavar: str, help_text: str) -> Any:
    return typer.Option(metavar=metavar, help=f"{help_text} May be given several times.")


TargetsOpt = Annotated[
    list[str] | None,
    _several("COLUMN", "Column to label; the default is the schema's target. Later ones know the labels of earlier."),
]
PublicRowsOpt = Annotated[
    Path | None, typer.Option(metavar="FILE.csv", help="Public rows that --attributes public draws from.")
]
AttributesOpt = Annotated[str, opt.name("How columns are made: {attributes}.")]
TaskModelOpt = Annotated[str, opt.name("Private model that makes the labels: {trainer}.")]
LabelsOpt = Annotated[str, opt.name("Labels: {labels} (the likeliest; drawn; drawn, shares of classes put right).")]
ModelShareOpt = Annotated[str, opt.number("Share of the budget that pays for the task model; the rest, for columns.")]
GroupsOpt = Annotated[list[str] | None, _several("A+B", "Columns whose joint counts are kept, such as age+hours.")]
CellsOpt = Annotated[
    list[str] | None,
    _several("NUMBER|COLUMN=NUMBER", "Cells of numbers between their bounds; by default, as many as the budget bears."),
]
RuleOpt = Annotated[list[str] | None, _several("RULE", 'What every row must satisfy, such as "age >= 18".')]
RandomisedOpt = Annotated[
    list[str] | None,
    _several("COLUMN=EPSILON", "Cells that are randomised one by one before anything reads them."),
]
MaxDrawsOpt = Annotated[str, opt.number("Rows drawn for each row wanted, at most, until the rules are satisfied.")]
RowsOpt = Annotated[str | None, opt.number("Rows to make; default: as many as the table has.")]
TableOutOpt = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write the table, as the name says: .csv, .parquet or .json; beside it, its receipt and its schema.",
    ),
]
ForceOpt = Annotated[bool, typer.Option("--force", help="Overwrite existing files.")]
EvaluateOpt = Annotated[
    bool, typer.Option("--evaluate", help="Hold rows out and measure what the table is worth to who trains on it.")
]
ModelsOpt = Annotated[
    str, typer.Option(metavar="NAME,...", help="With --evaluate: models to train, all or some of {downstream}.")
]
RivalsOpt = Annotated[
    str, typer.Option(metavar="NAME,...", help="With --evaluate: other methods beside it, all or some of {rival}.")
]
TimeoutOpt = Annotated[str, opt.number("Seconds after which a rival is stopped.")]
RepeatsOpt = Annotated[str, opt.number("With --evaluate: how often split and noise are drawn anew.")]


def _choices(
    *,
    target: TargetsOpt = None,
    epsilon: opt.EpsilonOpt = "1",
    delta: opt.DeltaOpt = "1e-5",
    attributes: AttributesOpt = "marginals",
    task_model: TaskModelOpt = "mlp",
    labels: LabelsOpt = "argmax",
    training_share: ModelShareOpt = "0.8",
    groups: GroupsOpt = None,
    bins: CellsOpt = None,
    rule: RuleOpt = None,
    randomised_response: RandomisedOpt = None,
    max_draws: MaxDrawsOpt = "100",
    rows: RowsOpt = None,
) -> None:
    """Hold the options of a synthetic table."""


def _chance(*, seed: opt.SeedOpt = "0") -> None:
    """Hold the option that a release does not have."""


def taking_settings(*left_out: str) -> Callable[[Command], Command]:
    """Give a command the options of all settings in place of its ``**typed``, but for some; see :func:`taking`."""
    return taking(_choices, training_options, _chance, left_out=left_out)


def settings_from(typed: Mapping[str, Any]) -> SynthesisSettings:
    """Return the settings that were typed, each under its option's name.

    Raises
    ------
    InputError
        A value outside its range.
    """
    from dpcp_core.synthesis.settings import MOST_ROWS, SynthesisSettings

    choices: dict[str, Any] = {_RENAMED.get(name, name): value for name, value in typed.items()}
    for name in _WITH_AN_END:
        if choices[name] is not None:
            choices[name] = number_or_text(choices[name])
    if choices["n_rows"] is not None:
        choices["n_rows"] = check.whole(at_most=MOST_ROWS, rows=choices["n_rows"])
    choices["target"] = _targets(choices["target"])
    choices["groups"] = [_group(text) for text in choices["groups"] or ()]
    choices["bins"] = _bins(choices["bins"] or [])
    choices["randomised_response"] = [
        _pair(text, "randomised-response") for text in choices["randomised_response"] or ()
    ]
    return SynthesisSettings(**choices)


def names_from(text: str, known: Iterable[str], what: str) -> tuple[str, ...]:
    """Return names that were typed with commas between them; ``all`` stands for every one.

    >>> names_from("mst, aim", ["mst", "aim", "uniform"], "rival"), names_from("all", ["mst"], "rival")
    (('mst', 'aim'), ('mst',))
    """
    known = tuple(known)
    if text.strip() == "all":
        return known
    return tuple(check.one_of(known, **{what: name}) for name in listed(text))


def _targets(given: list[str] | None) -> str | tuple[str, ...] | None:
    names = tuple(given or ())
    return names if len(names) > 1 else names[0] if names else None


def _group(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split("+"))
    if len(names) < 2 or not all(names):
        raise InputError(f"groups is {text!r} but must be columns with a plus between them, such as age+hours.")
    return names


def _bins(given: list[str]) -> Any:
    if not given:
        return "auto"
    if len(given) == 1 and "=" not in given[0]:
        return given[0]
    return [_pair(text, "bins") for text in given]


def _pair(text: str, option: str) -> tuple[str, str]:
    name, sign, value = text.rpartition("=")
    if not sign or not name.strip():
        raise InputError(f"{option} is {text!r} but must be a column and a number, such as age=2.")
    return name.strip(), value.strip()
