"""Methods are told apart by what they do in the same repetitions, and none leads that misses its target."""

from __future__ import annotations

import numpy as np
import pytest

from dpcp_core import ConformalSettings, load_sample
from dpcp_core.experiments.comparison import Comparison, difference
from dpcp_core.experiments.sweep.engine import sweep
from tests.core.experiments.sweeps import comparison_of

EPSILONS = (0.5, 1.0, 2.0, 4.0)


def test_a_difference_in_the_same_repetitions_is_seen_where_the_spread_of_each_would_hide_it():
    result = comparison_of({"dpcp": [(0.92, 40.0)], "pscp": [(0.92, 41.0)]}, [1.0], noise=0.5)
    one, other = result.cells
    assert one.size_interval[1] > other.size_interval[0]
    mean, low, high = difference(one, other)
    assert mean == pytest.approx(-1.0)
    assert low < mean < high < 0
    assert Comparison(result).narrower(one, other) == -1
    assert Comparison(result).narrower(other, one) == 1


def test_what_is_within_the_noise_is_not_told_apart():
    comparison = Comparison(comparison_of({"dpcp": [(0.92, 40.0)], "pscp": [(0.92, 40.1)]}, [1.0], noise=2.0))
    assert comparison.standing(1.0).front == ("dpcp", "pscp")


def test_a_single_repetition_tells_nothing_apart():
    comparison = Comparison(comparison_of({"dpcp": [(0.92, 40.0)], "pscp": [(0.92, 80.0)]}, [1.0], repetitions=1))
    assert comparison.standing(1.0).front == ("dpcp", "pscp")


def test_many_epsilons_ask_for_more_before_one_of_them_is_a_difference():
    def narrower(n_epsilons: int) -> int:
        epsilons = [float(e) for e in range(1, n_epsilons + 1)]
        lines = {"dpcp": [(0.92, 40.0)] * n_epsilons, "pscp": [(0.92, 40.25)] * n_epsilons}
        comparison = Comparison(comparison_of(lines, epsilons, noise=0.3))
        return sum(comparison.narrower(comparison.cell("dpcp", e), comparison.cell("pscp", e)) for e in epsilons[:1])

    assert narrower(1) == -1
    assert narrower(40) == 0


def test_the_narrowest_does_not_lead_if_it_misses_its_target_or_is_not_private():
    lines = {"naive": [(0.92, 20.0)], "pcoqs": [(0.85, 25.0)], "dpcp": [(0.91, 40.0)], "pscp": [(0.91, 50.0)]}
    standing = Comparison(comparison_of(lines, [1.0])).standing(1.0)
    assert standing.front == ("dpcp",)
    assert standing.missed == ("pcoqs",)


def test_what_is_below_the_target_within_its_uncertainty_neither_misses_nor_leads():
    result = comparison_of({"pcoqs": [(0.898, 25.0)], "dpcp": [(0.91, 40.0)]}, [1.0])
    result.cells[0].coverage[:] = 0.898 + 0.05 * np.tile([-1.0, 1.0], 10)
    standing = Comparison(result).standing(1.0)
    assert (standing.front, standing.missed, standing.doubtful) == (("dpcp",), (), ("pcoqs",))


def test_the_whole_range_is_no_answer():
    standing = Comparison(comparison_of({"dpcp": [(1.0, 160.0)], "pscp": [(0.99, 120.0)]}, [1.0])).standing(1.0)
    assert (standing.front, standing.nothing) == (("pscp",), ("dpcp",))


def test_stretches_follow_epsilon_and_leave_out_what_failed_or_is_missing():
    lines = {
        "dpcp": [(0.92, 40.0), (0.92, 35.0), (0.92, 33.0), None],
        "pscp": ["too few rows", (0.92, 60.0), (0.92, 31.0), (0.92, 30.0)],
    }
    comparison = Comparison(comparison_of(lines, EPSILONS))
    assert [(s.narrower, s.epsilons) for s in comparison.stretches("dpcp", "pscp")] == [
        ("dpcp", (1.0,)),
        ("pscp", (2.0,)),
    ]
    assert comparison.cell("pscp", 0.5) is None
    assert [standing.front for standing in comparison.standings()] == [("dpcp",), ("dpcp",), ("pscp",), ("pscp",)]


def test_a_real_sweep_shows_what_the_paper_loses_on_a_small_table():
    methods = ["split", "dpcp_paper", "dpcp"]
    result = sweep(load_sample("diabetes"), ConformalSettings(repetitions=20), methods=methods, epsilons=[4.0])
    comparison = Comparison(result)
    assert comparison.private_methods == ("dpcp_paper", "dpcp")
    assert comparison.standing(4.0).front == ("dpcp",)
