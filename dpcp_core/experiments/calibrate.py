"""From trained runs to a finished result: the threshold, coverage, width, receipt. Fast, trains nothing."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from dpcp_core.conformal.certificate import CoverageCertificate, certify
from dpcp_core.conformal.receipts import write_receipt
from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.stability import StabilityFacts, StabilityFactor, stability_factor
from dpcp_core.conformal.thresholds import exact_threshold, public_grid
from dpcp_core.data.encoding import Floats
from dpcp_core.evaluation.coverage import mean_interval
from dpcp_core.evaluation.doctor import Finding, Symptoms, examine
from dpcp_core.experiments.result import HeldOutRows, SimulationResult
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.trained import TrainedRuns
from dpcp_core.privacy.quantile import QuantileDistribution, quantile_distribution_from_counts
from dpcp_core.privacy.randomness import simulation_generator

_DRAWS = 2
_SHOWN_ROWS = 100


@dataclass(frozen=True, eq=False)
class _Thresholds:
    raw: Floats
    distribution: QuantileDistribution | None
    certificate: CoverageCertificate


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
    thresholds = drawn.raw + drawn.certificate.widening
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
        distribution=drawn.distribution,
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


def _draw(runs: TrainedRuns, settings: ConformalSettings) -> _Thresholds:
    recipe, scale = settings.recipe, runs.prepared.scale
    factor = _factor(runs, settings)
    bound = SCORES[settings.score].bound(scale)
    quantile_epsilon = settings.allocation.quantile_epsilon
    if not recipe.private_quantile or quantile_epsilon is None:
        certificate = certify(
            confidence_level=settings.confidence_level, recipe=recipe, factor=factor,
            n=runs.n_calibration, quantile_epsilon=None, bins=None, target_count=None,
        )  # fmt: skip
        return _Thresholds(exact_threshold(runs.scores, factor.level, bound), None, certificate)
    grid = public_grid(
        recipe.grid, settings.bins, scale, bound,
        n=runs.n_calibration, alpha=settings.alpha, smallest=settings.smallest_width,
    )  # fmt: skip
    below = grid.counts_below(runs.scores) if recipe.loss == "paper" else None
    everything = quantile_distribution_from_counts(
        grid.counts_above(runs.scores), below, runs.n_calibration, grid,
        epsilon=quantile_epsilon, miss_rate=factor.level, loss=recipe.loss, guarantee=recipe.guarantee,
    )  # fmt: skip
    raw = np.asarray(everything.sample(simulation_generator(settings.seed, _DRAWS)))
    certificate = certify(
        confidence_level=settings.confidence_level, recipe=recipe, factor=factor, n=runs.n_calibration,
        quantile_epsilon=quantile_epsilon, bins=grid.bins, target_count=everything.target,
    )  # fmt: skip
    return _Thresholds(raw, _first(everything), certificate)


def _factor(runs: TrainedRuns, settings: ConformalSettings) -> StabilityFactor:
    allocation = settings.allocation
    facts = StabilityFacts(
        alpha=settings.alpha,
        epsilon_1=allocation.epsilon_1,
        delta=allocation.delta,
        profile=allocation.profile,
        movement=runs.movement,
        score_spread=runs.prepared.scale.spread,
    )
    return stability_factor(settings.recipe.stability, facts)


def _first(spread: QuantileDistribution) -> QuantileDistribution:
    values = {name: getattr(spread, name) for name in spread.__dataclass_fields__}
    return QuantileDistribution(**(values | {"log_probabilities": spread.log_probabilities[0]}))


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
    recipe, quantile_epsilon = settings.recipe, certificate.quantile_epsilon
    return examine(
        Symptoms(
            alpha=settings.alpha,
            epsilon=settings.epsilon,
            quantile_epsilon=quantile_epsilon,
            n_calibration=runs.n_calibration,
            bins=certificate.bins,
            level=certificate.level if quantile_epsilon is not None and math.isfinite(quantile_epsilon) else None,
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
