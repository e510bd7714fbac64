"""Encoding reads the public schema and nothing else."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core.data.classes import category_codes
from dpcp_core.data.encoding import encode
from dpcp_core.data.schema import Column, Schema
from dpcp_core.data.target import NumericTarget
from dpcp_core.errors import InputError

SCHEMA = Schema(
    (
        Column("age", "integer", bounds=(18, 100), typical=(40, 70)),
        Column("bmi", "number", bounds=(10, 60), typical=(22, 32), missing="category"),
        Column("sex", "category", categories=("f", "m", "x")),
        Column("smokes", "boolean"),
        Column("stage", "ordinal", categories=("I", "II", "III")),
        Column("pressure", "number", role="target", bounds=(60, 260), typical=(110, 150)),
    )
)


def table(**changes: object) -> pd.DataFrame:
    values: dict[str, object] = {
        "age": [55, 40],
        "bmi": [27.0, np.nan],
        "sex": ["f", "m"],
        "smokes": ["no", "yes"],
        "stage": ["I", "III"],
        "pressure": [120.0, 300.0],
    }
    return pd.DataFrame(values | changes)


def test_no_row_exceeds_norm_one_however_wild_the_values() -> None:
    wild = table(age=[10**9, -(10**9)], bmi=[1e300, -1e300])
    norms = np.linalg.norm(encode(wild, SCHEMA, "pressure").features.astype(np.float64), axis=1)
    assert norms.max() <= 1.0


def test_one_row_does_not_influence_the_encoding_of_another() -> None:
    plain = encode(table(), SCHEMA, "pressure").features[0]
    beside_wild = encode(table(age=[55, 10**6], sex=["f", "?"], bmi=[27.0, 55.0]), SCHEMA, "pressure").features[0]
    np.testing.assert_array_equal(plain, beside_wild)


def test_a_typical_value_lies_one_half_width_from_the_centre() -> None:
    encoded = encode(table(age=[55, 70]), SCHEMA, "pressure")
    constant = encoded.features[0, 0]
    place = encoded.names.index("age")
    assert encoded.features[0, place] == 0
    assert encoded.features[1, place] / encoded.features[1, 0] == pytest.approx(1.0, rel=1e-6)
    assert constant > 0


def test_values_outside_bounds_are_clipped_and_counted() -> None:
    encoded = encode(table(age=[55, 130]), SCHEMA, "pressure")
    assert encoded.clipped == {"age": 1, "pressure": 1}
    assert encoded.target is not None
    assert encoded.target.tolist() == [120.0, 260.0]


def test_an_unknown_category_is_counted_and_adds_nothing() -> None:
    encoded = encode(table(sex=["f", "martian"]), SCHEMA, "pressure")
    places = [place for place, name in enumerate(encoded.names) if name.startswith("sex")]
    assert encoded.clipped["sex"] == 1
    assert not encoded.features[1, places].any()


def test_missing_numbers_get_a_flag_of_their_own_where_the_schema_says_so() -> None:
    encoded = encode(table(), SCHEMA, "pressure")
    flag = encoded.names.index("bmi = (missing)")
    assert encoded.features[0, flag] == 0
    assert encoded.features[1, flag] > 0
    assert encoded.imputed == {"bmi": 1}


def test_missing_values_are_refused_where_the_schema_says_so() -> None:
    strict = SCHEMA.with_column(Column("bmi", "number", bounds=(10, 60), missing="refuse"))
    with pytest.raises(InputError, match="Column 'bmi' has 1 missing"):
        encode(table(), strict, "pressure")


def test_text_in_a_number_column_is_one_sentence() -> None:
    with pytest.raises(InputError, match="Column 'age' should hold numbers"):
        encode(table(age=["old", "young"]), SCHEMA, "pressure")


def test_a_target_with_gaps_is_refused() -> None:
    with pytest.raises(InputError, match="target 'pressure' has 1 missing"):
        encode(table(pressure=[120.0, np.nan]), SCHEMA, "pressure")


def test_a_target_of_classes_is_read_as_codes() -> None:
    schema = Schema((Column("age", "integer", bounds=(0, 99)), Column("sick", "boolean")))
    coded = encode(pd.DataFrame({"age": [40, 50], "sick": ["no", "yes"]}).replace({"no": 0, "yes": 1}), schema, "sick")
    assert coded.target.tolist() == [0, 1]


def test_a_class_that_the_schema_does_not_name_is_refused_by_the_column() -> None:
    schema = Schema((Column("age", "integer", bounds=(0, 99)), Column("ward", "category", categories=("a", "b"))))
    with pytest.raises(InputError, match="'ward' has 1 value that is none of its categories"):
        encode(pd.DataFrame({"age": [40, 50], "ward": ["a", "c"]}), schema, "ward")


def test_a_class_that_is_missing_is_refused() -> None:
    schema = Schema((Column("age", "integer", bounds=(0, 99)), Column("ward", "category", categories=("a", "b"))))
    with pytest.raises(InputError, match="'ward' has 1 missing"):
        encode(pd.DataFrame({"age": [40, 50], "ward": ["a", None]}), schema, "ward")


@pytest.mark.parametrize("cells", [[1, 2], [1.0, 2.0], ["1", "2"], ["1.0", "2.0"]])
def test_whole_numbers_match_their_category_however_they_were_read(cells: list[object]) -> None:
    column = Column("code", "category", categories=("1", "2"))
    assert category_codes(pd.Series(cells), column).tolist() == [0, 1]


def test_true_and_false_are_yes_and_no() -> None:
    assert category_codes(pd.Series([True, False]), Column("b", "boolean")).tolist() == [1, 0]


@given(st.floats(-1e6, 1e6), st.floats(0.01, 1e3), st.floats(0, 1))
def test_scaling_a_target_back_gives_it_back(low: float, width: float, place: float) -> None:
    scale = NumericTarget.of(Column("y", "number", bounds=(low, low + width)))
    value = np.array([low + place * width])
    np.testing.assert_allclose(scale.unscale(scale.scale(value)), value, rtol=1e-6, atol=1e-6 * width)


def test_true_and_false_are_read_cell_by_cell_whatever_stands_beside_them() -> None:
    schema = Schema((Column("smokes", "boolean"),))
    alone = encode(pd.DataFrame({"smokes": [True, False]}), schema).features
    beside_empty = encode(pd.DataFrame({"smokes": [True, False, None]}), schema).features[:2]
    beside_text = encode(pd.DataFrame({"smokes": [True, False, "unclear"]}), schema).features[:2]
    np.testing.assert_array_equal(alone, beside_empty)
    np.testing.assert_array_equal(alone, beside_text)


CELLS = st.one_of(st.booleans(), st.none(), st.integers(-3, 3), st.sampled_from(["yes", "no", "1", "x", "", "true"]))


@given(st.lists(CELLS, min_size=1, max_size=6))
def test_a_row_is_encoded_alone_as_among_others(cells: list[object]) -> None:
    schema = Schema((Column("a", "boolean"), Column("b", "category", categories=("1", "2", "x"))))
    table = pd.DataFrame({"a": cells, "b": cells}, dtype=object)
    together = encode(table, schema).features
    apart = np.vstack([encode(table.iloc[[row]], schema).features for row in range(len(table))])
    np.testing.assert_array_equal(together, apart)


def test_declared_categories_win_over_the_usual_words() -> None:
    column = Column("b", "boolean", categories=("true", "false"))
    assert category_codes(pd.Series([True, False]), column).tolist() == [0, 1]
    assert category_codes(pd.Series(["true", "false"]), column).tolist() == [0, 1]


@pytest.mark.parametrize("cells", [[0, 1], [0.0, 1.0], ["0", "1"], [False, True]])
def test_zero_and_one_are_no_and_yes(cells: list[object]) -> None:
    assert category_codes(pd.Series(cells), Column("b", "boolean")).tolist() == [0, 1]


def test_codes_too_long_to_be_exact_numbers_are_refused() -> None:
    column = Column("code", "category", categories=("9007199254740993",))
    with pytest.raises(InputError, match="too long to be exact"):
        category_codes(pd.Series([9007199254740993, 1]), column)
    assert category_codes(pd.Series(["9007199254740993"]), column).tolist() == [0]


def test_clipped_cells_are_counted_for_their_own_column_whatever_its_name() -> None:
    schema = Schema((Column("dose", "number", bounds=(0, 1)), Column("dose = high", "number", bounds=(0, 1))))
    encoded = encode(pd.DataFrame({"dose": [0.5, 0.5], "dose = high": [2.0, 0.5]}), schema)
    assert encoded.clipped == {"dose = high": 1}
