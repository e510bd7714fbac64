"""One run of a conformal procedure on all rows: train, rank, draw the threshold, write the receipt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core._arrays import Codes
from dpcp_core.conformal.certificate import CoverageCertificate
from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.fitting import Fitted, fit, plan_fitting
from dpcp_core.conformal.groups import GroupThresholds, draw_by_group
from dpcp_core.conformal.receipts import write_receipt
from dpcp_core.conformal.regions import LabelSets, Region
from dpcp_core.conformal.rows import Rows, split_rows
from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.shift import Shift, draw_under_shift
from dpcp_core.conformal.thresholds import CalibrationPlan, Thresholds, draw_thresholds
from dpcp_core.data.encoding import EncodedTable
from dpcp_core.data.schema import Schema
from dpcp_core.data.target import Floats, Target, target_of
from dpcp_core.privacy.receipt import PrivacyReceipt, ReceiptEntry
from dpcp_core.training.protocol import Matrix, ProblemSize, Weights


@dataclass(frozen=True, eq=False)
class FittedProcedure:
    """What a run releases.

    Attributes
    ----------
    choices : ConformalChoices
    fitted : Fitted
        One model (two where the score needs a spread).
    threshold : float
        Released threshold, the public widening included, in score units.
    receipt : PrivacyReceipt
    certificate : CoverageCertificate
    group_thresholds : mapping of group to float
        Released threshold of each public group, where groups have their own.
    group_certificates : mapping of group to CoverageCertificate
        What is promised within each of them.
    """

    choices: ConformalChoices
    fitted: Fitted
    threshold: float
    receipt: PrivacyReceipt
    certificate: CoverageCertificate
    group_thresholds: Mapping[str, float] = field(default_factory=dict)
    group_certificates: Mapping[str, CoverageCertificate] = field(default_factory=dict)

    @property
    def needs_coins(self) -> bool:
        """Whether regions are randomised."""
        return SCORES[self.choices.score].needs_coins

    @property
    def target(self) -> Target:
        """What is predicted."""
        return self.fitted.plan.target

    def predict(self, features: Matrix) -> Floats:
        """Return predictions in target units, shape (rows, w); see :class:`..scores.protocol.Score`."""
        return self.fitted.predict(features.astype(np.float64))[:, 0]

    def region(self, predicted: Floats, rng: np.random.Generator | None = None, groups: Codes | None = None) -> Region:
        """Return the regions of predictions of shape (rows, w); arrays in them have shape (rows, 1, ...).

        ``rng`` is the chance of randomised scores, ``groups`` the code of each row's group where groups have
        thresholds of their own.
        """
        coins = None if rng is None else rng.random((len(predicted), 1))
        own = np.array(list(self.group_thresholds.values()))
        thresholds = self.threshold if groups is None else own[groups][:, None]
        region = SCORES[self.choices.score].region(predicted[:, None], thresholds, self.target, coins)
        return finished(region, predicted[:, None], self.choices)


def finished(region: Region, predicted: Floats, choices: ConformalChoices) -> Region:
    """Return the regions as they are shown: sets of classes are not left empty, unless that is wanted."""
    if isinstance(region, LabelSets) and not choices.allow_empty:
        return region.never_empty(predicted)
    return region


def run_procedure(
    table: EncodedTable,
    schema: Schema,
    choices: ConformalChoices,
    rng: np.random.Generator,
    *,
    mode: str,
    start: Weights | None = None,
    public_rows: int = 0,
    groups: Codes | None = None,
    shift: Shift | None = None,
    bounds: tuple[ReceiptEntry, ...] = (),
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
    start : Weights, optional
        Public weights that training starts from.
    public_rows : int
        Rows that those weights were learnt on, for the receipt.
    groups : int array of shape (n,), optional
        Code of each row's public group, for a threshold each.
    shift : Shift, optional
        Public weights of all rows, for a threshold for another population; not beside groups.
    bounds : tuple of ReceiptEntry
        A line for each column of the schema whose bounds were bought from these rows, for ``bounds_epsilon``.

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
    target = target_of(table.target_column)
    choices = choices.resolved("classification" if target.n_classes else "regression", target.n_classes)
    fitted, scores, rank = _trained_and_scored(table.features, table.target, target, choices, rng, start)
    plan, spent = fitted.plan, choices.bounds_epsilon if bounds else 0.0
    calibration = CalibrationPlan(choices, target, plan.profile, plan.movement, schema.from_file, spent)
    own_group = None if groups is None else groups[rank]
    own_weight = None if shift is None else shift.of_rows(rank)
    drawn, by_group = _drawn(scores, calibration, schema, own_group, own_weight, rng)
    receipt = write_receipt(
        choices.recipe,
        choices.budget,
        training=plan.receipt_entries(),
        quantile=drawn.notes,
        certificate=drawn.certificate,
        target=table.target_column,
        bounds=bounds,
        one_row_is=schema.one_row_is,
        from_file=schema.from_file,
        groups=groups is not None,
        shifted=shift is not None,
        public_rows=public_rows,
        mode=mode,
    )
    released = float(drawn.widened[0])
    return FittedProcedure(choices, fitted, released, receipt, drawn.certificate, *_told_by_group(by_group, schema))


def _trained_and_scored(
    features: Matrix,
    truth: npt.NDArray[Any],
    target: Target,
    choices: ConformalChoices,
    rng: np.random.Generator,
    start: Weights | None,
) -> tuple[Fitted, Floats, Rows | slice]:
    """Return the model, the scores of the rows that are ranked, shape (n, 1), and which rows these are."""
    train, rank = _rows(len(truth), choices, rng)
    # Double precision here: one fit is cheap, and the weights are released.
    precise = features.astype(np.float64)
    fitted = _trained(precise[train], truth[train], target, choices, rng, start)
    return fitted, _scored(fitted, precise[rank], truth[rank], rng), rank


def _trained(
    features: Floats,
    truth: npt.NDArray[Any],
    target: Target,
    choices: ConformalChoices,
    rng: np.random.Generator,
    start: Weights | None,
) -> Fitted:
    plan = plan_fitting(
        target,
        ProblemSize(len(features), features.shape[1], target.n_classes),
        choices.allocation.training,
        trainer=choices.trainer,
        score=choices.score,
        choices=choices.training_choices,
    )
    return fit(plan, features, truth, n_models=1, rng=rng, start=start)


def _scored(fitted: Fitted, features: Floats, truth: npt.NDArray[Any], rng: np.random.Generator) -> Floats:
    """Return the scores of rows, shape (n, 1), in their order."""
    score = SCORES[fitted.plan.score]
    coins = rng.random((len(features), 1)) if score.needs_coins else None
    return score.scores(truth[:, None], fitted.predict(features), fitted.plan.target, coins)


def _drawn(
    scores: Floats,
    plan: CalibrationPlan,
    schema: Schema,
    groups: Codes | None,
    shift: Shift | None,
    rng: np.random.Generator,
) -> tuple[Thresholds, GroupThresholds | None]:
    """Return the threshold that is told, and those of all groups where each has its own."""
    if groups is not None:
        by_group = draw_by_group(scores, groups[:, None], _group_names(schema), plan, rng)
        return by_group.first[by_group.largest], by_group
    if shift is not None:
        return draw_under_shift(scores, shift, plan, rng), None
    return draw_thresholds(np.sort(scores, axis=0), plan, rng), None


def _told_by_group(
    by_group: GroupThresholds | None, schema: Schema
) -> tuple[dict[str, float], dict[str, CoverageCertificate]]:
    if by_group is None:
        return {}, {}
    names = _group_names(schema)
    certificates = (group.certificate for group in by_group.first)
    return dict(zip(names, by_group.widened[0].tolist(), strict=True)), dict(zip(names, certificates, strict=True))


def _group_names(schema: Schema) -> tuple[str, ...]:
    assert schema.group is not None
    return tuple(schema.group.categories)


def _rows(n_rows: int, choices: ConformalChoices, rng: np.random.Generator) -> tuple[Rows | slice, Rows | slice]:
    if choices.recipe.splits_rows:
        return split_rows(n_rows, choices.row_share, rng)
    # Row numbers would copy the whole table.
    everything = slice(None)
    return everything, everything
