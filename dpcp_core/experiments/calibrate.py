"""From trained runs to a finished result: the threshold, coverage, width, receipt. Fast, trains nothing."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from dpcp_core.conformal.certificate import CoverageCertificate
from dpcp_core.conformal.receipts import write_receipt
from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.thresholds import CalibrationPlan, Thresholds, draw_thresholds, exact_threshold
from dpcp_core.data.encoding import Floats
from dpcp_core.evaluation.coverage import mean_interval
from dpcp_core.evaluation.doctor import Finding, Symptoms, examine
from dpcp_core.experiments.result import HeldOutRows, SimulationResult
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.trained import TrainedRuns
from dpcp_core.privacy.quantile import QuantileDistribution
from dpcp_core.privacy.randomness import simulation_generator

_DRAWS = 2
_SHOWN_ROWS = 100


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
    """
    start = time.perf_counter()
    prepared, score = runs.prepared, SCORES[settings.score]
    drawn = _draw(runs, settings)
    thresholds = drawn.widened
    lower, upper = score.interval(runs.test_predicted, thresholds, prepared.scale)
    bound = score.bound(prepared.scale)
    reference = exact_threshold(runs.reference_scores, settings.alpha, bound)
    reference_lower, reference_upper = score.interval(runs.reference_predicted, reference, prepared.scale)
    coverage = _covered(runs.test_truth, lower, upper)
    top_share = float(np.mean(drawn.raw >= bound))
    clipped_share = float(np.mean(runs.scores >= bound))
    findings = _findings(runs, settings, drawn.certificate, coverage, top_share, clipped_share)
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
        coverage=coverage,
        width=(upper - lower).mean(axis=0),
        width_median=np.median(upper - lower, axis=0),
        thresholds=thresholds,
        raw_thresholds=drawn.raw,
        reference_coverage=_covered(runs.test_truth, reference_lower, reference_upper),
        reference_width=(reference_upper - reference_lower).mean(axis=0),
        reference_thresholds=reference,
        distribution=_first(drawn.distribution),
        rows=_shown_rows(runs, lower, upper),
        receipt=write_receipt(
            settings.recipe,
            settings.budget,
            settings.allocation,
            plan=runs.plan,
            certificate=drawn.certificate,
            target=prepared.target,
            n_train=runs.n_train,
            one_row_is=prepared.one_row_is,
            from_file=prepared.from_file,
        ),
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
    return draw_thresholds(runs.scores, plan, simulation_generator(settings.seed, _DRAWS))


def _first(spread: QuantileDistribution | None) -> QuantileDistribution | None:
    return None if spread is None else replace(spread, log_probabilities=spread.log_probabilities[0])


def _covered(truth: Floats, lower: Floats, upper: Floats) -> Floats:
    covered: Floats = ((lower <= truth) & (truth <= upper)).mean(axis=0)
    return covered


def _shown_rows(runs: TrainedRuns, lower: Floats, upper: Floats) -> HeldOutRows:
    shown = slice(0, _SHOWN_ROWS)
    return HeldOutRows(
        predicted=runs.test_predicted[shown, 0],
        lower=lower[shown, 0],
        upper=upper[shown, 0],
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
            coverage_interval=mean_interval(coverage) if len(coverage) > 1 else None,
            top_share=top_share,
            scores_clipped_share=clipped_share,
            n_rows=runs.prepared.n_rows,
            target_clipped=runs.prepared.target_clipped,
            columns_clipped=runs.prepared.clipped,
            target_title=runs.prepared.target.title,
        )
    )
