"""Every choice of one experiment, checked when it is made.

>>> ConformalSettings(epsilon=0.5).alpha
0.1
>>> ConformalSettings(method="magic")
Traceback (most recent call last):
    ...
dpcp_core.errors.InputError: method is 'magic' but must be one of: oracle, split, naive, differential, pscp, dpcp_paper, dpcp.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from dpcp_core import _validate as check
from dpcp_core.conformal.methods import METHODS, Recipe, resolve
from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.stability import STABILITIES
from dpcp_core.errors import InputError
from dpcp_core.privacy.allocation import Allocation, allocate, allocate_nothing, allocate_training_only
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.training.protocol import TrainingChoices
from dpcp_core.training.registry import TRAINERS

LOSSES = ("bracket", "paper")
GUARANTEES = ("certified", "paper")
COMPOSITIONS = ("tight", "basic")
GRIDS = ("geometric", "uniform")
BIN_RULES = ("sqrt", "cbrt", "alpha")


@dataclass(frozen=True)
class TrainingTask:
    """What the trained models depend on; settings that give the same task share them.

    Attributes
    ----------
    target, trainer, score, choices
        See :class:`ConformalSettings`.
    allocation : Allocation
        What training may spend.
    train_share : float
        Share of the rows that are not held out which train; 1 where the same rows are ranked.
    test_share, repetitions, seed
        See :class:`ConformalSettings`.
    """

    target: str
    trainer: str
    score: str
    choices: TrainingChoices
    allocation: Allocation
    train_share: float
    test_share: float
    repetitions: int
    seed: int


@dataclass(frozen=True)
class ConformalSettings:
    """Settings of one conformal experiment.

    Attributes
    ----------
    target : str
        Column to predict; "" takes the schema's target.
    method : str
        ``oracle, split, naive, differential, pscp, dpcp_paper, dpcp``.
    trainer : str
        Name in the trainer registry (``ols, ridge``).
    score : str
        Name in the score registry (``absolute``).
    epsilon, delta : float
        Total privacy budget: epsilon above 0, delta in (0, 1).
    confidence_level : float
        Wanted coverage, 1 - alpha, in (0, 1).
    training_share : float
        Share of epsilon that pays for training; the rest pays for the quantile.
    row_share : float
        Share of the rows that train, in methods that split rows.
    loss, stability, guarantee, composition : str
        Quantile loss (``bracket, paper``), way of paying for in-sample scores (``split, dp, profile,
        coupling, best``), what is promised (``certified, paper``), how the two costs add up
        (``tight, basic``). Methods with a fixed recipe ignore those that the recipe fixes.
    bins : int or str
        Number of candidate thresholds, or a rule: ``sqrt`` (of n), ``cbrt`` (of n), ``alpha`` (10/alpha).
    grid : str
        ``geometric`` or ``uniform`` spacing of the candidates.
    smallest_width : float or None
        Smallest half-width of interest, in target units; None takes 1/1000 of the score bound.
    test_share : float
        Share of rows held out to measure coverage, in (0, 1).
    repetitions, seed : int
        How often split and noise are drawn anew; the seed of the simulation.
    steps, step_size, max_grad_norm, penalty : optional
        Public hyper-parameters of training; None takes the public default.
    """

    target: str = ""
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
    test_share: float = 0.2
    repetitions: int = 20
    seed: int = 0
    steps: int | None = None
    step_size: float | None = None
    max_grad_norm: float | None = None
    penalty: float | None = None

    def __post_init__(self) -> None:
        """Check every value; numbers given as text or numpy scalars become plain numbers."""
        put = object.__setattr__
        for name, options in self._choices().items():
            check.one_of(options, **{name: getattr(self, name)})
        put(self, "epsilon", check.positive(epsilon=self.epsilon))
        for name in ("delta", "confidence_level", "training_share", "row_share", "test_share"):
            put(self, name, check.share(**{name: getattr(self, name)}))
        for name in ("smallest_width", "step_size", "max_grad_norm"):
            if getattr(self, name) is not None:
                put(self, name, check.positive(**{name: getattr(self, name)}))
        if self.penalty is not None:
            put(self, "penalty", check.non_negative(penalty=self.penalty))
        put(self, "repetitions", check.whole(repetitions=self.repetitions))
        put(self, "seed", check.whole(at_least=0, seed=self.seed))
        if self.steps is not None:
            put(self, "steps", check.whole(steps=self.steps))
        put(self, "bins", self._checked_bins())

    @staticmethod
    def _choices() -> dict[str, tuple[str, ...]]:
        return {
            "method": tuple(METHODS),
            "trainer": tuple(TRAINERS),
            "score": tuple(SCORES),
            "loss": LOSSES,
            "stability": STABILITIES,
            "guarantee": GUARANTEES,
            "composition": COMPOSITIONS,
            "grid": GRIDS,
        }

    def _checked_bins(self) -> int | str:
        if isinstance(self.bins, str) and not self.bins.strip().isdigit():
            if self.bins not in BIN_RULES:
                raise InputError(f"bins is {self.bins!r} but must be a whole number or one of: {', '.join(BIN_RULES)}.")
            return self.bins
        return check.whole(bins=self.bins)

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

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some values changed, checked again."""
        return dataclasses.replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Make settings from plain values; an unknown name is refused."""
        known = {field.name for field in dataclasses.fields(cls)}
        for name in values:
            if name not in known:
                raise InputError(f"There is no setting {name!r}; the settings are: {', '.join(sorted(known))}.")
        return cls(**values)

    @property
    def allocation(self) -> Allocation:
        """What each step may spend."""
        recipe = self.recipe
        if not recipe.private_training:
            return allocate_nothing()
        if not recipe.private_quantile:
            return allocate_training_only(self.budget)
        return allocate(self.budget, self.training_share, recipe.composition)

    def training_key(self) -> TrainingTask:
        """Return all that training reads: the key under which trained models may be kept."""
        choices = TrainingChoices(self.steps, self.step_size, self.max_grad_norm, self.penalty)
        train_share = self.row_share if self.recipe.splits_rows else 1.0
        # The quantile's part does not matter to training: leave it out of the key.
        allocation = dataclasses.replace(self.allocation, quantile_epsilon=None)
        return TrainingTask(
            self.target, self.trainer, self.score, choices, allocation, train_share,
            self.test_share, self.repetitions, self.seed,
        )  # fmt: skip
