"""What the app must know of a trainer before it runs: how long it takes, and which choices it hears.

Both are public: they follow from the number of rows, columns and repetitions, and from the trainer's name.
"""

from __future__ import annotations

from collections.abc import Mapping

from dpcp_core.conformal.scores import SCORES
from dpcp_core.data.schema import Column, Schema
from dpcp_core.experiments.settings import TrainingTask
from dpcp_core.training.protocol import Pace, TrainingChoices
from dpcp_core.training.registry import TRAINERS

LIVE_S = 2.0
"""A training that is expected to take longer waits for a click."""


_NETWORK_RATE, _NETWORK_STEPS = 0.1, 60
# Seconds of one step: as such, and for a million cells where all rows or a batch of them are read.
_STEP, _FULL, _BATCH = 2e-4, 2e-4, 2e-3
# Each repetition of a spread is trained by itself.
_SPREAD = 4.0

# How fast the loss turns: a penalty makes steps shorter than it allows, and so more of them, by the default.
_SMOOTHNESS: Mapping[str, float] = {"logistic": 0.25, "softmax": 0.5, "linear_svm": 1.0}


def choices_used(trainer: str) -> frozenset[str]:
    """Return the fields of ``TrainingChoices`` that a trainer heeds.

    >>> "steps" in choices_used("ridge"), "steps" in choices_used("adassp")
    (True, False)
    """
    return TRAINERS[trainer].uses


def expected_seconds(schema: Schema, n_rows: int, task: TrainingTask) -> float:
    """Return about how long a training takes on one core, from public numbers alone.

    Parameters
    ----------
    schema : Schema
    n_rows : int
    task : TrainingTask
        With a trainer that is not ``auto``.
    """
    pace = TRAINERS[task.trainer].pace
    millions = n_rows * encoded_width(schema) * task.repetitions / 1e6
    spreads = _SPREAD if SCORES[task.score].needs_spread else 1.0
    usual = pace.per_million * millions * _lengthened(task)
    return pace.fixed + spreads * max(usual, asked_for(task.choices, n_rows, pace, millions))


def _lengthened(task: TrainingTask) -> float:
    """Return how many times as many steps as usual a penalty makes a linear classifier take."""
    penalty, smoothness = task.choices.penalty, _SMOOTHNESS.get(task.trainer)
    return 1.0 if penalty is None or smoothness is None else 1 + 2 * penalty / smoothness


def asked_for(choices: TrainingChoices, n_rows: int, pace: Pace, millions: float) -> float:
    """Return the seconds of the steps that a person asked for; 0 if nobody did.

    Parameters
    ----------
    choices : TrainingChoices
    n_rows : int
    pace : Pace
    millions : float
        Cells of the encoded table, in millions.
    """
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
