"""Ten real files with trouble: each is read as a careful person would, checked against the file's own bytes."""

from __future__ import annotations

import numpy as np
import pytest

from dpcp_core import Dataset, read_csv


@pytest.fixture(scope="session")
def messy(real_data):
    """Return a function that reads one of the files by the number its name begins with."""

    def read(number: str) -> Dataset:
        (path,) = (real_data / "messy").glob(f"{number}_*.csv")
        return read_csv(path)

    return read


def raw_lines(real_data, number: str, encoding: str) -> list[str]:
    (path,) = (real_data / "messy").glob(f"{number}_*.csv")
    return path.read_bytes().decode(encoding).split("\n")


def said(data: Dataset, *words: str) -> bool:
    return any(all(word in note for word in words) for note in data.report.notes)


def test_semicolons_and_a_missing_last_line_end(messy, real_data):
    data = messy("01")
    rows = [line.strip().split(";") for line in raw_lines(real_data, "01", "ascii")]
    assert data.frame.shape == (395, 32)
    assert list(data.frame.columns) == rows[0]
    np.testing.assert_array_equal(data.frame.to_numpy(), np.array(rows[1:], dtype=np.int64))
    assert said(data, "Semicolons")


def test_latin_letters_thousands_in_quotes_and_a_source_below(messy):
    data = messy("03")
    frame = data.frame
    assert frame.shape == (114, 8)
    assert list(frame.columns)[-2:] == ["Gasto total 2011", "Descripción"]
    assert frame["Gasto total 2011"].iloc[[0, 1, 5]].tolist() == [229932.50, 10105.40, 15701.30]
    assert 1493503.10 in frame["Gasto total 2011"].tolist()
    assert 361.6 in frame["Gasto total 2011"].tolist()
    assert frame["Gasto total 2011"].notna().all()
    assert frame["GF"].iloc[0] == "Gobierno"
    assert frame["F"].iloc[1] == "Legislación"
    assert frame["GF_ID"].dropna().tolist() == [1, 2, 3]
    assert not frame["Descripción"].str.contains("\r").any()
    assert said(data, "Windows-1252")
    assert said(data, "3 carriage returns")
    assert said(data, "Line 117", "left out")
    assert said(data, "GF_ID", "repeat the one above")
    assert said(data, "Commas", "`Gasto total 2011`", "thousands")


def test_utf_16_and_a_padded_column(messy):
    data = messy("04")
    frame = data.frame
    assert frame.shape == (327, 19)
    first = frame.iloc[0]
    assert first["Organisation_code"] == "5C1"
    assert first["Organisation_name"] == "Enfield PCT"
    assert first["Organisation_classification"] == "NHS Facilities"
    assert first["Reporting_period"] == "2010-11"
    assert first.iloc[4:].tolist() == [2, 1, 0, 3, 2, 0, 5, 7, 7, 3, 10, 1, 0, 0, 1]
    heart = frame.set_index("Organisation_code").loc["RR1"]
    assert heart["Total_informal_admissions"] == 35203
    assert heart["All_admissions_including_place_of_safety_detentions"] == 35206
    assert frame.iloc[:, 4:].dtypes.eq(np.int64).all()
    assert data.report.missing == {"Organisation_name": 1}
    assert said(data, "UTF-16")
    assert said(data, "Blanks around", "Organisation_classification")


def test_title_lines_points_as_thousands_and_footnotes(messy):
    data = messy("06")
    frame = data.frame.set_index("column_1")
    assert frame.shape == (60, 9)
    assert list(frame.columns) == ["1985", "1993", "2000", "2005", "2006", "2007", "2008", "2009", "2010"]
    assert frame.loc["Unfallchirurgie"].tolist()[1:] == [1613, 2003, 2221, 2279, 2369, 2466, 2535, 2590]
    assert frame.loc["Gefäßchirurgie"].tolist()[1:] == [379, 575, 686, 704, 723, 729, 742, 733]
    assert frame.loc["Gastroenterologie", "2000"] == 1142
    assert frame.loc["Kardiologie", "1993"] == 1230
    assert frame["1985"].isna().all()
    assert frame.loc["Chirurgie (ohne Orthopädie) ..."].isna().all()
    assert frame.index[-1] == "Strahlentherapie"
    assert said(data, "Points", "thousands", "`1993`")
    assert said(data, "50 cells '.' in `1985`")
    assert said(data, "first 11 lines")
    assert said(data, "Lines 74 to 94 below the table")
    assert said(data, "Column 11 of 11")


def test_an_excel_paste_with_years_for_names_and_a_total(messy):
    data = messy("08")
    frame = data.frame.set_index("Year")
    assert frame.shape == (13, 8)
    assert list(frame.columns) == [str(year) for year in range(2000, 2008)]
    assert frame.loc["Timber"].tolist() == [2666, 2274, 1877, 1999, 2055, 1632, 1687, 1751]
    assert frame.loc["Recycling"].tolist() == [577, 604, 714, 416, 416, 679, 422, 392]
    assert frame.loc["Machinery and \nequipment", "2000"] == 27173
    assert "Total" not in frame.index
    assert frame["2000"].sum() == pytest.approx(120522, abs=2)
    assert said(data, "Line 21 adds up the rows above it")
    assert said(data, "Lines 23 to 24 below the table")
    assert said(data, "first 3 lines")


def test_two_header_rows_and_blank_names(messy):
    data = messy("10")
    frame = data.frame
    assert frame.shape == (1186, 38)
    assert frame.columns.is_unique
    assert frame.columns[0] == "RespondentID"
    assert frame["RespondentID"].iloc[0] == 3292879998
    assert frame.columns[1] == "Have you seen any of the 6 films in the Star Wars franchise?"
    assert frame.columns[4].startswith("Which of the following Star Wars films have you seen?")
    assert frame.columns[4].endswith(": Star Wars: Episode II Attack of the Clones")
    ranks = frame.iloc[:, 9:15]
    assert ranks.iloc[0].tolist() == [3, 2, 1, 4, 5, 6]
    assert ranks.iloc[1].isna().all()
    assert ranks.min().min() == 1
    assert ranks.max().max() == 6
    assert frame["Household Income"].iloc[1] == "$0 - $24,999"
    assert frame["Age"].iloc[0] == "18-29"
    assert said(data, "Mac Roman")
    assert said(data, "Lines 1 to 2 hold the column names")


def test_an_index_and_two_marks_for_missing(messy, real_data):
    data = messy("13")
    frame = data.frame
    lines = raw_lines(real_data, "13", "utf-8")[1:-1]
    assert frame.shape == (1691, 13)
    assert frame["amt_weekends"].isna().sum() == sum(",NA,NA," in line for line in lines)
    assert frame["type"].isna().sum() == sum(line.endswith(',""') for line in lines)
    assert frame["amt_weekends"].iloc[1] == 12
    assert frame["gross_income"].iloc[0] == "2,600 to 5,200"
    assert "Unknown" in set(frame["nationality"])
    assert data.schema.column("id").role == "ignore"
    assert said(data, "cells 'NA' in `amt_weekends` and `amt_weekdays` were read as missing")
    assert said(data, "'Unknown'", "kept as a category")


def test_prose_above_the_header_and_question_marks(messy, real_data):
    data = messy("14")
    rows = [line.split(",") for line in raw_lines(real_data, "14", "ascii")[39:-1]]
    assert data.frame.shape == (303, 14)
    names = "age,sex,cp,trestbps,chol,fbs,restecg,thalach,exang,oldpeak,slope,ca,thal,num"
    assert ",".join(data.frame.columns) == names
    expected = np.array([[float(cell.replace("?", "nan")) for cell in row] for row in rows])
    np.testing.assert_array_equal(data.frame.to_numpy(dtype=float), expected)
    cleaned = read_csv(real_data / "heart_disease_cleveland.csv").frame
    np.testing.assert_array_equal(data.frame.to_numpy(dtype=float), cleaned.to_numpy(dtype=float))
    assert data.report.missing == {"ca": 4, "thal": 2}
    assert said(data, "6 cells '?' in `ca` and `thal` were read as missing.")
    assert said(data, "first 38 lines")


def test_codes_with_leading_zeros_and_a_row_of_commas(messy):
    data = messy("16")
    frame = data.frame
    assert frame.shape == (52, 9)
    assert frame["Code"].tolist()[:3] == ["01", "02", "04"]
    assert frame["TOTAL"].tolist()[:3] == [12426, 1158, 33986]
    assert frame["Montgomery GI Bill-Active Duty"].iloc[4] == 34942
    assert frame.iloc[-1]["State Name"] == "PUERTO RICO"
    parts = frame.iloc[:, 3:8].sum(axis="columns")
    np.testing.assert_array_equal(parts, frame["TOTAL"])
    assert said(data, "`Code`", "zeros")
    assert said(data, "Column 10 of 10 has neither a name nor a value")
    assert said(data, "1 row without any value was left out.")


def test_an_unnamed_index_and_an_informal_mark(messy):
    data = messy("18")
    frame = data.frame
    assert frame.shape == (1295, 11)
    assert frame.columns[0] == "index"
    assert frame["index"].tolist()[:4] == [1, 6, 8, 10]
    assert data.schema.column("index").role == "ignore"
    assert frame["age"].tolist()[:4] == [63, 55, 68, 64]
    assert frame["diabetes"].iloc[2] == "nk"
    assert data.report.missing == {}
    assert said(data, "'nk'", "kept as a category")
