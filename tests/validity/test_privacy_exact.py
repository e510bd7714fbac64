"""The private quantile's privacy, exactly: no emptied row changes any log-probability by more than epsilon.

The mechanism's distribution is known in closed form, so nothing is sampled. Neighbours are a table of ``n`` rows and
the same table with one row emptied; ``n`` is public and stays. A row that is replaced by another changes no more
either, unless a loss only lets utilities rise, and is tried as well. Random tables, tables with ties on and off the
edges, and tables found by a greedy search for the worst are tried, for every loss, guarantee and kind of grid.
The same check must fail for a mechanism that believes in half of its sensitivity.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.losses import GUARANTEES, LOSSES
from dpcp_core.privacy.mechanisms import exponential_log_probabilities
from dpcp_core.privacy.quantile import paper_target, quantile_distribution, quantile_distribution_from_counts
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.privacy.targets import target_count

pytestmark = pytest.mark.validity

LONG = os.environ.get("DPCP_VALIDITY") == "long"
ROUNDING = 1e-9

# Log-probabilities (..., M) from counts above and below, (..., M) each.
Mechanism = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Setting:
    """One quantile, all of it public."""

    n: int
    grid: Grid
    epsilon: float
    miss_rate: float
    loss: str
    guarantee: str

    def mechanism(self, above: np.ndarray, below: np.ndarray) -> np.ndarray:
        return quantile_distribution_from_counts(
            above,
            below,
            self.n,
            self.grid,
            epsilon=self.epsilon,
            miss_rate=self.miss_rate,
            loss=self.loss,
            guarantee=self.guarantee,
        ).log_probabilities

    def with_half_the_sensitivity(self, above: np.ndarray, below: np.ndarray) -> np.ndarray:
        target = target_count(self.guarantee, self.n, self.miss_rate, self.epsilon, self.grid.bins, self.loss)
        loss = LOSSES[self.loss].aiming_at(target, n=self.n, guarantee=self.guarantee)
        utility = loss.utility(above, below)
        return exponential_log_probabilities(utility, loss.sensitivity / 2, self.epsilon, loss.range_factor)

    @property
    def hides_replaced_rows(self) -> bool:
        """Whether one row replaced by another costs epsilon as well; with a range factor of 1 it costs twice that."""
        return LOSSES[self.loss].range_factor >= 2


def make_grid(kind: str, bins: int) -> Grid:
    if kind == "uniform":
        return Grid.uniform(largest=1.0, bins=bins)
    return Grid.geometric(smallest=0.01, largest=1.0, bins=bins)


def count(places: np.ndarray, bins: int) -> tuple[np.ndarray, np.ndarray]:
    """Count places, where ``2 j`` is on edge ``j`` and odd ones lie between; the last axis is rows of a table."""
    edges = 2 * np.arange(1, bins + 1)
    above = (places[..., None] > edges).sum(axis=-2)
    above[..., -1] = 0
    return above, (places[..., None] < edges).sum(axis=-2)


def largest_ratio(places: np.ndarray, bins: int, mechanism: Mechanism, replaced: bool = True) -> float:
    """Return the largest change of a log-probability when one row is emptied, or moved to either end of the scale."""
    above, below = count(places, bins)
    kinds = np.unique(places)[:, None]
    edges = 2 * np.arange(1, bins + 1)
    without = above - (kinds > edges), below - (kinds < edges)
    moved = [(without[0] + (end > edges), without[1] + (end < edges)) for end in (0, 2 * bins + 1) if replaced]
    fewer_above, fewer_below = (np.concatenate(parts) for parts in zip(without, *moved, strict=True))
    fewer_above[:, -1] = 0
    return float(np.abs(log_ratio(mechanism(above, below), mechanism(fewer_above, fewer_below))).max())


def log_ratio(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the difference of log-probabilities; what is impossible on both sides reveals nothing."""
    one, other = np.broadcast_arrays(one, other)
    return np.subtract(one, other, out=np.zeros(one.shape), where=np.isfinite(one) | np.isfinite(other))


def climb(setting: Setting, mechanism: Mechanism, steps: int, rng: np.random.Generator) -> float:
    """Return the largest ratio that moving one row at a time finds, from a random table."""
    bins, replaced = setting.grid.bins, setting.hides_replaced_rows
    places = rng.integers(0, 2 * bins + 1, setting.n)
    worst = largest_ratio(places, bins, mechanism, replaced)
    for _ in range(steps):
        tried = places.copy()
        rows = rng.integers(0, setting.n, rng.integers(1, 4))
        tried[rows] = rng.choice(places) if rng.random() < 0.5 else rng.integers(0, 2 * bins + 1)
        ratio = largest_ratio(tried, bins, mechanism, replaced)
        if ratio >= worst:
            places, worst = tried, ratio
    return worst


def settings_of(loss: str, guarantee: str) -> list[Setting]:
    numbers = [(12, 2, 5.0, 0.4), (20, 8, 1.5, 0.6), (40, 30, 0.7, 0.7), (60, 5, 3.0, 0.2)]
    return [
        Setting(n, make_grid(kind, bins), epsilon, rate, loss, guarantee)
        for (n, bins, epsilon, rate), kind in itertools.product(numbers, ("uniform", "geometric"))
    ]


every_quantile = pytest.mark.parametrize(("loss", "guarantee"), list(itertools.product(sorted(LOSSES), GUARANTEES)))


@every_quantile
def test_no_table_found_by_search_reveals_more_than_epsilon(loss: str, guarantee: str) -> None:
    rng = simulation_generator(0)
    for setting in settings_of(loss, guarantee):
        for _ in range(20 if LONG else 2):
            assert climb(setting, setting.mechanism, 400, rng) <= setting.epsilon + ROUNDING


@every_quantile
def test_the_search_catches_half_the_sensitivity(loss: str, guarantee: str) -> None:
    """The check of the test above must not pass for whatever is put into it."""
    rng = simulation_generator(0)
    caught = [
        climb(setting, setting.with_half_the_sensitivity, 400, rng) > setting.epsilon + ROUNDING
        for setting in settings_of(loss, guarantee)
    ]
    assert any(caught)


def test_the_bracket_loss_can_use_all_of_its_epsilon() -> None:
    """Hundreds of edges share the target count, and one row above them all is emptied: 98 % of epsilon."""
    n, bins = 100, 3000
    setting = Setting(n, Grid.uniform(largest=1.0, bins=bins), 0.5, 0.2, "bracket", "paper")
    assert paper_target(n, 0.2, 0.5) == pytest.approx(16)
    places = np.concatenate([np.full(n - 17, 1), [3], np.full(16, 2 * bins)])
    ratio = largest_ratio(places, bins, setting.mechanism)
    assert 0.98 * setting.epsilon < ratio <= setting.epsilon + ROUNDING


def test_the_papers_loss_spends_only_half_of_its_epsilon_on_an_emptied_row() -> None:
    """Emptying only raises its utilities; this margin is why half its sensitivity shows on replaced rows alone."""
    rng = simulation_generator(4)
    for setting in settings_of("paper", "paper"):
        bins = setting.grid.bins
        for _ in range(100):
            places = rng.integers(0, 2 * bins + 2, setting.n)
            ratios = log_ratio(setting.mechanism(*count(places, bins)), setting.mechanism(*count(places[1:], bins)))
            assert np.abs(ratios).max() <= setting.epsilon / 2 + ROUNDING


@settings(max_examples=3000 if LONG else 250, deadline=None)
@given(
    st.integers(1, 8).flatmap(
        lambda bins: st.tuples(
            st.just(bins), arrays.arrays(np.int64, st.integers(1, 40), elements=st.integers(0, 2 * bins + 1))
        )
    ),
    st.integers(0, 5),
    st.floats(0.01, 20),
    st.floats(0.02, 0.9),
    st.sampled_from(sorted(LOSSES)),
    st.sampled_from(GUARANTEES),
)
def test_no_table_at_all_reveals_more_than_epsilon(
    table: tuple[int, np.ndarray], empty: int, epsilon: float, rate: float, loss: str, guarantee: str
) -> None:
    bins, places = table
    setting = Setting(places.size + empty, make_grid("uniform", bins), epsilon, rate, loss, guarantee)
    ratio = largest_ratio(places, bins, setting.mechanism, setting.hides_replaced_rows)
    assert ratio <= epsilon * (1 + 1e-12) + ROUNDING


def neighbours(scores: np.ndarray, setting: Setting) -> float:
    """Return the largest log-ratio over all emptied rows, by the public function on real scores."""

    def logs(values: np.ndarray) -> np.ndarray:
        return quantile_distribution(
            values,
            setting.grid,
            epsilon=setting.epsilon,
            miss_rate=setting.miss_rate,
            loss=setting.loss,
            guarantee=setting.guarantee,
            n=setting.n,
        ).log_probabilities

    whole = logs(scores)
    return max(float(np.abs(log_ratio(whole, logs(np.delete(scores, row)))).max()) for row in range(len(scores)))


@every_quantile
@pytest.mark.parametrize("kind", ["uniform", "geometric"])
def test_real_scores_on_and_off_the_edges_reveal_at_most_epsilon(loss: str, guarantee: str, kind: str) -> None:
    rng = simulation_generator(1)
    for n, bins, epsilon, rate in [(10, 3, 4.0, 0.5), (50, 20, 1.0, 0.4), (80, 7, 0.5, 0.6)]:
        setting = Setting(n, make_grid(kind, bins), epsilon, rate, loss, guarantee)
        edges = setting.grid.edges
        for scores in (
            rng.random(n),
            rng.choice(edges, n),
            rng.choice(np.concatenate([edges, rng.random(bins), [0.0, 2.0, np.inf]]), n),
            np.full(n, edges[0]),
            np.full(n, edges[-1]),
        ):
            assert neighbours(scores, setting) <= epsilon + ROUNDING


@pytest.mark.parametrize("loss", sorted(LOSSES))
def test_what_is_decided_from_public_numbers_reveals_nothing(loss: str) -> None:
    """Too few rows for a target: the same threshold for every table."""
    setting = Setting(10, make_grid("uniform", 50), 0.1, 0.1, loss, "certified")
    assert largest_ratio_of_decision(setting) == 0


def largest_ratio_of_decision(setting: Setting) -> float:
    rng = simulation_generator(2)
    tables = [
        np.exp(setting.mechanism(*count(rng.integers(0, 2 * setting.grid.bins, setting.n), setting.grid.bins)))
        for _ in range(20)
    ]
    return float(np.ptp(tables, axis=0).max())


@every_quantile
def test_log_ratios_lie_in_an_interval_of_length_epsilon(loss: str, guarantee: str) -> None:
    """Bounded range, on which the tight composition with training rests."""
    rng = simulation_generator(3)
    for setting in settings_of(loss, guarantee):
        bins = setting.grid.bins
        for _ in range(100):
            places = rng.integers(0, 2 * bins + 1, setting.n)
            ratios = log_ratio(setting.mechanism(*count(places, bins)), setting.mechanism(*count(places[1:], bins)))
            assert np.ptp(ratios) <= setting.epsilon + ROUNDING
