"""A threshold for another population than the one that the rows come from, by public weights of the rows.

A row that is rarer here than there counts for more: each ranked row is kept with a chance proportional to its weight,
after which the kept rows look like rows of the other population, and what is proved for such rows holds.

>>> import numpy as np
>>> from dpcp_core.privacy.grid import Grid
>>> from dpcp_core.privacy.randomness import simulation_generator
>>> rng = simulation_generator(0)
>>> age = rng.random(8000)  # all ages are equally common here, there the old are
>>> errors = np.abs(rng.normal(size=8000)) * (1 + age)
>>> grid = Grid.geometric(smallest=0.2, largest=10.0, bins=60)
>>> drawn = private_quantile_under_shift(
...     errors, 2 * age, grid, epsilon=1.0, miss_rate=0.1, largest_weight=2.0, rng=simulation_generator(1)
... )
>>> round(drawn.threshold, 2), drawn.noisy_kept, drawn.certificate.holds
(2.84, 3975, True)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike

from dpcp_core import _validate as check
from dpcp_core.conformal.certificate import CoverageCertificate, not_proved_with_bounds_of_the_file
from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.rows import Rows
from dpcp_core.conformal.thresholds import CalibrationPlan, Thresholds
from dpcp_core.data.target import Floats
from dpcp_core.errors import InputError
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.noisy_count import count_note, distribution_given_count, noisy_count, quantile_note
from dpcp_core.privacy.quantile import QuantileDistribution
from dpcp_core.privacy.quantile_task import QuantileNote

COUNT_SHARE = 0.1
"""Part of epsilon that tells how many rows were kept; its noise has mean 0, so little is enough."""


@dataclass(frozen=True, eq=False)
class Shift:
    """Public weights of rows: how much more often such a row is met in the other population than in this one.

    Attributes
    ----------
    weights : array of shape (n,)
        From 0 to ``largest``; a constant factor does not matter.
    largest : float
        Public bound of the weights, above 0.

    Raises
    ------
    InputError
        A weight below 0, above the bound or missing.

    Examples
    --------
    >>> Shift([0.5, 2.0], largest=2.0).keep_chances
    array([0.25, 1.  ])
    """

    weights: Any
    largest: float

    def __post_init__(self) -> None:
        if self.largest is None:
            raise InputError("weights need largest_weight: a bound that is known without looking at the rows.")
        object.__setattr__(self, "largest", check.positive(largest_weight=self.largest))
        object.__setattr__(self, "weights", _checked_weights(self.weights, self.largest))

    @property
    def keep_chances(self) -> Floats:
        """Chance of each row to be kept, weight over largest weight."""
        chances: Floats = self.weights / self.largest
        return chances

    def require_rows(self, n_rows: int) -> None:
        """Raise an InputError unless there is one weight per row."""
        if len(self.weights) != n_rows:
            raise InputError(f"There are {len(self.weights)} weights but {n_rows} rows; give one weight per row.")

    def of_rows(self, rows: Rows | slice) -> Shift:
        """Return the weights of some of the rows."""
        return replace(self, weights=self.weights[rows])

    def keep(self, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
        """Draw which rows are kept, shape (n,)."""
        kept: npt.NDArray[np.bool_] = rng.random(len(self.weights)) < self.keep_chances
        return kept


@dataclass(frozen=True, eq=False)
class ShiftedQuantile:
    """A threshold for the other population.

    Attributes
    ----------
    threshold : float
        An edge of the grid, in score units.
    noisy_kept : int
        Noisy number of rows that were kept; as noise may outweigh few rows, it can be below 0.
    certificate : CoverageCertificate
        Its ``n`` is the noisy number, 0 or more.
    distribution : QuantileDistribution
        Of the threshold, given which rows were kept and the noisy number: the curator's view.
    notes : tuple of QuantileNote
        A line of a receipt for each of the two steps.
    """

    threshold: float
    noisy_kept: int
    certificate: CoverageCertificate
    distribution: QuantileDistribution
    notes: tuple[QuantileNote, ...]


def private_quantile_under_shift(
    scores: ArrayLike,
    weights: ArrayLike,
    grid: Grid,
    *,
    epsilon: float,
    miss_rate: float,
    largest_weight: float,
    rng: np.random.Generator,
    count_share: float = COUNT_SHARE,
) -> ShiftedQuantile:
    """Draw a private quantile of the scores as they would be in the other population.

    1. Keep each row with probability ``weight / largest_weight``.
    2. Tell with noise how many were kept.
    3. Draw the private quantile of the kept scores, aiming as if the noisy number were the true one.

    Parameters
    ----------
    scores : array of shape (n,)
        0 or more, by a model that none of these rows trained.
    weights : array of shape (n,)
        Of each row: a public function of its features, from 0 to ``largest_weight``, proportional to how much more
        often such a row is met in the other population. Not computed from these rows.
    grid : Grid
        Public candidates; the last one must bound the scores.
    epsilon : float
        Privacy cost of both steps together, above 0.
    miss_rate : float
        Share of the other population's scores that may lie above the threshold, in (0, 1).
    largest_weight : float
        Public bound of the weights.
    rng : numpy Generator
    count_share : float
        Share of epsilon for step 2, in (0, 1).

    Returns
    -------
    ShiftedQuantile

    Raises
    ------
    InputError
        Scores and weights of different lengths, a weight out of its bounds, or a parameter out of range.

    Notes
    -----
    **Privacy.** ``epsilon`` for one row being there or empty, ``n`` public. Emptying a row changes the kept rows by
    that row at most, whatever the chance that kept the others.

    **Guarantee.** If the rows are independent draws from one population, and the new one from a population whose
    density is proportional to weight times theirs, the new score exceeds the threshold with probability at most
    ``miss_rate``. Where the weights are a little wrong, by at most the total variation distance between the population
    that they describe and the true one more. See docs/guarantees.md, "Another population".

    References
    ----------
    Tibshirani, Foygel Barber, Candes and Ramdas (2019), "Conformal prediction under covariate shift"; Park, Dobriban,
    Lee and Bastani (2022), "PAC prediction sets under covariate shift", for the rejection sampling.
    """
    shift, values = Shift(weights, largest_weight), np.asarray(scores, dtype=np.float64)
    shift.require_rows(len(values))
    if values.ndim != 1:
        raise InputError("scores must be one list of numbers to draw one threshold.")
    spent = check.positive(infinite=True, epsilon=epsilon)
    for_count = spent * check.share(count_share=count_share)
    kept = values[shift.keep(rng)]
    noisy_kept = noisy_count(len(kept), for_count, rng)
    above = grid.counts_above(kept) if len(kept) else np.zeros(grid.bins, dtype=np.int64)
    rest = spent - for_count if np.isfinite(spent) else spent
    spread = distribution_given_count(
        above, noisy_kept, grid, epsilon=rest, miss_rate=check.share(miss_rate=miss_rate), count_epsilon=for_count
    )
    notes = (count_note(for_count), quantile_note(spread))
    return ShiftedQuantile(float(spread.sample(rng)), noisy_kept, _certificate(spread, noisy_kept), spread, notes)


def draw_under_shift(scores: Floats, shift: Shift, plan: CalibrationPlan, rng: np.random.Generator) -> Thresholds:
    """Draw one threshold for the other population, as a step of a procedure.

    Parameters
    ----------
    scores : array of shape (n, 1)
        Of the ranked rows, in the order of the weights.
    shift : Shift
    plan : CalibrationPlan
    rng : numpy Generator

    Notes
    -----
    **Privacy.** What the plan gives to the quantile.

    **Guarantee.** As :func:`private_quantile_under_shift`; ``refuse_shift`` sees to its conditions. The loss is the
    bracket loss whatever was chosen.
    """
    task = plan.task(max(len(scores), 1), plan.factor.level)
    assert task is not None
    drawn = private_quantile_under_shift(
        scores[:, 0], shift.weights, task.grid,
        epsilon=task.epsilon, miss_rate=task.miss_rate, largest_weight=shift.largest, rng=rng,
    )  # fmt: skip
    certificate = replace(drawn.certificate, confidence_level=plan.choices.confidence_level)
    if plan.from_file:
        reason = not_proved_with_bounds_of_the_file(certificate.reason)
        certificate = replace(certificate, holds=False, reason=reason)
    return Thresholds(np.array([drawn.threshold]), drawn.distribution, certificate, drawn.notes)


def refuse_shift(choices: ConformalChoices) -> None:
    """Refuse choices under which weights promise nothing.

    Raises
    ------
    InputError
        Rows that train are ranked, or a threshold that is drawn in another way.
    """
    recipe = choices.recipe
    checks: tuple[tuple[Callable[[], bool], str], ...] = (
        (lambda: recipe.splits_rows, 'weights need ranked rows that did not train; set stability="split".'),
        (lambda: not choices.by_group, "weights and by_group do not go together; choose one of them."),
        (lambda: not choices.bound_share, "weights and bound_share do not go together; set bound_share=0."),
        (lambda: not choices.bounds_epsilon, "weights and bounds_epsilon do not go together; give public bounds."),
        (
            lambda: (recipe.guarantee, recipe.quantile, recipe.loss == "paper") == ("certified", "exponential", False),
            'weights need guarantee="certified" and a loss other than "paper".',
        ),
    )
    for holds, sentence in checks:
        if not holds():
            raise InputError(sentence)


def _checked_weights(weights: Any, largest: float) -> Floats:
    try:
        values = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("weights must hold one number per row.") from None
    if values.ndim != 1:
        raise InputError("weights must hold one number per row, in a single list.")
    if not ((values >= 0) & (values <= largest)).all():
        raise InputError(f"weights must be from 0 to largest_weight, {largest:g}, in every row; raise the bound.")
    return values


def _certificate(spread: QuantileDistribution, noisy_kept: int) -> CoverageCertificate:
    wanted = f"{100 * (1 - spread.miss_rate):.4g} %"
    whose = "new rows of the population that the weights describe"
    reason = f"Coverage of at least {wanted} is proved for {whose}; the ranked rows did not train the model."
    if spread.target <= 0:
        reason = f"Coverage of {wanted} could only be certified for {whose} by returning the whole range."
    return CoverageCertificate(
        confidence_level=1 - spread.miss_rate,
        holds=True,
        level=spread.miss_rate,
        target_count=spread.target,
        n=max(noisy_kept, 0),
        quantile_epsilon=spread.epsilon,
        bins=len(spread.edges),
        stability="split",
        widening=0.0,
        reason=reason,
    )
