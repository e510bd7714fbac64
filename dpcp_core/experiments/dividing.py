"""Which rows are held out, train and are ranked, in every repetition of a simulation.

Repetitions are columns: of row numbers, of predictions, of scores.

>>> picked(np.array([[0.0, 0.1], [1.0, 1.1]]), np.array([[1, 0]])).tolist()
[[1.0, 0.1]]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core.conformal.rows import Rows
from dpcp_core.errors import InputError
from dpcp_core.experiments.settings import TrainingTask, n_held_out
from dpcp_core.experiments.streams import Stream
from dpcp_core.privacy.randomness import simulation_generator

_SMALLEST_PART = 5


@dataclass(frozen=True, eq=False)
class Split:
    """Row numbers per repetition, one column each: train, rank, test; ``all_rows`` are those not held out."""

    train: Rows
    rank: Rows
    test: Rows
    all_rows: Rows


def shuffled_rows(n_rows: int, task: TrainingTask) -> Rows:
    """Return all row numbers in an order drawn for each repetition, shape (n_rows, R)."""
    generator = simulation_generator(task.seed, Stream.SPLITS)
    return np.column_stack([generator.permutation(n_rows) for _ in range(task.repetitions)])


def divide(shuffled: Rows, task: TrainingTask) -> Split:
    """Divide the rows by the task's shares: the first of each column are held out, the next ones train.

    Raises
    ------
    InputError
        Too few rows for the shares that were asked for.
    """
    n_rows = len(shuffled)
    n_test = n_held_out(n_rows, task.test_share)
    n_train = round(task.train_share * (n_rows - n_test))
    rest = shuffled[n_test:]
    split = Split(
        train=rest[:n_train],
        rank=rest[n_train:] if task.train_share < 1 else rest,
        test=shuffled[:n_test],
        all_rows=rest,
    )
    if min(len(split.train), len(split.rank), n_test) < _SMALLEST_PART:
        raise InputError(
            f"The table's {n_rows} rows give {n_train} to train on, {len(split.rank)} to rank and {n_test} to test; "
            "choose less extreme shares or bring more rows."
        )
    return split


def picked(values: npt.NDArray[Any], rows: Rows) -> npt.NDArray[Any]:
    """Return the rows of each repetition's column: from (n_rows, R, ...) and (m, R) to (m, R, ...)."""
    n_models = rows.shape[1]
    places = rows * n_models + np.arange(n_models)
    # Far faster than numpy.take_along_axis, which does the same.
    found: npt.NDArray[Any] = values.reshape(-1, *values.shape[2:]).take(places, axis=0)
    return found


def included(rows: Rows, n_rows: int) -> npt.NDArray[np.float32]:
    """Return 1 for the rows of each repetition's column and 0 for the others, shape (n_rows, R)."""
    mask = np.zeros((n_rows, rows.shape[1]), dtype=np.float32)
    np.put_along_axis(mask, rows, 1.0, axis=0)
    return mask
