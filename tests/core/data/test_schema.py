from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpcp_core.data.schema import Column, Schema
from dpcp_core.errors import InputError

AGE = Column("age", "integer", bounds=(18, 100))
SEX = Column("sex", "category", categories=("female", "male"))
DAYS = Column("days", "number", role="target", bounds=(0, 60))
SCHEMA = Schema((AGE, SEX, DAYS), "one patient")


def test_one_target_and_the_features_in_order():
    assert SCHEMA.target == DAYS
    assert SCHEMA.features == (AGE, SEX)
    assert Schema((AGE,)).target is None


def test_a_new_target_makes_a_feature_of_the_old_one():
    changed = SCHEMA.with_target("age")
    assert changed.target.name == "age"
    assert changed.column("days").role == "feature"
    assert SCHEMA.with_role("days", "ignore").target is None
    assert SCHEMA.with_target("days") == SCHEMA


def test_two_targets_are_refused():
    with pytest.raises(InputError, match="'days' and 'age' are both the target"):
        Schema((DAYS, Column("age", "integer", role="target")))


def test_a_name_twice_and_no_column_are_refused():
    with pytest.raises(InputError, match="'age' is in the schema twice"):
        Schema((AGE, SEX, AGE))
    with pytest.raises(InputError, match="no columns"):
        Schema(())


def test_an_unknown_column_suggests_the_closest():
    with pytest.raises(InputError, match=r"no column 'Agee' \(did you mean 'age'\?\)"):
        SCHEMA.column("Agee")
    with pytest.raises(InputError, match="no column 'height'; the columns are: age, sex, days"):
        SCHEMA.with_target("height")


def test_a_column_is_replaced_in_place_or_added_at_the_end():
    wider = Column("age", "integer", bounds=(0, 120))
    assert SCHEMA.with_column(wider).columns == (wider, SEX, DAYS)
    bmi = Column("bmi", "number")
    assert SCHEMA.with_column(bmi).names == ("age", "sex", "days", "bmi")


def test_only_features_and_target_count_as_incomplete_or_from_the_file():
    flagged = Column("crp", "number", bounds=(0, 9), bounds_from_file=True)
    schema = Schema((flagged, Column("bmi", "number"), Column("note", "category", role="ignore")))
    assert schema.from_file == ("crp",)
    assert schema.incomplete == ("bmi",)
    assert schema.with_role("crp", "ignore").from_file == ()
    assert schema.with_target("crp").from_file == ("crp",)


def test_replace_and_hash():
    assert SCHEMA.replace(one_row_is="one stay").one_row_is == "one stay"
    assert len({SCHEMA, Schema((AGE, SEX, DAYS), "one patient"), SCHEMA.replace(one_row_is="x")}) == 2


def frame(**cells) -> pd.DataFrame:
    rows = {"age": [30, 40, 50], "sex": ["female", "male", "male"], "days": [1.0, 2.0, 3.0]}
    return pd.DataFrame(rows | cells)


def test_a_table_that_fits_is_accepted_with_columns_to_spare():
    SCHEMA.check(frame(extra=[1, 2, 3]))
    SCHEMA.check(frame(age=[30, None, 50], sex=["female", None, "unknown"]))


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ({"age": [30, "secret", 50]}, "Column 'age' should hold numbers but row 2 does not"),
        ({"age": [30, np.inf, 50]}, "Column 'age' should hold numbers but row 2 does not"),
        ({"age": pd.to_datetime(["2020-01-01"] * 3)}, "Column 'age' should hold numbers but holds dates"),
        ({"age": pd.period_range("2020", periods=3)}, "Column 'age' should hold numbers but holds dates"),
        ({"age": [1j, 2, 3]}, "should hold real numbers"),
        ({"days": [1, None, None]}, "'days' is the target but is empty in 2 rows .the first is row 2."),
        ({"days": [2, 2, 2]}, "'days' is the target but is the same in every row"),
    ],
)
def test_cells_that_do_not_fit_are_refused_by_column_and_row_but_never_shown(cells, says):
    with pytest.raises(InputError, match=says) as caught:
        SCHEMA.check(frame(**cells))
    assert "secret" not in str(caught.value)


def test_a_column_missing_from_the_table_is_refused_with_the_closest():
    with pytest.raises(InputError, match=r"a column 'days' that the table does not have \(did you mean 'Days'\?\)"):
        SCHEMA.check(frame().rename(columns={"days": "Days"}))
    with pytest.raises(InputError, match="two columns named 'sex'"):
        SCHEMA.check(frame().set_axis(["sex", "sex", "days"], axis=1))


def test_an_empty_cell_is_refused_only_where_the_schema_says_so():
    strict = SCHEMA.with_column(Column("age", "integer", bounds=(18, 100), missing="refuse"))
    strict.check(frame())
    with pytest.raises(InputError, match="Column 'age' must not be empty but row 3 is"):
        strict.check(frame(age=[1, 2, None]))


def test_ignored_columns_may_hold_anything():
    SCHEMA.with_role("age", "ignore").check(frame(age=[[], {}, "x"]))


def test_a_thousand_columns_survive_draft_fill_and_round_trip():
    wide = pd.DataFrame(np.random.default_rng(0).normal(size=(200, 1000)))
    schema = Schema.draft(wide).with_target("7").filled_from(wide)
    schema.check(wide)
    assert Schema.from_toml(schema.to_toml()) == schema
    assert len(schema.from_file) == 1000
