"""What trainers do with the choices of a person: refuse what has no use, settle steps, batches, schedule and noise.

>>> sampling(TrainingChoices(batch_size=100, epochs=2), 1000, default_rate=1.0, default_steps=50)
(20, 0.1)
>>> step_sizes(4, 1.0, warmup_share=0.5, decay="constant").tolist()
[0.5, 1.0, 1.0, 1.0]
"""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
import numpy.typing as npt

from dpcp_core import _validate as check
from dpcp_core.errors import InputError
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.protocol import MOST_STEPS, Decay, TrainingChoices

DESCENT = frozenset(field.name for field in fields(TrainingChoices))
"""All choices: what gradient descent with noise has a use for."""

SOLVED = frozenset({"penalty", "max_grad_norm", "noise_multiplier"})
"""What an objective that is solved once has a use for."""


def refuse_unused(name: str, choices: TrainingChoices, used: frozenset[str]) -> None:
    """Refuse choices that a trainer would silently ignore.

    Parameters
    ----------
    name : str
        Of the trainer.
    choices : TrainingChoices
    used : frozenset of str
        Names of the choices that the trainer heeds.

    Raises
    ------
    InputError
        Naming the first choice that is set but not used.

    Examples
    --------
    >>> refuse_unused("adassp", TrainingChoices(steps=5), frozenset({"penalty"}))
    Traceback (most recent call last):
        ...
    dpcp_core.errors.InputError: steps is 5, but trainer 'adassp' has no use for it; leave steps out.
    """
    for field in fields(choices):
        value = getattr(choices, field.name)
        if value != field.default and field.name not in used:
            raise InputError(
                f"{field.name} is {value}, but trainer {name!r} has no use for it; leave {field.name} out."
            )


def step_sizes(steps: int, step_size: float, warmup_share: float, decay: Decay) -> npt.NDArray[np.float64]:
    """Return the length of each step under a public schedule.

    Parameters
    ----------
    steps : int
        1 or more.
    step_size : float
        Full length, above 0; no step is longer.
    warmup_share : float
        Share of the steps over which the length grows evenly to its full one, in [0, 1).
    decay : str
        ``constant``, or ``cosine``: after the warm-up, from the full length towards 0 along a half cosine.

    Returns
    -------
    float64 array of shape (steps,)
        Each in (0, ``step_size``].

    Raises
    ------
    InputError
        A share out of range or an unknown decay.

    Notes
    -----
    **Privacy.** Costs nothing: a function of public numbers only.

    Examples
    --------
    >>> step_sizes(4, 1.0, 0.0, "cosine").round(3).tolist()
    [1.0, 0.854, 0.5, 0.146]
    """
    share = check.share(zero=True, warmup_share=warmup_share)
    check.one_of(("constant", "cosine"), decay=decay)
    # With at least one step of full length after it, so that a cosine has somewhere to start.
    grown = min(round(steps * share), steps - 1)
    lengths = np.ones(steps)
    lengths[:grown] = np.arange(1, grown + 1) / max(1, grown)
    if decay == "cosine":
        left = steps - grown
        lengths[grown:] = (1 + np.cos(np.pi * np.arange(left) / left)) / 2
    return step_size * lengths


def sampling(choices: TrainingChoices, n_rows: int, default_rate: float, default_steps: int) -> tuple[int, float]:
    """Return the number of steps and the chance of each row to be in a batch.

    Parameters
    ----------
    choices : TrainingChoices
        Of which ``batch_size`` or ``sampling_rate``, and ``steps`` or ``epochs``, count.
    n_rows : int
        Public number of training rows.
    default_rate, default_steps
        Where nobody sets them.

    Returns
    -------
    steps : int
    sampling_rate : float
        In (0, 1].

    Raises
    ------
    InputError
        A number out of range, or two choices that contradict each other.

    Examples
    --------
    >>> sampling(TrainingChoices(), 1000, default_rate=0.05, default_steps=200)
    (200, 0.05)
    """
    rate = _sampling_rate(choices, n_rows, default_rate)
    if choices.epochs is None:
        return (default_steps if choices.steps is None else check.whole(at_most=MOST_STEPS, steps=choices.steps)), rate
    # Not one step more where rounding makes a whole number of batches look a little longer.
    steps = max(1, math.ceil(check.positive(epochs=choices.epochs) / rate - 1e-9))
    if steps > MOST_STEPS:
        raise InputError(f"epochs is {choices.epochs:g}, which means {steps:,} steps; choose at most {MOST_STEPS:,}.")
    if choices.steps not in (None, steps):
        raise InputError(
            f"steps is {choices.steps} but epochs = {choices.epochs:g} means {steps} steps; give only one of them."
        )
    return steps, rate


def _sampling_rate(choices: TrainingChoices, n_rows: int, default_rate: float) -> float:
    given = None
    if choices.sampling_rate is not None:
        given = 1.0 if choices.sampling_rate == 1 else check.share(sampling_rate=choices.sampling_rate)
    if choices.batch_size is None:
        return default_rate if given is None else given
    size = check.whole(batch_size=choices.batch_size)
    if size > n_rows:
        raise InputError(f"batch_size is {size:,} but there are {n_rows:,} training rows; choose at most that many.")
    if given is not None and abs(given * n_rows - size) > 1:
        raise InputError(
            f"batch_size is {size:,} but sampling_rate = {given:g} means {given * n_rows:,.0f} rows; "
            "give only one of them."
        )
    return size / n_rows


def checked_noise(choices: TrainingChoices, spending: TrainingBudget, steps: int, rate: float) -> float:
    """Return the noise multiplier of each step: the person's if it is enough, else what the budget needs.

    Parameters
    ----------
    choices : TrainingChoices
    spending : TrainingBudget
    steps : int
    rate : float
        Chance of each row to be in a batch, in (0, 1].

    Raises
    ------
    InputError
        A noise multiplier that overspends; the sentence says how much is needed.

    Notes
    -----
    **Privacy.** Never less than what keeps training within ``spending``.

    Examples
    --------
    >>> checked_noise(TrainingChoices(noise_multiplier=30), TrainingBudget(1.0, 1e-5), 100, 1.0)
    Traceback (most recent call last):
        ...
    dpcp_core.errors.InputError: noise_multiplier is 30, but 100 steps within this budget need at least 37.31.
    """
    needed = spending.noise_multiplier(steps, rate)
    if choices.noise_multiplier is None:
        return needed
    given = check.non_negative(noise_multiplier=choices.noise_multiplier)
    if given < needed:
        raise InputError(
            f"noise_multiplier is {given:g}, but {steps:,} steps within this budget need at least {_up(needed)}."
        )
    return given


def _up(number: float) -> str:
    """Return four digits that are not below the number, so that typing them is enough."""
    unit = 10.0 ** (math.floor(math.log10(number)) - 3)
    return f"{math.ceil(number / unit) * unit:.10g}"
