"""How an estimator reads rows and targets: by its schema, whatever their form, and what it refuses in one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpcp_core import Column, DPCPClassifier, DPCPRegressor, InputError, PrivacyLeakWarning, Schema

N = 200
DOSE = Column("dose", "number", bounds=(-3, 3))
WEIGHT = Column("weight", "number", "target", bounds=(-5, 5), typical=(-1, 1), label="Weight")
KNOWN = Schema((DOSE, WEIGHT), one_row_is="one patient")
WITHOUT_TARGET = Schema((DOSE,), one_row_is="one patient")
X = pd.DataFrame({"dose": np.random.default_rng(0).normal(size=N)})
Y = X["dose"].to_numpy() + 0.1


def fitted(x: Any = X, y: Any = Y, schema: Schema | None = KNOWN, **choices: Any) -> DPCPRegressor:
    return DPCPRegressor(schema=schema, random_state=0, **choices).fit(x, y)


@pytest.mark.parametrize(
    "form", [pd.DataFrame.to_numpy, lambda frame: frame.to_numpy().tolist()], ids=["array", "list"]
)
def test_an_array_is_read_in_the_order_of_the_schema(form: Any) -> None:
    np.testing.assert_array_equal(fitted(form(X)).predict(form(X)), fitted().predict(X))


@pytest.mark.parametrize(
    ("x", "words"),
    [
        (np.zeros((N, 2)), r"^X has shape \(200, 2\) but the schema has 1 feature; give one column per feature\.$"),
        (np.zeros(N), r"^X has shape \(200,\) but the schema has 1 feature;"),
    ],
)
def test_an_array_of_other_columns_than_the_schema_has_is_refused(x: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        fitted(x)
    with pytest.raises(InputError, match=words):
        fitted().predict(x)


def test_bounds_cannot_stand_for_a_schema_of_text() -> None:
    with pytest.raises(InputError, match="bounds_X cannot describe text columns; give a schema instead"):
        fitted(X.assign(sex="f"), schema=None, bounds_X=(-3, 3))


def test_names_of_which_only_some_are_text_are_refused_as_scikit_learn_does() -> None:
    with pytest.raises(TypeError, match="convert them all to strings"):
        fitted(pd.DataFrame({"dose": X["dose"], 1: "f"}), schema=None)


@pytest.mark.parametrize(
    ("y", "words"),
    [
        (None, r"fit requires y to be passed: give the target of every row"),
        (np.full(N, "John"), r"^y must hold one number per row, in a single column\.$"),
        (Y + 1j, r"^y must hold one number per row, in a single column\.$"),
        (np.c_[Y, Y], r"^y must hold one number per row, in a single column\.$"),
        (Y[:5], r"^y has 5 values but X has 200 rows; give one value per row\.$"),
    ],
    ids=["none", "text", "complex", "two columns", "too few"],
)
def test_what_is_no_target_is_refused_in_one_sentence(y: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        fitted(y=y)


@pytest.mark.parametrize("hole", [np.nan, np.inf])
def test_a_target_with_holes_gives_no_bounds(hole: float) -> None:
    with pytest.raises(InputError, match="y has missing or infinite values; remove those rows"):
        fitted(y=np.where(Y > 1, hole, Y), schema=WITHOUT_TARGET)


def test_a_classifier_wants_a_class_for_every_row() -> None:
    with pytest.raises(InputError, match=r"^y has 5 values but X has 200 rows; give one value per row\.$"):
        DPCPClassifier(schema=WITHOUT_TARGET, classes=["ill", "well"], random_state=0).fit(X, ["ill"] * 5)


def test_a_regressor_sends_whoever_has_classes_to_the_classifier() -> None:
    ill = Schema((DOSE, Column("ill", "boolean", "target")))
    with pytest.raises(InputError, match="The target 'ill' of the schema holds classes; take DPCPClassifier"):
        fitted(schema=ill)


def test_bounds_y_win_over_those_of_the_schema_and_keep_its_words() -> None:
    target = fitted(bounds_y=(-9, 9)).schema_.target
    assert (target.name, target.label, target.bounds, target.typical) == ("weight", "Weight", (-9.0, 9.0), None)


def test_a_target_that_never_varies_gets_bounds_around_it() -> None:
    with pytest.warns(PrivacyLeakWarning, match="target"):
        model = fitted(y=np.full(N, 7.0), schema=WITHOUT_TARGET)
    assert model.schema_.target.bounds == (6.0, 8.0)
    assert model.schema_.target.bounds_from_file
