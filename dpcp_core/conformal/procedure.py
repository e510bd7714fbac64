"""One run of a conformal procedure on all rows: train, rank, draw the threshold, write the receipt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcp_core.conformal.certificate import CoverageCertificate
from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.receipts import write_receipt
from dpcp_core.conformal.rows import Rows, split_rows
from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.stability import score_movement
from dpcp_core.conformal.thresholds import CalibrationPlan, draw_thresholds
from dpcp_core.data.encoding import EncodedTable, Floats, TargetScale
from dpcp_core.data.schema import Schema
from dpcp_core.privacy.receipt import PrivacyReceipt
from dpcp_core.training.descent import Matrix
from dpcp_core.training.protocol import Models
from dpcp_core.training.registry import TRAINERS


@dataclass(frozen=True, eq=False)
class FittedProcedure:
    """What a run releases.

    Attributes
    ----------
    models : Models
        One model.
    scale : TargetScale
        Public scale of the target.
    threshold : float
        Released half-width, the public widening included, in score units.
    receipt : PrivacyReceipt
    certificate : CoverageCertificate
    """

    models: Models
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

    Returns
    -------
    FittedProcedure

    Raises
    ------
    InputError
        Too few rows to split.

    Notes
    -----
    **Privacy.** The models and the threshold together cost the budget of the choices.

    **Guarantee.** That of the certificate in the result.
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
        n_models=1,
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
        training=trainer.receipt_entry(plan, choices.allocation, len(train)),
        certificate=drawn.certificate,
        target=table.target_column,
        one_row_is=schema.one_row_is,
        from_file=schema.from_file,
        mode=mode,
    )
    return FittedProcedure(models, scale, float(drawn.widened[0]), receipt, drawn.certificate)


def _rows(n_rows: int, choices: ConformalChoices, rng: np.random.Generator) -> tuple[Rows, Rows]:
    if choices.recipe.splits_rows:
        return split_rows(n_rows, choices.row_share, rng)
    everything = np.arange(n_rows)
    return everything, everything
