"""One run of a conformal procedure on all rows: train, rank, draw the threshold, write the receipt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from dpcp_core.conformal.certificate import CoverageCertificate
from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.receipts import write_receipt
from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.stability import score_movement
from dpcp_core.conformal.thresholds import CalibrationPlan, draw_thresholds
from dpcp_core.data.encoding import EncodedTable, Floats, TargetScale
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.privacy.receipt import PrivacyReceipt
from dpcp_core.training.descent import DescentPlan, Matrix
from dpcp_core.training.protocol import Models
from dpcp_core.training.registry import TRAINERS

Rows: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class FittedProcedure:
    """What a run releases: the model, the half-width, the receipt and the certificate."""

    models: Models
    training: DescentPlan
    scale: TargetScale
    threshold: float
    receipt: PrivacyReceipt
    certificate: CoverageCertificate

    def predict(self, features: Matrix) -> Floats:
        """Return predictions in target units, within the public bounds; shape (rows,)."""
        scaled = self.models.predict(features.astype(np.float64))[:, 0]
        return self.scale.unscale(scaled.astype(np.float64))


def run_procedure(
    table: EncodedTable, schema: Schema, choices: ConformalChoices, rng: np.random.Generator, mode: str
) -> FittedProcedure:
    """Run a procedure once on every row of an encoded table.

    Parameters
    ----------
    table : EncodedTable
        With a target.
    schema : Schema
        What the table was encoded by.
    choices : ConformalChoices
        Of a method whose training is private.
    rng : numpy Generator
        Source of the split, the training noise and the draw.
    mode : str
        ``simulation`` or ``release``, for the receipt.

    Notes
    -----
    **Privacy.** The models and the threshold together cost the budget of the choices.
    """
    assert table.target is not None
    assert table.target_column is not None
    scale, score = TargetScale.of(table.target_column), SCORES[choices.score]
    train, rank = _rows(len(table.target), choices, rng)
    trainer, mu = TRAINERS[choices.trainer], choices.allocation.mu
    plan = trainer.plan(len(train), table.features.shape[1], mu, choices.training_choices)
    # Double precision here: one fit is cheap, and the weights are released.
    features = table.features.astype(np.float64)
    models = trainer.fit(
        features[train],
        scale.scale(table.target[train]),
        plan,
        n_rows=len(train),
        noise_multipliers=[plan.noise_multiplier],
        rng=rng,
    )
    predicted = scale.unscale(models.predict(features[rank])[:, 0].astype(np.float64))
    scores = np.sort(score.scores(table.target[rank], predicted))[:, None]
    movement = score_movement(trainer.coupling_radius(plan, len(train)), score.lipschitz, scale.spread)
    drawn = draw_thresholds(scores, CalibrationPlan(choices, scale, movement, schema.from_file), rng)
    receipt = write_receipt(
        choices.recipe,
        choices.budget,
        choices.allocation,
        plan=plan,
        certificate=drawn.certificate,
        target=table.target_column,
        n_train=len(train),
        one_row_is=schema.one_row_is,
        from_file=schema.from_file,
        mode=mode,
    )
    return FittedProcedure(models, plan, scale, float(drawn.widened[0]), receipt, drawn.certificate)


def _rows(n_rows: int, choices: ConformalChoices, rng: np.random.Generator) -> tuple[Rows, Rows]:
    if not choices.recipe.splits_rows:
        everything = np.arange(n_rows)
        return everything, everything
    n_train = round(choices.row_share * n_rows)
    if not 0 < n_train < n_rows:
        raise InputError(
            f"n_samples = {n_rows} rows cannot be split with row_share = {choices.row_share:g}; bring more rows."
        )
    order = rng.permutation(n_rows)
    return order[:n_train], order[n_train:]
