"""Public weights that private training starts from: learnt on rows that nobody has to protect."""

from __future__ import annotations

import numpy as np
import pandas as pd

from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.fitting import fit_exactly, plan_fitting
from dpcp_core.data.encoding import encode
from dpcp_core.data.schema import Schema
from dpcp_core.data.target import target_of
from dpcp_core.privacy.allocation import allocate_nothing
from dpcp_core.training.protocol import ProblemSize, Weights


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
    table, target = encode(frame, schema, column.name), target_of(column)
    assert table.target is not None
    plan = plan_fitting(
        target,
        ProblemSize(len(frame), table.features.shape[1], target.n_classes),
        allocate_nothing().training,
        trainer=choices.trainer,
        score=choices.score,
        choices=choices.training_choices,
    )
    everything = np.ones((len(frame), 1), dtype=np.float32)
    return fit_exactly(plan, table.features, table.target, everything).models.weights()
