"""From trained runs to a finished result: the threshold, coverage, width, receipt. Fast, trains nothing."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from dpcp_core.conformal.procedure import finished
from dpcp_core.conformal.receipts import write_receipt
from dpcp_core.conformal.regions import Intervals, LabelSets, Region
from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.thresholds import Thresholds, exact_threshold
from dpcp_core.data.target import Floats
from dpcp_core.errors import InputError
from dpcp_core.evaluation.sets import SetSummary, summarise_sets
from dpcp_core.experiments.diagnosis import Seen, diagnose
from dpcp_core.experiments.drawing import draw, measure_groups
from dpcp_core.experiments.result import HeldOutIntervals, HeldOutRows, HeldOutSets, SimulationResult
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.trained import TrainedRuns
from dpcp_core.privacy.quantile import QuantileDistribution
from dpcp_core.privacy.receipt import PrivacyReceipt

_SHOWN_ROWS = 100


@dataclass(frozen=True, eq=False)
class _Measured:
    """Thresholds, the regions of the held-out rows that follow, and the share of truths inside, shape (R,)."""

    thresholds: Floats
    region: Region
    coverage: Floats

    @property
    def size(self) -> Floats:
        """Size of each region, shape (n_test, R)."""
        return self.region.size


def calibrate(runs: TrainedRuns, settings: ConformalSettings) -> SimulationResult:
    """Draw a threshold per repetition and measure coverage and width on the held-out rows.

    Parameters
    ----------
    runs : TrainedRuns
        From ``train(prepared, settings.training_key())``.
    settings : ConformalSettings

    Returns
    -------
    SimulationResult

    Raises
    ------
    InputError
        The runs were trained for other settings.
    """
    settings = settings.resolved(runs.prepared.task, runs.prepared.goal.n_classes)
    if runs.task != settings.training_key():
        raise InputError("These runs were trained for other settings; train again with settings.training_key().")
    start, bound = time.perf_counter(), SCORES[settings.score].bound(runs.prepared.goal)
    drawn = draw(runs, settings)
    measured = _measure(runs, settings, runs.test_predicted, drawn.of_rows)
    exact = exact_threshold(runs.reference_scores, settings.alpha, bound)
    reference = _measure(runs, settings, runs.reference_predicted, exact)
    seen = Seen(
        certificate=drawn.shown.certificate,
        coverage=measured.coverage,
        region=measured.region,
        reference_region=reference.region,
        groups=measure_groups(runs, measured.region, drawn.groups),
        top_share=float(np.mean(drawn.shown.raw >= bound)),
        scores_clipped_share=float(np.mean(runs.scores >= bound)),
    )
    result = _result(runs, settings, drawn.shown, measured, reference, seen)
    return replace(result, seconds=runs.seconds + time.perf_counter() - start)


def _result(
    runs: TrainedRuns,
    settings: ConformalSettings,
    shown: Thresholds,
    measured: _Measured,
    reference: _Measured,
    seen: Seen,
) -> SimulationResult:
    """Return everything that is told of the runs, but for the time that it took."""
    return SimulationResult(
        settings=settings,
        dataset_name=runs.prepared.name,
        dataset_digest=runs.prepared.digest,
        target=runs.prepared.target,
        one_row_is=runs.prepared.one_row_is,
        n=runs.n,
        n_train=runs.n_train,
        n_calibration=runs.n_calibration,
        n_test=runs.n_test,
        coverage=measured.coverage,
        size=measured.size.mean(axis=0),
        size_median=np.median(measured.size, axis=0),
        thresholds=shown.widened,
        raw_thresholds=shown.raw,
        reference_coverage=reference.coverage,
        reference_size=reference.size.mean(axis=0),
        reference_thresholds=reference.thresholds,
        distribution=_first(shown.distribution),
        rows=_shown_rows(runs, measured),
        sets=_sets(runs, measured.region),
        groups=seen.groups,
        trace=runs.trace,
        receipt=_receipt(runs, settings, shown),
        certificate=shown.certificate,
        findings=diagnose(runs, settings, seen),
        clipped=runs.prepared.clipped,
        target_clipped=runs.prepared.target_clipped,
        scores_clipped_share=seen.scores_clipped_share,
        top_share=seen.top_share,
        seconds=0.0,
    )


def _measure(runs: TrainedRuns, settings: ConformalSettings, predicted: Floats, thresholds: Floats) -> _Measured:
    region = SCORES[settings.score].region(predicted, thresholds, runs.prepared.goal, runs.test_coins)
    region = finished(region, predicted, settings)
    return _Measured(thresholds, region, region.covers(runs.test_truth).mean(axis=0))


def _sets(runs: TrainedRuns, region: Region) -> SetSummary | None:
    return summarise_sets(region.members, runs.test_truth) if isinstance(region, LabelSets) else None


def _receipt(runs: TrainedRuns, settings: ConformalSettings, drawn: Thresholds) -> PrivacyReceipt:
    return write_receipt(
        settings.recipe,
        settings.budget,
        training=runs.plan.receipt_entries(),
        quantile=drawn.notes,
        certificate=drawn.certificate,
        target=runs.prepared.target,
        bounds=runs.prepared.bought.entries if runs.prepared.bought else (),
        one_row_is=runs.prepared.one_row_is,
        from_file=runs.prepared.from_file,
        groups=settings.by_group,
        public_rows=0 if runs.prepared.public is None else len(runs.prepared.public.truth),
    )


def _first(spread: QuantileDistribution | None) -> QuantileDistribution | None:
    return None if spread is None else replace(spread, log_probabilities=spread.log_probabilities[0])


def _shown_rows(runs: TrainedRuns, measured: _Measured) -> HeldOutRows:
    shown, region = slice(0, _SHOWN_ROWS), measured.region
    predicted, truth = runs.test_predicted[shown, 0], runs.test_truth[shown, 0]
    if isinstance(region, LabelSets):
        return HeldOutSets(predicted, region.members[shown, 0], truth)
    assert isinstance(region, Intervals)
    return HeldOutIntervals(predicted[:, 0], region.lower[shown, 0], region.upper[shown, 0], truth)
