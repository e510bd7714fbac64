"""From ranked scores to the released threshold: the public grid, the private draw, the certificate."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpcp_core.conformal.certificate import CoverageCertificate, certify
from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.stability import StabilityFactor, StabilityFacts, stability_factor
from dpcp_core.data.encoding import Floats, TargetScale
from dpcp_core.errors import InputError
from dpcp_core.privacy.grid import Grid, bins_from_rule
from dpcp_core.privacy.losses import LOSSES
from dpcp_core.privacy.quantile import QuantileDistribution, quantile_distribution_from_counts

# Without a wish of the user's, half-widths below this share of the typical spread are not told apart.
_SMALLEST_SHARE = 0.1


def public_grid(
    kind: str,
    bins: int | str,
    scale: TargetScale,
    bound: float,
    *,
    n: int,
    alpha: float,
    smallest: float | None = None,
) -> Grid:
    """Return the candidate thresholds from public numbers alone.

    Parameters
    ----------
    kind : str
        ``uniform`` or ``geometric``.
    bins : int or str
        Number of candidates or a rule, see :func:`dpcp_core.privacy.grid.bins_from_rule`.
    scale : TargetScale
        Public scale of the target.
    bound : float
        True upper bound of the score.
    n, alpha
        What the rules read.
    smallest : float or None
        Smallest half-width of interest, in target units; None takes a tenth of the typical spread. A uniform grid
        does not use it.

    Returns
    -------
    Grid
        Its last candidate is ``bound``.

    Raises
    ------
    InputError
        The smallest half-width is not below the bound; the sentence calls it ``smallest_width``, as a person does.

    Examples
    --------
    >>> scale = TargetScale(centre=0.0, spread=1.0, lower=-5.0, upper=5.0)
    >>> public_grid("geometric", 3, scale, 10.0, n=100, alpha=0.1).edges.round(2).tolist()
    [0.1, 1.0, 10.0]
    """
    count = bins_from_rule(bins, n, alpha)
    if kind == "uniform" or count == 1:
        return Grid.uniform(largest=bound, bins=count)
    if smallest is not None and smallest >= bound:
        raise InputError(
            f"smallest_width is {smallest:g} but must be below {bound:g}, the largest half-width that is possible."
        )
    return Grid.geometric(smallest=smallest or _SMALLEST_SHARE * scale.spread, largest=bound, bins=count)


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
    scale : TargetScale
    movement : float or None
        How far one more row moves a score under shared noise; None if unbounded.
    from_file : tuple of str
        Columns whose bounds or categories were read off the rows.
    """

    choices: ConformalChoices
    scale: TargetScale
    movement: float | None
    from_file: tuple[str, ...] = ()

    @property
    def bound(self) -> float:
        """True upper bound of the score."""
        return SCORES[self.choices.score].bound(self.scale)

    @property
    def factor(self) -> StabilityFactor:
        """What ranking rows that trained costs, from public facts."""
        allocation = self.choices.allocation
        facts = StabilityFacts(
            alpha=self.choices.alpha,
            epsilon_1=allocation.epsilon_1,
            delta=allocation.delta,
            profile=allocation.profile,
            movement=self.movement,
            score_spread=self.scale.spread,
            unit=self.scale.unit,
        )
        return stability_factor(self.choices.recipe.stability, facts)

    def grid(self, n: int) -> Grid:
        """Return the public candidates for ``n`` ranked rows."""
        choices = self.choices
        return public_grid(
            choices.recipe.grid,
            choices.bins,
            self.scale,
            self.bound,
            n=n,
            alpha=choices.alpha,
            smallest=choices.smallest_width,
        )


@dataclass(frozen=True, eq=False)
class Thresholds:
    """Thresholds of R repetitions, with what is known about them.

    Attributes
    ----------
    raw : array of shape (R,)
        As drawn, before widening; in score units.
    distribution : QuantileDistribution or None
        What each could have been, exactly: (R, M) probabilities. None where nothing is drawn at random.
    certificate : CoverageCertificate
    """

    raw: Floats
    distribution: QuantileDistribution | None
    certificate: CoverageCertificate

    @property
    def widened(self) -> Floats:
        """What is released: the draw plus the public widening."""
        return self.raw + self.certificate.widening


def draw_thresholds(scores: Floats, plan: CalibrationPlan, rng: np.random.Generator) -> Thresholds:
    """Draw one threshold per column of scores.

    Parameters
    ----------
    scores : array of shape (n, R)
        Scores of the ranked rows, sorted within each column.
    plan : CalibrationPlan
    rng : numpy Generator
        Source of the draws.

    Returns
    -------
    Thresholds

    Notes
    -----
    **Privacy.** Each threshold costs the quantile's epsilon of the plan's allocation; where the recipe's quantile is
    not private, it is somebody's exact score. The distribution is a function of private scores: the curator's view.

    **Guarantee.** That of the certificate in the result.
    """
    choices, factor = plan.choices, plan.factor
    quantile_epsilon = choices.allocation.quantile_epsilon
    distribution, bins = None, None
    if quantile_epsilon is None:
        raw = exact_threshold(scores, factor.level, plan.bound)
    else:
        distribution = _distribution(scores, plan, factor.level, quantile_epsilon)
        raw, bins = np.asarray(distribution.sample(rng)), len(distribution.edges)
    certificate = certify(
        confidence_level=choices.confidence_level,
        recipe=choices.recipe,
        factor=factor,
        n=len(scores),
        quantile_epsilon=quantile_epsilon,
        bins=bins,
        target_count=None if distribution is None else distribution.target,
        from_file=plan.from_file,
    )
    return Thresholds(raw, distribution, certificate)


def _distribution(scores: Floats, plan: CalibrationPlan, level: float, epsilon: float) -> QuantileDistribution:
    recipe, n = plan.choices.recipe, len(scores)
    grid = plan.grid(n)
    return quantile_distribution_from_counts(
        grid.counts_above(scores),
        grid.counts_below(scores) if LOSSES[recipe.loss].reads_below else None,
        n,
        grid,
        epsilon=epsilon,
        miss_rate=level,
        loss=recipe.loss,
        guarantee=recipe.guarantee,
    )
