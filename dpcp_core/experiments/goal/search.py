"""The smallest epsilon of one share that meets a goal: coarse steps over the whole range first, then ever finer ones.

1. Steps of a factor 2, downwards from the largest epsilon to where nothing can be certified any more. They cover the
   whole range, as a larger budget can make intervals wider again.
2. Where no step meets the goal, or one does but a dip lies below it, the dips between steps are looked into.
3. From the first step that may meet the goal upwards, each is looked at with more seeds until one surely does.
4. The gap between the last epsilon that does not and the first that does is halved until it is narrow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpcp_core._words import digits_up
from dpcp_core.conformal.choices import EPSILON_RANGE
from dpcp_core.experiments.goal.look import Look
from dpcp_core.experiments.goal.looking import Looking

_STEP = 2.0
_MOST_STEPS = 8
MOST_SEEDS = 5
_CONFIRMED = 3
"""Seeds that an answer rests on at least: the luckiest of many looks is not taken at its word."""
_NARROW = 1.1
_LOW_ROUNDS, _LOW_SEEDS = 2, 2
_DIP_ROUNDS = 2
_NEAR = 1.15
"""A dip is looked into where it comes as near to the goal as this."""
_FINEST = 1e-4
_FURTHEST = 64.0


@dataclass(frozen=True, eq=False)
class Found:
    """What a search of one share found.

    Attributes
    ----------
    look : Look or None
        The smallest epsilon that surely meets the goal.
    low : float
        The largest epsilon below it that surely does not; 0 if there is none.
    """

    look: Look | None
    low: float


def steps_down(largest: float, smallest: float) -> list[float]:
    """Return epsilons from small to large, each about twice the one before.

    >>> steps_down(10.0, 1.0)
    [1.0, 1.25, 2.5, 5.0, 10.0]
    """
    steps = [largest]
    while len(steps) < _MOST_STEPS and steps[-1] / _STEP >= max(smallest, _FINEST):
        steps.append(rounded(steps[-1] / _STEP))
    if len(steps) < _MOST_STEPS and 0 < smallest * _NARROW < steps[-1]:
        steps.append(digits_up(smallest, 3))
    return steps[::-1]


def rounded(epsilon: float) -> float:
    """Return an epsilon with three significant digits."""
    return float(f"{epsilon:.3g}")


def search_beyond(looking: Looking, share: float, largest: float) -> Found:
    """Search for an epsilon above the largest that was allowed."""
    epsilon = largest
    while (epsilon := rounded(epsilon * _STEP)) <= min(_FURTHEST * largest, EPSILON_RANGE[1]):
        look = looking.at(share, epsilon)
        if look.may_meet and (settled := _settled(looking, look)).meets:
            return _narrowed(looking, share, settled)
    return Found(None, 0.0)


def search(looking: Looking, share: float, *, largest: float, smallest: float) -> Found:
    """Search one share for the smallest epsilon that meets the goal.

    Parameters
    ----------
    looking : Looking
    share : float
        For training.
    largest, smallest : float
        Epsilons to search between; none below ``smallest`` can meet the goal.
    """
    looking.at_all([(share, epsilon) for epsilon in steps_down(largest, smallest)])
    _look_further_down(looking, share, largest, smallest)
    _look_into_dips(looking, share, largest)
    first = _first_sure(looking, share, largest)
    return Found(None, 0.0) if first is None else _narrowed(looking, share, first)


def _look_further_down(looking: Looking, share: float, largest: float, smallest: float) -> None:
    """Go on below the steps as long as the lowest of them may meet the goal."""
    while (lowest := looking.of_share(share, largest)[0]).may_meet:
        epsilon = rounded(lowest.epsilon / _STEP)
        if epsilon < max(smallest, _FINEST):
            return
        looking.at(share, epsilon)


def _look_into_dips(looking: Looking, share: float, largest: float) -> None:
    """Look to both sides of every look that is smaller than its neighbours and near the goal without meeting it."""
    for _ in range(_DIP_ROUNDS):
        looks = [look for look in looking.of_share(share, largest) if not look.problem]
        dips = [place for place in range(1, len(looks) - 1) if _is_dip(looks, place)]
        halves = [(share, _between(looks[place], looks[other])) for place in dips for other in (place - 1, place + 1)]
        looking.at_all(halves)


def _is_dip(looks: list[Look], place: int) -> bool:
    before, look, after = looks[place - 1], looks[place], looks[place + 1]
    near = look.size_mean <= look.goal.most * _NEAR
    return near and not look.may_meet and look.size_mean < min(before.size_mean, after.size_mean)


def _first_sure(looking: Looking, share: float, largest: float) -> Look | None:
    """Return the first look that surely meets the goal, with more seeds where it is not clear."""
    for look in looking.of_share(share, largest):
        if look.may_meet and (settled := _settled(looking, look)).meets:
            return settled
    return None


def _settled(looking: Looking, look: Look) -> Look:
    """Return the look with as many seeds as it takes to say, or as there may be."""
    while len(look.cells) < MOST_SEEDS and look.may_meet and not (look.meets and len(look.cells) >= _CONFIRMED):
        look = looking.at(look.training_share, look.epsilon, len(look.cells) + 1)
    return look


def _narrowed(looking: Looking, share: float, first: Look) -> Found:
    """Halve the gap below a look that meets the goal until it is narrow."""
    best = first
    while (below := _below(looking, share, best)) is not None and best.epsilon > _NARROW * below.epsilon:
        epsilon = _between(below, best)
        if not below.epsilon < epsilon < best.epsilon:
            break
        middle = looking.at(share, epsilon)
        middle = _settled(looking, middle) if middle.may_meet else middle
        best = middle if middle.meets else best
    return Found(best, _lowest(looking, share, best))


def _lowest(looking: Looking, share: float, best: Look) -> float:
    """Return the largest epsilon below an answer that is clearly too small, after a few looks for a larger one."""
    for _ in range(_LOW_ROUNDS):
        missed, unclear = _missed_and_unclear(looking, share, best)
        if missed is None or unclear.epsilon <= _NARROW**2 * missed.epsilon:
            break
        looking.at(share, _between(missed, unclear), _LOW_SEEDS)
    missed, _ = _missed_and_unclear(looking, share, best)
    return 0.0 if missed is None else missed.epsilon


def _missed_and_unclear(looking: Looking, share: float, best: Look) -> tuple[Look | None, Look]:
    """Return the last look below an answer that clearly misses the goal, and the next one above that."""
    looks = looking.of_share(share, best.epsilon)
    places = [place for place, look in enumerate(looks[:-1]) if not look.may_meet]
    return (looks[places[-1]], looks[places[-1] + 1]) if places else (None, looks[0])


def _below(looking: Looking, share: float, look: Look) -> Look | None:
    """Return the nearest look below."""
    return next((other for other in looking.of_share(share)[::-1] if other.epsilon < look.epsilon), None)


def _between(one: Look, other: Look) -> float:
    return rounded(math.sqrt(one.epsilon * other.epsilon))
