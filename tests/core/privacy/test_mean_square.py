from __future__ import annotations

import math

import numpy as np
import pytest

from dpcp_core.privacy.mean_square import MeanSquarePlan, noisy_mean_square
from dpcp_core.privacy.randomness import simulation_generator

RNG = simulation_generator(0)


def test_a_row_moves_the_sum_by_no_more_than_planned_even_among_a_million_short_floats():
    values = np.abs(RNG.normal(0, 1, 1_000_000)).astype(np.float32)
    plan = MeanSquarePlan(3.0, len(values), noise=0.0)
    with_it = noisy_mean_square(values, plan, RNG) * plan.n_rows
    values[0], before = 0.0, float(values[0])
    moved = with_it - noisy_mean_square(values, plan, RNG) * plan.n_rows
    assert moved == pytest.approx(min(before, 3.0) ** 2, abs=1e-6)


@pytest.mark.parametrize("wild", [math.nan, math.inf, -math.inf, 1e30])
def test_what_is_no_number_counts_as_the_limit_and_takes_nothing_else_with_it(wild):
    plan = MeanSquarePlan(3.0, 4, noise=0.0)
    assert noisy_mean_square(np.array([wild, 1.0, 1.0, 1.0]), plan, RNG) == pytest.approx((9 + 3) / 4)


def test_noise_is_what_the_plan_says_and_low_bits_are_gone():
    plan = MeanSquarePlan.of(3.0, 1000, mu=0.5)
    drawn = np.array([noisy_mean_square(np.full(1000, 1.0), plan, RNG) for _ in range(4000)]) * plan.n_rows
    assert drawn.std() == pytest.approx(9 / 0.5, rel=0.05)
    step = 2.0 ** (math.frexp(plan.noise)[1] - 20)
    steps = drawn / step
    assert np.abs(steps - np.rint(steps)).max() < 1e-6
