"""Notes beside the controls, computed from the current run: what a control did here."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.plain import noun_of
from dpcp_core.presentation.wording.regions import thing
from dpcp_core.presentation.wording.thresholds import step_in_words, threshold_in_words
from dpcp_core.privacy.losses import LOSSES
from dpcp_core.privacy.profile import GaussianProfile

if TYPE_CHECKING:
    from dpcp_core.experiments.result import SimulationResult


def noise_price(result: SimulationResult) -> float | None:
    """Return the share of coverage spent on the threshold's noise, ``(2 / epsilon_2) ln M / (n + 1)``.

    Half of that with a one-sided loss. ``None`` where no certified private threshold was drawn in this way.
    """
    certificate, recipe = result.certificate, result.settings.recipe
    epsilon = certificate.quantile_epsilon
    if epsilon is None or not certificate.bins or recipe.guarantee != "certified":
        return None
    if recipe.quantile != "exponential" or result.settings.bound_share:
        return None
    return LOSSES[recipe.loss].range_factor / epsilon * math.log(certificate.bins) / (certificate.n + 1)


def bins_hint(result: SimulationResult) -> str:
    """Say how coarse the steps are at the drawn threshold, and what the number of bins costs."""
    if result.distribution is None or result.certificate.bins is None:
        return _without_steps(result)
    down, up = _steps_at(result)
    steps = (
        f"{say.count(result.certificate.bins, 'bin')}: at {threshold_in_words(result, result.drawn, 2)} the next "
        f"smaller one is {step_in_words(result, down)} away"
    )
    steps += f", the next larger {step_in_words(result, up)}." if up else "; there is no larger one."
    price = noise_price(result)
    if price is None:
        return steps
    paid = "larger sets" if thing(result) == "set" else "wider intervals"
    return f"{steps} Choosing among them costs {_points(price)} of coverage, paid with {paid}."


def _without_steps(result: SimulationResult) -> str:
    if result.certificate.bins is None:
        return "This method uses no bins."
    return f"{say.count(result.certificate.bins, 'bin')}; what choosing among them costs is not worked out here."


def _steps_at(result: SimulationResult) -> tuple[float, float]:
    assert result.distribution is not None
    edges = np.concatenate([[0.0], result.distribution.edges])
    at = int(np.argmin(np.abs(edges - result.drawn)))
    at = max(at, 1)
    up = float(edges[at + 1] - edges[at]) if at + 1 < len(edges) else 0.0
    return float(edges[at] - edges[at - 1]), up


def _points(share: float) -> str:
    text = say.number(100 * share)
    return f"{text} {'point' if text == '1' else 'points'}"


def split_hint(result: SimulationResult) -> str:
    """Say how budget and rows were divided between model and threshold."""
    recipe, allocation = result.settings.recipe, result.settings.allocation
    if not recipe.private_training:
        return "This method spends no privacy budget."
    if allocation.quantile_epsilon is None:
        return "All of ε trains the model; the threshold is not private."
    if recipe.splits_rows:
        return _row_split_hint(result)
    epsilon, quantile = result.settings.epsilon, allocation.quantile_epsilon
    training = f"ε = {say.short(_training_epsilon(result))} trains the model and {say.short(quantile)} draws the"
    joint = ""
    if recipe.composition == "tight":
        joint = f", on the same {say.count(result.n, noun_of(result))}; together they cost {say.short(epsilon)}"
    bounds = result.settings.bounds_epsilon
    before = f"; that includes bounds bought for ε = {say.short(bounds)}" if bounds else ""
    return f"{training} threshold{joint}{before}."


def _training_epsilon(result: SimulationResult) -> float:
    """Return what training costs as one number; two models share their joint cost, which is less than the sum."""
    costs = [entry.epsilon for entry in result.receipt.entries if entry.reads.startswith("features and target")]
    if len(costs) < 2:
        return sum(costs)
    spending = result.settings.allocation.training
    return min(sum(costs), GaussianProfile(spending.mu).epsilon(spending.delta))


def _row_split_hint(result: SimulationResult) -> str:
    allocation, noun = result.settings.allocation, noun_of(result)
    rows = (
        f"{say.count(result.n_train, noun)} train the model at ε = {say.short(_training_epsilon(result))}, "
        f"{say.whole(result.n_calibration)} others are ranked at "
        f"ε = {say.short(allocation.quantile_epsilon or 0)}"
    )
    if result.settings.recipe.composition == "parallel":
        return f"{rows}: nobody is in both, so together they cost no more than the larger."
    return f"{rows}; the two are added, as published, though nobody is in both."
