"""Every trainer under attack: many models with and without a row made up to be found; and four ways to break one.

>>> from dpcp_core.privacy.randomness import simulation_generator
>>> ridge = next(audited for audited in TRAINING if audited.name == "ridge")
>>> finding = ridge.run(1.0, 1e-5, simulation_generator(0), "quick")
>>> 0.75 < finding.bound <= 1.0
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from dpcp_core._threads import one_thread
from dpcp_core.evaluation.audit.canaries import CanaryGame, alone, in_a_crowd, in_a_network, one_run_scores
from dpcp_core.evaluation.audit.distinguishing import epsilon_from_scores
from dpcp_core.evaluation.audit.one_run import one_run_audit
from dpcp_core.experiments.audit.audited import Audited, Effort
from dpcp_core.experiments.audit.report import Finding
from dpcp_core.privacy.profile import GaussianProfile
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.posterior import PosteriorDefaults, PosteriorSample
from dpcp_core.training.problem import ProblemSize, TrainingChoices
from dpcp_core.training.protocol import Trainer
from dpcp_core.training.registry import TRAINERS

# So sure that a claim which holds is broken by chance in less than one of a hundred audits of it.
_CONFIDENCE = 0.99
# Models with the row, and as many without it.
_LINEAR: Mapping[Effort, int] = {"quick": 200_000, "long": 2_000_000}
_SUMMED: Mapping[Effort, int] = {"quick": 150_000, "long": 1_000_000}
_MLP: Mapping[Effort, int] = {"quick": 800, "long": 8_000}
# Enough to find out that there is no noise at all, at an epsilon of 4.
_MODULE: Mapping[Effort, int] = {"quick": 30, "long": 300}
_CANARIES: Mapping[Effort, int] = {"quick": 1_000, "long": 4_000}

_ONE, _FIVE = TrainingChoices(steps=1), TrainingChoices(steps=5)
_DRAWN = TrainingChoices(steps=1, sampling_rate=0.5)
_PENALTY, _BOUND = TrainingChoices(penalty=1.0), TrainingChoices(max_grad_norm=1.0)
# Steps of a network are so short that what it predicts moves in proportion to the noisy gradient.
_SHORT = TrainingChoices(steps=1, step_size=1e-3, sampling_rate=1.0)
_FEW_ROWS = 10


@dataclass(frozen=True)
class TrainingCase:
    """A game against a trainer.

    Attributes
    ----------
    words : str
        How it is trained.
    game : callable
        From a budget.
    n_models : mapping of effort to int
        Models with the row, and as many without it.
    """

    words: str
    game: Callable[[TrainingBudget], CanaryGame]
    n_models: Mapping[Effort, int]


def _alone(name: str, words: str, choices: TrainingChoices, n_classes: int = 0, n_rows: int = 1) -> TrainingCase:
    def game(budget: TrainingBudget) -> CanaryGame:
        return alone(TRAINERS[name], budget, choices, n_classes=n_classes, n_rows=n_rows)

    return TrainingCase(words, game, _LINEAR)


def _crowd(trainer: Trainer[Any], words: str, choices: TrainingChoices) -> TrainingCase:
    return TrainingCase(words, lambda budget: in_a_crowd(trainer, budget, choices), _SUMMED)


def _network(name: str, n_models: Mapping[Effort, int]) -> TrainingCase:
    return TrainingCase("one step on all rows", lambda budget: in_a_network(TRAINERS[name], budget, _SHORT), n_models)


# The draw itself hides more than the noise that is paid for; a draw that is certain leaves this noise alone.
_CERTAIN = PosteriorSample(PosteriorDefaults(noise_precision=1e9))

CASES: Mapping[str, tuple[TrainingCase, ...]] = {
    "ols": (_alone("ols", "one step", _ONE),),
    "ridge": (
        _alone("ridge", "one step", _ONE),
        _alone("ridge", "five steps", _FIVE),
        _alone("ridge", "one step on a drawn batch", _DRAWN),
    ),
    "lasso": (_alone("lasso", "one step", _ONE), _alone("lasso", "five steps", _FIVE)),
    "logistic": (_alone("logistic", "one step", _ONE, 2), _alone("logistic", "five steps", _FIVE, 2)),
    "softmax": (_alone("softmax", "one step", _ONE, 3),),
    "linear_svm": (_alone("linear_svm", "one step, two classes", _ONE, 2),),
    "mlp": (_network("mlp", _MLP),),
    "ft_transformer": (_network("ft_transformer", _MODULE),),
    "cnn": (_network("cnn", _MODULE),),
    "output_perturbation": (
        _alone("output_perturbation", "a number", _PENALTY, 0, _FEW_ROWS),
        _alone("output_perturbation", "two classes", _PENALTY, 2, _FEW_ROWS),
    ),
    "objective_perturbation": (
        _alone("objective_perturbation", "a number", _PENALTY, 0, _FEW_ROWS),
        _alone("objective_perturbation", "two classes", _PENALTY, 2, _FEW_ROWS),
    ),
    "adassp": (
        _crowd(TRAINERS["adassp"], "with its own penalty", _BOUND),
        _crowd(TRAINERS["adassp"], "with next to no penalty", replace(_BOUND, penalty=1e-6)),
    ),
    "posterior_sample": (_crowd(_CERTAIN, "with a draw that adds no chance of its own", _BOUND),),
}
"""Games by trainer: every trainer has one, or the tests fail."""


def _finding(
    name: str,
    cases: tuple[TrainingCase, ...],
    epsilon: float,
    delta: float,
    rng: np.random.Generator,
    effort: Effort,
    *,
    breaks: Callable[[CanaryGame], CanaryGame] = lambda game: game,
    fault: str = "",
) -> Finding:
    """Play all games and return the best bound; the error is divided among them."""
    each, found = 1 - (1 - _CONFIDENCE) / len(cases), []
    for case in cases:
        game = case.game(TrainingBudget(epsilon, delta))
        is_gaussian = isinstance(game.trainer.profile(game.plan), GaussianProfile)
        with one_thread():
            seen, unseen = breaks(game).scores(case.n_models[effort], rng)
        bound = epsilon_from_scores(seen, unseen, delta=delta, confidence=each, is_gaussian=is_gaussian)
        found.append((bound.value, case, is_gaussian))
    value, case, is_gaussian = max(found, key=lambda one: one[0])
    attack = (
        f"{case.n_models[effort]:,} models with a row made up to be found and as many without it ({case.words}), told "
        f"apart by what they predict for it{'; noise taken to be Gaussian, as is claimed' if is_gaussian else ''}."
    )
    return Finding(name, _title(name), attack, epsilon, delta, value, _CONFIDENCE, False, fault=fault)


def _title(name: str) -> str:
    title = TRAINERS[name].title
    return title[0].upper() + title[1:]


def _one_run(epsilon: float, delta: float, rng: np.random.Generator, effort: Effort) -> Finding:
    """Fit one ridge regression on rows that each have a column of their own, in or out by a coin."""
    n, trainer = _CANARIES[effort], TRAINERS["ridge"]
    plan = trainer.plan(ProblemSize(n, n), TrainingBudget(epsilon, delta), _ONE)
    rows, targets = np.eye(n, dtype=np.float32), np.full(n, 100.0, np.float32)
    with one_thread():
        scores, included = one_run_scores(trainer, plan, rows, targets, rng)
    bound = one_run_audit(scores, included, delta, _CONFIDENCE)
    attack = (
        f"One model, {n:,} rows made up to be found, each in by the toss of a coin; {bound.n_correct:,} of "
        f"{bound.n_guesses:,} guesses about them right."
    )
    return Finding(
        "ridge_one_run", "Ridge regression, one run", attack, epsilon, delta, bound.epsilon, _CONFIDENCE, False
    )


def _audited(name: str) -> Audited:
    sentence = f"{_title(name)}, trained many times with a row made up to be found and without it."
    return Audited(name, _title(name), sentence, "training", partial(_finding, name, CASES[name]))


TRAINING: tuple[Audited, ...] = (
    *(_audited(name) for name in TRAINERS if name in CASES),
    Audited(
        "ridge_one_run",
        "Ridge regression, one run",
        "Ridge regression, trained once on many rows made up to be found, each in or out by the toss of a coin.",
        "training",
        _one_run,
    ),
)


def _scaled(game: CanaryGame, *, noise: float = 1.0, clip: float = 1.0) -> CanaryGame:
    """Return the game with the plan's noise, in units of the clip norm, and its clip norm changed."""
    plan = replace(
        game.plan,
        noise_multiplier=noise * game.plan.noise_multiplier,
        max_grad_norm=clip * game.plan.max_grad_norm,
    )
    return replace(game, plan=plan)


def _twice(game: CanaryGame) -> CanaryGame:
    """Return the game with the canary in the table twice."""
    rows, targets = np.repeat(game.features, 2, axis=0), np.repeat(game.targets, 2)
    return replace(game, features=rows, targets=targets, n_copies=2)


_NO_CLIP = 1e6
_BREAKS: Mapping[str, tuple[str, str, Callable[[CanaryGame], CanaryGame]]] = {
    "noise_halved_training": ("Noise halved in training", "half of the noise", partial(_scaled, noise=0.5)),
    "sensitivity_halved_training": (
        "Clip norm twice the claimed",
        "gradients clipped at twice the length that the noise was made for",
        partial(_scaled, noise=0.5, clip=2.0),
    ),
    "clipping_off": (
        "Clipping off",
        "gradients that are not clipped",
        partial(_scaled, noise=1 / _NO_CLIP, clip=_NO_CLIP),
    ),
    "row_counted_twice_training": ("A row trains twice", "one person's row in the table twice", _twice),
}


def _fault(name: str) -> Audited:
    title, words, breaks = _BREAKS[name]
    run = partial(_finding, "ridge", CASES["ridge"][:1], breaks=breaks, fault=name)
    return Audited(name, title, f"Ridge regression with {words}.", "training", run, claim="ridge")


TRAINING_FAULTS: tuple[Audited, ...] = tuple(_fault(name) for name in _BREAKS)
