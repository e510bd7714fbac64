"""From in-sample scores to a new row: what the quantile must aim at, so that a new row is covered.

A model has seen the very rows whose scores are ranked. Each way to pay for that turns the allowed miss rate
``alpha`` into the ``level`` that the quantile aims at, and possibly widens the released set by a public amount:

* ``split``: rank rows that the model has not seen. Nothing to pay, fewer rows.
* ``dp``: ``exp(-epsilon_1) (alpha - delta)``, from one point of the privacy of training (the published recipe).
* ``profile``: the best such point of the whole privacy profile; never worse than ``dp``.
* ``coupling``: for convex losses, one more row moves every score by at most ``tau``; widen by ``2 tau``, aim at
  ``alpha`` itself.
* ``best``: the cheapest of the last two by a public rule, see :func:`predicted_cost`; where scores cannot be coupled
  and the profile costs much, rows are split (:class:`dpcp_core.conformal.choices.ConformalChoices` decides that).

>>> from dpcp_core.privacy.profile import GaussianProfile
>>> facts = StabilityFacts(0.1, 1.0, 1e-5, GaussianProfile(0.268), movement=0.01, score_spread=1.0)
>>> round(stability_factor("dp", facts).level, 3), round(stability_factor("profile", facts).level, 3)
(0.037, 0.061)
>>> stability_factor("best", facts).name
'coupling'
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scipy.special import ndtri

from dpcp_core._words import limit_text, number_text
from dpcp_core.privacy.profile import GaussianProfile, PrivacyProfile, paper_level, stable_level

_SMALLEST_LEVEL = 1e-12


@dataclass(frozen=True)
class StabilityFacts:
    """Public facts that a stability factor may use.

    Attributes
    ----------
    alpha : float
        Allowed miss rate.
    epsilon_1, delta : float
        Privacy of training, as one pair.
    profile : PrivacyProfile
        Privacy of training, whole.
    movement : float or None
        ``tau``: how far one more row moves any score under shared noise, in score units; None if unbounded.
    score_spread : float
        A public guess of the scores' scale (a typical spread of the target), used only to compare costs.
    unit : str
        Unit of the scores, for the reason in words.
    score_bound : float
        True upper bound of the scores; infinity if there is none.
    """

    alpha: float
    epsilon_1: float
    delta: float
    profile: PrivacyProfile
    movement: float | None
    score_spread: float
    unit: str = ""
    score_bound: float = math.inf


@dataclass(frozen=True)
class StabilityFactor:
    """What a way of paying costs.

    Attributes
    ----------
    name : str
        The way that was taken in the end; ``best`` becomes the cheaper one.
    level : float
        Miss rate that the quantile aims at, in (0, alpha].
    widening : float
        Public amount added to the threshold, 0 or more, in score units.
    reason : str
        Half a sentence, without a full stop.
    """

    name: str
    level: float
    widening: float
    reason: str


def _unseen_rows(facts: StabilityFacts) -> StabilityFactor:
    return StabilityFactor("split", facts.alpha, 0.0, "the ranked rows did not train the model")


def _ignored(facts: StabilityFacts) -> StabilityFactor:
    return StabilityFactor("none", facts.alpha, 0.0, "nothing pays for ranking rows that trained the model")


def _one_point(facts: StabilityFacts) -> StabilityFactor:
    level = paper_level(facts.epsilon_1, facts.delta, facts.alpha)
    reason = f"training at epsilon {number_text(facts.epsilon_1)} lowers the level {_from_to(facts.alpha, level)}"
    return StabilityFactor("dp", max(level, _SMALLEST_LEVEL), 0.0, reason)


def _whole_profile(facts: StabilityFacts) -> StabilityFactor:
    level = stable_level(facts.profile, facts.alpha)
    reason = f"the privacy profile of training lowers the level {_from_to(facts.alpha, level)}"
    return StabilityFactor("profile", max(level, _SMALLEST_LEVEL), 0.0, reason)


def _from_to(alpha: float, level: float) -> str:
    return f"from {number_text(alpha)} to {number_text(level)}"


def _coupled(facts: StabilityFacts) -> StabilityFactor:
    if facts.movement is None:
        fallback = _whole_profile(facts)
        return dataclasses.replace(fallback, reason=f"the coupling condition does not hold, so {fallback.reason}")
    reason = f"one more row moves no prediction by more than {limit_text(facts.movement)} {facts.unit}".rstrip()
    return StabilityFactor("coupling", facts.alpha, 2 * facts.movement, reason)


def _cheapest(facts: StabilityFacts) -> StabilityFactor:
    options = (_coupled(facts), _whole_profile(facts))
    return min(options, key=lambda factor: predicted_cost(factor, facts))


def predicted_cost(factor: StabilityFactor, facts: StabilityFacts) -> float:
    """Return the relative widening to expect, from public quantities.

    Parameters
    ----------
    factor : StabilityFactor
        One that ``facts`` led to.
    facts : StabilityFacts

    Returns
    -------
    float
        0 for no cost; 0.1 for intervals that are a tenth wider.

    Notes
    -----
    The rule supposes half-normal scores whose standard deviation is the public ``score_spread``: the lower level
    costs a ratio of two normal quantiles, the widening costs itself over the threshold. Near the bound of the scores
    a widening costs more: little is left to tell apart.

    Examples
    --------
    >>> from dpcp_core.privacy.profile import GaussianProfile
    >>> facts = StabilityFacts(0.1, 1.0, 1e-5, GaussianProfile(0.268), movement=0.01, score_spread=1.0)
    >>> round(predicted_cost(_whole_profile(facts), facts), 3)
    0.141
    """
    wanted = -float(ndtri(facts.alpha / 2))
    aimed = -float(ndtri(factor.level / 2))
    room = max(1 - 2 * factor.widening / facts.score_bound, 1e-9)
    return aimed / wanted - 1 + factor.widening / (wanted * facts.score_spread) / room


def profile_cost(mu: float, alpha: float) -> float:
    """Return the relative widening that the privacy profile of mu-GDP training costs, for half-normal scores.

    >>> round(profile_cost(0.177, 0.1), 2)
    0.09
    """
    aimed = max(stable_level(GaussianProfile(mu), alpha), _SMALLEST_LEVEL) if mu < math.inf else _SMALLEST_LEVEL
    return float(ndtri(aimed / 2) / ndtri(alpha / 2)) - 1


_FACTORS: Mapping[str, Callable[[StabilityFacts], StabilityFactor]] = {
    "split": _unseen_rows,
    "dp": _one_point,
    "profile": _whole_profile,
    "coupling": _coupled,
    "best": _cheapest,
    "none": _ignored,
}

STABILITIES = tuple(name for name in _FACTORS if name != "none")


def stability_factor(name: str, facts: StabilityFacts) -> StabilityFactor:
    """Return what the named way costs.

    Parameters
    ----------
    name : str
        ``split, dp, profile, coupling, best``, or ``none`` for methods that ignore the matter.
    facts : StabilityFacts
        Public facts only.

    Returns
    -------
    StabilityFactor

    Notes
    -----
    **Privacy.** Costs nothing: no fact is read off rows.

    **Guarantee.** With a quantile whose miss rate is at most ``level`` for exchangeable scores, the set
    ``{score <= threshold + widening}`` misses a new exchangeable row with probability at most ``alpha``, for
    every name but ``none``. See docs/guarantees.md, sections C and D.
    """
    return _FACTORS[name](facts)
