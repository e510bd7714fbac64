from __future__ import annotations

import pytest

from dpcp_core.data.column import Column
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from pages.ui.schema_rows import FILE, PUBLIC, HalfTyped, parsed, rows

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
