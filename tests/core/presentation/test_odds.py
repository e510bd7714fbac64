from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.odds import delta_sentence, moved, odds_sentence, posterior, times


@given(st.floats(0.01, 15), st.floats(0.001, 0.999))
def test_posterior_odds_are_prior_odds_times_e_to_the_epsilon(epsilon: float, prior: float) -> None:
    chance = posterior(epsilon, prior)
    assert math.log(chance / (1 - chance)) == pytest.approx(math.log(prior / (1 - prior)) + epsilon, abs=1e-3)


@given(st.sampled_from([0.2, 0.5, 1.0, 3.0]), st.floats(0.05, 0.95), st.integers(0, 999))
def test_no_epsilon_private_answer_moves_a_guess_further(epsilon: float, prior: float, seed: int) -> None:
    # Randomised response is epsilon-private and reaches the bound; any coarser answer stays below it.
    truth_told = math.exp(epsilon) / (1 + math.exp(epsilon))
    share = truth_told - (seed / 1000) * (truth_told - 0.5)
    moved_to = prior * share / (prior * share + (1 - prior) * (1 - share))
    assert moved_to <= posterior(epsilon, prior) + 1e-12


@pytest.mark.parametrize(
    ("epsilon", "from_half", "from_one"),
    [
        (0.1, "52.5 in 100", "1.2 in 100"),
        (0.5, "62.3 in 100", "1.7 in 100"),
        (1.0, "73.2 in 100", "2.7 in 100"),
        (2.0, "88.1 in 100", "7 in 100"),
        (5.0, "99.4 in 100", "60 in 100"),
        (10.0, "99.996 in 100", "99.6 in 100"),
    ],
)
def test_chances_are_written_with_sensible_digits(epsilon: float, from_half: str, from_one: str) -> None:
    assert moved(epsilon) == from_half
    assert moved(epsilon, prior=0.01) == from_one


@given(st.floats(0.01, 25))
def test_a_bound_never_reads_as_certainty(epsilon: float) -> None:
    assert not moved(epsilon).startswith("100 ")


def test_without_a_bound_nothing_is_promised() -> None:
    assert odds_sentence(math.inf, "patient").startswith("Nothing limits")
    assert moved(math.inf) == "100 in 100"
    assert times(math.inf) == "without limit"


def test_the_sentence_names_the_worst_case_and_its_condition() -> None:
    sentence = odds_sentence(1.0, "patient")
    assert "50 in 100" in sentence
    assert "knows nothing else about the person" in sentence
    assert "at most 73.2 in 100" in sentence


def test_delta_is_compared_with_the_number_of_rows() -> None:
    fine = delta_sentence(1e-5, 4000, "patient")
    assert f"1 in 100{say.THOUSANDS}000" in fine
    assert f"1 in 4{say.THOUSANDS}000" in fine
    assert "choose a smaller" not in fine
    assert "choose a smaller" in delta_sentence(1e-3, 4000, "patient")


@pytest.mark.parametrize("epsilon", [1e-4, 1e-3, 1.5e-3])
def test_a_tiny_budget_is_never_written_as_no_change(epsilon: float) -> None:
    shown = float(moved(epsilon).removesuffix(" in 100"))
    assert 50 < 100 * posterior(epsilon) <= shown <= 50.1
