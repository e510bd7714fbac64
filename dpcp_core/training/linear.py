"""Linear least squares: ``ols`` and ``ridge``, by private gradient descent.

What steps, step size, clip norm and penalty are where nobody sets them: see
:class:`dpcp_core.training.linear_defaults.PublicDefaults`.

>>> size, spending = ProblemSize(3200, 10), TrainingBudget(1.0, 1e-5)
>>> plan = LeastSquares("ridge", penalised=True).plan(size, spending, TrainingChoices())
>>> plan.steps, plan.max_grad_norm, round(plan.penalty, 4)
(54, 0.8, 0.0028)
"""

from __future__ import annotations

from dataclasses import dataclass

from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training._choices import refuse_unused
from dpcp_core.training.descent_plan import DescentPlan
from dpcp_core.training.linear_defaults import DEFAULTS, PublicDefaults, descent_plan
from dpcp_core.training.linear_models import LinearDescent, LinearModels, descent_note
from dpcp_core.training.protocol import Matrix, ProblemSize, TrainingChoices, TrainingNote
from dpcp_core.training.statistics import solve_twins

__all__ = ["LeastSquares", "LinearModels", "PublicDefaults"]


@dataclass(frozen=True)
class LeastSquares(LinearDescent):
    """Least squares with an optional ridge penalty, on rows of norm at most 1.

    Attributes
    ----------
    name : str
        Key in the registry.
    penalised : bool
        Whether there is a ridge penalty where nobody sets one.
    defaults : PublicDefaults
        Hyper-parameters that nobody set.
    """

    name: str
    penalised: bool
    defaults: PublicDefaults = DEFAULTS

    @property
    def title(self) -> str:
        """What the interface calls it."""
        return "Ridge regression" if self.penalised else "Least squares"

    @property
    def sentence(self) -> str:
        """What it is."""
        if self.penalised:
            return "Linear regression that keeps its weights small: steady under noise."
        return "Plain linear regression."

    def plan(self, size: ProblemSize, spending: TrainingBudget, choices: TrainingChoices) -> DescentPlan:
        """Return the public hyper-parameters of a fit.

        Parameters
        ----------
        size : ProblemSize
        spending : TrainingBudget
            What training may spend; an infinite one adds no noise.
        choices : TrainingChoices
            What a person set; it wins over the defaults.

        Raises
        ------
        InputError
            Choices out of range or in contradiction, or too little noise for the budget.

        Notes
        -----
        **Privacy.** Costs nothing: a function of public numbers only.

        Examples
        --------
        >>> ols, size = LeastSquares("ols", penalised=False), ProblemSize(4000, 9)
        >>> plan = ols.plan(size, TrainingBudget(1.0, 1e-5), TrainingChoices())
        >>> plan.steps, round(plan.step_size, 2), round(plan.noise_multiplier, 1)
        (60, 1.69, 28.9)
        """
        refuse_unused(self.name, choices, self.uses)
        penalty = choices.penalty
        if penalty is None:
            travel = self.defaults.travel(size.n_rows, spending.mu)
            penalty = self.defaults.penalty(travel) if self.penalised else 0.0
        return descent_plan(self.defaults, size, spending, choices, penalty=penalty)

    def fit_exactly(self, features: Matrix, targets: Matrix, plan: DescentPlan, included: Matrix) -> LinearModels:
        """Solve the normal equations once per model; not private.

        Parameters
        ----------
        features : array of shape (n, d)
        targets : array of shape (n,)
            Scaled.
        plan : DescentPlan
            Of which only the penalty counts.
        included : array of shape (n, n_models) of 0 and 1
            Rows that each fit sees.

        Notes
        -----
        **Privacy.** None: no noise.
        """
        return solve_twins(features, targets, included, plan.penalty if self.penalised else 0.0)

    def describe(self, plan: DescentPlan) -> TrainingNote:
        """Return what a receipt says of a fit by this plan.

        Examples
        --------
        >>> ols = LeastSquares("ols", penalised=False)
        >>> ols.describe(DescentPlan(4000, 25, 1.0, 0.5, noise_multiplier=50.0)).sensitivity
        '0.5 (length of its clipped gradient), per step'
        """
        return descent_note("least squares", plan)
