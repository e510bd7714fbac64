"""The choices of a conformal procedure, checked when they are made.

>>> ConformalChoices(epsilon=0.5, confidence_level=0.95).alpha
0.05
>>> ConformalChoices(loss="squared")
Traceback (most recent call last):
    ...
dpcp_core.errors.InputError: loss is 'squared' but must be one of: bracket, paper, one_sided.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self, get_args

from dpcp_core import _validate as check
from dpcp_core.conformal.methods import METHODS, ORDER_STATISTICS, Recipe, resolve
from dpcp_core.conformal.scores import DEFAULT_SCORES, SCORES
from dpcp_core.conformal.stability import STABILITIES, profile_cost
from dpcp_core.errors import InputError
from dpcp_core.privacy.allocation import Allocation, allocate, allocate_nothing, allocate_training_only
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.composition import COMPOSITIONS
from dpcp_core.privacy.grid import BIN_RULES, GridKind, bins_from_rule
from dpcp_core.privacy.losses import GUARANTEES, LOSSES
from dpcp_core.training.protocol import Decay, Task
from dpcp_core.training.registry import TRAINERS, default_trainer
from dpcp_core.training.settings import TrainingSettings

AUTO = "auto"
"""Trainer and score that suit the target."""

GRIDS: tuple[str, ...] = (*get_args(GridKind), ORDER_STATISTICS)
EPSILON_RANGE = (1e-4, 1e4)
"""Below, nothing can be learnt from any table that fits a computer; above, nothing is protected."""
SMALLEST_DELTA, SMALLEST_ALPHA = 1e-15, 1e-9
MOST_BINS = 1_000_000
# Where scores cannot be coupled, rows are split once the privacy profile would widen intervals by more than this
# (half-normal scores): about what half of the rows costs on tables of some thousand rows.
_SPLITS_FROM = 0.1


@dataclass(frozen=True)
class ConformalChoices(TrainingSettings):
    """Choices of one conformal procedure.

    Attributes
    ----------
    method : str
        ``oracle, split, naive, differential, clip_only, pscp, pcoqs, laplace_histogram, dpcp_paper, dpcp``.
    trainer, score : str
        Names in their registries; ``auto`` takes what suits the target: ``ridge`` and ``absolute`` for a number,
        ``logistic`` (two classes) or ``softmax`` and ``probability`` for classes.
    epsilon, delta : float
        Total privacy budget: epsilon within ``EPSILON_RANGE``, delta from ``SMALLEST_DELTA`` up to but not
        including 1.
    confidence_level : float
        Wanted coverage, 1 - alpha, in (0, 1).
    training_share : float
        Share of epsilon that pays for training, in (0, 1); the rest pays for the quantile.
    row_share : float
        Share of the rows that train, in (0, 1), in methods that split rows.
    loss, stability, guarantee, composition : str
        Quantile loss (``bracket, one_sided, paper``), way of paying for in-sample scores (``split, dp, profile,
        coupling, best``), what is promised (``certified, paper, prediction_sets``), how the two costs add up
        (``tight, basic``, for disjoint rows ``parallel``). Methods with a fixed recipe ignore those that it fixes.
    bins : int or str
        Number of candidate thresholds, 1 to ``MOST_BINS``, or a rule: ``sqrt`` (of n), ``cbrt`` (of n), ``alpha``
        (10/alpha), ``prediction_sets`` (what that paper simulates).
    grid : str
        ``geometric`` or ``uniform`` spacing of the candidates; ``order_statistics`` takes the scores themselves, which
        is not private.
    smallest_width : float or None
        Finest threshold of interest, in score units; None takes the score's own (for a number a tenth of the target's
        typical spread).
    by_group : bool
        A threshold for each group of the schema's group column, so that coverage holds within every group.
    bound_share : float
        Share of the quantile's epsilon that buys a bound of the scores, in [0, 1); 0 takes the public bound.
    bounds_epsilon : float
        Part of epsilon that buys bounds of the columns without public ones, 0 or more and below epsilon; training and
        quantile share the rest. It is left unused where every column has public bounds.
    allow_empty : bool
        Whether a set of classes may be empty; otherwise the likeliest class is put into it.
    steps, step_size, max_grad_norm, penalty, noise_multiplier, sampling_rate, batch_size, epochs, warmup_share, decay
        See :class:`dpcp_core.training.protocol.TrainingChoices`; None takes the trainer's public default.

    Raises
    ------
    InputError
        A value outside its range; the sentence names it.
    """

    method: str = "dpcp"
    trainer: str = AUTO
    score: str = AUTO
    epsilon: float = 1.0
    delta: float = 1e-5
    confidence_level: float = 0.9
    training_share: float = 0.5
    row_share: float = 0.5
    loss: str = "one_sided"
    stability: str = "best"
    guarantee: str = "certified"
    composition: str = "tight"
    bins: int | str = 100
    grid: str = "geometric"
    smallest_width: float | None = None
    by_group: bool = False
    bound_share: float = 0.0
    bounds_epsilon: float = 0.0
    allow_empty: bool = False
    steps: int | None = None
    step_size: float | None = None
    max_grad_norm: float | None = None
    penalty: float | None = None
    noise_multiplier: float | None = None
    sampling_rate: float | None = None
    batch_size: int | None = None
    epochs: float | None = None
    warmup_share: float = 0.0
    decay: Decay = "constant"

    def __post_init__(self) -> None:
        """Check every value; numbers given as text or numpy scalars become plain numbers."""
        for name, options in OPTIONS.items():
            check.one_of(options, **{name: getattr(self, name)})
        self._set("epsilon", check.between(EPSILON_RANGE, epsilon=self.epsilon))
        for name in ("delta", "confidence_level", "training_share", "row_share"):
            self._set(name, check.share(**{name: getattr(self, name)}))
        self._set("delta", check.between((SMALLEST_DELTA, 1.0), delta=self.delta))
        if self.alpha < SMALLEST_ALPHA:
            raise InputError(f"confidence_level is {self.confidence_level} but must be at most {1 - SMALLEST_ALPHA}.")
        if self.smallest_width is not None:
            self._set("smallest_width", check.positive(smallest_width=self.smallest_width))
        for name in ("allow_empty", "by_group"):
            self._set(name, bool(getattr(self, name)))
        self._set("bounds_epsilon", check.non_negative(bounds_epsilon=self.bounds_epsilon))
        if self.bounds_epsilon >= self.epsilon:
            raise InputError(
                f"bounds_epsilon is {self.bounds_epsilon:g} but must be below epsilon, {self.epsilon:g}; "
                "training and the quantile share the rest."
            )
        self._set("bound_share", 0.0 if self.bound_share == 0 else check.share(bound_share=self.bound_share))
        self._check_training()
        self._set("bins", self._checked_bins())

    def _checked_bins(self) -> int | str:
        if self.bins in BIN_RULES:
            return self.bins
        return check.whole(at_most=MOST_BINS, bins=bins_from_rule(self.bins, n=1, alpha=self.alpha))

    @property
    def alpha(self) -> float:
        """Allowed miss rate, 1 - confidence_level."""
        return round(1 - self.confidence_level, 12)

    @property
    def budget(self) -> PrivacyBudget:
        """Total privacy budget."""
        return PrivacyBudget(self.epsilon, self.delta)

    @property
    def budget_after_bounds(self) -> PrivacyBudget:
        """What training and the quantile share: costs of bounds are added to theirs."""
        return PrivacyBudget(self.epsilon - self.bounds_epsilon, self.delta)

    @property
    def recipe(self) -> Recipe:
        """What the method does with these choices (its recipe wins where it fixes one)."""
        return resolve(
            self.method,
            loss=self.loss,
            stability=self._stability,
            guarantee=self.guarantee,
            grid=self.grid,
            composition=self.composition,
        )

    @property
    def _stability(self) -> str:
        """The way of paying for rows that trained; ``best`` splits rows where what else there is costs too much."""
        if self.stability != "best" or METHODS[self.method].fixed or self._may_couple:
            return self.stability
        composition = "basic" if self.composition == "basic" else "tight"
        mu = allocate(self.budget_after_bounds, self.training_share, composition).training.mu
        return "split" if profile_cost(mu, self.alpha) > _SPLITS_FROM else "best"

    @property
    def _may_couple(self) -> bool:
        """Whether one more row can be shown to move scores by a bounded amount."""
        full_batch = self.sampling_rate in (None, 1.0) and self.batch_size is None
        return (
            full_batch
            and (self.trainer == AUTO or TRAINERS[self.trainer].is_coupled)
            and (self.score == AUTO or SCORES[self.score].can_couple)
        )

    @property
    def allocation(self) -> Allocation:
        """What each step may spend."""
        recipe = self.recipe
        if not recipe.private_training:
            return allocate_nothing()
        if not recipe.private_quantile:
            return allocate_training_only(self.budget_after_bounds)
        return allocate(self.budget_after_bounds, self.training_share, recipe.composition)

    def resolved(self, task: Task, n_classes: int = 0) -> Self:
        """Return the choices with what suits the task in place of ``auto``, and refuse what does not suit it.

        Raises
        ------
        InputError
            A score of numbers for classes, or the other way round.
        """
        trainer, score = suiting(self.trainer, self.score, task, n_classes)
        chosen = self.replace(trainer=trainer, score=score)
        if SCORES[chosen.score].task != task:
            suits = ", ".join(name for name, score in SCORES.items() if score.task == task)
            holds = "classes" if task == "classification" else "numbers"
            raise InputError(f"score {chosen.score!r} does not suit a target of {holds}; choose one of: {suits}.")
        return chosen


def suiting(trainer: str, score: str, task: Task, n_classes: int) -> tuple[str, str]:
    """Return trainer and score with what suits the target in place of ``auto``.

    >>> suiting("auto", "aps", "classification", 2)
    ('logistic', 'aps')
    """
    suits = default_trainer(task, n_classes) if trainer == AUTO else trainer
    return suits, DEFAULT_SCORES[task] if score == AUTO else score


OPTIONS: Mapping[str, tuple[str, ...]] = {
    "method": tuple(METHODS),
    "trainer": (AUTO, *TRAINERS),
    "score": (AUTO, *SCORES),
    "loss": tuple(LOSSES),
    "stability": STABILITIES,
    "guarantee": GUARANTEES,
    "composition": (*COMPOSITIONS, "parallel"),
    "grid": GRIDS,
}
"""What each choice that is a name may be."""
