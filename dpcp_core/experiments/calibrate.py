"""From trained runs to a finished result: the threshold, coverage, width, receipt. Fast, trains nothing."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from dpcp_core.conformal.certificate import CoverageCertificate
from dpcp_core.conformal.receipts import write_receipt
from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.thresholds import CalibrationPlan, Thresholds, draw_thresholds, exact_threshold
from dpcp_core.data.encoding import Floats
from dpcp_core.errors import InputError
from dpcp_core.evaluation.coverage import covered_share, mean_interval
from dpcp_core.evaluation.doctor import Finding, Symptoms, examine
from dpcp_core.experiments.result import HeldOutRows, SimulationResult
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.streams import Stream
from dpcp_core.experiments.trained import TrainedRuns
from dpcp_core.privacy.quantile import QuantileDistribution
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.privacy.receipt import PrivacyReceipt
from dpcp_core.training.registry import TRAINERS

_SHOWN_ROWS = 100


@dataclass(frozen=True, eq=False)
class _Measured:
    """Ends of the held-out rows' intervals, shape (n_test, R), and the share of truths inside, shape (R,)."""

    lower: Floats
    upper: Floats
    coverage: Floats

    @property
    def width(self) -> Floats:
        return self.upper - self.lower


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
    if runs.task != settings.training_key():
        raise InputError("These runs were trained for other settings; train again with settings.training_key().")
    start, prepared = time.perf_counter(), runs.prepared
    drawn = _draw(runs, settings)
    thresholds, bound = drawn.widened, SCORES[settings.score].bound(prepared.scale)
    reference_thresholds = exact_threshold(runs.reference_scores, settings.alpha, bound)
    measured = _measure(runs, settings, runs.test_predicted, thresholds)
    reference = _measure(runs, settings, runs.reference_predicted, reference_thresholds)
    top_share = float(np.mean(drawn.raw >= bound))
    clipped_share = float(np.mean(runs.scores >= bound))
    findings = _findings(runs, settings, drawn.certificate, measured.coverage, top_share, clipped_share)
    return SimulationResult(
        settings=settings,
        dataset_name=prepared.name,
        dataset_digest=prepared.digest,
        target=prepared.target,
        one_row_is=prepared.one_row_is,
        n=runs.n,
        n_train=runs.n_train,
        n_calibration=runs.n_calibration,
        n_test=runs.n_test,
        coverage=measured.coverage,
        width=measured.width.mean(axis=0),
        width_median=np.median(measured.width, axis=0),
        thresholds=thresholds,
        raw_thresholds=drawn.raw,
        reference_coverage=reference.coverage,
        reference_width=reference.width.mean(axis=0),
        reference_thresholds=reference_thresholds,
        distribution=_first(drawn.distribution),
        rows=_shown_rows(runs, measured),
        receipt=_receipt(runs, settings, drawn.certificate),
        certificate=drawn.certificate,
        findings=findings,
        clipped=prepared.clipped,
        target_clipped=prepared.target_clipped,
        scores_clipped_share=clipped_share,
        top_share=top_share,
        seconds=runs.seconds + time.perf_counter() - start,
    )


def _draw(runs: TrainedRuns, settings: ConformalSettings) -> Thresholds:
    plan = CalibrationPlan(settings, runs.prepared.scale, runs.movement, runs.prepared.from_file)
    return draw_thresholds(runs.scores, plan, simulation_generator(settings.seed, Stream.DRAWS))


def _measure(runs: TrainedRuns, settings: ConformalSettings, predicted: Floats, thresholds: Floats) -> _Measured:
    lower, upper = SCORES[settings.score].interval(predicted, thresholds, runs.prepared.scale)
    return _Measured(lower, upper, covered_share(runs.test_truth, lower, upper))


def _receipt(runs: TrainedRuns, settings: ConformalSettings, certificate: CoverageCertificate) -> PrivacyReceipt:
    return write_receipt(
        settings.recipe,
        settings.budget,
        settings.allocation,
        training=TRAINERS[settings.trainer].receipt_entry(runs.plan, settings.allocation, runs.n_train),
        certificate=certificate,
        target=runs.prepared.target,
        one_row_is=runs.prepared.one_row_is,
        from_file=runs.prepared.from_file,
    )


def _first(spread: QuantileDistribution | None) -> QuantileDistribution | None:
    return None if spread is None else replace(spread, log_probabilities=spread.log_probabilities[0])


def _shown_rows(runs: TrainedRuns, measured: _Measured) -> HeldOutRows:
    shown = slice(0, _SHOWN_ROWS)
    return HeldOutRows(
        predicted=runs.test_predicted[shown, 0],
        lower=measured.lower[shown, 0],
        upper=measured.upper[shown, 0],
        truth=runs.test_truth[shown, 0],
    )


def _findings(
    runs: TrainedRuns,
    settings: ConformalSettings,
    certificate: CoverageCertificate,
    coverage: Floats,
    top_share: float,
    clipped_share: float,
) -> tuple[Finding, ...]:
    recipe = settings.recipe
    return examine(
        Symptoms(
            alpha=settings.alpha,
            epsilon=settings.epsilon,
            quantile_epsilon=certificate.quantile_epsilon,
            n_calibration=runs.n_calibration,
            bins=certificate.bins,
            level=certificate.level if certificate.bins else None,
            method=recipe.method,
            stability_asked=settings.stability,
            stability=certificate.stability,
            loss=recipe.loss,
            guarantee=recipe.guarantee,
            certified=certificate.holds,
            coverage_interval=mean_interval(coverage, n_test=runs.n_test) if len(coverage) > 1 else None,
            top_share=top_share,
            scores_clipped_share=clipped_share,
            n_rows=runs.prepared.n_rows,
            target_clipped=runs.prepared.target_clipped,
            columns_clipped=runs.prepared.clipped,
            target_title=runs.prepared.target.title,
        )
    )
