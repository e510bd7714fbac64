from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core.errors import InputError
from dpcp_core.privacy.losses import GUARANTEES, LOSSES
from dpcp_core.privacy.targets import (
    certified_target,
    no_target_note,
    paper_target,
    published_target,
    smallest_epsilon,
    smallest_n,
    target_count,
)

sizes, rates = st.integers(1, 10**7), st.floats(0.001, 0.5)
epsilons, bins = st.floats(1e-3, 1e3), st.integers(1, 100_000)


@given(sizes, rates, epsilons, bins)
def test_certified_target_is_its_formula(n: int, rate: float, epsilon: float, m: int) -> None:
    expected = (n + 1) * rate - 1 - (2 / epsilon) * math.log(m)
    assert certified_target(n, rate, epsilon, m) == pytest.approx(expected, rel=1e-12, abs=1e-9)


@given(sizes, rates, epsilons, bins, st.sampled_from(sorted(LOSSES)))
def test_the_bins_cost_as_many_rows_as_the_losss_range_factor(
    n: int, rate: float, epsilon: float, m: int, loss: str
) -> None:
    expected = (n + 1) * rate - 1 - LOSSES[loss].range_factor / epsilon * math.log(m)
    assert certified_target(n, rate, epsilon, m, loss) == pytest.approx(expected, rel=1e-12, abs=1e-9)
    assert target_count("certified", n, rate, epsilon, m, loss) == certified_target(n, rate, epsilon, m, loss)


@given(sizes, rates, epsilons, bins)
def test_certified_target_grows_with_what_helps(n: int, rate: float, epsilon: float, m: int) -> None:
    target = certified_target(n, rate, epsilon, m)
    assert certified_target(n + 1, rate, epsilon, m) >= target
    assert certified_target(n, rate + 0.1, epsilon, m) > target
    assert certified_target(n, rate, 2 * epsilon, m) >= target
    assert certified_target(n, rate, epsilon, m + 1) <= target
    assert certified_target(n, rate, math.inf, m) == pytest.approx((n + 1) * rate - 1)


@given(rates, st.floats(0.01, 100), bins)
def test_smallest_n_is_the_first_with_a_target(rate: float, epsilon: float, m: int) -> None:
    n = smallest_n(rate, epsilon, m)
    assert n is not None
    assert certified_target(n, rate, epsilon, m) > 0
    assert n == 1 or certified_target(n - 1, rate, epsilon, m) <= 1e-9


@given(st.integers(20, 10**6), st.floats(0.06, 0.5), st.integers(2, 10_000))
def test_smallest_epsilon_is_the_limit_of_a_target(n: int, rate: float, m: int) -> None:
    epsilon = smallest_epsilon(n, rate, m)
    assert epsilon is not None
    assert certified_target(n, rate, 1.001 * epsilon, m) > 0
    assert certified_target(n, rate, 0.999 * epsilon, m) < 0


def test_where_no_n_or_no_epsilon_is_enough() -> None:
    assert smallest_n(0.1, 1e-300, 100) is None
    assert smallest_epsilon(5, 0.1, 100) is None


def test_the_papers_target_takes_two_over_epsilon_rows() -> None:
    assert paper_target(1000, 0.1, 0.5) == pytest.approx(96)
    assert paper_target(30, 0.1, 0.5) < 0


@given(
    rates, st.floats(0.05, 100), st.integers(1, 10_000), st.sampled_from(GUARANTEES), st.sampled_from(sorted(LOSSES))
)
def test_the_note_names_the_first_n_with_a_target(
    rate: float, epsilon: float, m: int, guarantee: str, loss: str
) -> None:
    needed = int(no_target_note(1, rate, epsilon, m, guarantee, loss).split(">= ")[1].rstrip("."))
    assert target_count(guarantee, needed, rate, epsilon, m, loss) > 0
    assert needed == 1 or target_count(guarantee, needed - 1, rate, epsilon, m, loss) <= 1e-9


def test_the_published_rank_is_that_of_split_conformal_prediction() -> None:
    assert [published_target(n, 0.1) for n in (8, 9, 10, 99, 100)] == [-1, 0, 0, 9, 9]


def test_extreme_epsilons_give_no_nonsense() -> None:
    assert certified_target(100, 0.1, 5e-324, 1) == pytest.approx(9.1)
    assert certified_target(100, 0.1, 5e-324, 2) == -math.inf
    assert paper_target(100, 0.1, 5e-324) == -math.inf


def test_the_note_names_the_n_that_would_do() -> None:
    assert "it needs n >= 194" in no_target_note(100, 0.1, 0.5, 100, "certified")
    assert "certified" in no_target_note(100, 0.1, 0.5, 100, "certified")
    assert "it needs n >= 41" in no_target_note(30, 0.1, 0.5, 100, "paper")
    assert "raise epsilon" in no_target_note(30, 0.1, 1e-300, 100, "paper")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("n", (0, 0.1, 1.0, 10)),
        ("miss_rate", (10, 0.0, 1.0, 10)),
        ("miss_rate", (10, 1.0, 1.0, 10)),
        ("epsilon", (10, 0.1, 0.0, 10)),
        ("bins", (10, 0.1, 1.0, 0)),
    ],
)
def test_a_wrong_number_is_named(name: str, values: tuple[int, float, float, int]) -> None:
    with pytest.raises(InputError, match=name):
        certified_target(*values)
