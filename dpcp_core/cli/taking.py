"""Options that several commands take: written once, and put into the signature of each.

A *holder* is a function that is never called; its parameters are the options.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import TypeVar

from dpcp_core.cli import options as opt

Holder = Callable[..., None]
Command = TypeVar("Command", bound=Holder)


def training_options(
    *,
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
) -> None:
    """Hold the options of private training, one for each field of ``TrainingChoices``."""


def taking(*holders: Holder, left_out: tuple[str, ...] = ()) -> Callable[[Command], Command]:
    """Give a command the options of these holders in place of its ``**typed``.

    In its help they stand behind the command's own parameters and before those that go by keyword only.

    Parameters
    ----------
    *holders : callable
        Whose parameters are the options.
    left_out : tuple of str
        Options that the command asks for in another way, or not at all.
    """

    def decorate(command: Command) -> Command:
        own = tuple(_parameters(command))
        taken = [
            *(option for option in own if option.kind is option.POSITIONAL_OR_KEYWORD),
            *(option for holder in holders for option in _parameters(holder) if option.name not in left_out),
            *(option for option in own if option.kind is option.KEYWORD_ONLY),
        ]
        # Typer reads both, and hands everything on by keyword.
        command.__signature__ = inspect.Signature(taken)  # type: ignore[attr-defined]
        command.__annotations__ = {option.name: option.annotation for option in taken}
        return command

    return decorate


def _parameters(function: Holder) -> Iterator[inspect.Parameter]:
    yield from inspect.signature(function, eval_str=True).parameters.values()
