from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core._words import number_text
from dpcp_core.presentation.wording import numbers as say

amounts = st.floats(1e-6, 1e9)


def back(text: str) -> float:
    return float(text.replace(say.THOUSANDS, "").replace(say.MINUS, "-"))


@given(amounts, st.integers(2, 4))
def test_a_written_number_is_off_by_at_most_half_its_last_digit(value: float, digits: int) -> None:
    written = back(say.number(value, digits))
    assert abs(written - value) <= 0.5 * 10.0 ** -say.decimals(value, digits) * (1 + 1e-9)
    assert abs(written - value) <= 0.51 * value * 10.0 ** (1 - digits)


@given(amounts)
def test_short_says_the_same_number_without_idle_zeros(value: float) -> None:
    assert back(say.short(value)) == back(say.number(value))
    assert not ("." in say.short(value) and say.short(value).endswith(("0", ".")))


@given(st.floats(-1e6, 1e6), st.integers(0, 3))
def test_a_rounded_zero_has_no_minus_sign(value: float, n_decimals: int) -> None:
    written = say.fixed(value, n_decimals)
    assert back(written) == pytest.approx(value, abs=0.5001 * 10.0**-n_decimals)
    assert not (back(written) == 0 and say.MINUS in written)
    assert "-" not in written


@given(st.floats(0, 1))
def test_a_share_is_written_as_all_or_none_only_where_it_is(share: float) -> None:
    written = say.percent(share)
    assert written.startswith("100") == (share == 1)
    assert (written == f"0{say.NARROW}%") == (share == 0)


@given(st.floats(0.001, 0.999))
def test_so_many_in_so_many_is_close_and_never_all_or_none(share: float) -> None:
    hits, total = say.out_of(share)
    assert 0 < hits < total
    assert abs(hits / total - share) <= 0.0101


def test_a_level_shows_just_the_decimals_it_has() -> None:
    assert say.level(0.9) == f"90{say.NARROW}%"
    assert say.level(1 - 0.975) == f"2.5{say.NARROW}%"


@pytest.mark.parametrize(
    ("n", "noun", "written"),
    [
        (1, "patient", "1 patient"),
        (2, "patient", "2 patients"),
        (0, "country", "0 countries"),
        (2, "hour of one day", "2 hours of one day"),
        (2, "person", "2 people"),
        (2, "abalone", "2 abalones"),
        (4000, "biopsy", "4,000 biopsies"),
    ],
)
def test_counts_agree_with_their_noun(n: int, noun: str, written: str) -> None:
    assert say.count(n, noun).replace(say.FIXED, " ") == written


@pytest.mark.parametrize("value", [1e16, 5.1e-305, -3e200, 9.96e15, 1.7e308, 5e-324])
def test_a_number_of_any_size_stays_short_enough_to_read(value: float) -> None:
    written = say.number(value, 3)
    assert len(written) < 16
    mantissa, _, power = written.replace(say.MINUS, "-").replace(say.FIXED, "").partition("×10")
    exponent = power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    assert float(f"{mantissa}e{exponent}") == pytest.approx(value, rel=0.005)
    assert len(say.span(0, value)) < 30
    assert len(say.short(value)) < 16


@pytest.mark.parametrize(
    ("title", "inside"),
    [
        ("Systolic blood pressure", "systolic blood pressure"),
        ("HbA1c", "HbA1c"),
        ("G3", "G3"),
        ("ViolentCrimes", "ViolentCrimes"),
        ("", ""),
    ],
)
def test_a_title_in_a_sentence_keeps_capitals_that_mean_something(title: str, inside: str) -> None:
    assert say.mid_sentence(title) == inside


def test_units_do_not_break_off_their_number() -> None:
    assert " " not in say.quantity(38.2, "mmHg") + say.percent(0.5) + say.whole(1_000_000)


def test_no_number_is_nonsense_where_there_is_none() -> None:
    assert say.number(math.inf) == "infinity"
    assert say.number(math.nan) == "not a number"


def test_the_doctor_sets_thousands_apart_in_the_same_way() -> None:
    assert number_text(12345) == say.whole(12345)
