"""What a simulation tells the doctor: its choices, and what was measured in it."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri

from dpcp_core.conformal.certificate import CoverageCertificate
from dpcp_core.conformal.fitting import plan_fitting
from dpcp_core.conformal.methods import METHODS, Recipe
from dpcp_core.conformal.regions import LabelSets, Region
from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.stability import predicted_cost
from dpcp_core.conformal.thresholds import CalibrationPlan
from dpcp_core.data.target import ClassTarget, Floats
from dpcp_core.evaluation.coverage import mean_interval
from dpcp_core.evaluation.doctor import ClassSigns, Finding, Symptoms, TrainingSigns, examine
from dpcp_core.experiments.result import GroupResult
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.trained import TrainedRuns
from dpcp_core.privacy.grid import bins_from_rule
from dpcp_core.privacy.profile import PrivacyProfile
from dpcp_core.privacy.quantile import certified_target
from dpcp_core.privacy.spending import TrainingBudget, joint_delta
from dpcp_core.training.protocol import ProblemSize, TrainingChoices
from dpcp_core.training.registry import TRAINERS, default_trainer

_NOT_BLAMED = ("max_grad_norm", "noise_multiplier")
"""Hyper-parameters that have findings of their own."""

_TOLERANCE = 1e-3


@dataclass(frozen=True, eq=False)
class Seen:
    """What was measured, as the doctor needs it.

    Attributes
    ----------
    certificate : CoverageCertificate
        Of all rows, or of the largest group.
    coverage : array of shape (R,)
    region, reference_region : Region
        Of the held-out rows, with and without privacy.
    groups : tuple of GroupResult
    top_share, scores_clipped_share : float
        See :class:`dpcp_core.evaluation.symptoms.Symptoms`.
    """

    certificate: CoverageCertificate
    coverage: Floats
    region: Region
    reference_region: Region
    groups: tuple[GroupResult, ...]
    top_share: float
    scores_clipped_share: float


def diagnose(runs: TrainedRuns, settings: ConformalSettings, seen: Seen) -> tuple[Finding, ...]:
    """Return what ails a simulation, the most serious first.

    Parameters
    ----------
    runs : TrainedRuns
    settings : ConformalSettings
        With trainer and score resolved.
    seen : Seen

    Notes
    -----
    **Privacy.** None: reads real rows, for the curator's eyes.
    """
    prepared = runs.prepared
    split_cost, whole_cost = _costs_of_splitting(runs, settings)
    many = len(seen.coverage) > 1
    used, allotted = _epsilon_used(runs, settings)
    return examine(
        dataclasses.replace(
            _chosen(settings, seen.certificate),
            coverage_interval=mean_interval(seen.coverage, n_test=runs.n_test) if many else None,
            top_share=seen.top_share,
            scores_clipped_share=seen.scores_clipped_share,
            n_rows=prepared.n_rows,
            target_clipped=prepared.target_clipped,
            columns_clipped=prepared.clipped,
            constant=prepared.constant,
            target_title=prepared.target.title,
            bounds_bought=len(prepared.bought.entries) if prepared.bought else 0,
            epsilon_used=used,
            epsilon_allotted=allotted,
            split_cost=split_cost,
            whole_cost=whole_cost,
            small_groups=_small_groups(seen.groups),
            spread_floor_share=_spread_floor_share(runs),
            default_trainer=settings.trainer == default_trainer(prepared.task, prepared.goal.n_classes),
            training=_training_signs(runs),
            classes=_class_signs(runs, seen),
        )
    )


def _chosen(settings: ConformalSettings, certificate: CoverageCertificate) -> Symptoms:
    """Return what follows from the choices alone; nothing was measured yet."""
    recipe = settings.recipe
    return Symptoms(
        alpha=settings.alpha,
        epsilon=settings.epsilon,
        quantile_epsilon=_quantile_epsilon(settings, certificate),
        n_calibration=certificate.n,
        bins=certificate.bins,
        level=certificate.level if certificate.bins else None,
        method=recipe.method,
        stability_asked=settings.stability,
        stability=certificate.stability,
        loss=recipe.loss,
        guarantee=recipe.guarantee,
        splits_rows=recipe.splits_rows,
        composition=recipe.composition,
        may_compose=_cheaper_composition(recipe),
        training_share=settings.training_share,
        row_share=settings.row_share,
        delta=settings.delta if recipe.private_training else 0.0,
        certified=certificate.holds,
        bounds_epsilon=settings.bounds_epsilon,
    )


def _quantile_epsilon(settings: ConformalSettings, certificate: CoverageCertificate) -> float | None:
    """Return what the draw among the fine candidates may spend; a bought bound of the scores takes its part."""
    if certificate.quantile_epsilon is None:
        return None
    buys = settings.bound_share if settings.recipe.quantile == "exponential" else 0.0
    return certificate.quantile_epsilon * (1 - buys)


def _cheaper_composition(recipe: Recipe) -> str:
    if recipe.composition != "basic" or "composition" in METHODS[recipe.method].fixed or not recipe.is_private:
        return ""
    return "parallel" if recipe.splits_rows else "tight"


def _small_groups(groups: tuple[GroupResult, ...]) -> dict[str, int]:
    return {
        group.name: group.certificate.n
        for group in groups
        if group.certificate is not None and group.certificate.nothing_narrower
    }


def _epsilon_used(runs: TrainedRuns, settings: ConformalSettings) -> tuple[float | None, float]:
    """Return what training costs by the noise that a person chose, and what it may; None where nobody chose any."""
    spending = runs.task.spending
    if settings.noise_multiplier is None or not spending.is_finite:
        return None, 0.0
    return _least_epsilon(runs.plan.profile, spending), spending.epsilon


def _least_epsilon(profile: PrivacyProfile, spending: TrainingBudget) -> float:
    low, high = spending.beside, spending.epsilon
    while high - low > _TOLERANCE * spending.epsilon:
        middle = (low + high) / 2
        enough = joint_delta(profile, spending.beside, middle) <= spending.delta
        low, high = (low, middle) if enough else (middle, high)
    return high


def _costs_of_splitting(runs: TrainedRuns, settings: ConformalSettings) -> tuple[float | None, float | None]:
    """Return the widening to expect with rows split, and with all rows doing both; from public numbers.

    Of a model with ``d`` weights that ``m`` rows train, the error on new rows is larger by about ``sqrt(1 + d / m)``;
    what the threshold's noise and stability cost is worked out for half-normal scores.
    """
    recipe, d = settings.recipe, runs.prepared.features.shape[1]
    if not (recipe.splits_rows and recipe.is_private and runs.prepared.task == "regression"):
        return None, None
    spent = settings.allocation.quantile_epsilon or math.inf
    other = _with_all_rows(runs, settings)
    if other is None:
        return None, None
    level = other.choices.alpha
    split = _model_cost(d, runs.n_train) + _threshold_cost(settings, level, runs.n_calibration, spent)
    return split, _model_cost(d, runs.n) + _whole_cost(other, runs.n)


def _with_all_rows(runs: TrainedRuns, settings: ConformalSettings) -> CalibrationPlan | None:
    other = settings.replace(method="dpcp", stability="best", composition="tight", noise_multiplier=None)
    if other.recipe.splits_rows or not (TRAINERS[other.trainer].is_coupled and SCORES[other.score].can_couple):
        return None
    plan = plan_fitting(
        runs.prepared.goal,
        ProblemSize(runs.n, runs.prepared.features.shape[1]),
        other.allocation.training,
        trainer=other.trainer,
        score=other.score,
        choices=other.training_choices,
    )
    return CalibrationPlan(other, runs.prepared.goal, plan.profile, plan.movement)


def _model_cost(n_weights: int, n_rows: int) -> float:
    return math.sqrt(1 + n_weights / n_rows) - 1


def _threshold_cost(settings: ConformalSettings, level: float, n: int, epsilon: float) -> float:
    bins = bins_from_rule(settings.bins, n, settings.alpha, epsilon)
    aimed = certified_target(n, level, epsilon, bins, settings.loss) / (n + 1)
    return math.inf if aimed <= 0 else float(ndtri(aimed / 2) / ndtri(settings.alpha / 2)) - 1


def _whole_cost(other: CalibrationPlan, n: int) -> float:
    factor, choices = other.factor, other.choices
    assert isinstance(choices, ConformalSettings)
    widening = predicted_cost(dataclasses.replace(factor, level=choices.alpha), other.facts)
    return widening + _threshold_cost(choices, factor.level, n, choices.allocation.quantile_epsilon or math.inf)


def _training_signs(runs: TrainedRuns) -> TrainingSigns:
    trace, choices, unset = runs.trace, runs.task.choices, TrainingChoices()
    by_hand = (name for name, value in vars(choices).items() if value != getattr(unset, name))
    return TrainingSigns(
        gain=_gain(runs, runs.test_predicted),
        reference_gain=_gain(runs, runs.reference_predicted),
        clip_norm=_clip_norm(runs.plan.main),
        gradient_norm=None if trace is None or not len(trace.step) else float(trace.gradient_norm[0]),
        clipped_share=0.0 if trace is None or not len(trace.step) else float(np.median(trace.clipped_share)),
        set_by_hand=tuple(name for name in by_hand if name not in _NOT_BLAMED),
        public_start=runs.prepared.public is not None,
    )


def _clip_norm(plan: Any) -> float | None:
    # A plan is its trainer's own affair: a clip norm is looked for, not relied upon.
    return getattr(getattr(plan, "descent", plan), "max_grad_norm", None)


def _gain(runs: TrainedRuns, predicted: Floats) -> float:
    """Return the share of the guess's error on the held-out rows that predictions take away."""
    truth = runs.test_truth
    if runs.prepared.task == "classification":
        error = float((predicted.argmax(axis=-1) != truth).mean())
        guess = 1 - float(np.bincount(truth.reshape(-1)).max()) / truth.size
    else:
        error = float(((truth - predicted[..., 0]) ** 2).mean())
        guess = float(truth.var())
    return 1 - error / guess if guess > 0 else 1.0


def _class_signs(runs: TrainedRuns, seen: Seen) -> ClassSigns | None:
    target, region, reference = runs.prepared.goal, seen.region, seen.reference_region
    if not isinstance(target, ClassTarget) or not isinstance(region, LabelSets) or not isinstance(reference, LabelSets):
        return None
    named = runs.test_predicted.argmax(axis=-1)
    most = int(np.bincount(named.reshape(-1)).argmax())
    others = runs.test_truth != most
    counts = np.bincount(runs.prepared.truth, minlength=target.n_classes)
    return ClassSigns(
        counts=dict(zip(target.classes, counts.tolist(), strict=True)),
        predicted=target.classes[most],
        predicted_share=_share(named == most),
        reference_share=_share(runs.reference_predicted.argmax(axis=-1) == most),
        true_share=_share(~others),
        others_coverage=_share(region.covers(runs.test_truth)[others]) if others.any() else math.nan,
        full_share=_share(region.members.all(axis=-1)),
        reference_full_share=_share(reference.members.all(axis=-1)),
    )


def _share(found: Any) -> float:
    return float(np.mean(found))


def _spread_floor_share(runs: TrainedRuns) -> float | None:
    floor = SCORES[runs.task.score].floor(runs.prepared.goal)
    return None if floor is None else _share(runs.test_predicted[..., 1] <= floor)
