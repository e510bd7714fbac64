"""What attacks on trained models found, for people: what the promise allows, what was found, what it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.meaning import PrivacyBudget, in_100, tighter_sentence
from dpcp_core.presentation.wording.nouns import plural
from dpcp_core.training.registry import TRAINERS

if TYPE_CHECKING:
    from dpcp_core.evaluation.audit.estimates import PrivacyRisk
    from dpcp_core.experiments.membership import MembershipResult

FITTING = "Fitting models without privacy to compare with"


def member_sentences(result: MembershipResult, noun: str) -> tuple[str, ...]:
    """Say what the promise allows, from the whole privacy profile, and what attacks reached."""
    people, limit = plural(noun), (1 + result.largest_advantage) / 2
    more = tighter_sentence(limit, PrivacyBudget(result.epsilon, result.delta))
    return (
        f"Whoever guesses from the model whether a certain {noun} trained it is right at most "
        f"{in_100(limit, 'times')}; a coin is right 50 times. {more}".rstrip(),
        f"An attack that wrongly accuses 1 in 100 {people} finds at most {in_100(result.largest_tpr_at_1_percent)} of "
        f"those who trained. On this table it finds {_with_interval(result.likelihood.tpr_at_1_percent)}.",
        f"Without privacy, the same attack is right {_right(result.without_privacy.advantage)}; with it, "
        f"{_right(result.likelihood.advantage)}.",
    )


def member_curator(result: MembershipResult, noun: str) -> str:
    """Say what was measured, on how many, and that it is no release."""
    model = TRAINERS[result.trainer].title
    return (
        f"Measured on {say.whole(result.n_models)} models ({model}), each trained on a random half of "
        f"{say.whole(result.n_rows)} {plural(noun)} of this table, with noise from a seed: the curator's view. Half of "
        "the models are the attacker's own. Fewer rows than a real training has make the attack easier."
    )


def _with_interval(risk: PrivacyRisk) -> str:
    number, small, large = (say.fixed(100 * share, 1) for share in (risk.value, risk.low, risk.high))
    return f"{number} in 100 ({say.level(risk.confidence)} interval {small} to {large})"


def _right(advantage: PrivacyRisk) -> str:
    value, low, high = (50 * (1 + max(share, 0.0)) for share in (advantage.value, advantage.low, advantage.high))
    interval = f"{say.level(advantage.confidence)} interval {say.fixed(low, 1)} to {say.fixed(high, 1)}"
    return f"{say.fixed(value, 1)} times in 100 ({interval})"
