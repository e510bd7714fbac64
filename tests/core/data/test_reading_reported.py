"""Tables as people complain of them: exports of spreadsheets, databases, surveys and laboratories, and joined files."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dpcp_core import InputError, Schema, read_csv

NAN = float("nan")


def column(cell: Callable[[int], object], name: str = "x", rows: int = 24) -> str:
    """Return a file with a column of these cells beside the ages of 24 people."""
    return f"{name};age\n" + "".join(f"{cell(i)};{20 + i * i % 17}\n" for i in range(rows))


def cycle(*cells: object) -> str:
    """Return such a file in which these cells come one after the other, again and again."""
    return column(lambda i: cells[i % len(cells)])


def other_digits(number: object, zero: str) -> str:
    """Write a number in the digits that begin with this zero."""
    return str(number).translate({ord("0") + digit: chr(ord(zero) + digit) for digit in range(10)})


# What stands in the file, the first cells of the first column, and words of the sentence that tells.
READ: dict[str, tuple[str, list[object], str]] = {
    # Spreadsheets
    "formulas": (column(lambda i: f"=B{i}*2"), ["=B0*2", "=B1*2"], "`x` holds formulas in place of their results"),
    "a formula of a sum": ("a;b\n=A1;1\n=A2;2\n=SUM(B1,B2);3\n", ["=A1", "=A2", "=SUM(B1,B2)"], "holds formulas"),
    "errors of LibreOffice": (cycle("Err:502", 1.5, 2.5), [NAN, 1.5], "8 cells 'Err:502' in `x` were read as missing"),
    "errors in Russian": (cycle("#ДЕЛ/0!", 1.5, 2.5), [NAN, 1.5], "8 cells '#ДЕЛ/0!' in `x` were read as missing"),
    "a separator that the first line names": ("sep=^\na^b\n1^x\n3^y\n", [1, 3], "'^' separate the columns, as the"),
    "semicolons behind lines of commas": ("a,b;;\n1,x;;\n2,y;;\n", [1, 2], "Semicolons behind whole lines were"),
    "semicolons behind quoted lines": ('"a,b";;\n"1,x";;\n"2,y";;\n', [1, 2], "around whole lines were taken off"),
    "blank cells beyond the last": ("a,b\n1,2,\n3,4\n5,6\n7,8,,\n", [1, 3, 5, 7], "2 rows end in blank cells beyond"),
    "a code behind a unit separator": (column(lambda i: f"\x1f{i:03}"), ["000", "001"], "begin with zeros"),
    "days made of ranges": (cycle("02-Jan", "04-Mar"), ["02-Jan", "04-Mar"], "as spreadsheets make them of ranges"),
    "days as numbers": (column(lambda i: 45300 + i * 3, "admitted"), [45300, 45303], "as spreadsheets count the days"),
    "prices with a dash": (column(lambda i: f"{10 + i},-"), ["10,-", "11,-"], "numbers with something beside them"),
    # What looks like a number
    "grades with a minus": (cycle("3-", 2, "1-", 4), ["3-", "2", "1-", "4"], "`x` holds single digits with a"),
    "grades with both": (cycle("3-", "2+", 4), ["3-", "2+", "4"], "as grades are; write -3 for 3-"),
    "codes with E among numbers": (cycle(417, "1E5", "2E3"), ["417", "1E5", "2E3"], "as codes are; write 100000 for"),
    "below a limit, mostly": (
        column(lambda i: i * 0.5 if i % 3 == 2 else "<0.4"), ["<0.4", "<0.4", "1.0"],
        "`x` holds many different numbers, but most cells are no number, and was kept as text; to use",
    ),
    "below a limit, seldom": (
        column(lambda i: "<0.4" if i == 3 else i * 0.5), ["0.0", "0.5"],
        "1 of 24 cells is no number (the first is in line 5); to use the numbers, correct it or leave it empty",
    ),
    "a unit beside many numbers": (
        column(lambda i: f"{i / 8} kg", rows=1100), ["0.0 kg"], "numbers with something beside them, such as a unit",
    ),
    "Arabic-Indic digits": (column(lambda i: other_digits(40 + i, "٠")), [40, 41], "Digits of another script in `x`"),
    "Persian decimals": (column(lambda i: other_digits(40 + i, "۰") + "٫۵"), [40.5, 41.5], "Digits of another script"),
    "full-width digits in one cell": (cycle(7, "３５"), [7, 35], "Digits of another script in `x`"),
    # What may be missing
    "two codes for missing, far apart": (cycle(-999, 9999, 40, 51, 33), [-999, 9999], "'-999' in `x` were kept as a"),
    "negative codes": (cycle(-9, -8, 3, 7, 0, 10, 5), [-9, -8], "'-8' in `x` were kept as a number, where few diff"),
    "NULL as MySQL writes it": (cycle("\\N", "a", "b"), [NAN, "a", "b"], "8 cells '\\N' in `x` were read as missing"),
    "NULL as SQL Developer writes it": (cycle("(null)", "a", "b"), [NAN, "a"], "'(null)' in `x` were read as missing"),
    "boxes to tick": (cycle("x", ""), ["x", NAN], "as boxes to tick do; a blank was read as missing, so"),
    "boxes to tick with 1": (cycle(1, ""), [1, NAN], "`x` holds one mark or nothing, as boxes to tick do"),
    # Signs that nobody sees
    "joined files": ('\ufeff"a","b"\n1,2\n\ufeff"a","b"\n3,4\n', [1, 3], "1 byte-order mark inside the text was"),
    "a mark that was saved twice": ('ï»¿"a",b\n1,2\n3,4\n', [1, 3], "1 byte-order mark inside the text was"),
    "marks of direction around numbers": (column(lambda i: f"\u200e{i}\u202c"), [0, 1], ""),
    "composed and other letters": (cycle("Orle\u0301ans", "Orléans"), ["Orle\u0301ans"], "spellings that look the"),
    "letters of another alphabet": (cycle("A", "\u0410", "B"), ["A", "\u0410", "B"], "spellings that look the"),
    # Lines that are no rows, and rows that are no lines
    "a survey tool's line": (
        'Q1,Q2\nHow old?,Which?\n"{""ImportId"":""QID1""}","{""ImportId"":""QID2""}"\n40,x\n51,y\n', [40, 51],
        "Line 3 holds a survey tool's own marks and was left out",
    ),
    "headings between rows": (
        "n,a,b,c\nWomen,,,\nx,1,2,3\ny,2,3,4\nz,3,4,5\nMen,,,\nu,1,2,9\nv,1,2,7\n", ["Women", "x"],
        "2 rows have a value in the first column alone",
    ),
    "no numbers to tell names by": ("Ann,York\nBob,Leeds\nEve,Hull\n", ["Bob", "Eve"], "so line 1 was taken for"),
    "dates among words": (cycle("5.1.2024", "6.1.2024", "unknown"), ["5.1.2024"], "`x` holds dates among other text"),
    "an even number of inches": ('a,b\n1,5" pipe\n2,6" pipe\n3,"7"" pipe"\n', [1, 2, 3], ""),
    "perhaps the begin of a row in a cell": (
        'a,b\n1,"x\n2,y"\n3,z\n4,w\n', [1, 3, 4], "The row in line 2 may hold 1 more row in one cell, as a quotation",
    ),
    "several lines in a note": ('a,note\n1,"one\ntwo, three\nfour"\n2,ok\n3,ok\n', [1, 2, 3], ""),
}  # fmt: skip


@pytest.mark.parametrize("fault", READ)
def test_a_reported_fault_is_read_as_meant_and_told(fault):
    contents, expected, told = READ[fault]
    data = read_csv(contents.encode())
    read = data.frame.iloc[: len(expected), 0].tolist()
    assert [cell if cell == cell else None for cell in read] == [cell if cell == cell else None for cell in expected]
    assert told in " ".join(data.report.notes)


def test_names_lose_what_nobody_sees_and_a_hash_in_front():
    assert read_csv("\u200bage,bl\u200bood\u200e\n40,1\n51,2\n".encode()).frame.columns.tolist() == ["age", "blood"]
    commented = read_csv(b"# age,bp\n40,120\n51,130\n")
    assert commented.frame.columns.tolist() == ["age", "bp"]
    assert "The # before the names was taken off." in commented.report.notes
    assert read_csv(b"#,bp\n40,120\n51,130\n").frame.columns.tolist() == ["#", "bp"]


REFUSED: dict[str, tuple[str, str]] = {
    "rows in a cell": ('a,b,c\n1,"x,5\n2,y,6\n3,z",7\n4,w,8\n5,w,9\n', "line 2 holds what looks like 2 .* in one line"),
    "rows in a cell, and more cells": (
        '"n","g"\n"1","P"\n"2","P\n"3","Q"\n"4","P""\n"5","P"\n"6","Q"\n"7","Q"\n',
        "Line 3 has 3 cells .* a quotation mark in it is missing or one too many",
    ),
    "blank cells left out at the ends": (
        "a,b,c\n1,2,\n3,4,\n5,6,7\n" + "8,9\n" * 9, "Line 5 has 2 cells .*8 more lines .* fill its last column and",
    ),
    "a decimal comma between commas": ("kg,age\n70,5,40\n69,5,51\n71,2,33\n", "as numbers with a decimal comma may"),
    "a cell longer than a page": (f"a,b\n1,{'x' * 140_000}\n2,y\n", "A cell in line 2 has more than 131,072"),
    "a pointer of Git LFS": ("version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 12\n", "pointer of Git"),
}  # fmt: skip


@pytest.mark.parametrize("fault", REFUSED)
def test_what_would_be_read_wrongly_is_refused_with_a_fix(fault):
    contents, told = REFUSED[fault]
    with pytest.raises(InputError, match=told) as refusal:
        read_csv(contents.encode())
    assert str(refusal.value).endswith(".")
    assert ";" in str(refusal.value)


def test_grades_and_codes_are_numbers_where_a_schema_says_so():
    schema = Schema.from_toml('[x]\nkind = "number"\n[age]\nkind = "integer"')
    assert read_csv(cycle("3-", 2).encode(), schema=schema).frame["x"].tolist()[:2] == [-3, 2]
    assert read_csv(cycle("1E5", 2).encode(), schema=schema).frame["x"].tolist()[:2] == [100_000, 2]


def test_a_separator_must_be_one_that_a_file_can_have():
    with pytest.raises(InputError, match="must be one ASCII character"):
        read_csv("a§b\n1§2\n".encode(), separator="§")


@pytest.mark.parametrize(
    ("contents", "reason"),
    [
        (column(lambda i: 100_000 + i * 7919 % 90_000, "patient"), "'patient' is ignored because it looks like an"),
        (column(lambda i: 100_000 + i * 7919 % 90_000, "Fallnummer"), "'Fallnummer' is ignored because it looks like"),
        (column(lambda i: i + 1, "#", rows=5), "'#' is ignored because it counts the rows"),
        (column(lambda i: i * 3, "Unnamed: 0.1", rows=8), "'Unnamed: 0.1' is ignored because it looks"),
        (column(lambda i: 10_115 + i % 9, "plz"), "'plz' holds codes by its name, not amounts, and is"),
        (column(lambda i: 20255501 + i * 37, "home phone"), "'home phone' is ignored because it looks like"),
        (column(lambda i: 10_000 + i % 60, "zip code", rows=90), "by its name it holds codes, and 60 different ones"),
        (column(lambda i: 30_300 + i * 31, "Geburtsdatum"), "'Geburtsdatum' is ignored because it holds dates"),
        (column(lambda i: f"2024-W{i % 9 + 1:02}"), "'x' is ignored because it holds dates or times"),
        (column(lambda i: f"2024-{i % 9 + 1:02}"), "'x' is ignored because it holds dates or times"),
        (column(lambda i: f"January {i % 9 + 1}, 2024"), "'x' is ignored because it holds dates or times"),
        (column(lambda i: f"{i % 9 + 1}. Januar 2024"), "'x' is ignored because it holds dates or times"),
        (column(lambda i: f"2024年{i % 9 + 1}月5日"), "'x' is ignored because it holds dates or times"),
        (column(lambda i: f"{i % 3} days 0{i % 9}:15:00"), "'x' is ignored because it holds dates or times"),
        (column(lambda i: f"PT{i % 3 + 1}H{i}M"), "'x' is ignored because it holds dates or times"),
        (column(lambda i: f"{95 + i}:{i + 10}"), "'x' is ignored because it holds dates or times"),
    ],
)  # fmt: skip
def test_codes_dates_and_durations_are_no_amounts(contents, reason):
    assert reason in " ".join(read_csv(contents.encode()).report.notes)


@pytest.mark.parametrize(
    "cells",
    [("2010-11", "2011-12", "2012-13"), ("I", "II", "III"), ("0-4", "5-9"), ("A1", "A2", "B1"), ("may be", "no")],
)
def test_what_is_like_a_date_or_a_code_stays_a_category(cells):
    data = read_csv(cycle(*cells).encode())
    assert data.frame["x"].tolist()[: len(cells)] == list(cells)
    assert data.schema.column("x").role == "feature"
    assert data.report.notes == ("Semicolons separate the columns.",)


@pytest.mark.parametrize(
    ("no", "yes"),
    [("FALSO", "VERDADERO"), ("FALSO", "VERO"), ("ЛОЖЬ", "ИСТИНА"), ("FAŁSZ", "PRAWDA"), ("ONWAAR", "WAAR")],
)
def test_false_and_true_of_other_spreadsheets_are_a_boolean(no, yes):
    column_x = read_csv(cycle(yes, no).encode()).schema.column("x")
    assert (column_x.kind, column_x.categories) == ("boolean", (no, yes))
