"""Numbers in every country's way of writing; one that can be read in two ways is settled by evidence or refused."""

from __future__ import annotations

import numpy as np
import pytest

from dpcp_core import InputError, Schema, read_csv


def column(*cells: str, separator: str = ";", others: str = "x", **options):
    """Read the cells as the column ``a`` of a file and return the dataset."""
    quoted = [f'"{cell}"' for cell in cells]
    rows = "\n".join(f"{cell}{separator}{others}" for cell in quoted)
    return read_csv(f"a{separator}b\n{rows}\n".encode(), **options)


def values(*cells: str, **options) -> list:
    return column(*cells, **options).frame["a"].tolist()


def said(data, *words: str) -> bool:
    return any(all(word in note for word in words) for note in data.report.notes)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1,5", "2,25"], [1.5, 2.25]),
        (["1.234,5", "12"], [1234.5, 12]),
        (["1,234.5", "12"], [1234.5, 12]),
        (["1,234,567", "12"], [1234567, 12]),
        (["1.234.567", "12"], [1234567, 12]),
        (["1'234.50", "2’345"], [1234.5, 2345]),
        (["1\u00a0234,5", "2\u202f345"], [1234.5, 2345]),
        (["1\u2009234", "12"], [1234, 12]),
        (["0,123", "1,234"], [0.123, 1.234]),
        (["1234,567", "1,234"], [1234.567, 1.234]),
        (["$1,234.50", "-$3"], [1234.5, -3]),
        (["1.234,50 €", "3 €"], [1234.5, 3]),
        (["5%", "7.5 %", "0"], [5, 7.5, 0]),
        (["\u22125", "+6"], [-5, 6]),
        (["1e3", "2.5E-1"], [1000, 0.25]),
        ([".5", "5."], [0.5, 5]),
        ([" 5 ", "6"], [5, 6]),
    ],
)
def test_a_way_of_writing_is_recognised(cells, expected):
    assert values(*cells) == expected


@pytest.mark.parametrize(
    "cells",
    [
        ["1,23,456", "2"],
        ["0x1F", "2"],
        ["1_000", "2"],
        ["5%", "0.07"],
        ["$5", "€7"],
        ["1e999", "2"],
        ["12-5", "2"],
    ],
)
def test_what_is_no_number_stays_text(cells):
    assert values(*cells) == cells


def test_numbers_that_leave_two_readings_are_refused_with_column_and_line():
    with pytest.raises(InputError, match=r"Column 'a'.*comma.*line 3.*decimal="):
        column("12", "1,234", "2,345")
    with pytest.raises(InputError, match=r"Column 'a'.*point.*line 2.*decimal="):
        column("1.234", "2.345")


def test_saying_the_decimal_mark_settles_it():
    assert values("1,234", "2,345", decimal=",") == [1.234, 2.345]
    assert values("1,234", "2,345", decimal=".") == [1234, 2345]
    assert values("1.234", "2.345", decimal=",") == [1234, 2345]


def test_another_column_settles_it_and_the_report_says_so():
    decimal = column("1,234", "2,345", others="0,5")
    assert decimal.frame["a"].tolist() == [1.234, 2.345]
    assert said(decimal, "decimal marks (as in the other columns)", "`a`")
    thousands = column("1,234", "2,345", others="0.5")
    assert thousands.frame["a"].tolist() == [1234, 2345]
    assert said(thousands, "thousands marks (as in the other columns)", "`a`")


def test_a_column_that_looks_otherwise_is_not_settled_by_the_others():
    cells = ["1.613", "379", "1.230", "864", "12", "2.003"]
    rows = "".join(f"{cell};0.5\n" for cell in cells)
    with pytest.raises(InputError, match=r"Column 'a'"):
        read_csv(f"a;b\n{rows}".encode())


def test_columns_that_contradict_each_other_settle_nothing():
    rows = "1,234;0,5;0.5\n2,345;1,5;1.5\n"
    with pytest.raises(InputError, match=r"Column 'a'"):
        read_csv(f"a;b;c\n{rows}".encode())


def test_smaller_numbers_without_marks_show_thousands():
    data = column("1.613", "379", "1.230", "864", "12", "2.003")
    assert data.frame["a"].tolist() == [1613, 379, 1230, 864, 12, 2003]
    assert said(data, "Points", "thousands", "smaller numbers have none")


def test_larger_numbers_without_marks_do_not():
    with pytest.raises(InputError, match=r"Column 'a'"):
        column("1,613", "379", "1,230", "86400", "12", "2,003")


def test_a_comma_between_columns_is_no_decimal_mark_within_them():
    data = column("1,234", "2,345", separator=",")
    assert data.frame["a"].tolist() == [1234, 2345]
    assert said(data, "thousands", "separate the columns too")
    assert values("1.234", "2.345", separator=",") == [1.234, 2.345]


def test_points_among_small_numbers_in_a_file_of_commas_are_refused():
    with pytest.raises(InputError, match=r"point may be"):
        column("1.613", "379", "1.230", "864", "12", "2.003", separator=",")


@pytest.mark.parametrize(("bounds", "expected"), [("[0, 10]", [1.613, 2.003]), ("[1000, 5000]", [1613, 2003])])
def test_the_schema_settles_it_where_only_one_reading_is_allowed(bounds, expected):
    schema = Schema.from_toml(f'[a]\nkind = "number"\nbounds = {bounds}\n[b]\nkind = "category"')
    data = column("1.613", "2.003", schema=schema)
    assert data.frame["a"].tolist() == expected
    assert said(data, "Points", "the schema allows nothing else")


def test_a_column_of_whole_numbers_settles_it():
    schema = Schema.from_toml('[a]\nkind = "integer"\n[b]\nkind = "category"')
    assert values("1.613", "2.003", schema=schema) == [1613, 2003]


def test_an_ignored_column_is_never_a_reason_to_refuse():
    schema = Schema.from_toml('[a]\nkind = "number"\nrole = "ignore"\n[b]\nkind = "category"')
    assert values("1.613", "2.003", schema=schema) == ["1.613", "2.003"]


def test_codes_keep_their_zeros():
    data = column("007", "012", "100")
    assert data.frame["a"].tolist() == ["007", "012", "100"]
    assert said(data, "`a`", "zeros")
    assert values("001.1", "250.00") == ["001.1", "250.00"]
    assert values("-01", "02") == ["-01", "02"]


def test_codes_keep_their_zeros_wherever_they_stand():
    cells = [str(i) for i in range(10, 4000)]
    assert values(*cells, "007")[-1] == "007"


def test_a_schema_may_call_zeros_numbers():
    schema = Schema.from_toml('[a]\nkind = "integer"\n[b]\nkind = "category"')
    assert values("007", "012", schema=schema) == [7, 12]


def test_whole_numbers_stay_exact():
    large = [9007199254740993, 9223372036854775807, -9223372036854775808]
    assert values(*map(str, large)) == large
    too_large = ["12345678901234567890", "12345678901234567891"]
    assert values(*too_large) == too_large
    data = column("9007199254740993", "")
    assert data.frame["a"].iloc[0] == "9007199254740993"
    assert said(data, "`a`", "too large to be held exactly")


def test_one_cell_that_is_no_number_makes_text_and_is_found():
    data = column(*map(str, range(3000)), "about 7", "8")
    assert data.frame["a"].iloc[-2] == "about 7"
    assert said(data, "`a` was kept as text because 1 of 3,002 cells is no number", "line 3,002")
    assert not any("about" in note for note in data.report.notes)


def test_types_are_plain():
    frame = read_csv(b"a,b,c,d\n1,1.5,x,1\n2,2.5,y,\n").frame
    assert [str(kind) for kind in frame.dtypes[["a", "b", "d"]]] == ["int64", "float64", "float64"]
    assert np.isnan(frame["d"].iloc[1])


def test_the_signs_taken_off_are_reported():
    assert said(column("$5", "$6"), "currency", "($)", "`a`")
    assert said(column("5%", "6%"), "percent", "`a`")
