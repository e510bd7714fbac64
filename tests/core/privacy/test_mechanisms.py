from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.stats import chisquare

from dpcp_core.errors import InputError
from dpcp_core.privacy import mechanisms
from dpcp_core.privacy.mechanisms import draw_edges, exponential_log_probabilities
from dpcp_core.privacy.randomness import release_generator, simulation_generator

utilities = arrays.arrays(np.float64, st.integers(1, 30), elements=st.floats(-1e6, 0))


@given(utilities, st.floats(1e-3, 1e3), st.floats(1, 1e4))
def test_probabilities_are_normalised_and_follow_the_utility(
    utility: np.ndarray, epsilon: float, sensitivity: float
) -> None:
    logs = exponential_log_probabilities(utility, sensitivity, epsilon)
    assert np.exp(logs).sum() == pytest.approx(1, rel=1e-9)
    best = utility.argmax()
    assert np.allclose(logs - logs[best], epsilon * (utility - utility[best]) / (2 * sensitivity), rtol=1e-9, atol=1e-9)


def test_probabilities_below_the_smallest_float_keep_their_logarithm() -> None:
    logs = exponential_log_probabilities(np.array([0.0, -1e6]), 1.0, 10.0)
    assert logs.tolist() == [0.0, -5e6]


def test_infinite_epsilon_picks_evenly_among_the_best() -> None:
    logs = exponential_log_probabilities(np.array([[-1.0, 0.0, 0.0], [0.0, -1.0, -2.0]]), 1.0, math.inf)
    assert np.exp(logs).tolist() == [[0, 0.5, 0.5], [1, 0, 0]]


@pytest.mark.parametrize("rng", [simulation_generator(3), release_generator()], ids=["simulation", "release"])
def test_draws_follow_the_distribution(rng: np.random.Generator) -> None:
    logs = exponential_log_probabilities(np.array([-3.0, -1.0, 0.0, -0.5, -60.0]), 1.0, 1.5)
    edges = np.arange(1.0, 6.0)
    draws = draw_edges(np.broadcast_to(logs, (200_000, 5)), edges, rng)
    counts = np.array([(draws == edge).sum() for edge in edges])
    assert counts[-1] == 0
    assert chisquare(counts[:-1], np.exp(logs[:-1]) / np.exp(logs[:-1]).sum() * 200_000).pvalue > 1e-6


def test_each_row_draws_for_itself_also_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mechanisms, "_DRAWN_AT_ONCE", 8)
    logs = np.full((11, 3), -np.inf)
    wanted = np.arange(11) % 3
    logs[np.arange(11), wanted] = 0.0
    assert draw_edges(logs, np.array([1.0, 2.0, 3.0]), simulation_generator(0)).tolist() == (wanted + 1.0).tolist()


def test_a_seed_in_place_of_a_generator_is_refused() -> None:
    with pytest.raises(InputError, match="rng"):
        draw_edges(np.zeros((1, 2)), np.array([1.0, 2.0]), 0)  # type: ignore[arg-type]
