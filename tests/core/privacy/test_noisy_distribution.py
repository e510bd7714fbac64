"""One noisy histogram: what its noise is, that its shares are shares, what one row can do to it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcp_core.errors import InputError
from dpcp_core.privacy.noisy_distribution import histogram_entry, noisy_shares, typical_shift
from dpcp_core.privacy.randomness import simulation_generator


def test_the_noise_has_the_spread_that_epsilon_wants():
    # Of two large bins, half the difference of their noises is left: half the variance of one of them.
    epsilon, n, rng = 0.5, 2_000_000, simulation_generator(1)
    moved = [n * (noisy_shares([n // 2, n // 2], n, epsilon, rng)[0] - 0.5) for _ in range(6000)]
    wanted = math.exp(-epsilon) / (1 - math.exp(-epsilon)) ** 2
    assert np.var(moved) == pytest.approx(wanted, rel=0.1)


def test_every_bin_gets_noise_of_its_own():
    n = 1_000_000
    shares = noisy_shares([n // 10] * 10, n, 0.1, simulation_generator(2))
    assert len(np.unique(shares)) > 7


@pytest.mark.parametrize("epsilon", [0.001, 0.1, 1.0, math.inf])
def test_whatever_the_noise_shares_are_shares(epsilon):
    shares = noisy_shares([0, 3, 50, 0, 0, 1], 60, epsilon, simulation_generator(3))
    assert shares.min() >= 0
    assert shares.sum() == pytest.approx(1)


def test_without_noise_the_shares_are_those_of_the_rows():
    assert noisy_shares([10, 30, 60], 100, math.inf, simulation_generator(0)).tolist() == pytest.approx([0.1, 0.3, 0.6])


def test_the_shift_that_is_told_is_about_the_shift_there_is():
    rng, bins, n, epsilon = simulation_generator(4), 32, 100_000, 0.2
    halves = [noisy_shares([n // bins] * bins, n, epsilon, rng)[: bins // 2].sum() for _ in range(400)]
    # The sum of all is known, which takes half of the variance away.
    assert np.std(halves) == pytest.approx(typical_shift(bins, n, epsilon) / math.sqrt(2), rel=0.15)


def test_the_line_on_the_receipt_tells_cost_and_noise():
    entry = histogram_entry("signed scores", 33, 400, 0.5)
    assert (entry.epsilon, entry.delta) == (0.5, 0.0)
    assert f"{math.sqrt(2) / 0.5:.2f} rows on each of 33" in entry.detail
    assert not histogram_entry("signed scores", 33, 400, math.inf).cost.is_finite


def test_no_bins_are_refused():
    with pytest.raises(InputError, match="at least one bin"):
        noisy_shares([], 10, 1.0, simulation_generator(0))
