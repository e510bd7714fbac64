"""How one budget is divided between training and the quantile, by the way their costs compose.

>>> budget = PrivacyBudget(1.0, 1e-5)
>>> allocate(budget, 0.5, "parallel").quantile_epsilon
1.0
>>> allocate(budget, 0.5, "basic").quantile_epsilon
0.5
>>> allocate(budget, 0.5, "tight").training.mu > allocate(budget, 0.5, "basic").training.mu
True
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.spending import TrainingBudget


@dataclass(frozen=True)
class Allocation:
    """What each step may spend.

    Attributes
    ----------
    training : TrainingBudget
        Infinite where training is not private.
    quantile_epsilon : float or None
        Epsilon of the quantile; None where it is not private.
    """

    training: TrainingBudget
    quantile_epsilon: float | None

    @property
    def delta(self) -> float:
        """Delta of the whole."""
        return self.training.delta


def allocate(budget: PrivacyBudget, training_share: float, composition: str) -> Allocation:
    """Divide a budget between a private training and a private quantile.

    Parameters
    ----------
    budget : PrivacyBudget
        Total; delta above 0.
    training_share : float
        Share of epsilon for training, in (0, 1); not used by ``parallel``.
    composition : str
        ``parallel``: the steps read disjoint rows, each may spend the whole budget. ``basic``: their epsilons add
        up. ``tight``: the quantile takes its share of epsilon, training all that the joint privacy curve leaves.

    Notes
    -----
    **Privacy.** Both outputs together are (epsilon, delta)-DP, neighbours by emptying one row.
    """
    if composition == "parallel":
        return Allocation(TrainingBudget(budget.epsilon, budget.delta), budget.epsilon)
    training, quantile = budget.split(training_share)
    if composition == "basic":
        return Allocation(TrainingBudget(training.epsilon, budget.delta), quantile.epsilon)
    return Allocation(TrainingBudget(budget.epsilon, budget.delta, beside=quantile.epsilon), quantile.epsilon)


def allocate_training_only(budget: PrivacyBudget) -> Allocation:
    """Give the whole budget to training; the quantile is not private."""
    return Allocation(TrainingBudget(budget.epsilon, budget.delta), None)


def allocate_nothing() -> Allocation:
    """Return the allocation of a procedure without privacy."""
    return Allocation(TrainingBudget(math.inf, 0.0), None)
