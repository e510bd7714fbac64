"""Can somebody who sees the model tell who was in? Attacks on models of a table, beside what the budget allows.

>>> from dpcp_core.data.samples import load_sample
>>> from dpcp_core.experiments.prepare import prepare
>>> prepared = prepare(load_sample("diabetes"))
>>> found = membership_attack(prepared, epsilon=1.0, delta=1e-5, n_models=64, n_rows=200)
>>> found.likelihood.advantage.low <= found.largest_advantage < 0.11
True
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core import _validate as check
from dpcp_core._arrays import Booleans, Floats
from dpcp_core._threads import one_thread
from dpcp_core.conformal.choices import suiting
from dpcp_core.errors import InputError
from dpcp_core.evaluation.audit.canaries import CanaryGame, leaning, worst_game
from dpcp_core.evaluation.audit.membership import (
    RARE,
    MembershipCurve,
    best_threshold,
    likelihood_ratios,
    membership_curve,
    thresholds_of,
)
from dpcp_core.experiments.prepare import Prepared
from dpcp_core.experiments.streams import Stream
from dpcp_core.privacy.attack_limits import AttackLimits, attack_limits
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.protocol import Matrix, Models, ProblemSize, Task, TrainingChoices
from dpcp_core.training.registry import TRAINERS

_FEWEST_ROWS, _FEWEST_MODELS = 20, 16
# Games against the worst row, in lots: the attacker's own, then those that count; few for a trainer that is slow.
_LOTS, _OWN_GAMES, _GAMES = 100, 4000, 12_000
_FEW_GAMES = 50
# Models without privacy are solved one by one; so many tell as much as twice as many do.
_MOST_TWINS = 128
_POINTS = 200


@dataclass(frozen=True, eq=False)
class MembershipReference:
    """What does not depend on a budget: rows, who saw them, and the attack on models without privacy.

    Attributes
    ----------
    trainer : str
    n_models, seed : int
    digest : str
        Of the table.
    features : array of shape (n, d)
        Rows drawn from the table.
    targets : array of shape (n,)
        As a trainer takes them.
    included : bool array of shape (n, n_models)
        Which rows each model sees, by a coin each.
    curve : MembershipCurve
        Of the likelihood-ratio attack, on up to 128 of the models.
    """

    trainer: str
    n_models: int
    seed: int
    digest: str
    features: Matrix
    targets: npt.NDArray[Any]
    included: Booleans
    curve: MembershipCurve


@dataclass(frozen=True, eq=False)
class MembershipResult:
    """Attacks on private models, and what the budget allows at most.

    Attributes
    ----------
    trainer : str
    task : str
    epsilon, delta : float
    n_rows, n_models : int
        Rows that were drawn from the table, half of which each model sees; models that were fitted. One half of them
        are the attacker's own, the other half are attacked.
    likelihood, loss : MembershipCurve
        Attack by likelihood ratios, and by a threshold of the loss.
    worst_row : MembershipCurve
        On a row made up to be found, by an attacker who knows all others.
    without_privacy : MembershipCurve
        Attack by likelihood ratios on models without noise or clipping.
    limits : AttackLimits
        What training allows any attack at most.
    seconds : float

    Notes
    -----
    **Privacy.** A simulation on the table's own rows: the curator's view.
    """

    trainer: str
    task: Task
    epsilon: float
    delta: float
    n_rows: int
    n_models: int
    likelihood: MembershipCurve
    loss: MembershipCurve
    worst_row: MembershipCurve
    without_privacy: MembershipCurve
    limits: AttackLimits
    seconds: float

    @property
    def bound_fpr(self) -> Floats:
        """Shares of false alarms, shape (k,), at which the limit is told."""
        return np.concatenate([[0.0], np.geomspace(1e-4, 1.0, _POINTS)])

    @property
    def bound_tpr(self) -> Floats:
        """Largest share of hits at each of them, shape (k,)."""
        return self.limits.tpr(self.bound_fpr)

    @property
    def largest_advantage(self) -> float:
        """Largest share of hits minus false alarms."""
        return self.limits.advantage

    @property
    def largest_tpr_at_1_percent(self) -> float:
        """Largest share of hits where one in a hundred alarms about others is false."""
        return self.limits.tpr(RARE)


def membership_reference(
    prepared: Prepared, trainer: str = "auto", *, n_models: int = 256, n_rows: int = 400, seed: int = 0
) -> MembershipReference:
    """Draw rows, toss the coins and attack models without privacy: what all budgets share.

    Parameters
    ----------
    prepared : Prepared
    trainer : str
        Name in the registry; ``auto`` takes what suits the target.
    n_models : int
        16 or more.
    n_rows : int
        20 or more; a table with fewer gives all of its rows.
    seed : int

    Raises
    ------
    InputError
        A trainer that cannot predict the target, or a number out of range.
    """
    name, _ = suiting(trainer, "auto", prepared.task, prepared.goal.n_classes)
    models = check.whole(at_least=_FEWEST_MODELS, n_models=n_models)
    wanted = check.whole(at_least=_FEWEST_ROWS, n_rows=n_rows)
    rng = simulation_generator(seed, Stream.ROWS)
    rows = rng.permutation(prepared.n_rows)[:wanted]
    features = prepared.features[rows]
    targets = prepared.goal.for_training(prepared.truth[rows])
    if prepared.task == "regression":
        targets = targets.astype(features.dtype)
    included = rng.random((len(rows), models)) < 0.5
    with one_thread():
        plan = TRAINERS[name].plan(_size(prepared, features), TrainingBudget(np.inf, 1e-5), TrainingChoices())
        seen = included[:, :_MOST_TWINS]
        fitted = TRAINERS[name].fit_exactly(features, targets, plan, seen.astype(features.dtype))
    curve = _attacked(_said(fitted, features, targets), seen, rng)
    return MembershipReference(name, models, seed, prepared.digest, features, targets, included, curve)


def membership_attack(
    prepared: Prepared,
    trainer: str = "auto",
    *,
    epsilon: float,
    delta: float,
    n_models: int = 256,
    n_rows: int = 400,
    seed: int = 0,
    reference: MembershipReference | None = None,
) -> MembershipResult:
    """Train many private models, each on a random half of some rows, and attack half of them with the other half.

    Parameters
    ----------
    prepared : Prepared
    trainer : str
    epsilon : float
        Above 0.
    delta : float
        Strictly between 0 and 1.
    n_models, n_rows, seed
        See :func:`membership_reference`.
    reference : MembershipReference, optional
        Of the same table and numbers, where it is at hand.

    Raises
    ------
    InputError
        A trainer that cannot predict the target, a number out of range, a reference of something else.
    """
    begun = time.perf_counter()
    budget = TrainingBudget(check.positive(infinite=True, epsilon=epsilon), check.share(delta=delta))
    shared = reference or membership_reference(prepared, trainer, n_models=n_models, n_rows=n_rows, seed=seed)
    _refuse_another(shared, prepared, n_models, seed)
    chosen, size = TRAINERS[shared.trainer], _size(prepared, shared.features)
    rng = simulation_generator(seed, Stream.NOISE)
    with one_thread():
        plan = chosen.plan(size, budget, TrainingChoices())
        mask = shared.included.astype(shared.features.dtype)
        fitted = chosen.fit(shared.features, shared.targets, plan, n_models=shared.n_models, rng=rng, included=mask)
        worst = _worst_row(worst_game(chosen, budget, size), chosen.pace.fixed > 0, rng)
    return MembershipResult(
        trainer=shared.trainer,
        task=prepared.task,
        epsilon=budget.epsilon,
        delta=budget.delta,
        n_rows=len(shared.features),
        n_models=shared.n_models,
        likelihood=_attacked(_said(fitted, shared.features, shared.targets), shared.included, rng),
        loss=_by_loss(fitted, shared, rng),
        worst_row=worst,
        without_privacy=shared.curve,
        limits=attack_limits(chosen.profile(plan), delta=budget.delta),
        seconds=time.perf_counter() - begun,
    )


def _size(prepared: Prepared, features: Matrix) -> ProblemSize:
    return ProblemSize(len(features) // 2, features.shape[1], prepared.goal.n_classes)


def _refuse_another(shared: MembershipReference, prepared: Prepared, n_models: int, seed: int) -> None:
    if (shared.digest, shared.n_models, shared.seed) != (prepared.digest, n_models, seed):
        raise InputError("This reference is of other models; make it with membership_reference and the same numbers.")


def _said(models: Models, features: Matrix, targets: npt.NDArray[Any]) -> Floats:
    """Return what models say of each row: the prediction, or the log odds of its class."""
    predicted = models.predict(features)
    if predicted.shape[2] == 1:
        return predicted[:, :, 0].astype(np.float64)
    return leaning(models, features, targets)


def _by_loss(models: Models, shared: MembershipReference, rng: np.random.Generator) -> MembershipCurve:
    said = _said(models, shared.features, shared.targets)
    is_number = np.issubdtype(shared.targets.dtype, np.floating)
    fits = -((said - shared.targets[:, None]) ** 2) if is_number else said
    own = slice(shared.n_models // 2)
    return _curve(fits[:, own], shared.included[:, own], fits, shared.included, rng)


def _attacked(said: Floats, included: Booleans, rng: np.random.Generator) -> MembershipCurve:
    own = slice(said.shape[1] // 2)
    ratios = likelihood_ratios(included[:, own], said[:, own], said)
    return _curve(ratios[:, own], included[:, own], ratios, included, rng)


def _curve(
    own: Floats, own_included: Booleans, scores: Floats, included: Booleans, rng: np.random.Generator
) -> MembershipCurve:
    """Choose thresholds by the attacker's own models and measure on the others."""
    thresholds, rest = thresholds_of(own, own_included), slice(own.shape[1], None)
    chosen = best_threshold(own, own_included, thresholds)
    return membership_curve(scores[:, rest], included[:, rest], thresholds, chosen, rng=rng)


def _worst_row(game: CanaryGame, is_slow: bool, rng: np.random.Generator) -> MembershipCurve:
    own, games = (_FEW_GAMES, _FEW_GAMES) if is_slow else (_OWN_GAMES, _GAMES)
    n_lots = min(_LOTS, own)
    seen, unseen = game.scores(own + games, rng)
    # Games are independent of each other, so a lot of them stands for a model of many rows: the bootstrap draws lots.
    lots = [np.concatenate([seen[part].reshape(-1, n_lots), unseen[part].reshape(-1, n_lots)]) for part in _parts(own)]
    included = [np.repeat([[True], [False]], len(lot) // 2, axis=0) & np.ones((1, n_lots), bool) for lot in lots]
    thresholds = thresholds_of(lots[0], included[0])
    chosen = best_threshold(lots[0], included[0], thresholds)
    return membership_curve(lots[1], included[1], thresholds, chosen, rng=rng)


def _parts(own: int) -> tuple[slice, slice]:
    return slice(own), slice(own, None)
