"""Numbers in sentences keep their digits, never turn into powers of ten too early, and say infinity in words."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core._words import names_text, number_text, percent_text


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
