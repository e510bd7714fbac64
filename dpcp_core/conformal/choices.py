"""The choices of a conformal procedure, checked when they are made.

>>> ConformalChoices(epsilon=0.5, confidence_level=0.95).alpha
0.05
>>> ConformalChoices(loss="squared")
Traceback (most recent call last):
    ...
dpcp_core.errors.InputError: loss is 'squared' but must be one of: bracket, paper.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, get_args

from dpcp_core import _validate as check
from dpcp_core.conformal.methods import METHODS, Recipe, resolve
from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.stability import STABILITIES
from dpcp_core.errors import InputError
from dpcp_core.privacy.allocation import Allocation, allocate, allocate_nothing, allocate_training_only
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.composition import COMPOSITIONS
from dpcp_core.privacy.grid import BIN_RULES, GridKind, bins_from_rule
from dpcp_core.privacy.losses import GUARANTEES, LOSSES
from dpcp_core.training.protocol import TrainingChoices
from dpcp_core.training.registry import TRAINERS

GRIDS: tuple[str, ...] = get_args(GridKind)
EPSILON_RANGE = (1e-4, 1e4)
"""Below, nothing can be learnt from any table that fits a computer; above, nothing is protected."""
SMALLEST_DELTA, SMALLEST_ALPHA = 1e-15, 1e-9
MOST_BINS, MOST_STEPS = 1_000_000, 1_000_000


@dataclass(frozen=True)
class ConformalChoices:
    """Choices of one conformal procedure.

    Attributes
    ----------
    method : str
        ``oracle, split, naive, differential, pscp, dpcp_paper, dpcp``.
    trainer : str
        Name in the trainer registry (``ols, ridge``).
    score : str
        Name in the score registry (``absolute``).
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
        Quantile loss (``bracket, paper``), way of paying for in-sample scores (``split, dp, profile,
        coupling, best``), what is promised (``certified, paper``), how the two costs add up
        (``tight, basic``). Methods with a fixed recipe ignore those that the recipe fixes.
    bins : int or str
        Number of candidate thresholds, 1 to ``MOST_BINS``, or a rule: ``sqrt`` (of n), ``cbrt`` (of n), ``alpha``
        (10/alpha).
    grid : str
        ``geometric`` or ``uniform`` spacing of the candidates.
    smallest_width : float or None
        Smallest half-width of interest, in target units; None takes a tenth of the target's typical spread.
    steps, step_size, max_grad_norm, penalty : optional
        See :class:`dpcp_core.training.protocol.TrainingChoices`; None takes the trainer's public default.

    Raises
    ------
    InputError
        A value outside its range; the sentence names it.
    """

    method: str = "dpcp"
    trainer: str = "ridge"
    score: str = "absolute"
    epsilon: float = 1.0
    delta: float = 1e-5
    confidence_level: float = 0.9
    training_share: float = 0.5
    row_share: float = 0.5
    loss: str = "bracket"
    stability: str = "best"
    guarantee: str = "certified"
    composition: str = "tight"
    bins: int | str = 100
    grid: str = "geometric"
    smallest_width: float | None = None
    steps: int | None = None
    step_size: float | None = None
    max_grad_norm: float | None = None
    penalty: float | None = None

    def __post_init__(self) -> None:
        """Check every value; numbers given as text or numpy scalars become plain numbers."""
        for name, options in _OPTIONS.items():
            check.one_of(options, **{name: getattr(self, name)})
        self._set("epsilon", check.between(EPSILON_RANGE, epsilon=self.epsilon))
        for name in ("delta", "confidence_level", "training_share", "row_share"):
            self._set(name, check.share(**{name: getattr(self, name)}))
        self._set("delta", check.between((SMALLEST_DELTA, 1.0), delta=self.delta))
        if self.alpha < SMALLEST_ALPHA:
            raise InputError(f"confidence_level is {self.confidence_level} but must leave a miss rate to allow.")
        for name in ("smallest_width", "step_size", "max_grad_norm"):
            if getattr(self, name) is not None:
                self._set(name, check.positive(**{name: getattr(self, name)}))
        if self.penalty is not None:
            self._set("penalty", check.non_negative(penalty=self.penalty))
        if self.steps is not None:
            self._set("steps", check.whole(at_most=MOST_STEPS, steps=self.steps))
        self._set("bins", self._checked_bins())

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

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
    def recipe(self) -> Recipe:
        """What the method does with these choices (its recipe wins where it fixes one)."""
        return resolve(
            self.method,
            loss=self.loss,
            stability=self.stability,
            guarantee=self.guarantee,
            grid=self.grid,
            composition=self.composition,
        )

    @property
    def allocation(self) -> Allocation:
        """What each step may spend."""
        recipe = self.recipe
        if not recipe.private_training:
            return allocate_nothing()
        if not recipe.private_quantile:
            return allocate_training_only(self.budget)
        return allocate(self.budget, self.training_share, recipe.composition)

    @property
    def training_choices(self) -> TrainingChoices:
        """Hyper-parameters of training that a person set."""
        return TrainingChoices(self.steps, self.step_size, self.max_grad_norm, self.penalty)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some values changed, checked again."""
        return dataclasses.replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Make choices from plain values.

        Raises
        ------
        InputError
            A name that is no setting, or a value outside its range.
        """
        known = {field.name for field in dataclasses.fields(cls)}
        for name in values:
            if name not in known:
                raise InputError(f"There is no setting {name!r}; the settings are: {', '.join(sorted(known))}.")
        return cls(**values)


_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "method": tuple(METHODS),
    "trainer": tuple(TRAINERS),
    "score": tuple(SCORES),
    "loss": tuple(LOSSES),
    "stability": STABILITIES,
    "guarantee": GUARANTEES,
    "composition": COMPOSITIONS,
    "grid": GRIDS,
}
