"""Objective perturbation: noise goes into the loss before it is minimised.

>>> trainer = ObjectivePerturbation()
>>> plan = trainer.plan(ProblemSize(3200, 10), TrainingBudget(1.0, 1e-5), TrainingChoices())
>>> 0.9e-5 < trainer.profile(plan).delta(1.0) <= 1e-5 * (1 + 1e-9)
True
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core import _validate as check
from dpcp_core._words import number_text
from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import NoPrivacyProfile, PrivacyProfile
from dpcp_core.privacy.profile_objective import SOLVER_SHARE, ObjectivePerturbationProfile, objective_noise
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training._choices import refuse_unused
from dpcp_core.training.erm import minimise, objective
from dpcp_core.training.erm_losses import Loss
from dpcp_core.training.erm_models import ErmPlan, Minimises, loss_for, models_of, start_of, trace_at
from dpcp_core.training.protocol import Matrix, Models, ProblemSize, Task, TrainingChoices, TrainingNote, Weights


@dataclass(frozen=True)
class ObjectiveDefaults:
    """How the hyper-parameters follow from public numbers alone.

    The noise tilts the objective by about ``signal = C / (n mu)``. A penalty of a few times that keeps its effect on
    the weights small, and also the part of the budget that goes into the curvature of a row.

    Attributes
    ----------
    clip_norm : float
        ``C`` for numbers, in scaled target units; 1 for two classes, which clips nothing.
    penalty_per_signal, class_penalty_per_signal : float
        The penalty is this times ``signal``, for numbers and for classes.
    penalty_per_root_row : float
        For numbers, the penalty is at least this over ``sqrt(n)``: what one more row can move is bounded by
        ``C / (penalty n)``, and that is what in-sample scores have to pay for.
    penalty_per_row : float
        And always at least this over ``n``.
    least_penalty : float
        And at least this, which the solver can work with.
    largest_stretch : float
        And so large that the curvature takes at most this share of the budget's epsilon.
    """

    clip_norm: float = 0.5
    penalty_per_signal: float = 1.0
    class_penalty_per_signal: float = 0.25
    penalty_per_root_row: float = 0.3
    penalty_per_row: float = 0.3
    least_penalty: float = 1e-5
    largest_stretch: float = 0.4

    def penalty(self, size: ProblemSize, loss: Loss, spending: TrainingBudget) -> float:
        """Return the penalty for a loss under a budget."""
        share = self.class_penalty_per_signal if size.n_classes else self.penalty_per_signal
        wanted = max(share * loss.bound / spending.mu, self.penalty_per_row)
        if size.n_classes == 0:
            wanted = max(wanted, self.penalty_per_root_row * math.sqrt(size.n_rows))
        if spending.is_finite:
            wanted = max(wanted, loss.curvature / _grown(self.largest_stretch * spending.point.epsilon))
        return max(wanted / size.n_rows, self.least_penalty)


def _grown(epsilon: float) -> float:
    return math.expm1(min(epsilon, 50.0))


@dataclass(frozen=True)
class ObjectivePerturbation(Minimises):
    r"""Empirical risk minimisation with a random linear term in the objective.

    .. math:: w = \arg\min \frac1n \sum_i \ell(w; x_i, y_i) + \frac\lambda2 |w - w_0|^2 + \frac1n b \cdot w,
              \quad b \sim N(0, \sigma^2 I)

    The loss is Huber's for numbers and logistic for two classes. More classes are refused: the proof needs a loss of
    one score.

    Attributes
    ----------
    defaults : ObjectiveDefaults
        Hyper-parameters that nobody set.

    Notes
    -----
    **Privacy.** :class:`dpcp_core.privacy.profile_objective.ObjectivePerturbationProfile` with noise multiplier
    ``sigma / C`` and stretch ``log(1 + curvature / (lambda n))``, proved there. The solver stops within
    ``gamma / lambda`` of the minimum; noise hides that, and its cost is in the profile.

    **Guarantee.** Under shared noise one more row moves the weights by at most ``(C / n + 2 gamma) / lambda``
    (:attr:`dpcp_core.training.erm_models.ErmPlan.movement`; the linear term changes nothing in the proof).

    References
    ----------
    Chaudhuri, Monteleoni and Sarwate, Differentially Private Empirical Risk Minimization (2011), algorithm 2; Kifer,
    Smith and Thakurta, Private Convex Empirical Risk Minimization and High-dimensional Regression (2012), theorem 2;
    Iyengar et al., Towards Practical Differentially Private Convex Optimization (2019), algorithm 1.
    """

    defaults: ObjectiveDefaults = ObjectiveDefaults()

    name = "objective_perturbation"
    title = "Objective perturbation"
    sentence = "Noise is added to what a linear model minimises, and the minimum is found exactly."
    tasks: frozenset[Task] = frozenset({"regression", "classification"})

    def plan(self, size: ProblemSize, spending: TrainingBudget, choices: TrainingChoices) -> ErmPlan:
        """Return the public hyper-parameters of a fit.

        Parameters
        ----------
        size : ProblemSize
            A number or two classes.
        spending : TrainingBudget
        choices : TrainingChoices
            ``penalty``, ``max_grad_norm`` and ``noise_multiplier``, the noise on the sum of gradients over the clip
            norm.

        Raises
        ------
        InputError
            More than two classes; a choice without use; too little noise; a penalty too small for the budget.
        """
        refuse_unused(self.name, choices, self.uses)
        if size.n_classes > 2:
            raise InputError(
                f"trainer {self.name!r} is proved private for two classes, but the target holds {size.n_classes}; "
                "choose 'softmax' or 'output_perturbation'."
            )
        usual = 1.0 if size.n_classes else self.defaults.clip_norm
        loss = loss_for(size, usual if choices.max_grad_norm is None else choices.max_grad_norm)
        penalty = choices.penalty
        plan = ErmPlan(
            n_rows=size.n_rows,
            n_classes=size.n_classes,
            loss=loss,
            penalty=self.defaults.penalty(size, loss, spending) if penalty is None else penalty,
            noise_multiplier=0.0,
        )
        return _with_noise(plan, spending, choices)

    def profile(self, plan: ErmPlan) -> PrivacyProfile:
        """Return the profile of the noise and of the penalty."""
        if plan.noise_multiplier == 0:
            return NoPrivacyProfile()
        return ObjectivePerturbationProfile(plan.noise_multiplier, stretch_of(plan))

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
        """Minimise the perturbed objective; the penalty pulls towards ``start``.

        Notes
        -----
        **Privacy.** The profile of the plan.
        """
        shape = (features.shape[1], n_models, 1)
        tilt = rng.standard_normal(shape) * (plan.noise_multiplier * plan.loss.bound / plan.n_rows)
        wanted = objective(
            features,
            targets,
            plan.loss,
            plan.penalty,
            n_models,
            n_rows=plan.n_rows,
            included=included,
            start=start_of(plan, start, features.shape[1]),
            tilt=tilt,
        )
        best = minimise(wanted, plan.tolerance)
        weights = best + rng.standard_normal(shape) * solver_noise(plan)
        return models_of(plan, weights, features.dtype, trace_at(wanted, best) if record else None)

    def describe(self, plan: ErmPlan) -> TrainingNote:
        """Return what a receipt says of a fit by this plan."""
        return TrainingNote(
            "Objective perturbation: the minimum of a penalised loss with noise in it",
            f"{number_text(plan.loss.bound, 4)} (length of its clipped gradient)",
            f"penalty {number_text(plan.penalty, 4)}; "
            f"noise of {number_text(plan.noise_multiplier, 4)} times that on the sum of gradients",
        )


def stretch_of(plan: ErmPlan) -> float:
    """Return how much one row can bend the objective: ``log(1 + curvature / (penalty * n))``."""
    return math.log1p(plan.loss.curvature / (plan.penalty * plan.n_rows))


def solver_noise(plan: ErmPlan) -> float:
    """Return the standard deviation that hides where within its tolerance the solver stopped."""
    return 2 * plan.tolerance / plan.penalty * plan.noise_multiplier / SOLVER_SHARE


def _with_noise(plan: ErmPlan, spending: TrainingBudget, choices: TrainingChoices) -> ErmPlan:
    needed, given = objective_noise(spending, stretch_of(plan)), choices.noise_multiplier
    if given is not None and check.non_negative(noise_multiplier=given) < needed:
        raise InputError(f"noise_multiplier is {given:g}, but this budget needs at least {needed * (1 + 1e-4):.5g}.")
    noise = needed if given is None else given
    return ErmPlan(plan.n_rows, plan.n_classes, plan.loss, plan.penalty, noise)
