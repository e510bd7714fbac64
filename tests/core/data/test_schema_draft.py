from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcp_core.data.schema import Column, Schema
from dpcp_core.data.schema_draft import outward
from dpcp_core.errors import InputError

N = 60
RNG = np.random.default_rng(1)


def drafted(cells, name="x") -> Column:
    return Schema.draft(pd.DataFrame({name: cells})).column(name)


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (RNG.normal(size=N), "number"),
        ([1, 2, 3] * 20, "integer"),
        ([1, 2] * 30, "integer"),
        ([1.0, 2.0, None] * 20, "integer"),
        (["1.5", "2.5", "7"] * 20, "number"),
        (["a", "b", "c"] * 20, "category"),
        (["a", "b"] * 30, "category"),
        (pd.Categorical(["a", "b", "c"] * 20), "category"),
        ([True, False] * 30, "boolean"),
        ([True, False, None] * 20, "boolean"),
        ([0, 1] * 30, "boolean"),
        ([0.0, 1.0, None] * 20, "boolean"),
    ],
)
def test_kinds_are_guessed_and_nothing_is_ignored(cells, kind):
    column = drafted(cells)
    assert (column.kind, column.role) == (kind, "feature")


@pytest.mark.parametrize(
    ("cells", "pair"),
    [
        (["yes", "no"], ("no", "yes")),
        (["Yes", "No"], ("No", "Yes")),
        (["TRUE", "FALSE"], ("FALSE", "TRUE")),
        (["ja", "nein"], ("nein", "ja")),
        (["oui", "non"], ("non", "oui")),
        ([1, 0], ("0", "1")),
        ([True, False], ("false", "true")),
    ],
)
def test_the_negative_comes_first_where_everybody_knows_which_it_is(cells, pair):
    assert drafted(cells * 30).categories == pair
    assert drafted(cells * 30).bounds_from_file, "which words the column uses was seen in its rows"


def test_no_bounds_and_no_categories_are_taken_from_the_rows():
    frame = pd.DataFrame({"a": RNG.normal(size=N), "b": ["u", "v", "w"] * 20, "c": [1, 2, 3] * 20})
    schema = Schema.draft(frame)
    assert all(column.bounds is None and column.categories == () for column in schema.columns)
    assert schema.incomplete == ("a", "b", "c")


@pytest.mark.parametrize(
    ("name", "cells", "why"),
    [
        ("who", [f"P{i:04}" for i in range(N)], "looks like an identifier"),
        ("nr", list(range(5, N + 5)), "counts the rows"),
        ("patient_id", RNG.integers(10**6, size=N), "looks like an identifier"),
        ("patient_id", [1, 1, 2] * 20, "repeats, so one row may not be one person"),
        ("seen", ["2020-01-02", "2021-03-04", "2022-05-06"] * 20, "dates"),
        ("seen", ["31.12.2020 10:30", "1.2.2021 09:00"] * 30, "dates"),
        ("seen", pd.date_range("2020", periods=N), "dates"),
        ("site", ["A"] * N, "the same in every row"),
        ("dose", [2.5] * N, "the same in every row"),
        ("note", [None] * N, "empty in every row"),
        ("text", [f"word {i % 55}" for i in range(N)], "text with 55 different values"),
        ("rate", [0.5, 1.5, np.inf] * 20, "holds an infinite number"),
        ("list", [[1], [2]] * 30, "neither numbers nor text"),
    ],
)
def test_what_cannot_help_is_ignored_and_the_note_says_why(name, cells, why):
    schema, notes = Schema.draft_with_notes(pd.DataFrame({name: cells}))
    assert schema.column(name).role == "ignore"
    assert len(notes) == 1
    assert notes[0].startswith(f"Column {name!r} is ignored because it")
    assert why in notes[0]


def test_few_rows_are_no_reason_to_suspect_an_identifier():
    schema = Schema.draft(pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]}))
    assert [column.role for column in schema.columns] == ["feature", "feature"]


def test_filling_flags_every_column_it_touches_and_no_other():
    frame = pd.DataFrame({"age": [18, 90] * 30, "dose": RNG.normal(size=N), "g": ["a", "b", None] * 20})
    frame["sick"] = ["no", "yes"] * 30
    public = Column("age", "integer", bounds=(0, 120))
    filled, notes = Schema.draft(frame).with_column(public).filled_with_notes(frame)
    assert filled.column("age") == public
    assert filled.from_file == ("dose", "g", "sick")
    assert filled.column("g").categories == ("a", "b")
    assert len(notes) == 2
    assert all("not public" in note for note in notes)
    assert filled.filled_from(frame) == filled


def test_filled_typical_ranges_hold_about_two_thirds():
    frame = pd.DataFrame({"x": RNG.normal(size=5000), "rare": (RNG.uniform(size=5000) < 0.02) * 7})
    filled = Schema((Column("x", "number"), Column("rare", "integer"))).filled_from(frame)
    assert frame["x"].between(*filled.column("x").typical).mean() == pytest.approx(2 / 3, abs=0.04)
    assert filled.column("rare").typical == pytest.approx((0, 1.1), abs=0.3)


def test_filling_keeps_a_public_typical_range_inside_its_bounds():
    schema = Schema((Column("x", "number", typical=(-5, 5)),))
    filled = schema.filled_from(pd.DataFrame({"x": [0.0, 1.0]})).column("x")
    assert filled.typical == (-5.0, 5.0)
    assert filled.bounds == (-5.0, 5.0)


@pytest.mark.parametrize("cells", [[None] * N, [3] * N, [f"t{i}" for i in range(N)]])
def test_a_feature_that_cannot_be_filled_is_ignored_with_a_note(cells):
    kind = "integer" if cells[0] == 3 else "category"
    filled, notes = Schema((Column("x", kind),)).filled_with_notes(pd.DataFrame({"x": cells}))
    assert filled.column("x").role == "ignore"
    assert "ignored" in notes[0]


def test_a_target_may_have_many_classes_but_not_one():
    schema = Schema((Column("x", "category", role="target"),))
    many = schema.filled_from(pd.DataFrame({"x": [f"t{i}" for i in range(N)]}))
    assert len(many.target.categories) == N
    with pytest.raises(InputError, match="Column 'x' is the target but is the same in every row"):
        schema.filled_from(pd.DataFrame({"x": ["a"] * N}))
    with pytest.raises(InputError, match="Column 'x' is the target but is empty in every row"):
        schema.filled_from(pd.DataFrame({"x": [None] * N}))


def test_filling_refuses_text_in_a_column_of_numbers():
    with pytest.raises(InputError, match="Column 'x' should hold numbers but row 3 does not"):
        Schema((Column("x", "number"),)).filled_from(pd.DataFrame({"x": [1, 2, "secret"]}))


@settings(deadline=None)
@given(*[st.floats(allow_nan=False, allow_infinity=False)] * 2, st.booleans())
def test_rounding_outward_never_cuts(one, other, whole):
    low, high = sorted((one, other))
    down, up = outward(low, high, whole=whole)
    assert down <= low
    assert up >= high
    if 1e-9 < high - low < 1e9 and abs(low) < 1e6 and not whole:
        assert up - down <= 1.3 * (high - low) + 1e-9
    assert math.isfinite(down)
    assert math.isfinite(up)


@pytest.mark.parametrize(
    ("cells", "role"),
    [
        (["01", "02", "10"] * 20, "feature"),
        ([f"{place:04}" for place in range(60)], "ignore"),
        ([str(94347659190000000000 + place) for place in range(60)], "ignore"),
    ],
    ids=["zeros", "unique zeros", "many digits"],
)
def test_codes_that_the_reader_keeps_as_text_are_no_numbers(cells, role):
    column = Schema.draft(pd.DataFrame({"ward": cells})).column("ward")
    assert (column.kind, column.role) == ("category", role)
