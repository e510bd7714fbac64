"""How good predictions are on rows that no model has seen.

>>> truth = np.array([0, 0, 0, 1])
>>> score_classes(np.eye(2)[[0, 0, 1, 1]], truth)
ClassScores(accuracy=0.75, f1=0.666..., auc=0.833..., balanced_accuracy=0.833...)
>>> score_numbers(np.array([1.0, 2.0, 4.0]), np.array([1.0, 2.0, 3.0]))
NumberScores(rmse=0.577..., r2=0.5)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from dpcp_core._arrays import Floats
from dpcp_core.errors import InputError

Classes: TypeAlias = npt.NDArray[np.integer]


@dataclass(frozen=True)
class ClassScores:
    """How well classes are told apart.

    Attributes
    ----------
    accuracy : float
        Share of rows whose most likely class is the true one.
    f1 : float
        Harmonic mean of precision and recall of the second class; with three classes or more, the plain mean over the
        classes that occur. 0 where nothing is found.
    auc : float
        Chance that a row of the second class ranks above one of the first; with three classes or more, the mean of
        each class against all others. NaN where the rows are of one class.
    balanced_accuracy : float
        Mean over the classes that occur of the share of their rows that is found.
    """

    accuracy: float
    f1: float
    auc: float
    balanced_accuracy: float


@dataclass(frozen=True)
class NumberScores:
    """How far predicted numbers lie from the true ones.

    Attributes
    ----------
    rmse : float
        Root of the mean squared error, in target units.
    r2 : float
        Share of the variance that is explained; below 0 where the mean would be closer. NaN where the truth does not
        vary.
    """

    rmse: float
    r2: float


Scores: TypeAlias = ClassScores | NumberScores


def score_classes(ranks: Floats, truth: Classes) -> ClassScores:
    """Score classes.

    Parameters
    ----------
    ranks : array of shape (n, K)
        Probabilities, or any other numbers that are larger for likelier classes.
    truth : int array of shape (n,)
        Codes of the true classes, 0 to ``K - 1``.

    Raises
    ------
    InputError
        No row, or shapes that do not fit.
    """
    from sklearn.metrics import f1_score, recall_score

    _refuse_misfit(len(ranks), len(truth))
    present, n_classes = np.unique(truth), ranks.shape[1]
    predicted = ranks.argmax(axis=1)
    averaged = [1] if n_classes == 2 else present
    return ClassScores(
        accuracy=float((predicted == truth).mean()),
        f1=float(f1_score(truth, predicted, labels=averaged, average="macro", zero_division=0.0)),
        auc=_mean_auc(ranks, truth, present),
        balanced_accuracy=float(recall_score(truth, predicted, labels=present, average="macro", zero_division=0.0)),
    )


def score_numbers(predicted: Floats, truth: Floats) -> NumberScores:
    """Score numbers.

    Parameters
    ----------
    predicted, truth : arrays of shape (n,)
        In target units.

    Raises
    ------
    InputError
        No row, or shapes that do not fit.
    """
    _refuse_misfit(len(predicted), len(truth))
    squared = float(np.mean((predicted - truth) ** 2))
    variance = float(np.var(truth))
    return NumberScores(rmse=math.sqrt(squared), r2=1 - squared / variance if variance > 0 else math.nan)


def _mean_auc(ranks: Floats, truth: Classes, present: Classes) -> float:
    from sklearn.metrics import roc_auc_score

    if len(present) < 2:
        return math.nan
    if ranks.shape[1] == 2:
        return float(roc_auc_score(truth, ranks[:, 1] - ranks[:, 0]))
    return float(np.mean([roc_auc_score(truth == code, ranks[:, code]) for code in present]))


def _refuse_misfit(n_predicted: int, n_true: int) -> None:
    if n_true == 0:
        raise InputError("There is no real row to score predictions on: hold out at least one.")
    if n_predicted != n_true:
        raise InputError(f"There are {n_predicted} predictions for {n_true} real rows; give one for each.")
