"""PLD, PRV and RDP side by side: two agree, the third is larger, all are bounds."""

from __future__ import annotations

import pytest

from dpcp_core.errors import InputError
from dpcp_core.privacy.accountants import accountant_comparison
from dpcp_core.privacy.gaussian import gaussian_epsilon
from dpcp_core.privacy.profile import SubsampledGaussianProfile, noise_multiplier

RUNS = [(1.1, 0.02, 100, 1e-5), (4.0, 0.3, 60, 1e-5), (30.0, 0.1, 10, 1e-6)]


@pytest.mark.parametrize("run", RUNS)
def test_two_numerical_accountants_agree_and_the_renyi_one_says_more(run: tuple[float, float, int, float]) -> None:
    found = accountant_comparison(*run)
    assert list(found) == ["PLD", "PRV", "RDP"]
    # PRV adds the error it states: half a percent, at least 0.001, once on either side.
    assert abs(found["PRV"] - found["PLD"]) <= max(0.015 * found["PLD"], 0.003)
    assert 1.02 * found["PLD"] < found["RDP"] < 1.6 * found["PLD"]


@pytest.mark.parametrize("accountant", ["PLD", "PRV", "RDP"])
def test_none_says_less_than_the_truth_where_that_has_a_closed_form(accountant: str) -> None:
    truth = gaussian_epsilon(10 / 20, 1e-5)
    assert truth * (1 - 1e-6) <= accountant_comparison(20.0, 1.0, 100, 1e-5)[accountant] < 1.15 * truth


def test_noise_that_was_chosen_for_an_epsilon_is_found_to_cost_that_by_pld() -> None:
    noise = noise_multiplier(2.0, 1e-5, steps=50, sampling_rate=0.05)
    assert accountant_comparison(noise, 0.05, 50, 1e-5)["PLD"] == pytest.approx(2.0, rel=0.005)


def test_pld_is_the_profile_that_everything_else_uses() -> None:
    expected = SubsampledGaussianProfile(4.0, 0.3, 60).epsilon(1e-5)
    assert accountant_comparison(4.0, 0.3, 60, 1e-5)["PLD"] == expected


@pytest.mark.parametrize(
    ("name", "run"),
    [
        ("noise_multiplier", (0.0, 0.1, 10, 1e-5)),
        ("sampling_rate", (1.0, 1.5, 10, 1e-5)),
        ("steps", (1.0, 0.1, 0, 1e-5)),
        ("delta", (1.0, 0.1, 10, 0.0)),
    ],
)
def test_a_number_out_of_range_is_named(name: str, run: tuple[float, float, int, float]) -> None:
    with pytest.raises(InputError, match=f"^{name} "):
        accountant_comparison(*run)
