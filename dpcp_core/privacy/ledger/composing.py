"""What several releases of the same rows cost together.

``basic`` adds epsilons and deltas. ``tight`` composes the mechanisms that the releases consist of, by privacy loss
distributions; it is never more than basic.

>>> half = ReleaseCost(PrivacyBudget(0.5, 1e-6))
>>> together((half, half), PrivacyBudget(1.0, 1e-5), "basic")
PrivacyBudget(epsilon=1.0, delta=2e-06)
>>> fits((half, half), PrivacyBudget(1.0, 1e-5), "basic"), fits((half,) * 3, PrivacyBudget(1.0, 1e-5), "basic")
(True, False)
"""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from typing import Any

from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.composition import Composition
from dpcp_core.privacy.gaussian import gaussian_epsilon
from dpcp_core.privacy.ledger.parts import Part, ReleaseCost

# Every loss is rounded up to a multiple of this, so that it may be coarse and never unsafe.
_INTERVAL = 1e-3
# More than convolutions lose to rounding.
_ROUNDING = 1e-12
_MOST_DELTA = 1 - 1e-9
# A loss beyond these says nothing any more, and takes minutes and more memory than there is to compose.
_MOST_EPSILON = 200.0
_MOST_MU = 10.0
# Of the lattice: a release of very small batches would ask for a finer one than fits beside other releases.
_MOST_PLACES, _MOST_PLACES_OF_STEPS = 40_000, 100_000

Costs = tuple[ReleaseCost, ...]


def together(costs: Costs, budget: PrivacyBudget, composition: Composition) -> PrivacyBudget | None:
    """Return what releases cost together; None for none.

    Parameters
    ----------
    costs : tuple of ReleaseCost
    budget : PrivacyBudget
        Its delta is where the tight epsilon is read off.
    composition : "basic" or "tight"

    Notes
    -----
    **Privacy.** Valid whatever the order of the releases, and even if what each computes was chosen after seeing the
    earlier ones. If what a release *costs*, its parts or how large they are, was chosen after seeing what earlier ones
    drew, then ``basic`` is valid, and so is ``tight`` where all parts are Gaussian; where others are among them, the
    true delta can exceed that of ``tight``: nearly twofold for a Gaussian part and then, as it fell out, another or a
    pure one.

    References
    ----------
    Dwork and Roth (2014), theorem 3.16 (basic); Zhu, Dong and Wang (2022), theorem 10 (dominating pairs compose);
    Kairouz, Oh and Viswanath (2017), theorem 8 (randomised response dominates what is pure); Rogers, Roth, Ullman and
    Vadhan, Privacy Odometers and Filters (2016), and Smith and Thakurta, Fully Adaptive Composition for Gaussian
    Differential Privacy (2022), for costs that are chosen on the way.
    """
    if not costs:
        return None
    added = _added(costs)
    if composition == "basic" or budget.delta <= 0:
        return added
    tally = _tallied(costs)
    if added.epsilon > _MOST_EPSILON or _widest(tally) > _MOST_MU:
        return added
    epsilon = _tight_epsilon(tally, budget.delta, _interval(tally, added.epsilon))
    # A joint cost of nothing is no budget; and adding up is valid too.
    return added if epsilon >= added.epsilon or epsilon <= 0 else PrivacyBudget(epsilon, budget.delta)


def fits(costs: Costs, budget: PrivacyBudget, composition: Composition) -> bool:
    """Whether releases keep to a budget together, up to the rounding of sums of floats."""
    total = together(costs, budget, composition)
    return total is None or budget.covers(total)


def _added(costs: Costs) -> PrivacyBudget:
    epsilon = math.fsum(cost.total.epsilon for cost in costs)
    return PrivacyBudget(epsilon, min(math.fsum(cost.total.delta for cost in costs), _MOST_DELTA))


def _tallied(costs: Costs) -> tuple[tuple[Part, int], ...]:
    """Return how often each part occurs, Gaussian parts brought together in one."""
    parts = [part for cost in costs for part in cost.parts]
    mu = math.hypot(*(part.numbers[0] for part in parts if part.kind == "gaussian"))
    others = Counter(part for part in parts if part.kind != "gaussian")
    gaussian = ((Part.gaussian(mu), 1),) if mu > 0 else ()
    return (*gaussian, *sorted(others.items(), key=lambda item: (item[0].kind, item[0].numbers)))


def _widest(tally: tuple[tuple[Part, int], ...]) -> float:
    """Return the largest parameter of a Gaussian part, 0 without one."""
    return max((part.numbers[0] for part, _ in tally if part.kind == "gaussian"), default=0.0)


def _interval(tally: tuple[tuple[Part, int], ...], added: float) -> float:
    """Return how far places of the lattice are apart: as fine as the finest part needs, unless they become too many."""
    finest = min((part.numbers[1] / part.numbers[0] / 25 for part, _ in tally if part.kind == "sampled"), default=1.0)
    own = [part.numbers[0] * times for part, times in tally if part.kind in ("pure", "point")]
    # A Gaussian part's losses reach ten standard deviations to either side.
    widest = max([10 * _widest(tally), *own])
    return max(min(_INTERVAL, max(finest, added / _MOST_PLACES_OF_STEPS)), 2 * widest / _MOST_PLACES)


@lru_cache(maxsize=256)
def _tight_epsilon(tally: tuple[tuple[Part, int], ...], delta: float, interval: float) -> float:
    if len(tally) == 1 and tally[0][0].kind == "gaussian":
        return gaussian_epsilon(tally[0][0].numbers[0], delta)
    whole: Any = None
    for part, times in tally:
        one = _distribution(part, interval)
        many = one.self_compose(times) if times > 1 else one
        whole = many if whole is None else whole.compose(many)
    return max(0.0, float(whole.get_epsilon_for_delta(max(delta - _ROUNDING, 0.0))))


@lru_cache(maxsize=64)
def _distribution(part: Part, interval: float) -> Any:
    from dp_accounting.pld import common
    from dp_accounting.pld import privacy_loss_distribution as pld

    if part.kind == "gaussian":
        return pld.from_gaussian_mechanism(1 / part.numbers[0], value_discretization_interval=interval)
    if part.kind == "sampled":
        noise, rate, steps = part.numbers
        one = pld.from_gaussian_mechanism(noise, sampling_prob=rate, value_discretization_interval=interval)
        return one.self_compose(int(steps))
    epsilon, delta = (*part.numbers, 0.0)[:2]
    known = common.DifferentialPrivacyParameters(epsilon, delta)
    return pld.from_privacy_parameters(known, value_discretization_interval=interval)
