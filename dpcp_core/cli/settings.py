"""Settings on the command line: an option for every field of ``ConformalSettings``, and the way to the settings.

A field has the option of the same name, but for ``confidence_level``, which is ``--alpha``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from dpcp_core import _validate as check
from dpcp_core.cli import options as opt
from dpcp_core.cli.taking import Command, taking, training_options

if TYPE_CHECKING:
    from dpcp_core.experiments.settings import ConformalSettings

# Shares that may also be 0 or 1 itself: the library takes those as numbers only.
_WITH_AN_END = ("bound_share", "warmup_share", "sampling_rate")

_SMALLEST_ALPHA, _MOST_REPETITIONS = 1e-9, 10_000


def _choices(
    *,
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
) -> None:
    """Hold the options of a conformal procedure."""


def _measuring(
    *, test_share: opt.TestShareOpt = "0.2", repetitions: opt.RepetitionsOpt = "50", seed: opt.SeedOpt = "0"
) -> None:
    """Hold the options of an experiment."""


def taking_settings(*left_out: str) -> Callable[[Command], Command]:
    """Give a command the options of all settings in place of its ``**typed``, but for some; see :func:`taking`."""
    return taking(_choices, training_options, _measuring, left_out=left_out)


def settings_from(typed: Mapping[str, Any]) -> ConformalSettings:
    """Return the settings that were typed, each under its option's name.

    Raises
    ------
    InputError
        A value outside its range.
    """
    from dpcp_core.experiments.settings import ConformalSettings

    choices = {name: value for name, value in typed.items() if name != "alpha"}
    for name in _WITH_AN_END:
        if choices[name] is not None:
            choices[name] = number_or_text(choices[name])
    choices["repetitions"] = check.whole(at_most=_MOST_REPETITIONS, repetitions=choices["repetitions"])
    return ConformalSettings(confidence_level=level_from(typed["alpha"]), **choices)


def level_from(alpha: str) -> float:
    """Return the confidence level of a miss rate.

    >>> level_from("0.1")
    0.9
    """
    return round(1 - check.between((_SMALLEST_ALPHA, 1 - _SMALLEST_ALPHA), alpha=check.share(alpha=alpha)), 12)


def number_or_text(text: str) -> float | str:
    """Return the number that a text is, or the text itself for the library to refuse.

    >>> number_or_text("100"), number_or_text(".5"), number_or_text("sqrt")
    (100, 0.5, 'sqrt')
    """
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def listed(text: str) -> list[str]:
    """Return what stands between commas.

    >>> listed(".25, .5,1,")
    ['.25', '.5', '1']
    """
    return [word.strip() for word in text.split(",") if word.strip()]
