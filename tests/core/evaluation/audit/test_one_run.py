"""The bound of one run: against the paper, against every mechanism there can be, against guesses that prove nothing."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import binom

from dpcp_core.errors import InputError
from dpcp_core.evaluation.audit.one_run import one_run_audit, one_run_lower_bound, one_run_p_value

# Steinke, Nasr and Jagielski (2023), arXiv 2305.08846: appendix D (pages 45 and 46) and figure 11 (page 28).
PUBLISHED = [
    # right guesses, guesses, delta, canaries, epsilon
    (75, 100, 0.0, 100, 0.702),
    (75, 100, 1e-4, 100, 0.699),
    (75, 100, 1e-4, 1000, 0.673),
    (1439, 1510, 1e-5, 100_000, 2.675),
]


@pytest.mark.parametrize("published", PUBLISHED)
def test_the_bound_is_the_published_one(published: tuple[int, int, float, int, float]) -> None:
    *counts, epsilon = published
    # One unit of the last digit, as the paper rounds some numbers and cuts others.
    assert one_run_lower_bound(*counts) == pytest.approx(epsilon, abs=1e-3)


def test_guesses_that_are_all_right_give_the_closed_form() -> None:
    assert one_run_lower_bound(16, 16, 0.0, 16) == pytest.approx(-math.log(0.05 ** (-1 / 16) - 1), abs=1e-9)


def hits(coins: tuple[int, ...], guess: tuple[int, ...]) -> int:
    """Return how many guesses are right; -1 abstains."""
    return sum(coin == said for coin, said in zip(coins, guess, strict=True))


def largest_chance(n_canaries: int, n_guesses: int, enough: int, epsilon: float, delta: float) -> float:
    """Return the largest chance of ``enough`` right guesses, over all (epsilon, delta)-private mechanisms there are.

    A mechanism is a chance of every vector of guesses for every vector of coins. What it must keep to at two vectors
    that differ in one coin is linear in these, with what one chance has over the other as further unknowns.
    """
    coins = list(itertools.product((0, 1), repeat=n_canaries))
    guesses = [g for g in itertools.product((-1, 0, 1), repeat=n_canaries) if n_canaries - g.count(-1) == n_guesses]
    n, k = len(coins), len(guesses)
    pairs = [(a, b) for a in range(n) for b in range(n) if hits(coins[a], coins[b]) == n_canaries - 1]
    gain = np.zeros(n * k + len(pairs) * k)
    gain[: n * k] = [-(hits(c, g) >= enough) / n for c in coins for g in guesses]
    above, limits = [], []
    for number, (a, b) in enumerate(pairs):
        over = n * k + number * k
        lines = np.zeros((k + 1, len(gain)))
        for guess in range(k):
            lines[guess, [a * k + guess, b * k + guess, over + guess]] = 1, -math.exp(epsilon), -1
        lines[k, over : over + k] = 1
        above.append(lines)
        limits += [0.0] * k + [delta]
    whole = np.kron(np.eye(n), np.ones(k))
    whole = np.hstack([whole, np.zeros((n, len(gain) - n * k))])
    return -float(linprog(gain, np.vstack(above), limits, whole, np.ones(n), bounds=(0, 1)).fun)


def largest_chance_without_abstaining(m: int, enough: int, epsilon: float, delta: float) -> float:
    """Return the same for guesses about all ``m`` rows.

    The worst mechanism may be taken to treat all rows and both answers alike, as the average over all ways to rename
    them is as good and as private: the chance of a vector of guesses then depends on its wrong ones alone.
    """
    gain = np.zeros(3 * m + 1)
    gain[: m - enough + 1] = -1
    wrong, limits = np.arange(m), np.r_[np.zeros(2 * m), delta, delta]
    lines = np.zeros((2 * m + 2, 3 * m + 1))
    # Of all vectors with k wrong guesses a share of k / m is wrong about the row in which the tables differ.
    lines[wrong, wrong], lines[wrong, wrong + 1] = (m - wrong) / m, -math.exp(epsilon) * (wrong + 1) / m
    lines[m + wrong, wrong + 1], lines[m + wrong, wrong] = (wrong + 1) / m, -math.exp(epsilon) * (m - wrong) / m
    lines[np.arange(2 * m), m + 1 + np.arange(2 * m)] = -1
    lines[2 * m, m + 1 : 2 * m + 1] = lines[2 * m + 1, 2 * m + 1 :] = 1
    whole = np.r_[np.ones(m + 1), np.zeros(2 * m)][None]
    return -float(linprog(gain, lines, limits, whole, [1.0], bounds=(0, None)).fun)


@pytest.mark.parametrize(("canaries", "enough"), [(1, 1), (2, 1), (2, 2), (3, 3)])
def test_both_ways_to_find_the_best_mechanism_agree(canaries: int, enough: int) -> None:
    every = largest_chance(canaries, canaries, enough, 0.7, 0.05)
    assert every == pytest.approx(largest_chance_without_abstaining(canaries, enough, 0.7, 0.05), abs=1e-9)


@pytest.mark.parametrize("delta", [0.0, 1e-3, 0.05])
@pytest.mark.parametrize("epsilon", [0.0, 0.7, 2.0])
@pytest.mark.parametrize("canaries", [1, 2, 3, 8, 40])
def test_no_private_mechanism_guesses_better_than_the_bound(canaries: int, epsilon: float, delta: float) -> None:
    for enough in range(1, canaries + 1, max(1, canaries // 10)):
        best = largest_chance_without_abstaining(canaries, enough, epsilon, delta)
        bound = one_run_p_value(enough, canaries, epsilon, delta, canaries)
        assert best <= bound + 1e-7
        if delta == 0 and bound < 1:
            assert best == pytest.approx(bound)  # randomised response reaches it


@pytest.mark.parametrize("guesses", [1, 2])
def test_nor_does_one_that_abstains(guesses: int) -> None:
    best = largest_chance(3, guesses, guesses, 0.7, 0.05)
    assert best <= one_run_p_value(guesses, guesses, 0.7, 0.05, 3) + 1e-7


def test_without_the_correction_for_delta_the_bound_would_be_wrong() -> None:
    best = largest_chance_without_abstaining(3, 3, 0.7, 0.1)
    assert best > binom.sf(2, 3, 1 / (1 + math.exp(-0.7))) + 0.01


def test_randomised_response_is_refuted_no_more_often_than_stated() -> None:
    rng, epsilon, wrong = np.random.default_rng(0), 1.0, 0
    for _ in range(150):
        was_in = rng.random(300) < 0.5
        kept = rng.random(300) < 1 / (1 + math.exp(-epsilon))
        scores = np.where(kept, was_in, ~was_in) + 0.01 * rng.random(300)
        found = one_run_audit(scores, was_in, 1e-6)
        wrong += found.epsilon > epsilon
    assert wrong <= binom.ppf(0.999, 150, 0.05)


def test_a_mechanism_that_says_more_than_it_claims_is_found_out() -> None:
    rng = np.random.default_rng(1)
    was_in = rng.random(1000) < 0.5
    told = was_in - 0.5 + 0.6 * rng.standard_normal(1000)
    assert one_run_audit(told, was_in, 1e-5).epsilon > 1.5
    assert one_run_audit(rng.standard_normal(1000), was_in, 1e-5).epsilon == 0


def test_more_abstentions_make_the_correction_for_delta_dearer() -> None:
    bounds = [one_run_lower_bound(75, 100, 1e-4, canaries) for canaries in (100, 1000, 10_000)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] < bounds[0] - 0.1


def test_numbers_that_cannot_be_are_refused() -> None:
    with pytest.raises(InputError, match=r"^n_correct is 101"):
        one_run_p_value(101, 100, 1.0, 0.0, 100)
    with pytest.raises(InputError, match=r"^n_guesses is 200"):
        one_run_p_value(10, 200, 1.0, 0.0, 100)
    with pytest.raises(InputError, match=r"^scores has shape \(3,\)"):
        one_run_audit(np.zeros(3), np.zeros(4, dtype=bool), 0.0)
