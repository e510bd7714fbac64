"""Each kind of claim is tried on cells whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from dpcp_core.experiments.reproduce import checks
from dpcp_core.experiments.reproduce.evidence import Evidence
from dpcp_core.experiments.reproduce.timing import Timing
from dpcp_core.experiments.reproduce.verdict import judge
from tests.core.experiments.reproduce.cells import cell, run_of


def status(check, *runs, timing=None):
    return judge(check(Evidence(runs, timing))).status


def test_coverage_is_held_against_the_target():
    assert status(checks.covers("dpcp"), run_of([cell("dpcp", 1.0, coverage=0.95)])) == "holds"
    assert status(checks.covers("dpcp"), run_of([cell("dpcp", 1.0, coverage=0.80)])) == "does not hold"
    assert status(checks.misses("naive"), run_of([cell("naive", 1.0, coverage=0.80)])) == "holds"
    assert status(checks.misses("naive"), run_of([cell("naive", 1.0, coverage=0.95)])) == "does not hold"
    assert status(checks.misses("naive"), run_of([cell("naive", 1.0, coverage=0.90)])) == "cannot be told"


def test_classes_and_numbers_are_kept_apart():
    assert status(checks.covers("dpcp", "classification"), run_of([cell("dpcp", 1.0)])) == "not tried"


def test_what_covers_and_is_private_does_not_leak():
    assert status(checks.covers_but_leaks("differential"), run_of([cell("differential", 1.0)])) == "holds"
    assert status(checks.covers_but_leaks("dpcp"), run_of([cell("dpcp", 1.0)])) == "does not hold"


def test_sizes_are_compared_repetition_by_repetition():
    """They differ by a twentieth of what repetitions differ by: only pairs can tell."""
    run = run_of([cell("dpcp", 1.0, size=2.0), cell("pscp", 1.0, size=2.005)])
    (contrast,) = checks.narrower("dpcp", "pscp")(Evidence([run]))
    assert contrast.value == pytest.approx(2 / 2.005)
    assert status(checks.narrower("dpcp", "pscp"), run) == "holds"
    assert status(checks.narrower("pscp", "dpcp"), run) == "does not hold"


def test_equal_sizes_are_not_told_apart():
    run = run_of([cell("dpcp", 1.0), cell("pscp", 1.0)])
    assert status(checks.narrower("dpcp", "pscp"), run) == "cannot be told"
    assert status(checks.alike("dpcp", "pscp"), run) == "holds"
    assert (
        status(checks.alike("dpcp", "pscp"), run_of([cell("dpcp", 1.0, size=3), cell("pscp", 1.0)])) == "does not hold"
    )


def test_a_place_can_be_chosen():
    run = run_of(
        [cell("dpcp", e, size=size) for e, size in ((0.5, 1.0), (5.0, 3.0))] + [cell("pscp", e) for e in (0.5, 5.0)]
    )
    assert status(checks.narrower("dpcp", "pscp"), run) == "only where"
    assert status(checks.narrower("dpcp", "pscp", lambda _run, epsilon: epsilon < 1), run) == "holds"


def test_a_rise_with_epsilon_is_seen():
    falling = run_of([cell("dpcp", epsilon, size=5 - epsilon) for epsilon in (1.0, 2.0, 3.0)])
    u_shaped = run_of([cell("dpcp", epsilon, size=size) for epsilon, size in ((1.0, 3), (2.0, 2), (3.0, 4))])
    assert status(checks.falls_with_epsilon("dpcp"), falling) == "holds"
    assert status(checks.falls_with_epsilon("dpcp"), u_shaped) == "only where"


def test_a_factor_is_held_against_what_is_claimed():
    run = run_of([cell("dpcp", 1.0, size=5.0), cell("dpcp", 10.0, size=2.0)])
    assert status(checks.grows_at_least(2.0, "dpcp", "abalone", smaller=1.0, larger=10.0), run) == "holds"
    assert status(checks.grows_at_least(3.0, "dpcp", "abalone", smaller=1.0, larger=10.0), run) == "does not hold"
    assert status(checks.grows_at_least(2.0, "dpcp", "bike", smaller=1.0, larger=10.0), run) == "not tried"


def test_models_are_compared_on_the_same_table():
    run = run_of(
        [cell("dpcp", 1.0, trainer="ols", size=1.5), cell("dpcp", 1.0), cell("dpcp", 1.0, trainer="lasso", size=1.2)]
    )
    assert status(checks.narrower_with_trainer("ols", "dpcp"), run) == "only where"


def test_tables_are_compared_by_how_much_privacy_widens():
    cheap, dear = run_of([cell("dpcp", 1.0, size=1.1)], "casp"), run_of([cell("dpcp", 1.0, size=3.0)])
    assert status(checks.cheaper_on("casp", "dpcp"), cheap, dear) == "holds"
    assert status(checks.cheaper_on("abalone", "dpcp"), cheap, dear) == "does not hold"


@pytest.mark.parametrize(("size", "expected"), [(1.4, "holds"), (1.9, "does not hold")])
def test_half_of_the_gap_is_half_of_the_gap(size, expected):
    run = run_of([cell("dpcp", 1.0, size=size), cell("dpcp_paper", 1.0, size=2.0)])
    assert status(checks.closes_half_of_the_gap("dpcp", "dpcp_paper"), run) == expected


def test_more_rows_are_held_against_fewer():
    run = run_of([cell("dpcp", 1.0, size=1.5), cell("dpcp", 1.0, size=1.9, test_share=0.6)])
    assert status(checks.shrinks_with_rows("dpcp"), run) == "holds"


@pytest.mark.parametrize(("size", "expected"), [(1.95, "holds"), (1.2, "only where")])
def test_a_better_split_than_the_even_one_is_seen(size, expected):
    run = run_of(
        [cell("dpcp", 1.0), cell("dpcp", 1.0, training_share=0.3, size=size), cell("dpcp", 1.0, training_share=0.7)]
    )
    assert status(checks.even_split_is_good("dpcp"), run) == expected


@pytest.mark.parametrize(("size", "expected"), [(2.1, "holds"), (2.9, "only where")])
def test_a_number_of_candidates_that_matters_is_seen(size, expected):
    run = run_of([cell("dpcp", 1.0), cell("dpcp", 1.0, bins=50), cell("dpcp", 1.0, bins=1000, size=size)])
    assert status(checks.bins_hardly_matter("dpcp"), run) == expected


def test_time_is_compared_step_by_step():
    slow, fast = np.array([2.0, 2.1, 2.2]), np.array([0.01, 0.02, 0.01])
    assert status(checks.quantile_is_the_bottleneck, timing=Timing(1000, slow, fast)) == "does not hold"
    assert status(checks.quantile_is_the_bottleneck, timing=Timing(1000, fast, slow)) == "holds"
    assert status(checks.quantile_is_the_bottleneck) == "not tried"


def test_a_cell_that_cannot_be_computed_is_left_out():
    broken = cell("pscp", 1.0)
    object.__setattr__(broken, "problem", "It needs more rows.")
    assert status(checks.narrower("dpcp", "pscp"), run_of([cell("dpcp", 1.0), broken])) == "not tried"
