"""Sentences about what a promise leaves an attacker: rounded to the safe side, and never read as certainty."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dpcp_core.presentation.wording.meaning import PrivacyBudget, attack_limits, in_100, tighter_sentence
from dpcp_core.privacy.profile import GaussianProfile, gaussian_mu


@settings(max_examples=50)
@given(st.floats(0.0, 1 - 1e-9))
def test_a_limit_is_rounded_up_and_never_reads_as_certainty(chance: float) -> None:
    written = float(in_100(chance).removesuffix(" in 100"))
    assert 100 * chance - 1e-6 <= written < 100


def test_the_whole_profile_is_said_to_promise_more_only_where_it_does() -> None:
    point, profile = PrivacyBudget(1.0, 1e-5), GaussianProfile(gaussian_mu(1.0, 1e-5))
    assert "promises more" in tighter_sentence(attack_limits(profile).chance_right(), point)
    assert tighter_sentence(attack_limits(point).chance_right(), point) == ""
