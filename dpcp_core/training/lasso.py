"""Lasso: least squares with a penalty on absolute weights, by private proximal descent.

>>> size, spending = ProblemSize(3200, 10), TrainingBudget(1.0, 1e-5)
>>> plan = Lasso().plan(size, spending, TrainingChoices(penalty=0.01))
>>> plan.steps, plan.penalty, plan.absolute_penalty
(54, 0.0, 0.01)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training._choices import refuse_unused
from dpcp_core.training.descent_plan import DescentPlan
from dpcp_core.training.linear_defaults import DEFAULTS, PublicDefaults, descent_plan
from dpcp_core.training.linear_models import LinearDescent, LinearModels, descent_note
from dpcp_core.training.problem import Pace
from dpcp_core.training.protocol import Matrix, ProblemSize, TrainingChoices, TrainingNote

_MOST_ROUNDS = 10_000
_TOLERANCE = 1e-8


@dataclass(frozen=True)
class SparsityDefaults:
    """The penalty where nobody sets one: a share of the gradient that chance alone gives a useless column.

    With ``n`` rows, ``d`` columns, clip norm ``C`` and training privacy ``mu``, one coordinate of the average gradient
    strays by about ``C / (n mu)`` for the noise of all steps together, and by about ``spread / sqrt(d n)`` for the draw
    of the rows, as a row of norm 1 is shared out among ``d`` columns; the largest of ``d`` such numbers is about
    ``sqrt(2 log(2 d))`` times that.

    A small share, as stopping early holds back useless columns too: on simulated tables more of it made intervals
    wider, even where three columns of a hundred told something (``benchmarks/tune_training.py --lasso``).

    Attributes
    ----------
    share : float
        Of that largest number.
    spread : float
        Usual residual, in scaled target units.

    Examples
    --------
    >>> SparsityDefaults().penalty(ProblemSize(4000, 9), 0.27, 0.8) > SparsityDefaults().penalty(
    ...     ProblemSize(40_000, 9), 0.27, 0.8
    ... )
    True
    """

    share: float = 0.1
    spread: float = 0.25

    def penalty(self, size: ProblemSize, mu: float, clip_norm: float) -> float:
        """Return the penalty on absolute weights."""
        chance = math.hypot(clip_norm / (size.n_rows * mu), self.spread / math.sqrt(size.n_features * size.n_rows))
        return self.share * math.sqrt(2 * math.log(2 * size.n_features)) * chance


SPARSITY = SparsityDefaults()


@dataclass(frozen=True)
class Lasso(LinearDescent):
    """Least squares with a penalty on the absolute values of all weights but the constant's.

    After each noisy step every such weight is pulled towards 0 by ``step_size * penalty`` and set to 0 if it is nearer
    (soft thresholding, the proximal map of the penalty). The returned average of iterates has weights that are small
    rather than exactly 0.

    Attributes
    ----------
    name : str
        Key in the registry.
    defaults : PublicDefaults
        Hyper-parameters of descent that nobody set.
    sparsity : SparsityDefaults
        The penalty that nobody set.

    Notes
    -----
    **Privacy.** That of the noisy steps, see :class:`dpcp_core.training.linear_models.LinearDescent`; thresholding
    reads no rows.

    **Guarantee.** The proximal map of a convex function is non-expansive, so the coupling of the steps carries over.

    References
    ----------
    Parikh and Boyd (2014), "Proximal algorithms", sections 2.3 and 6.5.2.
    """

    name: str = "lasso"
    defaults: PublicDefaults = DEFAULTS
    sparsity: SparsityDefaults = SPARSITY

    @property
    def title(self) -> str:
        """What the interface calls it."""
        return "Lasso"

    @property
    def sentence(self) -> str:
        """What it is."""
        return "Linear regression that leans on few columns: for tables of which most columns tell nothing."

    @property
    def pace(self) -> Pace:
        """As measured at its own number of steps: its twin is solved step by step."""
        return Pace(per_million=0.6)

    def plan(self, size: ProblemSize, spending: TrainingBudget, choices: TrainingChoices) -> DescentPlan:
        """Return the public hyper-parameters of a fit.

        Parameters
        ----------
        size : ProblemSize
        spending : TrainingBudget
            What training may spend; an infinite one adds no noise.
        choices : TrainingChoices
            What a person set, ``penalty`` being that on absolute weights; it wins over the defaults.

        Raises
        ------
        InputError
            Choices out of range or in contradiction, or too little noise for the budget.

        Notes
        -----
        **Privacy.** Costs nothing: a function of public numbers only.
        """
        refuse_unused(self.name, choices, self.uses)
        penalty = choices.penalty
        if penalty is None:
            penalty = self.sparsity.penalty(size, spending.mu, self.defaults.clip_norm)
        return descent_plan(self.defaults, size, spending, choices, absolute_penalty=penalty)

    def fit_exactly(self, features: Matrix, targets: Matrix, plan: DescentPlan, included: Matrix) -> LinearModels:
        """Solve for the minimum of the same objective once per model, by scikit-learn; not private.

        Parameters
        ----------
        features : array of shape (n, d)
            The first column is the constant, whose weight is free.
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
        return LinearModels(
            np.column_stack(
                [
                    _solution(
                        features[mask].astype(np.float64), targets[mask].astype(np.float64), plan.absolute_penalty
                    )
                    for mask in included.T.astype(bool)
                ]
            )
        )

    def describe(self, plan: DescentPlan) -> TrainingNote:
        """Return what a receipt says of a fit by this plan.

        Examples
        --------
        >>> Lasso().describe(DescentPlan(4000, 25, 1.0, 0.5, noise_multiplier=50.0)).mechanism
        'Private gradient descent on least squares with a lasso penalty'
        """
        return descent_note("least squares with a lasso penalty", plan)


def _solution(rows: Matrix, targets: Matrix, penalty: float) -> Matrix:
    # A free weight takes out what its column explains of all others; what is left is a lasso without it (the theorem
    # of Frisch, Waugh and Lovell).
    constant, others = rows[:, 0], rows[:, 1:]
    length = max(float(constant @ constant), np.finfo(np.float64).tiny)
    left = others - np.outer(constant, constant @ others / length)
    wanted = targets - constant * float(constant @ targets / length)
    weights = _penalised(left, wanted, penalty)
    free = float(constant @ (targets - others @ weights)) / length
    return np.concatenate([[free], weights])


def _penalised(rows: Matrix, targets: Matrix, penalty: float) -> Matrix:
    if rows.shape[1] == 0:
        return np.zeros(0)
    if penalty == 0:
        solution: Matrix = np.linalg.lstsq(rows, targets, rcond=None)[0]
        return solution
    from sklearn.linear_model import Lasso as ExactLasso

    model = ExactLasso(alpha=penalty, fit_intercept=False, precompute=True, max_iter=_MOST_ROUNDS, tol=_TOLERANCE)
    weights: Matrix = model.fit(rows, targets).coef_
    return weights
