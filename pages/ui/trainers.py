"""What the app must know of a trainer before it runs: how long it takes, and which choices it hears.

Both are public: they follow from the number of rows, columns and repetitions, and from the trainer's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dpcp_core.data.schema import Column, Schema
from dpcp_core.experiments.settings import TrainingTask
from dpcp_core.training.protocol import TrainingChoices

LIVE_S = 2.0
"""A training that is expected to take longer waits for a click."""


@dataclass(frozen=True)
class Pace:
    """Seconds that a training takes: a part of its own, and so many for a million cells of all repetitions."""

    fixed: float = 0.0
    per_million: float = 0.06


# Measured on one core, at the trainers' own numbers of steps.
_PACES: Mapping[str, Pace] = {
    "lasso": Pace(0.0, 0.6),
    "softmax": Pace(0.0, 0.09),
    "mlp": Pace(2.0, 1.5),
    "ft_transformer": Pace(8.0, 75.0),
    "cnn": Pace(8.0, 20.0),
}
_NETWORK_RATE, _NETWORK_STEPS = 0.1, 60
# Seconds of one step: as such, and for a million cells where all rows or a batch of them are read.
_STEP, _FULL, _BATCH = 2e-4, 2e-4, 2e-3
# Each repetition of a spread is trained by itself.
_SPREAD = 4.0

_SOLVED = frozenset({"penalty", "max_grad_norm", "noise_multiplier"})
_DESCENT = _SOLVED | {"steps", "step_size", "sampling_rate", "batch_size", "epochs", "warmup_share", "decay"}
# How fast the loss turns: a penalty makes steps shorter than it allows, and so more of them, by the default.
_SMOOTHNESS: Mapping[str, float] = {"logistic": 0.25, "softmax": 0.5, "linear_svm": 1.0}
# Those that solve an equation once take no steps.
_NO_STEPS = frozenset({"adassp", "objective_perturbation", "output_perturbation", "posterior_sample"})


def choices_used(trainer: str) -> frozenset[str]:
    """Return the fields of ``TrainingChoices`` that a trainer heeds.

    >>> "steps" in choices_used("ridge"), "penalty" in choices_used("ridge")
    (True, True)
    """
    return _SOLVED if trainer in _NO_STEPS else _DESCENT


def expected_seconds(schema: Schema, n_rows: int, task: TrainingTask) -> float:
    """Return about how long a training takes on one core, from public numbers alone.

    Parameters
    ----------
    schema : Schema
    n_rows : int
    task : TrainingTask
        With a trainer that is not ``auto``.
    """
    pace = _PACES.get(task.trainer, Pace())
    millions = n_rows * encoded_width(schema) * task.repetitions / 1e6
    spreads = _SPREAD if task.score == "normalized" else 1.0
    usual = pace.per_million * millions * _lengthened(task)
    return pace.fixed + spreads * max(usual, _asked_for(task.choices, n_rows, pace, millions))


def _lengthened(task: TrainingTask) -> float:
    """Return how many times as many steps as usual a penalty makes a linear classifier take."""
    penalty, smoothness = task.choices.penalty, _SMOOTHNESS.get(task.trainer)
    return 1.0 if penalty is None or smoothness is None else 1 + 2 * penalty / smoothness


def _asked_for(choices: TrainingChoices, n_rows: int, pace: Pace, millions: float) -> float:
    """Return the seconds of the steps that a person asked for; 0 if nobody did."""
    given = choices.batch_size / n_rows if choices.batch_size else choices.sampling_rate
    rate = given or (_NETWORK_RATE if pace.fixed else 1.0)
    steps = choices.steps or (choices.epochs / rate if choices.epochs else 0)
    # Drawing a batch costs more than reading all rows at once, which linear models do from sums.
    per_million = pace.per_million / _NETWORK_STEPS if pace.fixed else _FULL if rate >= 1 else _BATCH
    return steps * (_STEP + per_million * millions)


def encoded_width(schema: Schema) -> int:
    """Return about how many columns the encoded table has: one for each number, one for each category."""
    target = schema.target
    features = [column for column in schema.features if target is None or column.name != target.name]
    return 1 + sum(_width(column) for column in features)


def _width(column: Column) -> int:
    return 1 if column.is_numeric else max(len(column.categories), 1)
