from __future__ import annotations

import re
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import dpcp_core
from dpcp_core.privacy.float_cost import GUMBEL_REACH, gumbel_delta, rounding_of_a_sum, sampling_error
from dpcp_core.privacy.mechanisms import draw_edges, exponential_log_probabilities
from dpcp_core.privacy.randomness import release_generator, simulation_generator


class Dealt(np.random.Generator):
    """Gives the Gumbel numbers of these uniform numbers, in place of random ones."""

    def __init__(self, uniforms: object) -> None:
        super().__init__(np.random.PCG64(0))
        self.left = -np.log(-np.log(np.asarray(uniforms)))

    def gumbel(self, *, size: tuple[int, int]) -> np.ndarray:  # type: ignore[override]
        dealt, self.left = self.left[: size[0]], self.left[size[0] :]
        return dealt


def every_uniform(bits: int, edges: int) -> Dealt:
    """Return all combinations of uniform numbers of a few bits, each once."""
    return Dealt(list(product(np.arange(1, 2**bits) / 2**bits, repeat=edges)))


def exact_probabilities(utility: list[int], epsilon: Fraction) -> list[Decimal]:
    """Return the exponential mechanism's probabilities to 60 digits."""
    with localcontext(prec=60):
        rate = Decimal(epsilon.numerator) / Decimal(epsilon.denominator) / 2
        weights = [(rate * (each - max(utility))).exp() for each in utility]
        return [weight / sum(weights) for weight in weights]


def test_numpys_gumbel_number_is_the_double_logarithm_of_a_uniform_of_53_bits() -> None:
    uniform = 1 - simulation_generator(5).random(200_000)
    drawn = simulation_generator(5).gumbel(size=200_000)
    # Processors differ in the last bit of a logarithm; another uniform number would be off by far more.
    np.testing.assert_allclose(drawn, -np.log(-np.log(uniform)), rtol=1e-15, atol=1e-15)
    assert np.array_equal(uniform * 2**53, np.rint(uniform * 2**53))


@pytest.mark.parametrize(
    ("utility", "bits"), [([0, -1], 9), ([0, -7], 9), ([0, -30], 9), ([0, 0, -2], 6), ([0, -1, -9], 6)]
)
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Fraction(3)])
def test_every_draw_from_a_coarse_grid_together_is_within_one_cell_an_edge_of_the_exact_mechanism(
    utility: list[int], bits: int, epsilon: Fraction
) -> None:
    exact, edges = exact_probabilities(utility, epsilon), len(utility)
    logs = exponential_log_probabilities(np.array(utility, dtype=float), 1.0, float(epsilon))
    draws = (2**bits - 1) ** edges
    drawn = draw_edges(np.broadcast_to(logs, (draws, edges)), np.arange(edges, dtype=float), every_uniform(bits, edges))
    counts = np.bincount(drawn.astype(int), minlength=edges)
    gaps = [abs(Fraction(int(count), draws) - Fraction(share)) for count, share in zip(counts, exact, strict=True)]
    assert sum(gaps) / 2 <= Fraction(edges, 2**bits - 1)


@pytest.mark.parametrize("epsilon", [Fraction(1, 100), Fraction(1), Fraction(10)])
def test_probabilities_of_a_thousand_edges_are_exact_but_for_the_stated_rounding(epsilon: Fraction) -> None:
    utility = [-abs(place - 400) for place in range(1000)]
    logs = exponential_log_probabilities(np.array(utility, dtype=float), 1.0, float(epsilon))
    with localcontext(prec=60):
        errors = [
            abs(Decimal(float(log)) - share.ln())
            for log, share in zip(logs, exact_probabilities(utility, epsilon), strict=True)
            if log > -GUMBEL_REACH - np.log(1000)
        ]
    assert len(errors) > 10
    assert max(errors) < rounding_of_a_sum(1000)


def test_an_edge_beyond_the_reach_is_never_drawn_and_one_within_it_can_be() -> None:
    best_luck = [[2.0**-53, 1 - 2.0**-53]]
    for behind, drawn in ((GUMBEL_REACH - 1e-9, 1), (GUMBEL_REACH + 1e-9, 0)):
        assert draw_edges(np.array([[0.0, -behind]]), np.arange(2.0), Dealt(best_luck)) == drawn
    # What never comes is an event that pure epsilon does not allow; the stated delta is far larger than its chance.
    assert np.exp(-GUMBEL_REACH) < 3.1e-18 < gumbel_delta(2, 0.1)


def test_the_delta_grows_with_edges_and_epsilon_and_stays_far_below_any_delta_in_use() -> None:
    assert gumbel_delta(100, 1) < gumbel_delta(1000, 1) < gumbel_delta(1000, 10) < 1e-6
    assert sampling_error(1) >= 1 / 2**53
    assert gumbel_delta(10, np.inf) == 1.0


def test_no_noise_of_the_library_is_drawn_past_the_generator() -> None:
    other = re.compile(
        r"torch\.(randn|normal|rand)\b|\.normal_\(|\.(multivariate_normal|lognormal)\(|np\.random\.normal"
    )
    rooms = (Path(dpcp_core.__file__).parent / room for room in ("privacy", "training", "conformal", "synthesis"))
    found = [path.name for room in rooms for path in room.rglob("*.py") if other.search(path.read_text("utf-8"))]
    assert found == []


def test_a_thousand_edges_are_drawn_by_a_release_as_by_a_simulation() -> None:
    logs = exponential_log_probabilities(-np.abs(np.arange(1000.0) - 400), 1.0, 1.0)
    drawn = draw_edges(np.broadcast_to(logs, (4_000, 1000)), np.arange(1000.0), release_generator())
    # Two-sided geometric around 400 with rate 1/2: variance 7.8.
    assert abs(drawn.mean() - 400) < 6 * np.sqrt(7.84 / 4_000)
    assert drawn.var() == pytest.approx(7.84, rel=0.25)
