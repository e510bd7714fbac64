"""Noise in shares: the shares of all sites add up to two-sided geometric noise, and what it costs a certificate."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare

from dpcp_core.errors import InputError
from dpcp_core.privacy.noise_shares import mean_highest_walk_of_shares, noise_share
from dpcp_core.privacy.noisy_histogram import mean_highest_walk
from dpcp_core.privacy.whole_noise import whole_laplace


@pytest.mark.parametrize("sites", [1, 2, 5, 40])
def test_the_shares_of_all_sites_add_up_to_geometric_noise(sites: int) -> None:
    rng, epsilon, draws = np.random.default_rng(sites), 0.7, 40_000
    total = sum(noise_share(epsilon, sites, (draws,), rng) for _ in range(sites))
    q, steps = np.exp(-epsilon), np.arange(-6, 7)
    chances = (1 - q) / (1 + q) * q ** np.abs(steps)
    seen = np.array([np.sum(total == step) for step in steps])
    expected = np.append(chances, 1 - chances.sum()) * draws
    assert chisquare(np.append(seen, draws - seen.sum()), expected).pvalue > 1e-4


def test_the_shares_of_too_few_sites_do_not() -> None:
    rng, draws = np.random.default_rng(0), 40_000
    total = sum(noise_share(0.7, 5, (draws,), rng) for _ in range(4))
    q = np.exp(-0.7)
    assert np.mean(total == 0) > (1 - q) / (1 + q) + 0.02


def test_without_privacy_there_is_no_noise() -> None:
    assert not noise_share(float("inf"), 3, (50,), np.random.default_rng(0)).any()
    assert mean_highest_walk_of_shares(100, float("inf")) == 0.0


@pytest.mark.parametrize("bins", [2, 10, 60])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_the_mean_climb_is_that_of_simulated_walks(bins: int, epsilon: float) -> None:
    rng = np.random.default_rng(bins)
    walks = np.cumsum(whole_laplace(epsilon, (40_000, bins - 1), rng), axis=1)
    heights = np.maximum(walks.max(axis=1), 0.0)
    expected = mean_highest_walk_of_shares(bins, epsilon)
    assert abs(heights.mean() - expected) < 4 * heights.std() / 200
    assert expected <= mean_highest_walk(bins, epsilon)


def test_the_mean_climb_of_more_shares_than_needed_is_that_of_simulated_walks() -> None:
    rng = np.random.default_rng(1)
    steps = sum(noise_share(0.5, 2, (30_000, 20), rng) for _ in range(3))
    heights = np.maximum(np.cumsum(steps, axis=1).max(axis=1), 0.0)
    expected = mean_highest_walk_of_shares(21, 0.5, wholes=1.5)
    assert abs(heights.mean() - expected) < 4 * heights.std() / np.sqrt(30_000)


def test_many_terms_are_rounded_up_and_hardly_so() -> None:
    # As epsilon goes to 0 the noise, times epsilon, becomes Laplace noise.
    assert 1 <= mean_highest_walk_of_shares(20, 1e-3) / mean_highest_walk(20, 1e-3) < 1.002


@pytest.mark.parametrize(
    ("change", "words"),
    [({"epsilon": 0.0}, "epsilon"), ({"trusted": 0}, "trusted"), ({"rng": None}, "rng must be a numpy Generator")],
)
def test_what_makes_no_noise_is_refused(change: dict, words: str) -> None:
    wanted = {"epsilon": 1.0, "trusted": 2, "shape": (3,), "rng": np.random.default_rng(0)} | change
    with pytest.raises(InputError, match=words):
        noise_share(**wanted)
