"""From ranked scores to the released threshold: the public grid, the private draw, the certificate."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from dpcp_core._words import number_text
from dpcp_core.conformal.certificate import CoverageCertificate, certify
from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.methods import ORDER_STATISTICS
from dpcp_core.conformal.private_schema import level_after_bounds
from dpcp_core.conformal.score_bound import draw_with_bought_bound
from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.scores.protocol import Score
from dpcp_core.conformal.stability import StabilityFactor, StabilityFacts, stability_factor
from dpcp_core.data.target import ClassTarget, Floats, NumericTarget, Target
from dpcp_core.errors import InputError
from dpcp_core.privacy.grid import Grid, bins_from_rule
from dpcp_core.privacy.order_statistics import NOT_PRIVATE, draw_order_statistics
from dpcp_core.privacy.profile import PrivacyProfile
from dpcp_core.privacy.quantile import QuantileDistribution
from dpcp_core.privacy.quantile_mechanisms import QUANTILES
from dpcp_core.privacy.quantile_task import QuantileDraw, QuantileNote, QuantileTask


@lru_cache(maxsize=256)
def public_grid(
    kind: str,
    bins: int | str,
    *,
    smallest: float,
    largest: float,
    n: int,
    alpha: float,
    epsilon: float | None = None,
) -> Grid:
    """Return the candidate thresholds from public numbers alone.

    Parameters
    ----------
    kind : str
        ``uniform`` or ``geometric``.
    bins : int or str
        Number of candidates or a rule, see :func:`dpcp_core.privacy.grid.bins_from_rule`.
    smallest : float
        Finest threshold worth telling apart, in score units. A uniform grid does not use it.
    largest : float
        True upper bound of the score.
    n, alpha, epsilon
        What the rules read.

    Returns
    -------
    Grid
        Its last candidate is ``largest``.

    Raises
    ------
    InputError
        The smallest is not below the largest; the sentence calls it ``smallest_width``, as a person does.

    Examples
    --------
    >>> public_grid("geometric", 3, smallest=0.1, largest=10.0, n=100, alpha=0.1).edges.round(2).tolist()
    [0.1, 1.0, 10.0]
    """
    count = bins_from_rule(bins, n, alpha, epsilon)
    if kind != "geometric" or count == 1:
        return Grid.uniform(largest=largest, bins=count)
    if smallest >= largest:
        raise InputError(
            f"smallest_width is {smallest:g} but must be below {largest:g}, the largest threshold that is possible."
        )
    return Grid.geometric(smallest=smallest, largest=largest, bins=count)


def exact_threshold(scores: Floats, miss_rate: float, bound: float) -> Floats:
    """Return the split-conformal threshold of each column of sorted scores; not private.

    Parameters
    ----------
    scores : array of shape (n, R)
        Sorted within each column.
    miss_rate : float
        Level in (0, 1).
    bound : float
        Returned where no score is high enough.

    Returns
    -------
    array of shape (R,)
        The ``ceil((n + 1)(1 - miss_rate))``-th smallest score.

    References
    ----------
    Vovk, Gammerman and Shafer (2005), "Algorithmic learning in a random world".

    Examples
    --------
    >>> exact_threshold(np.array([[1.0], [2.0], [3.0], [4.0]]), 0.4, 9.0).tolist()
    [3.0]
    >>> exact_threshold(np.array([[1.0], [2.0]]), 0.1, 9.0).tolist()
    [9.0]
    """
    n = len(scores)
    rank = math.ceil((n + 1) * (1 - miss_rate) - 1e-9)
    if rank > n:
        return np.full(scores.shape[1], bound)
    threshold: Floats = scores[max(rank, 1) - 1].copy()
    return threshold


@dataclass(frozen=True)
class CalibrationPlan:
    """Public facts of the step from scores to a threshold.

    Attributes
    ----------
    choices : ConformalChoices
    target : Target
    profile : PrivacyProfile
        Privacy of all that read the ranked rows before: training.
    movement : float or None
        How far one more row moves a score under shared noise; None if unbounded.
    from_file : tuple of str
        Columns whose bounds or categories were read off the rows.
    bounds_epsilon : float
        What bounds cost that were bought from the rows that train and are ranked; 0 if none were.
    """

    choices: ConformalChoices
    target: Target
    profile: PrivacyProfile
    movement: float | None
    from_file: tuple[str, ...] = ()
    bounds_epsilon: float = 0.0

    @property
    def score(self) -> Score:
        """Conformity score."""
        return SCORES[self.choices.score]

    @property
    def bound(self) -> float:
        """True upper bound of the score."""
        return self.score.bound(self.target)

    @property
    def unit(self) -> str:
        """Unit of the scores, or what they are a part of; "" where there is nothing to say."""
        if isinstance(self.target, ClassTarget):
            return "in the probability of a class"
        return self.target.unit if isinstance(self.target, NumericTarget) and self.score.in_target_unit else ""

    @property
    def facts(self) -> StabilityFacts:
        """Public facts that decide what ranking rows that trained costs."""
        needed = self.choices.recipe.stability not in ("none", "split")
        return StabilityFacts(
            alpha=self.choices.alpha,
            epsilon_1=self.profile.epsilon(self.choices.delta) if needed else math.inf,
            delta=self.choices.delta,
            profile=self.profile,
            movement=self.movement,
            score_spread=self.score.typical(self.target),
            unit=self.unit,
            score_bound=self.bound,
        )

    @property
    def factor(self) -> StabilityFactor:
        """What ranking rows that trained costs."""
        stability = self.choices.recipe.stability
        factor = stability_factor(stability, self.facts)
        return factor if stability == "none" or not self.bounds_epsilon else _after_bounds(factor, self.bounds_epsilon)

    def grid(self, n: int) -> Grid:
        """Return the public candidates for ``n`` ranked rows."""
        choices = self.choices
        return public_grid(
            choices.recipe.grid,
            choices.bins,
            smallest=choices.smallest_width or self.score.smallest(self.target),
            largest=self.bound,
            n=n,
            alpha=choices.alpha,
            epsilon=choices.allocation.quantile_epsilon,
        )

    def task(self, n: int, level: float) -> QuantileTask | None:
        """Return what the private quantile of ``n`` scores is asked; None where it is not private."""
        recipe, epsilon = self.choices.recipe, self.choices.allocation.quantile_epsilon
        if epsilon is None:
            return None
        return QuantileTask(self.grid(n), n, epsilon, level, recipe.loss, recipe.guarantee, self.choices.delta)


def _after_bounds(factor: StabilityFactor, epsilon: float) -> StabilityFactor:
    # Below the smallest level that a float can hold nothing is certified, whatever it is.
    level = max(level_after_bounds(factor.level, epsilon), math.ulp(0.0))
    bought = f"bounds were bought from the rows for epsilon {number_text(epsilon)}"
    lowered = f"which lowers the level from {number_text(factor.level)} to {number_text(level)}"
    return replace(factor, level=level, reason=f"{factor.reason}; {bought}, {lowered}")


@dataclass(frozen=True, eq=False)
class Thresholds:
    """Thresholds of R repetitions, with what is known about them.

    Attributes
    ----------
    raw : array of shape (R,)
        As drawn, before widening; in score units.
    distribution : QuantileDistribution or None
        What each could have been, exactly: (R, M) probabilities. None where that is not worked out.
    certificate : CoverageCertificate
    notes : tuple of QuantileNote
        How the threshold was drawn and what each step cost; empty for a plain quantile.
    """

    raw: Floats
    distribution: QuantileDistribution | None
    certificate: CoverageCertificate
    notes: tuple[QuantileNote, ...] = ()

    @property
    def widened(self) -> Floats:
        """What is released: the draw plus the public widening."""
        return self.raw + self.certificate.widening


def draw_thresholds(
    scores: Floats, plan: CalibrationPlan, rng: np.random.Generator, n: int | None = None
) -> Thresholds:
    """Draw one threshold per column of scores.

    Parameters
    ----------
    scores : array of shape (n, R)
        Scores of the ranked rows, sorted within each column.
    plan : CalibrationPlan
    rng : numpy Generator
        Source of the draws.
    n : int, optional
        Public number of ranked rows where some are empty, of which a private quantile wants no score.

    Returns
    -------
    Thresholds

    Notes
    -----
    **Privacy.** Each threshold costs what its note says; where the recipe's quantile is not private, it is somebody's
    exact score. The distribution is a function of private scores: the curator's view.

    **Guarantee.** That of the certificate in the result.
    """
    factor, recipe, n = plan.factor, plan.choices.recipe, n or len(scores)
    task = plan.task(n, factor.level)
    drawn, notes = _drawn(scores, plan, task, factor.level, rng)
    certificate = certify(
        confidence_level=plan.choices.confidence_level,
        recipe=recipe,
        factor=factor,
        n=n,
        quantile_epsilon=None if task is None else task.epsilon,
        bins=None if task is None else task.grid.bins,
        target_count=drawn.target,
        proved=drawn.certified,
        from_file=plan.from_file,
    )
    return Thresholds(drawn.thresholds, drawn.distribution, certificate, notes)


def _drawn(
    scores: Floats, plan: CalibrationPlan, task: QuantileTask | None, level: float, rng: np.random.Generator
) -> tuple[QuantileDraw, tuple[QuantileNote, ...]]:
    """Return thresholds with their price."""
    choices, recipe = plan.choices, plan.choices.recipe
    if task is None:
        return QuantileDraw(exact_threshold(scores, level, plan.bound), None, None, None, certified=True), ()
    if recipe.grid == ORDER_STATISTICS:
        drawn = draw_order_statistics(
            scores, rng, epsilon=task.epsilon, miss_rate=level, loss=recipe.loss, guarantee=recipe.guarantee
        )
        return drawn, (NOT_PRIVATE,)
    if choices.bound_share and recipe.quantile == "exponential":
        smallest = choices.smallest_width or plan.score.smallest(plan.target)
        return draw_with_bought_bound(scores, task, choices.bound_share, smallest, rng)
    mechanism = QUANTILES[recipe.quantile]
    return mechanism.draw(scores, task, rng), (mechanism.describe(task),)
