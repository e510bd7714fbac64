"""Which marks stand for a missing value, among numbers and among text."""

from __future__ import annotations

import pytest

from dpcp_core import Schema, read_csv


def frame_of(*cells: str, others: str = "x", schema: Schema | None = None):
    rows = "\n".join(f'"{cell}",{others}' for cell in cells)
    return read_csv(f"a,b\n{rows}\n".encode(), schema=schema)


def said(data, *words: str) -> bool:
    return any(all(word in note for word in words) for note in data.report.notes)


@pytest.mark.parametrize(
    "mark",
    ["?", "NA", "N/A", "n/a", "-", "--", "–", ".", "..", "", " ", "\u00a0", "nan", "NaN", "NULL", "null", "None",
     "nk", "unknown", "missing", "#N/A", "#DIV/0!", "*", "inf", "<NA>"],
)  # fmt: skip
def test_among_numbers_every_known_mark_is_missing(mark):
    data = frame_of("1", mark, "3")
    assert data.frame["a"].isna().tolist() == [False, True, False]
    assert data.frame["a"].dtype == float
    assert data.report.missing == {"a": 1}
    words = "left blank" if not mark.strip() else f"'{mark}' in `a` was read as missing"
    assert said(data, words)


@pytest.mark.parametrize("mark", ["?", "N/A", "n/a", "-", ".", "", "nan", "NaN", "NULL", "null", "#N/A"])
def test_among_text_a_mark_that_is_no_word_is_missing(mark):
    data = frame_of("north", mark, "south")
    assert data.frame["a"].isna().tolist() == [False, True, False]


@pytest.mark.parametrize("answer", ["None", "none", "nk", "Unknown", "missing", "NA", "Not known"])
def test_among_text_a_word_is_kept_and_mentioned(answer):
    data = frame_of("north", answer, "south")
    assert data.frame["a"].tolist() == ["north", answer, "south"]
    assert said(data, f"1 cell '{answer}' in `a` may mean a missing value; it was kept as a category.")


@pytest.mark.parametrize("name", ["Nan", "Null", "Na", "ND", "Inf", "x"])
def test_names_that_look_like_marks_are_names(name):
    data = frame_of("Ann", name, "Bob")
    assert data.frame["a"].tolist() == ["Ann", name, "Bob"]
    assert not said(data, "missing")


def test_na_is_missing_among_text_if_it_is_so_among_numbers():
    data = read_csv(b"a,b\nx,1\nNA,NA\ny,3\n")
    assert data.frame["a"].isna().tolist() == [False, True, False]
    assert said(data, "2 cells 'NA'")


def test_plus_and_minus_are_results_of_a_test():
    assert frame_of("+", "-", "+").frame["a"].tolist() == ["+", "-", "+"]


def test_declared_categories_are_never_missing():
    schema = Schema.from_toml('[a]\nkind = "category"\ncategories = ["None", "NA", "-", "some"]')
    data = frame_of("None", "NA", "-", "?", "some", schema=schema)
    assert data.frame["a"].tolist()[:3] == ["None", "NA", "-"]
    assert data.frame["a"].isna().tolist() == [False, False, False, True, False]
    assert not said(data, "may mean")


def test_blank_cells_are_counted_by_column():
    data = read_csv(b"a,b,c\n1,,x\n2,5,\n3,,y\n")
    assert data.report.missing == {"b": 2, "c": 1}
    assert said(data, "3 cells left blank in `b` and `c` were read as missing.")


def test_a_column_of_nothing_but_marks_is_empty_numbers():
    data = frame_of(".", ".", "")
    assert data.frame["a"].isna().all()
    assert data.schema.column("a").role == "ignore"


def test_a_column_of_nothing_but_none_is_an_answer():
    assert frame_of("None", "None").frame["a"].tolist() == ["None", "None"]


def test_leading_blanks_may_repeat_the_cell_above():
    rows = "A,1\n,2\n,3\nB,4\n,5\n,6\n"
    data = read_csv(f"group,b\n{rows}".encode())
    assert data.frame["group"].isna().sum() == 4
    assert said(data, "`group`", "repeat the one above", "left missing")
