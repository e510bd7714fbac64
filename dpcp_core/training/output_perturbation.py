"""Output perturbation: the exact minimum of a penalised loss, plus noise.

What penalty and clip norm are where nobody sets them: see :class:`OutputDefaults`, whose constants were compared on
simulated tables by ``benchmarks/tune_erm.py``.

>>> from dpcp_core.training.protocol import ProblemSize
>>> trainer = OutputPerturbation()
>>> plan = trainer.plan(ProblemSize(3200, 10), TrainingBudget(1.0, 1e-5), TrainingChoices())
>>> trainer.profile(plan).delta(1.0) <= 1e-5 * (1 + 1e-9)
True
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core._words import number_text
from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import PrivacyProfile
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.privacy.steps_profile import steps_profile
from dpcp_core.training._choices import checked_noise, refuse_unused
from dpcp_core.training.erm import minimise, objective
from dpcp_core.training.erm_losses import SoftmaxLoss
from dpcp_core.training.erm_models import ErmPlan, Minimises, loss_for, models_of, start_of, trace_at
from dpcp_core.training.protocol import Matrix, Models, ProblemSize, Task, TrainingChoices, TrainingNote, Weights


@dataclass(frozen=True)
class OutputDefaults:
    """How the hyper-parameters follow from public numbers alone.

    The noise on a weight has standard deviation ``signal / penalty`` with ``signal = C / (n mu)``, while a penalty
    shrinks the weights: the best one grows with a power of ``signal``.

    Attributes
    ----------
    clip_norm : float
        ``C`` for numbers, in scaled target units; classes are not clipped.
    penalty_scale, penalty_power : float
        The penalty is ``penalty_scale * signal ** penalty_power``.
    class_scale, class_power : float
        The same for classes.
    penalty_per_root_row : float
        For numbers, the penalty is at least this over ``sqrt(n)``: what one more row can move is bounded by
        ``C / (penalty n)``, and that is what in-sample scores have to pay for.
    penalty_per_row : float
        And always at least this over ``n``.
    least_penalty : float
        And at least this, which the solver can work with.
    """

    clip_norm: float = 0.5
    penalty_scale: float = 0.8
    penalty_power: float = 0.67
    class_scale: float = 0.2
    class_power: float = 0.67
    penalty_per_root_row: float = 0.3
    penalty_per_row: float = 0.3
    least_penalty: float = 1e-5

    def penalty(self, size: ProblemSize, bound: float, mu: float) -> float:
        """Return the penalty for a loss whose gradients are at most ``bound`` long."""
        scale, power = (
            (self.class_scale, self.class_power) if size.n_classes else (self.penalty_scale, self.penalty_power)
        )
        floor = max(self.penalty_per_row / size.n_rows, self.least_penalty)
        if size.n_classes == 0:
            floor = max(floor, self.penalty_per_root_row / math.sqrt(size.n_rows))
        return float(max(scale * (bound / (size.n_rows * mu)) ** power, floor))


@dataclass(frozen=True)
class OutputPerturbation(Minimises):
    r"""Strongly convex empirical risk minimisation, with Gaussian noise on the weights.

    .. math:: w = \arg\min \frac1n \sum_i \ell(w; x_i, y_i) + \frac\lambda2 |w - w_0|^2 + N(0, s^2 I)

    The loss is Huber's for numbers, logistic for two classes, softmax for more.

    Attributes
    ----------
    defaults : OutputDefaults
        Hyper-parameters that nobody set.

    Notes
    -----
    **Privacy.** One row's gradient is at most ``C`` long: the clip norm for numbers, 1 for two classes, ``sqrt(2)`` for
    more. Emptying the row moves the solver's answer by at most ``(C / n + 2 gamma) / lambda``, ``gamma`` the solver's
    tolerance (proof: :attr:`dpcp_core.training.erm_models.ErmPlan.movement`); noise of that over ``mu`` makes the fit
    ``mu``-GDP.

    **Guarantee.** Under shared noise the same bound is the coupling radius.

    References
    ----------
    Chaudhuri, Monteleoni and Sarwate, Differentially Private Empirical Risk Minimization (2011), algorithm 1 and
    corollary 8, here with Gaussian noise and one row there or empty, which halves the sensitivity.
    """

    defaults: OutputDefaults = OutputDefaults()

    name = "output_perturbation"
    title = "Output perturbation"
    sentence = "The best penalised linear model is found exactly, then noise is added to its weights."
    tasks: frozenset[Task] = frozenset({"regression", "classification"})

    def plan(self, size: ProblemSize, spending: TrainingBudget, choices: TrainingChoices) -> ErmPlan:
        """Return the public hyper-parameters of a fit.

        Parameters
        ----------
        size : ProblemSize
        spending : TrainingBudget
        choices : TrainingChoices
            ``penalty``, ``max_grad_norm`` (not with more than two classes) and ``noise_multiplier``, the noise over
            the distance that one row moves the weights.

        Raises
        ------
        InputError
            A choice without use, too little noise, a penalty of next to nothing.
        """
        refuse_unused(self.name, choices, self.uses)
        clip = choices.max_grad_norm
        loss = loss_for(size, clip if clip is not None else self.defaults.clip_norm if size.n_classes == 0 else 1.0)
        if clip is not None and isinstance(loss, SoftmaxLoss):
            raise InputError(
                f"max_grad_norm is {clip:g}, but gradients of {size.n_classes} classes cannot be shortened here: "
                "leave it out, they are never longer than 1.42."
            )
        penalty = choices.penalty
        return ErmPlan(
            n_rows=size.n_rows,
            n_classes=size.n_classes,
            loss=loss,
            penalty=self.defaults.penalty(size, loss.bound, spending.mu) if penalty is None else penalty,
            noise_multiplier=checked_noise(choices, spending, 1, 1.0),
        )

    def profile(self, plan: ErmPlan) -> PrivacyProfile:
        """Return the Gaussian profile of the noise."""
        return steps_profile(plan.noise_multiplier, steps=1)

    def fit(
        self,
        features: Matrix,
        targets: npt.NDArray[Any],
        plan: ErmPlan,
        *,
        n_models: int,
        rng: np.random.Generator,
        included: Matrix | None = None,
        start: Weights | None = None,
        record: bool = False,
    ) -> Models:
        """Minimise and add noise; the penalty pulls towards ``start``.

        Notes
        -----
        **Privacy.** ``mu``-GDP with ``mu = 1 / plan.noise_multiplier``.
        """
        # Without a mask all models have the same minimum.
        solved = 1 if included is None else n_models
        centre = start_of(plan, start, features.shape[1])
        wanted = objective(
            features, targets, plan.loss, plan.penalty, solved, n_rows=plan.n_rows, included=included, start=centre
        )
        best = minimise(wanted, plan.tolerance)
        noise = rng.standard_normal((len(best), n_models, plan.loss.n_scores))
        weights = best + plan.noise_multiplier * plan.movement * noise
        return models_of(plan, weights, features.dtype, trace_at(wanted, best) if record else None)

    def describe(self, plan: ErmPlan) -> TrainingNote:
        """Return what a receipt says of a fit by this plan."""
        return TrainingNote(
            "Output perturbation: the minimum of a penalised loss, plus noise",
            f"{number_text(plan.movement, 4)} (distance that the weights move)",
            f"penalty {number_text(plan.penalty, 4)}; "
            f"noise of {number_text(plan.noise_multiplier, 4)} times that distance on each weight",
        )
