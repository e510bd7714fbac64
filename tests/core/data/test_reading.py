"""What goes in and what comes out of reading: sources, schemas, names and the report."""

from __future__ import annotations

import io

import pytest

from dpcp_core import InputError, Schema, read_csv

CONTENTS = b"age;weight;sex\n40;70,5;f\n51;?;m\n"
SCHEMA = Schema.from_toml("""
[age]
kind = "integer"
bounds = [18, 100]
[weight]
kind = "number"
bounds = [30, 200]
role = "target"
[sex]
kind = "category"
categories = ["f", "m"]
""")


def test_path_bytes_and_open_files_give_the_same_data(tmp_path):
    path = tmp_path / "people.csv"
    path.write_bytes(CONTENTS)
    data = read_csv(path)
    with path.open("rb") as file:
        file.read()  # as an upload that somebody has looked at before
        assert read_csv(file) == data
    with path.open() as file:
        assert read_csv(file) == data
    for source in (str(path), CONTENTS, bytearray(CONTENTS), memoryview(CONTENTS), io.BytesIO(CONTENTS)):
        assert read_csv(source) == data


def test_names_and_source_come_from_the_file(tmp_path):
    path = tmp_path / "people.csv"
    path.write_bytes(CONTENTS)
    data = read_csv(path)
    assert (data.name, data.report.source) == ("people", "people.csv")
    assert read_csv(path, name="Ward 7").name == "Ward 7"
    assert read_csv(CONTENTS).name == ""


def test_the_report_counts_and_tells():
    report = read_csv(CONTENTS).report
    assert (report.n_rows, report.n_columns) == (2, 3)
    assert report.missing == {"weight": 1}
    assert report.notes[:3] == (
        "Semicolons separate the columns.",
        "1 cell '?' in `weight` was read as missing.",
        "Commas in the numbers of `weight` were read as decimal marks.",
    )


def test_the_draft_says_what_it_ignores():
    rows = "".join(f"{i},{i % 7}\n" for i in range(100))
    data = read_csv(f"patient_id,visits\n{rows}".encode())
    assert data.schema.column("patient_id").role == "ignore"
    assert any("'patient_id' is ignored" in note for note in data.report.notes)


def test_only_so_many_rows_are_read_and_the_report_says_so():
    data = read_csv(b"a,b\n" + b"1,2\n" * 50 + b"x,y\n", max_rows=3)
    assert data.frame.to_dict("list") == {"a": [1, 1, 1], "b": [2, 2, 2]}
    assert "Only the first 3 of 51 rows were read." in data.report.notes
    assert not any("Only" in note for note in read_csv(CONTENTS, max_rows=2).report.notes)


def test_a_schema_is_kept_as_given():
    schema = SCHEMA.with_role("weight", "feature")
    data = read_csv(CONTENTS, schema=schema)
    assert data.schema == schema
    assert data.frame["sex"].tolist() == ["f", "m"]


def test_a_column_that_the_file_lacks_is_named_with_a_suggestion():
    schema = Schema.from_toml('[agee]\nkind = "integer"')
    with pytest.raises(InputError, match=r"'agee' that the file does not have \(did you mean 'age'\?\)"):
        read_csv(CONTENTS, schema=schema)


def test_a_column_that_the_schema_lacks_is_carried_along_unused():
    schema = Schema((SCHEMA.column("age"),))
    data = read_csv(CONTENTS, schema=schema)
    assert data.schema.names == ("age", "weight", "sex")
    assert [column.role for column in data.schema.columns] == ["feature", "ignore", "ignore"]
    assert "The schema does not describe `weight` and `sex`, so nothing uses them." in data.report.notes


def test_a_column_of_numbers_must_hold_numbers():
    with pytest.raises(InputError, match=r"Column 'age' should hold numbers but line 3 does not"):
        read_csv(b"age,sex\n40,f\nabout 51,m\n60,f\n", schema=Schema((SCHEMA.column("age"),)))
    with pytest.raises(InputError, match=r"Column 'age' should hold numbers but line 2 does not"):
        read_csv(b"age,sex\nold,f\nyoung,m\n", schema=Schema((SCHEMA.column("age"),)))
    with pytest.raises(InputError, match=r"Column 'age' should hold numbers but line 4 does not"):
        read_csv(b"age,sex\n40,f\n?,m\nold,f\nyoung,m\nolder,m\n", schema=Schema((SCHEMA.column("age"),)))
    with pytest.raises(InputError, match=r"Column 'age'.*another decimal mark"):
        read_csv(b"age,sex\n40.5,f\n50,m\n", schema=Schema((SCHEMA.column("age"),)), decimal=",")


def test_categories_stay_text_even_if_they_are_digits():
    schema = Schema.from_toml('[sex]\nkind = "category"\ncategories = ["1", "2"]\n[age]\nkind = "integer"')
    data = read_csv(b"age,sex\n40,1\n51,2\n60,1\n", schema=schema)
    assert data.frame["sex"].tolist() == ["1", "2", "1"]


def test_categories_written_as_decimals_are_matched():
    schema = Schema.from_toml('[sex]\nkind = "category"\ncategories = ["1", "2"]\n[age]\nkind = "integer"')
    data = read_csv(b"age,sex\n40,1.0\n51,2.0\n60,3.0\n", schema=schema)
    assert data.frame["sex"].tolist() == ["1", "2", "3.0"]
    assert any("`sex` were matched" in note for note in data.report.notes)


def test_known_names_find_the_header_among_lines_like_it():
    contents = b"Region:;North;all\nYear:;2011;all\nage;sex;ward\n40;f;a\n51;m;b\n"
    schema = Schema.from_toml('[age]\nkind = "integer"\n[sex]\nkind = "category"\n[ward]\nkind = "category"')
    assert read_csv(contents, schema=schema).frame["age"].tolist() == [40, 51]


def test_rows_without_a_target_are_refused_with_the_fix_or_left_out_and_counted():
    schema = SCHEMA.with_target("weight")
    with pytest.raises(
        InputError, match=r"empty in 1 row .* leave those rows out, if it may be known how many are left"
    ):
        read_csv(CONTENTS, schema=schema)
    data = read_csv(CONTENTS, schema=schema, leave_out_empty="weight")
    assert data.frame["age"].tolist() == [40]
    assert (
        "1 of 2 rows is empty in `weight` and was left out; that 1 is left counts as publicly known."
        in data.report.notes
    )
    with pytest.raises(InputError, match="no column 'height'"):
        read_csv(CONTENTS, leave_out_empty="height")
