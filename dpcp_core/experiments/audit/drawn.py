"""A mechanism that is drawn from many times, with a row and without it, and held against its claim.

Where an attacker has several tables to choose from, a tenth of the draws chooses one; the others are fresh.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcp_core.evaluation.audit.distinguishing import EpsilonBound, epsilon_from_outcomes, epsilon_from_scores
from dpcp_core.evaluation.audit.estimates import CONFIDENCE
from dpcp_core.experiments.audit.audited import TIMES, Effort
from dpcp_core.experiments.audit.report import Finding

QUICK, SLOW = 100_000, 20_000
"""Draws of either kind in a quick audit: of what is drawn all at once, and of what is drawn one by one."""

_PILOT = 10

Draw = Callable[[bool, int, np.random.Generator], NDArray[Any]]
"""``(is_there, n, rng)`` to n releases, with the row or without it: an attacker's number, or which output it was."""


@dataclass(frozen=True)
class DrawnCase:
    """Two neighbouring tables, and what an attacker watches.

    Attributes
    ----------
    draw : callable
    watched : str
        In words that follow "told apart by".
    n_draws : int
        Of either kind in a quick audit.
    is_outcome : bool
        Whether whole numbers of a few outputs are drawn, rather than a number that is larger with the row.
    is_gaussian : bool
        Whether the claim is a Gaussian trade-off curve.
    """

    draw: Draw
    watched: str
    n_draws: int = QUICK
    is_outcome: bool = False
    is_gaussian: bool = False

    def bound(self, n: int, delta: float, rng: np.random.Generator) -> EpsilonBound:
        """Return what n draws of either kind prove."""
        prove = epsilon_from_outcomes if self.is_outcome else epsilon_from_scores
        samples = (self.draw(is_there, n, rng) for is_there in (True, False))
        return prove(*samples, delta=delta, is_gaussian=self.is_gaussian)


def drawn_finding(
    audited: tuple[str, str],
    cost: tuple[float, float],
    cases: Sequence[DrawnCase],
    rng: np.random.Generator,
    effort: Effort,
) -> Finding:
    """Return what draws prove about a mechanism, held against what is claimed.

    Parameters
    ----------
    audited : key and title
    cost : epsilon and delta that are claimed
    cases : pairs of tables
        Of several, the most telling one is chosen by draws that are then thrown away.
    rng, effort
        Of the draws.
    """
    epsilon, delta = cost
    case = cases[0] if len(cases) == 1 else max(cases, key=lambda each: each.bound(_pilot(each), delta, rng).value)
    n = case.n_draws * TIMES[effort]
    bound = case.bound(n, delta, rng)
    attack = f"{n:,} draws with the row and {n:,} without it, told apart by {case.watched}."
    return Finding(*audited, attack, epsilon, delta, bound.value, CONFIDENCE, is_exact=False)


def _pilot(case: DrawnCase) -> int:
    return max(100, case.n_draws // _PILOT)
