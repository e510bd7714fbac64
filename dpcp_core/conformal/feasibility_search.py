"""How many rows, or how much epsilon, it takes before a procedure certifies anything: searched by running it.

>>> facts = PublicFacts.of(None, None, settings={"loss": "bracket", "epsilon": 1.0})
>>> smallest_n(facts)
194
>>> low, high = epsilon_range(facts, n=194)
>>> round(low, 3), high
(0.996, None)
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dpcp_core.conformal.choices import EPSILON_RANGE
from dpcp_core.conformal.methods import ORDER_STATISTICS
from dpcp_core.conformal.public_run import MOST_ORDER_STATISTICS, PublicFacts
from dpcp_core.errors import InputError

MOST_ROWS = 10**9
_STEPS = (33, 257)
"""Epsilons that are tried at first, and where none of them is enough."""
_PRECISION = 1e-6


def smallest_n(facts: PublicFacts, low: int = 1, high: int = 2) -> int | None:
    """Return the first n with which anything narrower than everything can come out; None if none is enough.

    Parameters
    ----------
    facts : PublicFacts
    low, high : int
        ``low`` is known not to be enough; from ``high`` on n is doubled until it is, and then the gap is halved.
    """
    most = MOST_ORDER_STATISTICS if facts.choices.recipe.grid == ORDER_STATISTICS else MOST_ROWS
    while not _narrows(facts, high):
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _narrows(facts, middle) else (middle, high)
    return high


def epsilon_range(facts: PublicFacts, n: int, n_ranked: int | None = None) -> tuple[float | None, float | None]:
    """Return the epsilons between which anything narrower can come out with these rows; None for no such limit.

    A level that falls as the budget grows makes the largest matter, so the whole range is gone through in steps first.
    """

    def enough(epsilon: float) -> bool:
        return _narrows(at_epsilon(facts, epsilon), n, n_ranked)

    for n_steps in _STEPS:
        tried = np.geomspace(*EPSILON_RANGE, n_steps).clip(*EPSILON_RANGE).tolist()
        found = [enough(epsilon) for epsilon in tried]
        if any(found):
            break
    else:
        return None, None
    first, last = found.index(True), n_steps - 1 - found[::-1].index(True)
    smallest = _edge(enough, tried[first - 1], tried[first]) if first else tried[0]
    return smallest, None if last == n_steps - 1 else _edge(enough, tried[last + 1], tried[last])


def at_epsilon(facts: PublicFacts, epsilon: float) -> PublicFacts | None:
    """Return the facts at another epsilon; None where a choice does not go with it."""
    try:
        return facts.replace(epsilon=epsilon)
    except InputError:
        return None


def _narrows(facts: PublicFacts | None, n: int, n_ranked: int | None = None) -> bool:
    try:
        return facts is not None and facts.run(n, n_ranked).narrows
    except InputError:
        return False


def _edge(enough: Callable[[float], bool], outside: float, inside: float) -> float:
    """Return the last epsilon that is enough on the way from ``inside`` to ``outside``."""
    while abs(outside - inside) > _PRECISION * inside:
        middle = math.sqrt(outside * inside)
        outside, inside = (outside, middle) if enough(middle) else (middle, inside)
    return inside
