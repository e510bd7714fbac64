from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dpcp_core.presentation.figures.axes import nice_step, outward, typical_window, window

sizes = st.floats(1e-3, 1e6)


@given(sizes)
def test_a_nice_step_is_one_two_or_five_times_a_power_of_ten(size: float) -> None:
    step = nice_step(size)
    assert size <= step * (1 + 1e-6)
    assert step <= 2.5 * size * (1 + 1e-6)
    assert round(step / 10 ** math.floor(math.log10(step) + 1e-9), 6) in (1, 2, 5)


@given(st.floats(0, 100), st.floats(0, 100), st.sampled_from([0.5, 1.0, 5.0, 20.0]))
def test_rounding_outward_loses_nothing_and_adds_less_than_a_step_on_each_side(a: float, b: float, step: float) -> None:
    low, high = min(a, b), max(a, b)
    start, end = outward(low, high, step)
    assert low - step <= start <= low + 1e-6 * step
    assert high - 1e-6 * step <= end <= high + step


@given(st.floats(1, 150), st.floats(0, 60), st.floats(160, 400))
def test_a_window_holds_what_must_be_seen_inside_what_is_possible(low: float, size: float, most: float) -> None:
    high = min(low + size, most)
    start, end = window(low, high, 0.0, most)
    assert 0.0 <= start <= low
    assert high <= end <= most


def test_a_window_stays_still_while_a_slider_moves_a_little() -> None:
    seen = {window(14.7, high, 0, 160) for high in (15.6, 16.3, 17.1, 18.0)}
    assert seen == {(10.0, 20.0)}


def test_what_is_seen_fills_a_good_part_of_its_window() -> None:
    for high in (15.0, 20.0, 40.0, 80.0, 160.0):
        start, end = window(14.7, high, 0, 160)
        assert high - 14.7 >= 0.4 * (end - start) or end - start <= 0.8 * high


def test_an_axis_without_outliers_is_the_typical_range_widened_by_itself() -> None:
    assert typical_window((70, 230), (110, 150), 95, 170) == (70, 190)
    assert typical_window((70, 230), (110, 150), 71, 189) == (70, 190)


def test_an_axis_grows_in_coarse_steps_and_never_beyond_the_bounds() -> None:
    assert typical_window((70, 230), (110, 150), 95, 191) == (70, 210)
    assert typical_window((70, 230), (110, 150), 95, 209) == (70, 210)
    assert typical_window((70, 230), (110, 150), 95, 229) == (70, 230)


@pytest.mark.parametrize("typical", [None, (0.0, 400.0)])
def test_an_axis_without_a_typical_range_takes_tenths_of_the_bounds(typical: tuple[float, float] | None) -> None:
    assert typical_window((0, 400), typical, 130, 270) == (100, 300)
    assert typical_window((0, 400), typical, 131, 269) == (100, 300)


@given(st.floats(0, 50), st.floats(50, 100), st.floats(0, 100), st.floats(0, 100))
def test_every_value_inside_the_bounds_is_on_the_axis(first: float, second: float, a: float, b: float) -> None:
    assume(second - first > 1e-3)
    start, end = typical_window((0.0, 100.0), (first, second), min(a, b), max(a, b))
    assert 0 <= start <= min(a, b) + 1e-9
    assert max(a, b) - 1e-9 <= end <= 100


def test_a_window_around_nothing_is_still_a_window() -> None:
    low, high = window(0.0, 0.0, 0.0, 0.0)
    assert low == 0 < high
