"""Faults that people report of their files: each is read as meant, told, or refused with a fix; none in silence."""

from __future__ import annotations

import io
import zipfile

import pytest

from dpcp_core import InputError, read_csv
from dpcp_core.errors import DecimalMarkError

NAN = float("nan")


def one(*cells: str, separator: str = ";") -> str:
    """Return a file with these cells in the column ``a`` beside a column of numbers."""
    return f"a{separator}b\n" + "".join(f"{cell}{separator}{5 + i * i % 7}\n" for i, cell in enumerate(cells))


# What stands in the file, what the column `a` becomes, and words of the sentence that tells.
READ: dict[str, tuple[str, list[object], str]] = {
    "brackets": (one("(3)", "4", "($1,200.50)", "$7"), [-3, 4, -1200.5, 7], "in brackets in `a` were read as negative"),
    "only brackets": (one("(3)", "(4)"), ["(3)", "(4)"], ""),
    "minus behind": (one("3-", "4", "5,5-"), [-3, 4, -5.5], "Minus signs behind the numbers of `a`"),
    "en dash": (one("–3", "4"), [-3, 4], "Dashes before the numbers of `a` were read as minus"),
    "telephone": (one("+4917012345", "+4917012346"), ["+4917012345", "+4917012346"], "telephone numbers"),
    "codes with E": (one("1E10", "2E05"), ["1E10", "2E05"], "around a letter E"),
    "formula": (one('="007"', '="012"'), ["007", "012"], "Formulas that hold one text each"),
    "German errors": (one("#NV", "4", "#WERT!", "########"), [NAN, 4, NAN, NAN], "1 cell '#WERT!' in `a` was read as"),
    "sentinel": (one("40", "41", "47", "-999"), [40, 41, 47, -999], "1 cell '-999' in `a` was kept as a number"),
    "capitals": (one("Male", "male ", "f"), ["Male", "male", "f"], "differ only in capital letters"),
    "two numbers": (one("120/80", "130/85", "110/70"), ["120/80", "130/85", "110/70"], "two numbers in a cell"),
    "unit": (one("60 kg", "71 kg", "82 kg"), ["60 kg", "71 kg", "82 kg"], "numbers with something beside them"),
    "Indian groups": (one("1,20,345", "2,20,345", "3"), ["1,20,345", "2,20,345", "3"], ""),
    "ranges made dates": (one("10-19", "May-09", "20-29"), ["10-19", "May-09", "20-29"], "as spreadsheets make them"),
    "shortened codes": (one("1.23E+11", "1.24E+12"), [1.23e11, 1.24e12], "as spreadsheets shorten codes"),
    "names again": (one("1", "2", "a", "4").replace("a;9", "a;b"), [1, 2, 4], "1 row that only repeats"),
    "comment as wide": (one(*map(str, range(12)), "# x"), [*range(12)], "1 row beginning with '#'"),
    "ruled line": ("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n", [1, 3], "Line 2 only rules a line"),
    "lines in quotes": ('"a,b"\n"1,""2"""\n"3,4"\n', [1, 3], "around whole lines were taken off"),
    "blank before quotes": ('a, "b"\n1, "2"\n3, "4"\n', [1, 3], ""),
    "average below": (one("x", "y", "z", "Average"), ["x", "y", "z", "Average"], ""),
    "saved twice": (one("KÃ¶ln", "MÃ¼nchen"), ["KÃ¶ln", "MÃ¼nchen"], "saved in the wrong encoding"),
}  # fmt: skip


@pytest.mark.parametrize("fault", READ)
def test_a_fault_is_read_as_meant_and_told(fault):
    contents, expected, told = READ[fault]
    data = read_csv(contents.encode())
    read = data.frame["a"].tolist()
    assert [cell if cell == cell else None for cell in read] == [cell if cell == cell else None for cell in expected]
    assert told in " ".join(data.report.notes)


@pytest.mark.parametrize(
    ("contents", "told"),
    [
        ("name,n\nx,1\nAverage,5\ny,2\nz,3\nu,4\n", "Line 3 is labelled as a total or an average and was kept"),
        ("n,p0,p1,p2,p3,p4,p5,p6\nage,1,2,3,4,5,6,7\nbp,3,4,5,6,7,8,9\nx,1,2,3,4,5,6,7\n", "swap rows and columns"),
        ("a,b,c,d,e\n" + "".join(f"{i},{-i},{i / 7},{i / 9},{i + 7}\n" for i in [*range(9), 3, 4]), "2 rows are"),
        (
            "mpg,cyl\nMazda,21.5,6\nFiat,32.4,4\n",
            "the first column was taken for row names; if a cell contains the sep",
        ),
        ("on,n\n" + "".join(f"202401{day},{day}\n" for day in range(10, 31)), "'on' is ignored because it holds dates"),
        ("birth date,n\n45301,1\n45310,4\n45399,2\n", "'birth date' is ignored because it holds dates"),
        ("t,n\n10:30,1\n11:45,4\n9:00,2\n", "'t' is ignored because it holds dates or times"),
        ("s,n\nx,1\n,4\nx,2\n", "'s' is ignored because it is the same wherever it is filled"),
    ],
)  # fmt: skip
def test_what_may_mean_something_else_is_told(contents, told):
    assert told in " ".join(read_csv(contents.encode()).report.notes)


def test_ordinary_tables_raise_no_doubts():
    rows = "".join(f"{40 + i % 9},{'mf'[i % 2]},{i % 5},{1 + i % 3},1:{20 << i % 3}\n" for i in range(40))
    assert read_csv(f"age,sex,n,grade,titre\n{rows}".encode()).report.notes == ("Commas separate the columns.",)


def workbook() -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    return held.getvalue()


@pytest.mark.parametrize(
    ("contents", "told"),
    [
        (b"% made\n@RELATION iris\n@ATTRIBUTE a NUMERIC\n@DATA\n1,2\n", "Weka file"),
        (workbook(), "Excel workbook, not a CSV file; open it and save the sheet as CSV"),
        (b"a,b\nx,1,2\nx,3,4\n", "Line 1 names 2 columns but the rows below it have 3 cells; .* quotation marks"),
    ],
)
def test_what_is_no_table_is_refused_with_a_fix(contents, told):
    with pytest.raises(InputError, match=told):
        read_csv(contents)


def test_numbers_that_can_be_read_in_two_ways_are_an_error_of_their_own():
    with pytest.raises(DecimalMarkError, match="say which the decimal mark is"):
        read_csv(one("1.234", "2.345").encode())


def test_a_word_of_few_cyrillic_letters_is_no_western_one():
    text = "возраст,пол\n" + "".join(f"{30 + i % 9},{('муж', 'жен')[i % 2]}\n" for i in range(30))
    assert read_csv(text.encode("cp1251")).frame.columns.tolist() == ["возраст", "пол"]
