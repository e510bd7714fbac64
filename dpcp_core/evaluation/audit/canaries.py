"""Rows made up to be found by whoever sees a trained model: canaries, alone in a table, in a crowd, or many at once.

How do I play against a trainer?  ``alone``, ``in_a_crowd`` or ``in_a_network`` make a game; ``game.scores`` plays it.
And with many rows in one run?  ``one_run_scores``.

>>> from dpcp_core.training.registry import TRAINERS
>>> game = alone(TRAINERS["ridge"], TrainingBudget(1.0, 1e-5), TrainingChoices(steps=1))
>>> seen, unseen = game.scores(1000, np.random.default_rng(0))
>>> bool(seen.mean() > unseen.mean())
True
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core._arrays import Booleans, Floats
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.protocol import Matrix, Models, ProblemSize, Trainer, TrainingChoices, Weights

_ROW = np.array([[0.6, 0.8]])
# So far from what a model says at first that its gradient is as long as any row's may be.
_FAR, _FAR_FOR_A_NETWORK, _SURE = 100.0, 1000.0, 40.0
# Classes are read off where probabilities are not yet 0 or 1.
_NEAR = 0.02
_PIXELS = 4
SUMMED = ("adassp", "posterior_sample")
"""Trainers that solve for the model from noisy sums over the rows."""


@dataclass(frozen=True, eq=False)
class CanaryGame:
    """A table with one row that may be there or not; an attacker knows all else.

    Attributes
    ----------
    trainer : Trainer
    plan
        By which models are fitted.
    features : array of shape (n, d)
        Rows of norm at most 1, the canary last.
    targets : array of shape (n,)
    start : Weights or None
        Public weights that training starts from, chosen by the attacker.
    probe : array of shape (1, d)
        Where the attacker asks a model.
    n_copies : int
        Rows at the end that are the canary; 1 unless somebody counts it twice by mistake.
    """

    trainer: Trainer[Any]
    plan: Any
    features: Matrix
    targets: npt.NDArray[Any]
    start: Weights | None
    probe: Matrix
    n_copies: int = 1

    def scores(self, n_models: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Return what the attacker reads off models with the row and without it, shape (n_models,) each.

        The number is larger where the row is there: by how much the model leans towards the canary's own target.
        """
        others = len(self.features) - self.n_copies
        seen = self._asked(len(self.features), None, n_models, rng)
        if others:
            return seen, self._asked(others, None, n_models, rng)
        # Of a table of nobody, all rows are left out.
        return seen, self._asked(self.n_copies, np.zeros((self.n_copies, n_models), np.float32), n_models, rng)

    def _asked(self, n_rows: int, included: Matrix | None, n_models: int, rng: np.random.Generator) -> Floats:
        rows, targets = self.features[:n_rows], self.targets[:n_rows]
        models = self.trainer.fit(
            rows, targets, self.plan, n_models=n_models, rng=rng, included=included, start=self.start
        )
        asked: Floats = leaning(models, self.probe, self.targets[-1:])[0]
        return asked


def leaning(models: Models, features: Matrix, targets: npt.NDArray[Any]) -> Floats:
    """Return by how much models lean towards the targets of rows, shape (rows, models).

    For a number, the prediction in the direction of the target; for a class, its log odds.

    Parameters
    ----------
    models : Models
    features : array of shape (n, d)
    targets : array of shape (n,)
        Numbers, of which the sign counts, or class codes.
    """
    predicted = models.predict(features).astype(np.float64)
    if predicted.shape[2] == 1:
        towards: Floats = predicted[:, :, 0] * np.sign(targets)[:, None]
        return towards
    chance = np.take_along_axis(predicted, targets.astype(np.intp)[:, None, None], axis=2)[:, :, 0]
    tiny = np.finfo(np.float64).tiny
    odds: Floats = np.log(np.maximum(chance, tiny)) - np.log(np.maximum(1 - chance, tiny))
    return odds


def alone(
    trainer: Trainer[Any],
    budget: TrainingBudget,
    choices: TrainingChoices,
    *,
    n_classes: int = 0,
    n_rows: int = 1,
) -> CanaryGame:
    """Return the game of a row that pulls as hard as a row can, in a table of nothing else.

    Parameters
    ----------
    trainer : Trainer
        Of a linear model.
    budget : TrainingBudget
    choices : TrainingChoices
    n_classes : int
        0 for a number, 2 or more for classes.
    n_rows : int
        Public number of rows; the others are empty.
    """
    size = ProblemSize(n_rows, _ROW.shape[1], n_classes)
    plan = trainer.plan(size, budget, choices)
    row = _ROW.astype(np.float32)
    targets = np.array([1]) if n_classes else np.array([_FAR], dtype=np.float32)
    start = None
    if n_classes:
        first = trainer.fit(row, targets, plan, n_models=1, rng=np.random.default_rng(0)).weights()
        start = tuple(_mistaken(part, row[0]) for part in first)
    return CanaryGame(trainer, plan, row, targets, start, row * (_NEAR if n_classes else 1))


def _mistaken(part: Matrix, row: Matrix) -> Matrix:
    """Return weights that are sure of class 0, where the canary is of class 1."""
    start = np.zeros_like(part)
    start[:, 0] = _SURE * row if part.shape[1] > 1 else -_SURE * row
    return start


def in_a_crowd(
    trainer: Trainer[Any], budget: TrainingBudget, choices: TrainingChoices, *, n_rows: int = 20_001
) -> CanaryGame:
    """Return the game of a row that contradicts many others, all alike: the worst known for noisy sums.

    Parameters
    ----------
    trainer : Trainer
        Of a linear model of numbers.
    budget, choices
        See :func:`alone`.
    n_rows : int
        The canary among them.
    """
    plan = trainer.plan(ProblemSize(n_rows, 1), budget, choices)
    targets = np.r_[np.ones(n_rows - 1), -1.0]
    return CanaryGame(trainer, plan, np.ones((n_rows, 1)), targets, None, np.ones((1, 1)))


def in_a_network(
    trainer: Trainer[Any], budget: TrainingBudget, choices: TrainingChoices, *, n_rows: int = 1
) -> CanaryGame:
    """Return the game of a row far from what a network says at first, in a table of nothing else.

    Parameters
    ----------
    trainer : Trainer
        Of a network for numbers.
    budget, choices
        See :func:`alone`; steps should be so short that a prediction moves in proportion.
    """
    rows, _ = network_rows(1, np.random.default_rng(0))
    plan = trainer.plan(ProblemSize(n_rows, rows.shape[1]), budget, choices)
    targets = np.array([_FAR_FOR_A_NETWORK], dtype=np.float32)
    nobody = trainer.fit(rows[:0], targets[:0], plan, n_models=1, rng=np.random.default_rng(0))
    return CanaryGame(trainer, plan, rows, targets, nobody.weights(), rows)


def worst_game(trainer: Trainer[Any], budget: TrainingBudget, size: ProblemSize) -> CanaryGame:
    """Return the worst game known for a trainer as it is shipped, on a table of this public size."""
    choices = TrainingChoices()
    if trainer.pace.fixed:
        return in_a_network(trainer, budget, choices, n_rows=size.n_rows)
    if trainer.name in SUMMED:
        return in_a_crowd(trainer, budget, choices, n_rows=size.n_rows)
    return alone(trainer, budget, choices, n_classes=size.n_classes, n_rows=size.n_rows)


def network_rows(n_rows: int, rng: np.random.Generator, width: int = _PIXELS) -> tuple[Matrix, Matrix]:
    """Return rows in all directions, as square pictures would give them, and far targets of either sign."""
    pixels = rng.standard_normal((n_rows, width * width)).clip(-2, 2)
    rows = np.column_stack([np.full(n_rows, 2.0), pixels])
    rows /= 2 * math.sqrt(rows.shape[1])
    targets = _FAR_FOR_A_NETWORK * np.where(rng.random(n_rows) < 0.5, 1.0, -1.0)
    return rows.astype(np.float32), targets.astype(np.float32)


def one_run_scores(
    trainer: Trainer[Any],
    plan: Any,
    features: Matrix,
    targets: Matrix,
    rng: np.random.Generator,
    n_empty: int = 8,
) -> tuple[Floats, Booleans]:
    """Fit one network on rows that are in or out by a coin each; return the attacker's scores and the coins.

    The attacker asks the network about every row and compares with networks that he trains himself on nobody: by
    how much does it lean more towards the row's own target?

    Parameters
    ----------
    trainer : Trainer
    plan
        For as many rows as there are.
    features : array of shape (m, d)
    targets : array of shape (m,)
    rng : numpy Generator
    n_empty : int
        Networks on nobody.

    Returns
    -------
    scores : float array of shape (m,)
    included : bool array of shape (m,)
    """
    start = trainer.fit(features[:0], targets[:0], plan, n_models=1, rng=rng).weights()
    empty = trainer.fit(features[:0], targets[:0], plan, n_models=n_empty, rng=rng, start=start)
    included = rng.random(len(features)) < 0.5
    fitted = trainer.fit(features[included], targets[included], plan, n_models=1, rng=rng, start=start)
    before = leaning(empty, features, targets)
    spread = before.std(axis=1, ddof=1)
    moved = leaning(fitted, features, targets)[:, 0] - before.mean(axis=1)
    return moved / np.maximum(spread, np.finfo(np.float64).tiny), included
