"""What a privacy promise leaves an attacker, in sentences with people in them.

>>> in_100(attack_limits(PrivacyBudget(1.0, 1e-5)).chance_right(), "times")
'73.2 times in 100'
"""

from __future__ import annotations

from dpcp_core._words import rounded_up
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.privacy.meaning import PrivacyBudget, attack_limits

__all__ = [
    "WORST_CASE",
    "PrivacyBudget",
    "attack_limits",
    "in_100",
    "tighter_sentence",
]

WORST_CASE = (
    "These are limits, not forecasts: they hold for an attacker who knows everybody else's row, the method and its "
    "noise. They are about being in the data, not about what the result teaches of everybody."
)
"""What a limit on attacks is about."""


def in_100(chance: float, noun: str = "") -> str:
    """Write a limit of a chance as so many in 100: rounded up, and 100 only where there is no limit.

    >>> in_100(0.73107, "times"), in_100(0.5), in_100(1.0), in_100(0.99995), in_100(0.0204)
    ('73.2 times in 100', '50 in 100', '100 in 100', '99.995 in 100', '2.1 in 100')
    """
    value, of = 100 * chance, f"{noun} in 100".lstrip()
    if chance >= 1:
        return f"100 {of}"
    # A limit near 100 needs more digits, or it would read as certainty.
    places = max(1, say.decimals(100 - value, 1))
    text = say.fixed(min(rounded_up(value, places), 100 - 10.0**-places), places)
    return f"{text.rstrip('0').rstrip('.')} {of}"


def tighter_sentence(right: float, budget: PrivacyBudget) -> str:
    """Say what the whole privacy profile adds to its epsilon; "" where that is next to nothing.

    Parameters
    ----------
    right : float
        How often the best guess can be right, by the whole profile.
    budget : PrivacyBudget
        One point of the profile.

    >>> from dpcp_core.privacy.profile import GaussianProfile, gaussian_mu
    >>> profile = GaussianProfile(gaussian_mu(1.0, 1e-5))
    >>> tighter_sentence(attack_limits(profile).chance_right(), PrivacyBudget(1.0, 1e-5))
    'From ε = 1 alone it would be 73.2 in 100; the method promises more than that.'
    """
    alone = attack_limits(budget).chance_right()
    if right > alone - 5e-4:
        return ""
    words = f"From ε = {say.short(budget.epsilon)} alone it would be {in_100(alone)}"
    return f"{words}; the method promises more than that."
