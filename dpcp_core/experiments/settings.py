"""Every choice of one experiment, checked when it is made.

>>> ConformalSettings(epsilon=0.5).alpha
0.1
>>> ConformalSettings(repetitions=0)
Traceback (most recent call last):
    ...
dpcp_core.errors.InputError: repetitions is 0 but must be a whole number of at least 1.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from dpcp_core import _validate as check
from dpcp_core.conformal.choices import ConformalChoices, suiting
from dpcp_core.errors import InputError
from dpcp_core.privacy.allocation import allocate_nothing
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.protocol import Task, TrainingChoices


def n_held_out(n_rows: int, test_share: float) -> int:
    """Return how many of a table's rows are held out to measure coverage on.

    >>> n_held_out(4000, 0.2), n_held_out(3, 0.1)
    (800, 1)
    """
    return max(1, round(test_share * n_rows))


@dataclass(frozen=True)
class TrainingTask:
    """What the trained models depend on; settings that give the same task share them.

    Attributes
    ----------
    target, trainer, score, choices
        See :class:`ConformalSettings`.
    spending : TrainingBudget
        What training may spend.
    clips : bool
        Training without privacy still clips gradients.
    train_share : float
        Share of the rows that are not held out which train; 1 where the same rows are ranked.
    test_share, repetitions, seed
        See :class:`ConformalSettings`.
    bounds_epsilon : float
        What the bounds of the prepared table were allowed to cost.
    """

    target: str
    trainer: str
    score: str
    choices: TrainingChoices
    spending: TrainingBudget
    clips: bool
    train_share: float
    test_share: float
    repetitions: int
    seed: int
    bounds_epsilon: float = 0.0

    def resolved(self, task: Task, n_classes: int = 0) -> TrainingTask:
        """Return the same with what suits the target in place of ``auto``."""
        trainer, score = suiting(self.trainer, self.score, task, n_classes)
        return dataclasses.replace(self, trainer=trainer, score=score)

    def without_privacy(self) -> TrainingTask:
        """Return what the models without privacy depend on, which these are compared with.

        Neither on the budget nor on how a method splits its rows: tasks that differ only there share them.
        """
        return dataclasses.replace(
            self,
            choices=dataclasses.replace(self.choices, noise_multiplier=None),
            spending=allocate_nothing().training,
            clips=False,
            train_share=1.0,
        )

    @property
    def is_reference(self) -> bool:
        """Whether these are the models without privacy themselves."""
        return self.train_share == 1 and not self.clips and not self.spending.is_finite


@dataclass(frozen=True)
class ConformalSettings(ConformalChoices):
    """Settings of one conformal experiment: the choices of the procedure, and how it is measured.

    Attributes
    ----------
    target : str
        Column to predict; "" takes the schema's target.
    test_share : float
        Share of rows held out to measure coverage, in (0, 1).
    repetitions, seed : int
        How often split and noise are drawn anew; the seed of the simulation.
    method, trainer, score, epsilon, delta, confidence_level, ...
        See :class:`dpcp_core.conformal.choices.ConformalChoices`.
    """

    target: str = ""
    test_share: float = 0.2
    repetitions: int = 20
    seed: int = 0

    def __post_init__(self) -> None:
        """Check every value."""
        super().__post_init__()
        if not isinstance(self.target, str):
            raise InputError(f"target is {self.target!r} but must be the name of a column.")
        self._set("test_share", check.share(test_share=self.test_share))
        self._set("repetitions", check.whole(repetitions=self.repetitions))
        self._set("seed", check.whole(at_least=0, seed=self.seed))

    def n_used(self, n_rows: int) -> int:
        """Return how many of a table's rows are not held out."""
        return n_rows - n_held_out(n_rows, self.test_share)

    def training_key(self) -> TrainingTask:
        """Return all that training reads: the key under which trained models may be kept."""
        return TrainingTask(
            target=self.target,
            trainer=self.trainer,
            score=self.score,
            # Clipping alone means no noise, whatever was wanted for private training.
            choices=dataclasses.replace(self.training_choices, noise_multiplier=None)
            if self.recipe.clips
            else self.training_choices,
            spending=self.allocation.training,
            clips=self.recipe.clips,
            train_share=self.row_share if self.recipe.splits_rows else 1.0,
            test_share=self.test_share,
            repetitions=self.repetitions,
            seed=self.seed,
            bounds_epsilon=self.bounds_epsilon,
        )
