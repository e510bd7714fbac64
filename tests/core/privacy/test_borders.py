"""At the borders of what mechanisms take: no privacy asked for, nothing known, and lists that are none."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from dpcp_core.errors import InputError
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.order_statistics import draw_order_statistics, order_statistics_distribution
from dpcp_core.privacy.private_bounds import MAGNITUDES, one_step_wider, private_bounds
from dpcp_core.privacy.private_typical import private_typical
from dpcp_core.privacy.profile import GaussianProfile, NoPrivacyProfile, SubsampledGaussianProfile, noise_multiplier
from dpcp_core.privacy.quantile import private_quantile, quantile_distribution
from dpcp_core.privacy.quantile_task import QuantileTask, columns
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.privacy.steps_profile import steps_profile
from dpcp_core.privacy.subsampled import LEAST_SAMPLED_NOISE

GRID = Grid.uniform(largest=1, bins=4)
RNG = simulation_generator(0)
TASK = QuantileTask(GRID, n=2, epsilon=1.0, miss_rate=0.1)
SPREAD = quantile_distribution([[0.1, 0.2], [0.4, 0.6], [0.9, 0.3]], GRID, epsilon=1.0, miss_rate=0.9)
NO_LIST: dict[str, tuple[Callable[[], object], str]] = {
    "scores with a missing one": (
        lambda: order_statistics_distribution([0.1, math.nan], epsilon=1.0, miss_rate=0.1),
        "scores must not be missing (NaN); clean them first.",
    ),
    "no scores at all": (
        lambda: order_statistics_distribution([], epsilon=1.0, miss_rate=0.1),
        "scores must be a list of at least one number, or a table with a set per column.",
    ),
    "scores in three dimensions": (
        lambda: order_statistics_distribution(np.zeros((2, 2, 2)), epsilon=1.0, miss_rate=0.1),
        "scores must be a list of at least one number, or a table with a set per column.",
    ),
    "words for values": (
        lambda: private_bounds(["old", "young"], epsilon=1.0, rng=RNG),  # type: ignore[list-item]
        "values must be numbers; leave a cell empty (NaN) where there is none.",
    ),
    "a table of values": (
        lambda: private_bounds(np.zeros((2, 2)), epsilon=1.0, rng=RNG),
        "values has 2 dimensions but must be one list of numbers.",
    ),
    "bounds the wrong way round": (
        lambda: private_typical([1.0, 2.0], (5.0, 1.0), epsilon=1.0, rng=RNG),
        "bounds are (5, 1) but must be two finite numbers, the smaller one first.",
    ),
    "a bound that is none": (
        lambda: private_typical([1.0, 2.0], (0.0, math.inf), epsilon=1.0, rng=RNG),
        "bounds are (0, inf) but must be two finite numbers, the smaller one first.",
    ),
    "scores of a task in three dimensions": (
        lambda: columns(np.zeros((2, 2, 2)), TASK), "scores must have one dimension, or two with a set per column.",
    ),
    "more scores than a task has rows": (
        lambda: columns([0.1, 0.2, 0.3], TASK), "n is 2 but there are 3 scores; n counts every row, empty ones too.",
    ),
    "many draws of several sets": (
        lambda: SPREAD.sample(RNG, size=3), "size must be left out where there are several sets of scores.",
    ),
    "more scores than rows": (
        lambda: quantile_distribution([0.1, 0.2, 0.3], GRID, epsilon=1.0, miss_rate=0.1, n=2),
        "n is 2 but there are 3 scores; n counts every row, empty ones too.",
    ),
    "one threshold of several sets": (
        lambda: private_quantile([[0.1], [0.2]], GRID, epsilon=1.0, miss_rate=0.1, rng=RNG),
        "scores must be one list of numbers to draw one threshold.",
    ),
    "steps that no noise can hide": (
        lambda: noise_multiplier(1e-3, 1e-9, 10**10, 0.5),
        "epsilon = 0.001 over 10000000000 steps asks for more noise than can be accounted for; raise epsilon or take "
        "fewer steps.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_LIST)
def test_what_no_mechanism_can_take_is_one_sentence(name: str) -> None:
    make, said = NO_LIST[name]
    with pytest.raises(InputError) as caught:
        make()
    assert str(caught.value) == said


def test_steps_are_known_as_well_as_their_noise_lets_them() -> None:
    assert steps_profile(0.0, steps=4, sampling_rate=0.1) == NoPrivacyProfile()
    assert steps_profile(2.0, steps=4, sampling_rate=0.1) == SubsampledGaussianProfile(2.0, 0.1, 4)
    # Batches only ever hide more than all rows at once.
    little = LEAST_SAMPLED_NOISE / 2
    assert steps_profile(little, steps=4, sampling_rate=0.1) == GaussianProfile(2 / little)


def test_batches_without_a_limit_need_no_noise() -> None:
    assert noise_multiplier(math.inf, 1e-5, 10, 0.1) == 0.0


def test_a_delta_above_the_chance_to_be_drawn_at_all_needs_the_least_noise_that_is_counted() -> None:
    noise = noise_multiplier(1.0, 1e-2, 1, 1e-3)
    assert noise == LEAST_SAMPLED_NOISE
    assert SubsampledGaussianProfile(noise, 1e-3, 1).delta(1.0) <= 1e-2


def test_order_statistics_without_room_for_a_miss_take_the_largest_score() -> None:
    scores = np.array([[0.3, 5.0], [0.9, 1.0], [0.1, 3.0]])
    draw = draw_order_statistics(scores, RNG, epsilon=0.1, miss_rate=0.01, guarantee="certified")
    assert draw.target <= 0
    assert draw.thresholds.tolist() == [0.9, 5.0]
    assert not draw.certified


def test_a_bound_at_the_finest_step_ends_at_0_when_it_is_widened_towards_it() -> None:
    finest = float(MAGNITUDES[0])
    assert one_step_wider((finest, float(MAGNITUDES[1]))) == (0.0, float(MAGNITUDES[2]))
    assert one_step_wider((-float(MAGNITUDES[1]), -finest)) == (-float(MAGNITUDES[2]), 0.0)
