"""What trainers are told and what they tell: the size of a problem, a person's choices, words and a trace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from dpcp_core import _validate as check

Matrix: TypeAlias = npt.NDArray[np.floating]
Weights: TypeAlias = tuple[npt.NDArray[np.floating], ...]
"""Everything that one fitted model consists of, as plain arrays."""

Layers: TypeAlias = tuple[tuple[npt.NDArray[np.floating], npt.NDArray[np.floating]], ...]
"""A network of dense layers: matrices (inputs, outputs) with constants (outputs,), rectified between layers."""

Task = Literal["regression", "classification"]
Decay = Literal["constant", "cosine"]
DECAYS: tuple[str, ...] = get_args(Decay)
MOST_STEPS = 1_000_000
MOST_PENALTY = 1e6
SMALLEST_RATE = 1e-9


@dataclass(frozen=True)
class ProblemSize:
    """Public size of a training problem.

    Attributes
    ----------
    n_rows, n_features : int
        Training rows, and columns of the encoded table (the constant among them).
    n_classes : int
        0 for a number, else how many classes there are, 2 or more.
    """

    n_rows: int
    n_features: int
    n_classes: int = 0

    @property
    def task(self) -> Task:
        """Whether a number or a class is predicted."""
        return "classification" if self.n_classes else "regression"

    @property
    def n_outputs(self) -> int:
        """Numbers per prediction: 1, or a probability for each class."""
        return self.n_classes or 1


@dataclass(frozen=True)
class TrainingChoices:
    """Public hyper-parameters that a person set; None leaves the trainer's public default.

    Attributes
    ----------
    steps : int or None
        Steps of descent, 1 or more.
    step_size : float or None
        Step on the average of clipped gradients, above 0.
    max_grad_norm : float or None
        Clip norm of one row's gradient, above 0.
    penalty : float or None
        Penalty on the size of weights, 0 or more.
    noise_multiplier : float or None
        Noise of each step in units of the clip norm; more than the budget needs leaves some of it unused, less is
        refused.
    sampling_rate : float or None
        Chance of each row to be in a batch, in (0, 1]; 1 is the full batch.
    batch_size : int or None
        Expected rows in a batch: another way to give the sampling rate.
    epochs : float or None
        Expected passes over the rows: another way to give the steps.
    warmup_share : float
        Share of the steps over which the step size grows to its full length, in [0, 1).
    decay : str
        ``constant``, or ``cosine``: the step size falls to 0 along a half cosine.
    """

    steps: int | None = None
    step_size: float | None = None
    max_grad_norm: float | None = None
    penalty: float | None = None
    noise_multiplier: float | None = None
    sampling_rate: float | None = None
    batch_size: int | None = None
    epochs: float | None = None
    warmup_share: float = 0.0
    decay: Decay = "constant"

    def checked(self) -> TrainingChoices:
        """Return the same choices as plain numbers.

        Raises
        ------
        InputError
            A value outside its range; the sentence names it.
        """
        set_ones = {name: value for name, value in vars(self).items() if value is not None}
        plain: dict[str, Any] = {}
        for name, value in set_ones.items():
            if name in ("steps", "batch_size"):
                plain[name] = check.whole(at_most=MOST_STEPS, **{name: value})
            elif name == "penalty":
                plain[name] = check.between((0.0, MOST_PENALTY), penalty=value)
            elif name == "sampling_rate":
                plain[name] = check.between((SMALLEST_RATE, 1.0), sampling_rate=value)
            elif name == "warmup_share":
                plain[name] = check.share(zero=True, warmup_share=value)
            elif name == "epochs":
                plain[name] = check.between((SMALLEST_RATE, float(MOST_STEPS)), epochs=value)
            elif name == "decay":
                plain[name] = check.one_of(DECAYS, decay=value)
            else:
                plain[name] = check.positive(**{name: value})
        return TrainingChoices(**plain)


@dataclass(frozen=True)
class Pace:
    """About how long training takes on one core, for interfaces that must say so beforehand.

    Attributes
    ----------
    fixed : float
        Seconds of every training, for instance to load a library; 0 for trainers that answer at once.
    per_million : float
        Seconds for a million cells (rows times encoded columns times repetitions).
    """

    fixed: float = 0.0
    per_million: float = 0.06


@dataclass(frozen=True)
class TrainingNote:
    """What a receipt says of a fit: words only, the costs are added by whoever writes the receipt.

    Attributes
    ----------
    mechanism : str
        What ran: "Private gradient descent on least squares".
    sensitivity : str
        How far one row can move what is released.
    detail : str
        Steps, noise and the like; without a full stop.
    """

    mechanism: str
    sensitivity: str
    detail: str


@dataclass(frozen=True, eq=False)
class TrainingTrace:
    """How training of the first model went, at up to 50 of its steps; not private, for simulations only.

    Attributes
    ----------
    step : int array of shape (T,)
        Number of the step, from 1.
    loss : float array of shape (T,)
        Mean loss over the rows (of the batch) before the step.
    clipped_share : float array of shape (T,)
        Share of rows whose gradient was shortened.
    gradient_norm : float array of shape (T,)
        Median length of a row's gradient before clipping.
    """

    step: npt.NDArray[np.int64]
    loss: npt.NDArray[np.float64]
    clipped_share: npt.NDArray[np.float64]
    gradient_norm: npt.NDArray[np.float64]
