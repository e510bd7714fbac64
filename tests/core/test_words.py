"""Numbers in sentences keep their digits, never turn into powers of ten too early, and say infinity in words."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core._words import digits_up, limit_text, names_text, number_text, percent_text, rounded_up


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (5, "5"),
        (0.06132, "0.0613"),
        (2.5, "2.5"),
        (99.96, "100"),
        (999.4, "999"),
        (999.6, "1,000"),
        (1336.4, "1,336"),
        (-45678.9, "-45,679"),
        (123456789.0, "123,456,789"),
        (1e-5, "1e-05"),
        (2e16, "2e+16"),
        (math.inf, "infinity"),
        (-math.inf, "-infinity"),
        (math.nan, "not a number"),
    ],
)
def test_numbers_are_written_as_a_person_reads_them(value: float, text: str) -> None:
    assert number_text(value) == text


@given(value=st.floats(1e-3, 1e14), digits=st.sampled_from([2, 3]))
def test_nothing_of_ordinary_size_is_written_with_a_power_of_ten(value: float, digits: int) -> None:
    text = number_text(value, digits)
    assert "e" not in text
    assert float(text.replace(",", "")) == pytest.approx(value, rel=0.5 * 10 ** (1 - digits) + 1e-9)


def test_two_digits_do_not_cut_off_the_whole_part() -> None:
    assert number_text(123.4, 2) == "123"
    assert number_text(0.0378, 2) == "0.038"


def test_shares_are_written_in_per_cent() -> None:
    assert percent_text(0.125) == "12.5\u202f%"
    assert percent_text(0.07631, 2) == "7.6\u202f%"
    assert percent_text(12.0) == "1,200\u202f%"


def test_many_names_end_in_their_number() -> None:
    assert names_text(("a",)) == "a"
    assert names_text(("a", "b", "c")) == "a, b, c"
    assert names_text(("a", "b", "c", "d"), most=2) == "a, b and 2 more"


@given(value=st.floats(1e-6, 1e9), digits=st.integers(1, 6))
def test_a_limit_is_never_rounded_down_and_by_less_than_its_last_digit_up(value: float, digits: int) -> None:
    limit = digits_up(value, digits)
    assert value * (1 - 1e-9) <= limit <= value * (1 + 10.0 ** (1 - digits) + 1e-9)
    assert digits_up(limit, digits) == limit


@pytest.mark.parametrize(
    ("value", "decimals", "limit"),
    [(0.1 + 0.2, 1, 0.3), (0.3000001, 1, 0.4), (1234.0, -2, 1300.0), (1300.0, -2, 1300.0), (0.0, 3, 0.0)],
)
def test_only_what_arithmetic_left_behind_is_not_rounded_up(value: float, decimals: int, limit: float) -> None:
    assert rounded_up(value, decimals) == limit


def test_limits_of_any_size_are_written() -> None:
    assert limit_text(1234.5) == "1,240"
    assert limit_text(math.inf) == "infinity"
