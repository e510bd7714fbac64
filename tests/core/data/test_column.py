from __future__ import annotations

import math

import pytest

from dpcp_core.data.schema import Column
from dpcp_core.errors import InputError


def refusal(*args, **parts) -> str:
    with pytest.raises(InputError) as caught:
        Column(*args, **parts)
    return str(caught.value)


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"bounds": (100, 18)}, "wrong order; put the smaller one first"),
        ({"bounds": (18, 18)}, "equal; make the second one larger"),
        ({"bounds": (0, math.inf)}, "not finite"),
        ({"bounds": (math.nan, 1)}, "not finite"),
        ({"bounds": (1, 2, 3)}, "not two numbers"),
        ({"bounds": "12"}, "not two numbers"),
        ({"bounds": ("1", "2")}, "not two numbers"),
        ({"bounds": (False, True)}, "not two numbers"),
        ({"bounds": 5}, "not two numbers"),
        ({"bounds": (0, 10**400)}, "not two numbers"),
        ({"bounds": (-1e308, 1e308)}, "write it in a larger unit"),
        ({"bounds": (0, 50), "typical": (40, 60)}, "reaches outside its bounds [0, 50]"),
        ({"typical": (60, 40)}, "has typical [60, 40] in the wrong order"),
        ({"categories": ("a",)}, "has no categories; give bounds instead"),
        ({"role": "targets"}, "did you mean 'target'"),
        ({"missing": "drop"}, "must be one of: category, impute-public, refuse"),
        ({"unit": 3}, "a unit that is not text"),
        ({"bounds_from_file": "yes"}, "neither True nor False"),
    ],
)
def test_a_wrong_number_column_is_refused_in_one_sentence_that_names_it(parts, says):
    message = refusal("age", "number", **parts)
    assert says in message
    assert message.startswith("Column 'age' ")
    assert message.count(".") - message.count("...") <= 1 + message.count("0.")


@pytest.mark.parametrize(
    ("kind", "parts", "says"),
    [
        ("category", {"categories": ("a", "b", "a")}, "lists the category 'a' twice"),
        ("category", {"categories": "ab"}, "not a list of texts"),
        ("category", {"categories": (1, 2)}, "not a list of texts"),
        ("category", {"categories": None}, "not a list of texts"),
        ("category", {"bounds": (0, 1)}, "has no bounds; give categories instead"),
        ("boolean", {"categories": ("a", "b", "c")}, "boolean but lists 3 categories"),
        ("boolean", {"categories": ("a",)}, "boolean but lists 1 categories"),
        ("int", {}, "did you mean 'integer'"),
        (None, {}, "must be one of: number, integer, category, boolean, ordinal"),
    ],
)
def test_a_wrong_category_column_is_refused_in_one_sentence_that_names_it(kind, parts, says):
    message = refusal("sex", kind, **parts)
    assert says in message
    assert message.startswith("Column 'sex' ")


@pytest.mark.parametrize("name", ["", "  ", None, 3, "\ud800"])
def test_a_name_is_text(name):
    assert "name" in refusal(name, "number")


def test_missing_defaults_to_what_the_kind_can_do():
    assert Column("a", "category").missing == "category"
    assert {Column("a", kind).missing for kind in ("number", "integer", "boolean", "ordinal")} == {"impute-public"}
    assert Column("a", "category", missing="impute-public").missing == "impute-public"


def test_a_boolean_is_no_or_yes_unless_told():
    assert Column("a", "boolean").categories == ("no", "yes")
    assert Column("a", "boolean", categories=("benign", "malignant")).categories[1] == "malignant"


def test_scale_range_is_typical_or_else_bounds_or_else_an_error():
    assert Column("a", "number", bounds=(0, 9), typical=(2, 4)).scale_range == (2.0, 4.0)
    assert Column("a", "number", bounds=(0, 9)).scale_range == (0.0, 9.0)
    with pytest.raises(InputError, match="Column 'a' has no bounds"):
        _ = Column("a", "number").scale_range


def test_bounds_are_floats_whatever_they_were():
    bounds = Column("a", "integer", bounds=[1, 2]).bounds
    assert bounds == (1.0, 2.0)
    assert all(type(bound) is float for bound in bounds)


def test_the_title_is_the_label_or_the_name():
    assert Column("bp", "number", label="Blood pressure").title == "Blood pressure"
    assert Column("bp", "number").title == "bp"


def test_complete_means_bounds_or_categories():
    assert Column("a", "number", bounds=(0, 1)).is_complete
    assert not Column("a", "number", typical=(0, 1)).is_complete
    assert not Column("a", "category").is_complete
    assert Column("a", "boolean").is_complete


def test_changing_the_kind_drops_what_the_new_kind_cannot_have():
    number = Column("a", "number", bounds=(0, 1), bounds_from_file=True)
    category = number.with_kind("category")
    assert category.bounds is None
    assert not category.bounds_from_file
    assert category.missing == "category"
    assert number.with_kind("integer").bounds == (0.0, 1.0)
    assert number.with_kind("integer").bounds_from_file
    levels = Column("a", "category", categories=("x", "y", "z"))
    assert levels.with_kind("ordinal").categories == ("x", "y", "z")
    assert levels.with_kind("boolean").categories == ("no", "yes")
