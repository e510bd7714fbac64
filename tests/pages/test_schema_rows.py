from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcp_core.data.column import KINDS, MISSING, ROLES, Column
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from pages.ui.schema_rows import FILE, NONE, PUBLIC, HalfTyped, parsed, rows

SCHEMA = Schema(
    (
        Column("age", "integer", bounds=(20, 89), typical=(31, 78), unit="years", bounds_from_file=True),
        Column("sex", "category", categories=("f", "m"), bounds_from_file=True),
        Column("pain", "number", "target", bounds=(0, 100), label="Pain score", missing="refuse"),
    ),
    one_row_is="one patient",
)


def edited(**cells):
    """Return the column age after a change of its cells."""
    table = rows(SCHEMA)
    for name, value in cells.items():
        table.at[0, name.replace("_", " ")] = value
    return parsed(SCHEMA, table, "pain", "one patient").column("age")


def test_an_untouched_table_gives_back_the_same_schema():
    assert parsed(SCHEMA, rows(SCHEMA), "pain", "one patient") == SCHEMA


def test_both_bounds_replaced_make_a_column_public_and_drop_what_else_came_from_the_file():
    age = edited(lowest=18, highest=100)
    assert (age.bounds, age.typical, age.bounds_from_file) == ((18, 100), None, False)


def test_one_bound_replaced_leaves_the_other_somebodys_value():
    assert edited(highest=100).bounds_from_file


def test_a_typical_range_that_is_typed_too_is_kept():
    assert edited(lowest=18, highest=100, typical_from=30, typical_to=70).typical == (30, 70)


def test_somebody_may_say_that_the_files_values_are_public():
    age = edited(known_from=PUBLIC)
    assert (age.bounds, age.bounds_from_file) == ((20, 89), False)


def test_somebody_may_say_that_public_values_came_from_the_file():
    table = rows(SCHEMA)
    table.at[2, "known from"] = FILE
    assert parsed(SCHEMA, table, "pain", "").from_file == ("age", "sex", "pain")


def test_a_change_of_kind_drops_what_made_sense_for_the_old_one():
    age = edited(kind="category")
    assert (age.bounds, age.typical, age.categories) == (None, None, ())


def test_one_end_of_a_range_is_half_typed():
    with pytest.raises(HalfTyped, match="'age'"):
        edited(lowest=None)


@pytest.mark.parametrize(("low", "high"), [(100, 18), (5, 5)])
def test_reversed_and_empty_ranges_name_the_column(low, high):
    with pytest.raises(InputError, match="'age'"):
        edited(lowest=low, highest=high)


NUMBERS = st.none() | st.floats(width=32) | st.integers(-(10**30), 10**30)
CELLS = {
    **dict.fromkeys(("lowest", "highest", "typical from", "typical to"), NUMBERS),
    "kind": st.sampled_from(KINDS),
    "role": st.sampled_from(ROLES),
    "if empty": st.sampled_from(MISSING),
    "known from": st.sampled_from((FILE, NONE, PUBLIC)),
    "unit": st.none() | st.text(max_size=3),
    "categories": st.none() | st.lists(st.text(max_size=3), max_size=3),
}


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_whatever_is_typed_makes_a_schema_or_is_refused(data):
    table = rows(SCHEMA).astype(object)
    for _ in range(data.draw(st.integers(1, 4))):
        name = data.draw(st.sampled_from([*CELLS]))
        table.at[data.draw(st.integers(0, 2)), name] = data.draw(CELLS[name])
    with suppress(InputError):
        made = parsed(SCHEMA, table, data.draw(st.sampled_from([None, "age", "sex", "pain"])), "")
        assert Schema.from_toml(made.to_toml()) == made
