"""How much a synthetic table looks like the real one, on hand-made tables and against other libraries' numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpcp_core.data.schema import Column, Schema
from dpcp_core.errors import InputError
from dpcp_core.evaluation.fidelity import evaluate_fidelity
from dpcp_core.evaluation.fidelity.bins import binned

SCHEMA = Schema(
    (
        Column("age", "integer", bounds=(0, 100), typical=(30, 60)),
        Column("dose", "number", bounds=(0, 10)),
        Column("ward", "category", categories=("a", "b", "c")),
        Column("ill", "category", categories=("no", "yes"), role="target"),
        Column("id", "integer", role="ignore"),
    )
)


def patients(n: int = 2000, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(0, 101, n)
    return pd.DataFrame(
        {
            "age": age,
            "dose": np.clip(age / 10 + rng.normal(size=n), 0, 10),
            "ward": pd.Series(rng.choice(["a", "b", "c"], n)).where(rng.random(n) > 0.1, None),
            "ill": np.where(age + rng.normal(0, 10, n) > 50, "yes", "no"),
            "id": np.arange(n),
        }
    )


def test_a_table_looks_exactly_like_itself() -> None:
    real = patients()
    report = evaluate_fidelity(real.sample(frac=1, random_state=0), real, SCHEMA)
    assert (report.overall, report.column_shapes, report.column_pairs) == (1.0, 1.0, 1.0)
    assert report.correlation_distance == pytest.approx(0, abs=1e-12)
    assert report.matching_share == 1.0
    assert report.labels is not None
    assert report.labels.gap == 0.0


def test_shuffled_columns_have_no_one_way_error_but_a_two_way_error() -> None:
    real = patients()
    rng = np.random.default_rng(1)
    shuffled = real.apply(lambda column: rng.permutation(column.to_numpy()))
    report = evaluate_fidelity(shuffled, real, SCHEMA)
    assert report.one_way_error == 0.0
    errors = {(pair.first, pair.second): pair.error for pair in report.pairs}
    assert errors["age", "dose"] > 0.5
    assert errors["age", "ward"] < 0.15
    assert report.correlation_distance is not None
    assert report.correlation_distance > 0.6
    assert report.overall == pytest.approx(1 - report.two_way_error / 2)


def test_errors_are_total_variations_by_hand() -> None:
    schema = Schema((Column("x", "category", categories=("a", "b")), Column("y", "category", categories=("c", "d"))))
    real = pd.DataFrame({"x": list("aabb"), "y": list("ccdd")})
    made = pd.DataFrame({"x": list("aaab"), "y": list("cccd")})
    report = evaluate_fidelity(made, real, schema)
    assert [column.error for column in report.columns] == [0.25, 0.25]
    # Pairs: ac 1/2, bd 1/2 against ac 3/4, bd 1/4.
    assert [pair.error for pair in report.pairs] == [0.25]
    # Both tables have a correlation of 1.
    assert report.correlation_distance == pytest.approx(0.0, abs=1e-12)
    assert report.distinct_real == 0.5
    turned = evaluate_fidelity(made.assign(y=list("ddcc")), real, schema)
    assert turned.pairs[0].error == pytest.approx(0.75)
    assert turned.matching_share == 0.25


def test_correlations_are_those_of_pandas() -> None:
    real, made = patients(), patients(seed=1)
    made["dose"] = made["dose"].to_numpy()[::-1]
    numbers = [f.assign(ill=(f["ill"] == "yes").astype(float))[["age", "dose", "ill"]] for f in (made, real)]
    difference = np.abs(numbers[0].corr().to_numpy() - numbers[1].corr().to_numpy())
    found = evaluate_fidelity(made, real, SCHEMA).correlation_distance
    assert found == pytest.approx(difference[np.triu_indices(3, 1)].mean())


def test_a_column_that_does_not_vary_has_no_correlation() -> None:
    real = patients()
    constant = real.assign(dose=1.0, age=50, ill="no")
    numbers = real.assign(ill=(real["ill"] == "yes").astype(float))[["age", "dose", "ill"]].corr().to_numpy()
    found = evaluate_fidelity(constant, real, SCHEMA).correlation_distance
    assert found == pytest.approx(np.abs(numbers[np.triu_indices(3, 1)]).mean())


def test_label_rates_and_missing_cells_are_shares() -> None:
    real = patients()
    made = real.assign(ill="no", ward=None)
    report = evaluate_fidelity(made, real, SCHEMA)
    rate = (real["ill"] == "yes").mean()
    assert report.labels is not None
    assert report.labels.synthetic == (1.0, 0.0)
    assert report.labels.real == pytest.approx((1 - rate, rate))
    assert report.labels.gap == pytest.approx(rate)
    ward = report.columns[2]
    assert (ward.missing_synthetic, ward.missing_real) == (1.0, pytest.approx(real["ward"].isna().mean()))
    assert ward.error == pytest.approx(real["ward"].notna().mean())


def test_matching_rows_do_not_depend_on_how_cells_are_stored() -> None:
    real = patients()
    stored = real.astype({"age": float, "ward": "category", "ill": "str"})
    assert evaluate_fidelity(stored, real, SCHEMA).matching_share == 1.0
    moved = real.assign(dose=real["dose"] + 1e-9)
    assert evaluate_fidelity(moved, real, SCHEMA).matching_share == 0.0


def test_unknown_categories_are_errors_and_do_not_pass_for_missing_ones() -> None:
    real = patients()
    made = real.assign(ward=real["ward"].fillna("x"))
    assert evaluate_fidelity(made, real, SCHEMA).columns[2].error == pytest.approx(real["ward"].isna().mean())


def test_pairs_beyond_the_limit_are_a_random_part() -> None:
    real = patients()
    report = evaluate_fidelity(real, real, SCHEMA, most_pairs=2)
    assert (len(report.pairs), report.n_pairs) == (2, 6)
    other = evaluate_fidelity(real, real, SCHEMA, most_pairs=2, seed=3)
    assert {(p.first, p.second) for p in report.pairs} != {(p.first, p.second) for p in other.pairs}


def test_the_table_has_a_row_for_each_column_that_counts() -> None:
    table = evaluate_fidelity(patients(seed=1), patients(), SCHEMA).table()
    assert table["column"].tolist() == ["age", "dose", "ward", "ill"]
    assert (table["score"] + table["error"]).tolist() == pytest.approx([1.0] * 4)


def test_bins_follow_from_the_schema_alone() -> None:
    column = SCHEMA.column("age")
    values = pd.Series(np.arange(101))
    codes, size = binned(values, column, bins=12)
    # Eight of twelve bins lie in the typical range, two on each side of it.
    assert size == 14
    assert [codes[age] for age in (0, 14, 15, 29, 30, 59, 60, 79, 80, 100)] == [0, 0, 1, 1, 2, 9, 10, 10, 11, 11]
    alone = [binned(values[age : age + 1], column, bins=12)[0][0] for age in values]
    assert alone == codes.tolist()


def test_whole_numbers_with_few_values_have_a_bin_each() -> None:
    column = Column("children", "integer", bounds=(0, 5))
    codes, size = binned(pd.Series([0, 1, 2, 3, 4, 5, 9, -1, None]), column, bins=20)
    assert codes.tolist() == [0, 1, 2, 3, 4, 5, 5, 0, 6]
    assert size == 8


@pytest.mark.parametrize(
    ("made", "schema", "said"),
    [
        (patients().drop(columns="dose"), SCHEMA, "The synthetic table has no column 'dose'"),
        (patients().head(0), SCHEMA, "The synthetic table has no rows"),
        (patients(), SCHEMA.with_role("id", "feature"), "Column 'id' has no bounds or categories"),
        (patients().assign(age="old"), SCHEMA, "Column 'age' should hold numbers"),
    ],
)
def test_tables_that_cannot_be_compared_are_one_sentence(made: pd.DataFrame, schema: Schema, said: str) -> None:
    with pytest.raises(InputError, match=said):
        evaluate_fidelity(made, patients(), schema)
