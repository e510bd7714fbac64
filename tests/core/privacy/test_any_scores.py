"""What the private quantile promises, for scores and grids as awkward as floats allow.

Subnormal numbers, the largest float, infinity, all scores equal, scores on an edge or one float beside it, one row.
"""

from __future__ import annotations

import math

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpcp_core.errors import InputError
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.losses import GUARANTEES, LOSSES
from dpcp_core.privacy.quantile import private_quantile, quantile_distribution
from dpcp_core.privacy.quantile_mechanisms import QUANTILES
from dpcp_core.privacy.quantile_task import QuantileTask
from dpcp_core.privacy.randomness import simulation_generator

AWKWARD = [0.0, 5e-324, 2.2e-308, 1e-30, 1e-16, 1.0, 1e16, 1e30, 1.7976931348623157e308]

lengths = st.floats(0, 1e308) | st.sampled_from(AWKWARD)
epsilons = st.floats(1e-3, 1e3) | st.sampled_from([1e-6, 1e6])
miss_rates = st.floats(1e-3, 0.999)
losses, guarantees = st.sampled_from(sorted(LOSSES)), st.sampled_from(GUARANTEES)


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    positive, bins = lengths.filter(lambda length: length > 0), draw(st.integers(1, 12))
    try:
        if draw(st.booleans()):
            return Grid(np.array(sorted(draw(st.lists(positive, min_size=1, max_size=12, unique=True)))))
        largest = draw(positive)
        return draw(st.sampled_from([
            lambda: Grid.uniform(largest=largest, bins=bins),
            lambda: Grid.geometric(smallest=largest * 1e-3, largest=largest, bins=bins),
        ]))()  # fmt: skip
    except InputError:
        assume(False)
        raise


@st.composite
def tables(draw: st.DrawFn) -> tuple[Grid, np.ndarray]:
    """Return a grid and scores, of which some lie on its edges or one float beside them."""
    grid = draw(grids())
    edges = grid.edges.tolist()
    near = st.sampled_from(edges + [math.nextafter(e, 0) for e in edges] + [math.nextafter(e, math.inf) for e in edges])
    score = near | lengths | st.just(math.inf)
    scores = [draw(score)] * draw(st.integers(1, 30)) if draw(st.booleans()) else draw(st.lists(score, min_size=1))
    return grid, np.array(scores)


@settings(max_examples=60)
@given(tables(), epsilons, miss_rates, losses, guarantees, st.integers(0, 3))
def test_any_row_can_be_emptied_without_a_trace_beyond_epsilon(
    table: tuple[Grid, np.ndarray], epsilon: float, miss_rate: float, loss: str, guarantee: str, empty: int
) -> None:
    grid, scores = table

    def logs(present: np.ndarray) -> np.ndarray:
        spread = quantile_distribution(
            present, grid, epsilon=epsilon, miss_rate=miss_rate, loss=loss, guarantee=guarantee, n=len(scores) + empty
        )
        return spread.log_probabilities

    whole = logs(scores)
    assert math.isclose(np.exp(whole).sum(), 1, rel_tol=1e-9)
    for row in range(min(len(scores), 4)):
        without = logs(np.delete(scores, row))
        possible = np.isfinite(whole)
        assert (possible == np.isfinite(without)).all()
        assert np.abs(whole[possible] - without[possible]).max() <= epsilon * (1 + 1e-9) + 1e-9


@settings(max_examples=50)
@given(tables(), epsilons, miss_rates, miss_rates, losses, guarantees)
def test_who_allows_more_misses_never_gets_a_higher_threshold(
    table: tuple[Grid, np.ndarray], epsilon: float, one: float, other: float, loss: str, guarantee: str
) -> None:
    """Not on average only: the chance of a threshold up to any edge never falls."""
    grid, scores = table
    strict, lax = (
        np.cumsum(
            quantile_distribution(
                scores, grid, epsilon=epsilon, miss_rate=rate, loss=loss, guarantee=guarantee
            ).probabilities
        )
        for rate in sorted((one, other))
    )
    assert (lax >= strict - 1e-9).all()


@settings(max_examples=60)
@given(tables(), epsilons, miss_rates, losses, guarantees, st.integers(0, 9))
def test_every_draw_is_an_edge_of_the_grid(
    table: tuple[Grid, np.ndarray], epsilon: float, miss_rate: float, loss: str, guarantee: str, seed: int
) -> None:
    grid, scores = table
    drawn = private_quantile(
        scores,
        grid,
        epsilon=epsilon,
        miss_rate=miss_rate,
        loss=loss,
        guarantee=guarantee,
        rng=simulation_generator(seed),
    )
    assert drawn in grid.edges
    for name, mechanism in QUANTILES.items():
        certified = "certified" if "certified" in mechanism.guarantees else mechanism.guarantees[0]
        task = QuantileTask(grid, len(scores), epsilon, miss_rate, "bracket", certified, 1e-5)
        columns = np.sort(np.column_stack([scores, scores]), axis=0)
        assert np.isin(mechanism.draw(columns, task, simulation_generator(seed)).thresholds, grid.edges).all(), name
