r"""What a privacy promise means for one person: how far a guess can move, and how well any attack can do.

How far can somebody's belief move?   ``posterior(epsilon, prior)``, for a promise without delta.
How well can any attack do?           ``attack_limits(budget or profile)``: rates, advantage, chance to be right.

The worst case for a promise without delta, as 50 and 1 in 100 can at most become:

>>> for epsilon in (0.1, 0.5, 1.0, 2.0, 5.0, 10.0):
...     half, rare = 100 * posterior(epsilon), 100 * posterior(epsilon, prior=0.01)
...     print(f"{epsilon:4g}  odds times {math.exp(epsilon):8.1f}   {half:.3f}   {rare:.2f}")
 0.1  odds times      1.1   52.498   1.10
 0.5  odds times      1.6   62.246   1.64
   1  odds times      2.7   73.106   2.67
   2  odds times      7.4   88.080   6.95
   5  odds times    148.4   99.331   59.99
  10  odds times  22026.5   99.995   99.55

With delta no such limit holds for every result: one that shows up with chance delta may give everything away. What
holds is about chances. Every attack keeps to the limits below, and odds grow by more than a factor with a small chance.

>>> limits = attack_limits(PrivacyBudget(1.0, 1e-5))
>>> print(f"advantage {limits.advantage:.4f}, right at most {100 * limits.chance_right():.2f} times in 100")
advantage 0.4621, right at most 73.11 times in 100
>>> limits.chance_of_more(2.0) < 2e-5
True
"""

from __future__ import annotations

import math

from dpcp_core import _validate
from dpcp_core.privacy.attack_limits import AttackLimits, attack_limits
from dpcp_core.privacy.budget import PrivacyBudget

__all__ = [
    "AttackLimits",
    "PrivacyBudget",
    "attack_limits",
    "posterior",
]


def posterior(epsilon: float, prior: float = 0.5) -> float:
    """Return the largest chance that a guess can be moved to by a result with pure epsilon.

    Parameters
    ----------
    epsilon
        0 or more; infinity means no promise.
    prior
        The chance before the result, strictly between 0 and 1.

    Notes
    -----
    **Privacy**: epsilon bounds the odds ratio of "in the table" against "not in it": posterior odds are at most
    ``exp(epsilon)`` times prior odds, whatever the observer computes. This needs delta = 0; else see
    :class:`AttackLimits`.

    References
    ----------
    Wasserman and Zhou, A Statistical Framework for Differential Privacy (2010), theorem 2.4.

    Examples
    --------
    >>> round(posterior(1.0), 4), posterior(math.inf), posterior(0.0, prior=0.2)
    (0.7311, 1.0, 0.2)
    """
    share = _validate.share(prior=prior)
    # Written with exp(-epsilon), which cannot overflow.
    return share / (share + (1 - share) * math.exp(-_epsilon(epsilon)))


def _epsilon(epsilon: float) -> float:
    """Return the value if it is 0 or more; infinity stands for no promise."""
    return math.inf if epsilon == math.inf else _validate.non_negative(epsilon=epsilon)
