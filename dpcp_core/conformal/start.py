"""Public weights that private training starts from: learnt on rows that nobody has to protect."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.fitting import fit_exactly, plan_fitting
from dpcp_core.data.encoding import encode
from dpcp_core.data.schema import Schema
from dpcp_core.data.target import Target, target_of
from dpcp_core.privacy.allocation import allocate_nothing
from dpcp_core.training.protocol import Matrix, ProblemSize, TrainingChoices, Weights


def public_start(frame: pd.DataFrame, schema: Schema, choices: ConformalChoices) -> Weights:
    """Return weights learnt on a public table, without noise.

    Parameters
    ----------
    frame : DataFrame
        Public rows with the columns of the schema, the target among them.
    schema : Schema
        What the private table is read by.
    choices : ConformalChoices
        With trainer and score resolved.

    Notes
    -----
    **Privacy.** Costs nothing: no private row is read.
    """
    column = schema.target
    assert column is not None
    table = encode(frame, schema, column.name)
    assert table.target is not None
    return learnt_weights(
        table.features,
        table.target,
        target_of(column),
        trainer=choices.trainer,
        score=choices.score,
        choices=choices.training_choices,
    )


def learnt_weights(
    features: Matrix, truth: npt.NDArray[Any], target: Target, *, trainer: str, score: str, choices: TrainingChoices
) -> Weights:
    """Return weights learnt on encoded rows without noise; not private.

    Parameters
    ----------
    features : array of shape (n, d)
        Rows of norm at most 1.
    truth : array of shape (n,)
        Numbers in target units, or class codes.
    target : Target
    trainer, score : str
        Names in their registries.
    choices : TrainingChoices

    Notes
    -----
    **Privacy.** None: for public rows only.
    """
    size = ProblemSize(len(features), features.shape[1], target.n_classes)
    spending = allocate_nothing().training
    plan = plan_fitting(target, size, spending, trainer=trainer, score=score, choices=choices)
    everything = np.ones((len(features), 1), dtype=np.float32)
    return fit_exactly(plan, features, truth, everything).models.weights()
