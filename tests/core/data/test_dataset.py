from __future__ import annotations

import dataclasses
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpcp_core.data.dataset import Dataset, ReadingReport
from dpcp_core.data.schema import Column, Schema
from dpcp_core.errors import InputError

FRAME = pd.DataFrame({"age": [30, 40, 50], "sex": ["f", "m", None], "bp": [120.5, np.nan, 131.0]})
SCHEMA = Schema((Column("age", "integer", bounds=(18, 100)), Column("bp", "number", bounds=(50, 250))))

FLOATS = st.floats(allow_nan=False) | st.none()
TEXTS = st.sampled_from(["", "nan", "None", "1", "1.0", "True", "a", "b", "ab"]) | st.text(max_size=3) | st.none()
MIXED = st.integers(-(2**70), 2**70) | st.booleans() | TEXTS | st.floats(allow_nan=False)
CELLS = {
    "float": (FLOATS, "float64"),
    "integer": (st.integers(-(2**63), 2**63 - 1), "int64"),
    "nullable": (st.integers(-(2**63), 2**63 - 1) | st.none(), "Int64"),
    "boolean": (st.booleans() | st.none(), "boolean"),
    "text": (TEXTS, "str"),
    "mixed": (MIXED, "object"),
    "category": (TEXTS, "category"),
}


def digest(frame: pd.DataFrame) -> str:
    return Dataset.from_frame(frame, Schema((Column("y", "integer", role="ignore"),))).digest


def same(one, other) -> bool:
    return type(one) is type(other) and one == other


@pytest.mark.parametrize("kind", CELLS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_changing_any_one_cell_changes_the_digest(kind, data):
    values, dtype = CELLS[kind]
    cells = data.draw(st.lists(values, min_size=1, max_size=12))
    place = data.draw(st.integers(0, len(cells) - 1))
    other = data.draw(values)
    assume(not same(cells[place], other))
    if kind == "float":
        assume(None in (cells[place], other) or float(cells[place]) != float(other))
    changed = [*cells[:place], other, *cells[place + 1 :]]
    before, after = (pd.DataFrame({"x": pd.Series(column, dtype=dtype), "y": 1}) for column in (cells, changed))
    assert digest(before) != digest(after)
    assert digest(before) == digest(before.copy())


@settings(deadline=None)
@given(data=st.data())
def test_swapping_two_different_cells_changes_the_digest(data):
    cells = data.draw(st.lists(TEXTS, min_size=2, max_size=8))
    one, other = (data.draw(st.integers(0, len(cells) - 1)) for _ in range(2))
    assume(not same(cells[one], cells[other]))
    swapped = list(cells)
    swapped[one], swapped[other] = swapped[other], swapped[one]
    assert digest(pd.DataFrame({"x": cells, "y": 1})) != digest(pd.DataFrame({"x": swapped, "y": 1}))


@pytest.mark.parametrize("row", [0, 9, 54_321, 99_999])
def test_no_row_of_a_long_table_goes_unread(row):
    frame = pd.DataFrame({"x": np.zeros(100_000), "y": 1, "z": "a"})
    numbers, words = frame.copy(), frame.copy()
    numbers.loc[row, "x"] = 5e-324
    words.loc[row, "z"] = "b"
    assert len({digest(frame), digest(numbers), digest(words)}) == 3


def test_text_cannot_flow_from_one_cell_into_the_next():
    pairs = [["xtext y", "z"], ["x", "ytext z"], ["xtext ytext z", ""], ["", "xtext ytext z"]]
    assert len({digest(pd.DataFrame({"x": pair, "y": 1})) for pair in pairs}) == len(pairs)


def test_names_order_and_kinds_count_but_the_index_does_not():
    frames = [
        FRAME,
        FRAME.rename(columns={"sex": "gender"}),
        FRAME[["sex", "age", "bp"]],
        FRAME.astype({"age": "float64"}),
        FRAME.astype({"age": "str"}),
        FRAME.iloc[[1, 0, 2]],
        FRAME.iloc[:2],
        FRAME.assign(age=FRAME["age"].astype("uint64")),
        FRAME.assign(age=pd.to_datetime(FRAME["age"], unit="s")),
        FRAME.assign(age=pd.to_datetime(FRAME["age"], unit="s").dt.tz_localize("UTC")),
    ]
    digests = [digest(frame.assign(y=1)) for frame in frames]
    assert len(set(digests)) == len(frames)
    assert digest(FRAME.assign(y=1).set_axis([7, 8, 9])) == digests[0]


def test_how_text_is_stored_does_not_count():
    stored = [FRAME.astype({"sex": kind}) for kind in ("object", "str", "category")]
    assert len({digest(frame.assign(y=1)) for frame in stored}) == 1


def test_the_schema_counts():
    one = Dataset.from_frame(FRAME, SCHEMA)
    other = one.with_schema(SCHEMA.replace(one_row_is="one patient"))
    assert one != other
    assert one.digest != other.digest
    assert other.with_schema(SCHEMA) == one
    assert hash(other.with_schema(SCHEMA)) == hash(one)
    assert one != "something else"


def test_equal_contents_are_equal_whatever_they_are_called():
    assert Dataset.from_frame(FRAME, SCHEMA, name="a") == Dataset.from_frame(FRAME.copy(), SCHEMA, name="b")


def test_a_dataset_cannot_be_changed_from_outside():
    frame = FRAME.copy()
    data = Dataset.from_frame(frame, SCHEMA)
    frame.loc[0, "age"] = 99
    seen = data.frame
    seen.loc[0, "age"] = 98
    seen["new"] = 1
    assert data.frame["age"].tolist() == [30, 40, 50]
    assert list(data.frame) == ["age", "sex", "bp"]
    assert Dataset.from_frame(data.frame, SCHEMA) == data


def test_a_dataset_survives_pickling():
    data = Dataset.from_frame(FRAME, SCHEMA, name="three")
    again = pickle.loads(pickle.dumps(data))
    assert again == data
    pd.testing.assert_frame_equal(again.frame, data.frame)


def test_the_report_counts_what_is_missing_and_a_draft_says_why_it_ignores():
    data = Dataset.from_frame(FRAME.assign(site="A"))
    assert data.report.missing == {"sex": 1, "bp": 1}
    assert (data.report.n_rows, data.report.n_columns) == (3, 4)
    assert data.report.notes == ("Column 'site' is ignored because it is the same in every row.",)
    given = ReadingReport(notes=("as told",), source="x.csv")
    assert Dataset.from_frame(FRAME, report=given).report is given


@pytest.mark.parametrize(
    ("frame", "says"),
    [
        (pd.DataFrame(), "no rows or no columns"),
        (FRAME.iloc[:0], "no rows or no columns"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "two columns named 'a'"),
        (pd.DataFrame([[1, 2]], columns=[1, "1"]), "two columns named '1'"),
        ([1, 2], "must be a pandas DataFrame, not list"),
        (FRAME.drop(columns="bp"), "a column 'bp' that the table does not have"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_in_one_sentence(frame, says):
    with pytest.raises(InputError, match=says):
        Dataset.from_frame(frame, SCHEMA)


def test_with_schema_refuses_what_does_not_fit():
    data = Dataset.from_frame(FRAME, SCHEMA)
    with pytest.raises(InputError, match="'bp' is the target but is empty in 1 row"):
        data.with_schema(SCHEMA.with_target("bp"))


def test_rows_without_a_value_can_be_left_out_and_the_count_is_told():
    data = Dataset.from_frame(FRAME, SCHEMA, name="three", report=ReadingReport(notes=("as told",), source="x.csv"))
    filled = data.where_filled("bp")
    assert filled.frame["age"].tolist() == FRAME["age"][FRAME["bp"].notna()].tolist()
    assert filled.frame.index.tolist() == [0, 1]
    assert (filled.name, filled.schema, filled.report.source) == ("three", SCHEMA, "x.csv")
    assert (filled.report.n_rows, "bp" in filled.report.missing) == (2, False)
    assert filled.report.notes == (
        "1 of 3 rows is empty in `bp` and was left out; that 2 are left counts as publicly known.",
        "as told",
    )
    assert filled.rows_digest != data.rows_digest
    filled.with_schema(SCHEMA.with_target("bp"))
    nobody_left_out = data.where_filled("age")
    assert nobody_left_out == data
    assert nobody_left_out.report == dataclasses.replace(data.report, filled=("age",))


@pytest.mark.parametrize(
    ("frame", "name", "says"),
    [
        (FRAME, "BP", r"no column 'BP' \(did you mean 'bp'\?\)"),
        (FRAME, 5, "The table has no column 5; name one of its own"),
        (FRAME.assign(bp=None), "bp", "'bp' is empty in every row, so that none would be left"),
    ],
)
def test_a_column_that_leaves_no_rows_is_refused(frame, name, says):
    with pytest.raises(InputError, match=says):
        Dataset.from_frame(frame).where_filled(name)
