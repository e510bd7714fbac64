"""The tables of the texts are read in every form in which they are published, and nothing else is taken for them."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dpcp_core import InputError, Schema
from dpcp_core.experiments.reproduce.published.registry import BY_NAME, PUBLISHED, look_into, schema_folder

ABALONE = "M,0.455,0.365,0.095,0.514,0.2245,0.101,0.15,15\nF,0.53,0.42,0.135,0.677,0.2565,0.1415,0.21,9\n"
TETOUAN = (
    "DateTime,Temperature,Humidity,Wind Speed,general diffuse flows,diffuse flows,Zone 1 Power Consumption,"
    "Zone 2  Power Consumption,Zone 3  Power Consumption\n"
    "1/1/2017 0:00,6.5,73.8,0.083,0.051,0.119,34055.6,16128.8,20240.9\n"
    "12/30/2017 23:50,9.5,74.5,0.080,0.070,0.085,29814.6,19375.0,20131.0\n"
)


def write(folder: Path, name: str, text: str, *, packed: bool = False) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    return path


def only(folder: Path):
    """Return the one table that a folder holds."""
    ((found,), _) = look_into(folder)
    return found


def names_of(name: str) -> list[str]:
    return list(Schema.from_toml(schema_folder() / f"{name}.toml").names)


def test_abalone_is_read_as_uci_publishes_it_without_a_header(tmp_path):
    write(tmp_path, "abalone.data", ABALONE)
    data = only(tmp_path).load()
    assert data.frame["rings"].tolist() == [15, 9]
    assert data.frame["sex"].tolist() == ["M", "F"]
    assert data.schema.target.name == "rings"


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_may_be_packed_whatever_it_is_called(tmp_path, packed):
    write(tmp_path, "abalone.data", ABALONE, packed=packed)
    assert only(tmp_path).load().n_rows == 2


def test_a_name_with_gz_behind_it_is_found(tmp_path):
    write(
        tmp_path,
        "CASP.csv.gz",
        f"{','.join(names_of('casp'))}\n{','.join('1' * 10)}\n{','.join('2' * 10)}\n",
        packed=True,
    )
    assert only(tmp_path).load().frame["RMSD"].tolist() == [1, 2]


def test_a_table_is_found_in_the_folder_that_its_archive_unpacks_to(tmp_path):
    names = ["instant", *names_of("bike")]
    write(
        tmp_path,
        "Bike-Sharing-Dataset/hour.csv",
        ",".join(names) + "\n1,2011-01-01" + ",1" * 15 + "\n2,2011-01-01" + ",0" * 15,
    )
    data = only(tmp_path).load()
    assert "instant" not in data.frame.columns
    assert data.frame["cnt"].tolist() == [1, 0]


def test_a_question_mark_is_a_missing_cell(tmp_path):
    names = names_of("communities_crime")
    rows = [["8", "?", "?", "Lakewoodcity", "1", *["0.5"] * 122, value] for value in ("0.2", "0.7")]
    write(tmp_path, "communities.data", "\n".join(",".join(row) for row in rows))
    frame = only(tmp_path).load().frame
    assert frame["county"].isna().all()
    assert frame[names[-1]].tolist() == [0.2, 0.7]


def test_the_clock_of_tetouan_becomes_month_hour_and_weekday(tmp_path):
    write(tmp_path, "Tetuan City power consumption.csv", TETOUAN)
    data = only(tmp_path).load()
    assert data.frame[["month", "hour", "weekday"]].to_numpy().tolist() == [["1", "0", "6"], ["12", "23", "5"]]
    assert data.schema.target.name == "Zone 1 Power Consumption"
    features = {column.name for column in data.schema.features} - {data.schema.target.name}
    assert not any("Zone" in name for name in features)


def test_two_of_four_files_of_mnist_are_not_mnist(tmp_path):
    for name in ("train-images-idx3-ubyte", "train-labels-idx1-ubyte"):
        write(tmp_path, name, "")
    here, missing = look_into(tmp_path)
    assert here == ()
    assert "mnist" in [table.name for table in missing]


def test_every_table_says_where_a_user_gets_it():
    assert all(table.source.startswith("https://") for table in PUBLISHED)
    assert list(BY_NAME) == ["abalone", "bike", "communities_crime", "casp", "tetouan", "mnist", "cifar10"]


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("abalone.data", "1,2,3\n4,5,6\n", "has 3 columns in place of 9, so it is not the table Abalone"),
        ("abalone.csv", "a,b\n1,2\n", "has no column 'sex', 'length', 'diameter' and 6 more, so it is not"),
        ("abalone.csv", "", "does not hold a table of text; download Abalone again."),
        ("abalone.data", ABALONE.replace("0.53", "long"), "is not the table Abalone as published: Column 'length'"),
        ("CASP.csv", "\x00\x01\x02", "has no column"),
        ("Tetuan City power consumption.csv", TETOUAN.replace("1/1/2017", "2017-01-01"), "is not written as 1/31/2017"),
    ],
)
def test_another_table_under_a_known_name_is_refused_in_one_sentence(tmp_path, name, text, sentence):
    write(tmp_path, name, text)
    with pytest.raises(InputError) as refused:
        only(tmp_path).load()
    assert sentence in str(refused.value)
    assert str(tmp_path / name) in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("content", [b"\x1f\x8bnot gzip at all", gzip.compress(ABALONE.encode() * 50, mtime=0)[:-20]])
def test_a_damaged_packed_file_is_refused(tmp_path, content):
    (tmp_path / "abalone.data").write_bytes(content)
    with pytest.raises(InputError, match=r"cannot be read .*download Abalone again"):
        only(tmp_path).load()


def test_a_folder_in_place_of_a_file_is_refused(tmp_path):
    (tmp_path / "abalone.csv").mkdir()
    with pytest.raises(InputError, match="cannot be read"):
        only(tmp_path).load()


def test_bytes_that_are_no_text_are_refused(tmp_path):
    (tmp_path / "abalone.csv").write_bytes(b"\xff\xfe\xba\xad,\x80\n1,2\n")
    with pytest.raises(InputError, match=r"does not hold a table of text|has no column"):
        only(tmp_path).load()


def test_a_folder_that_is_not_there_or_a_file_is_refused(tmp_path):
    with pytest.raises(InputError, match="is not there; name the folder"):
        look_into(tmp_path / "nowhere")
    with pytest.raises(InputError, match="is a file; name the folder"):
        look_into(write(tmp_path, "file", ""))


def test_the_real_tables_are_found_and_read(real_data):
    here, _ = look_into(real_data)
    found = {entry.table.name: entry for entry in here}
    assert {"abalone", "bike", "communities_crime", "casp"} <= set(found)
    rows = {name: found[name].load().n_rows for name in ("abalone", "bike", "communities_crime", "casp")}
    assert rows == {"abalone": 4177, "bike": 17379, "communities_crime": 1994, "casp": 45730}


def test_reading_equals_what_the_benchmarks_read(real_data):
    here, _ = look_into(real_data)
    found = {entry.table.name: entry for entry in here}
    ours = found["casp"].load().frame
    plain = pd.read_csv(real_data / "casp_protein.csv.gz")
    np.testing.assert_array_equal(ours.to_numpy(), plain.to_numpy())
