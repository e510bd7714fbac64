"""The estimators: scikit-learn's conventions, intervals that cover, and what is refused."""

from __future__ import annotations

import dataclasses
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.estimator_checks import check_estimator

from dpcp_core import (
    Column,
    DPCPRegressor,
    InputError,
    NotPrivateError,
    PrivacyLeakWarning,
    PrivateSplitConformalRegressor,
    Schema,
    SplitConformalRegressor,
    load_sample,
)
from dpcp_core.conformal.choices import ConformalChoices

PRIVATE = (DPCPRegressor, PrivateSplitConformalRegressor)


def linear_rows(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 3))
    return x, x @ [1.0, -0.5, 0.2] + 0.5 * rng.normal(size=n)


@pytest.mark.slow
@pytest.mark.parametrize("estimator", [*PRIVATE, SplitConformalRegressor])
def test_scikit_learn_checks_pass(estimator: type) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(estimator(), on_fail=None)
    assert [result["check_name"] for result in results if result["status"] not in ("passed", "skipped")] == []


@pytest.mark.parametrize("estimator", PRIVATE)
def test_intervals_cover_and_are_laid_out_as_in_mapie(estimator: type) -> None:
    x, y = linear_rows(6000)
    model = estimator(epsilon=1.0, bounds_X=(-3, 3), bounds_y=(-5, 5), random_state=0).fit(x[:4000], y[:4000])
    predicted, intervals = model.predict_interval(x[4000:])
    assert predicted.shape == (2000,)
    assert intervals.shape == (2000, 2, 1)
    covered = (intervals[:, 0, 0] <= y[4000:]) & (y[4000:] <= intervals[:, 1, 0])
    assert 0.88 < covered.mean() < 0.97
    assert np.mean(intervals[:, 1, 0] - intervals[:, 0, 0]) < 3.0


def test_the_receipt_totals_what_was_asked_for() -> None:
    x, y = linear_rows(500)
    model = DPCPRegressor(epsilon=2.0, delta=1e-6, bounds_X=(-3, 3), bounds_y=(-5, 5), random_state=0).fit(x, y)
    assert (model.receipt_.total.epsilon, model.receipt_.total.delta) == (2.0, 1e-6)
    assert model.receipt_.leaks == ()


def test_bounds_from_the_rows_warn_in_a_simulation_and_are_on_the_receipt() -> None:
    x, y = linear_rows(300)
    with pytest.warns(PrivacyLeakWarning, match="not private") as caught:
        model = DPCPRegressor(random_state=0).fit(x, y)
    assert [warning.filename for warning in caught] == [__file__]
    assert not model.receipt_.is_private
    assert model.receipt_.leaks == (
        "The bounds or categories of x0, x1, x2, target were read off the rows; replace them by public ones.",
    )


@pytest.mark.parametrize("known", [{}, {"bounds_X": (-3, 3)}, {"bounds_y": (-5, 5)}])
def test_a_release_refuses_bounds_from_the_rows(known: dict) -> None:
    x, y = linear_rows(300)
    with pytest.raises(NotPrivateError, match="give a schema"):
        DPCPRegressor(mode="release", **known).fit(x, y)


def test_a_release_refuses_a_seed() -> None:
    x, y = linear_rows(300)
    with pytest.raises(InputError, match="takes no seed"):
        DPCPRegressor(mode="release", random_state=0, bounds_X=(-3, 3), bounds_y=(-5, 5)).fit(x, y)


def test_two_releases_differ() -> None:
    x, y = linear_rows(300)
    models = [DPCPRegressor(mode="release", bounds_X=(-3, 3), bounds_y=(-5, 5)).fit(x, y) for _ in range(2)]
    assert not np.array_equal(models[0].predict(x), models[1].predict(x))
    assert models[0].receipt_.mode == "release"


def test_a_seed_repeats_a_simulation() -> None:
    x, y = linear_rows(300)
    model = DPCPRegressor(bounds_X=(-3, 3), bounds_y=(-5, 5), random_state=3)
    np.testing.assert_array_equal(model.fit(x, y).predict(x), clone(model).fit(x, y).predict(x))


def test_without_a_seed_a_split_neither_reads_nor_moves_numpys_global_state() -> None:
    x, y = linear_rows(300)
    everybodys = check_random_state(None)
    drawn = []
    for _ in range(2):
        everybodys.seed(0)
        before = everybodys.get_state(legacy=False)["state"]
        drawn.append(SplitConformalRegressor().fit(x, y).train_rows_)
        after = everybodys.get_state(legacy=False)["state"]
        assert before["pos"] == after["pos"]
        np.testing.assert_array_equal(before["key"], after["key"])
    assert not np.array_equal(*drawn)


def test_defaults_of_the_estimator_are_those_of_the_choices() -> None:
    choices, params = ConformalChoices().resolved("regression"), DPCPRegressor().get_params()
    shared = {field.name for field in dataclasses.fields(choices)} - {"method", "allow_empty"}
    assert {name: params[name] for name in shared} == {name: getattr(choices, name) for name in shared}


def test_a_schema_reads_frames_by_name_whatever_the_order() -> None:
    data = load_sample("blood_pressure")
    target = data.schema.target.name
    X, y = data.frame.drop(columns=target), data.frame[target]
    model = DPCPRegressor(schema=data.schema, random_state=0).fit(X, y)
    shuffled = X[X.columns[::-1]]
    np.testing.assert_array_equal(model.predict(X), model.predict(shuffled))
    assert model.receipt_.is_private
    assert model.receipt_.one_row_is == data.schema.one_row_is


def test_a_missing_column_is_named() -> None:
    data = load_sample("blood_pressure")
    target = data.schema.target.name
    X, y = data.frame.drop(columns=target), data.frame[target]
    gone = data.schema.features[0].name
    with pytest.raises(InputError, match=repr(gone)):
        DPCPRegressor(schema=data.schema, random_state=0).fit(X.drop(columns=gone), y)


def test_text_columns_without_a_schema_are_drafted_with_a_warning() -> None:
    x, y = linear_rows(300)
    frame = pd.DataFrame(x, columns=["a", "b", "c"]).assign(group=np.where(x[:, 0] > 0, "up", "down"))
    with pytest.warns(PrivacyLeakWarning):
        model = DPCPRegressor(random_state=0).fit(frame, y)
    assert model.predict(frame.head(3)).shape == (3,)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"epsilon": -1}, "epsilon"),
        ({"confidence_level": 2}, "confidence_level"),
        ({"bounds_X": (3, -3)}, "bounds"),
        ({"bounds_X": 3}, "bounds_X must be a pair"),
        ({"bounds_y": (1,)}, "bounds_y must be a pair"),
        ({"mode": "live"}, "mode"),
        ({"trainer": "forest"}, "trainer"),
    ],
)
def test_a_wrong_parameter_is_one_sentence(change: dict, words: str) -> None:
    x, y = linear_rows(100)
    with pytest.raises(InputError, match=words):
        DPCPRegressor(**{"bounds_X": (-3, 3), "bounds_y": (-5, 5), "random_state": 0} | change).fit(x, y)


def test_intervals_stay_within_the_public_bounds() -> None:
    x, y = linear_rows(60)
    model = DPCPRegressor(epsilon=0.1, bounds_X=(-3, 3), bounds_y=(-5, 5), random_state=0).fit(x, y)
    _, intervals = model.predict_interval(x)
    assert intervals.min() >= -5
    assert intervals.max() <= 5


def test_the_parameter_score_lives_beside_the_method_score() -> None:
    x, y = linear_rows(1000)
    model = DPCPRegressor(score="absolute", epsilon=4, bounds_X=(-3, 3), bounds_y=(-5, 5), random_state=0)
    assert model.get_params()["score"] == "absolute"
    assert clone(model).get_params()["score"] == "absolute"
    assert model.fit(x, y).score(x, y) > 0.5
    with pytest.raises(InputError, match="score is 'cubic'"):
        model.set_params(score="cubic").fit(x, y)


def test_a_release_refuses_to_draft_columns_from_the_rows() -> None:
    frame = pd.DataFrame({"sex": ["no", "yes"] * 100})
    with pytest.raises(NotPrivateError, match="give a schema"):
        DPCPRegressor(mode="release", bounds_y=(-4, 4)).fit(frame, np.zeros(200))


def test_a_release_refuses_a_drafted_schema() -> None:
    frame = pd.DataFrame({"smokes": ["no", "yes"] * 100, "age": range(200)})
    schema = Schema.draft(frame).with_column(Column("age", "integer", bounds=(0, 200)))
    with pytest.raises(NotPrivateError, match="smokes"):
        DPCPRegressor(mode="release", schema=schema, bounds_y=(-4, 4)).fit(frame, np.zeros(200))


def test_a_subclass_that_fixes_the_budget_spends_it() -> None:
    class Strict(DPCPRegressor):
        def __init__(self, *, bounds_X=None, bounds_y=None):
            super().__init__(epsilon=0.5, delta=1e-9, bounds_X=bounds_X, bounds_y=bounds_y, random_state=0)

    x, y = linear_rows(300)
    model = clone(Strict(bounds_X=(-3, 3), bounds_y=(-5, 5))).fit(x, y)
    assert (model.receipt_.total.epsilon, model.receipt_.total.delta) == (0.5, 1e-9)


def test_errors_quote_no_cell() -> None:
    x, y = linear_rows(50)
    model = DPCPRegressor(bounds_X=(-3, 3), bounds_y=(-5, 5), random_state=0)
    secret = np.array(x, dtype=object)
    secret[7, 1] = "HIV+ John"
    targets = y.astype(object)
    targets[3] = "HIV+ John"
    for rows, values in ((secret, y), (x, targets)):
        with pytest.raises(InputError) as caught:
            model.fit(rows, values)
        assert "John" not in str(caught.value)


def test_a_fit_that_fails_leaves_the_last_one_whole() -> None:
    x, y = linear_rows(300)
    model = DPCPRegressor(bounds_X=(-3, 3), bounds_y=(-5, 5), random_state=0).fit(x, y)
    before = model.predict(x)
    with pytest.raises(InputError, match="step_size"):
        model.set_params(step_size=-1.0, bounds_X=(-30, 30)).fit(x, y)
    np.testing.assert_array_equal(model.predict(x), before)


def test_training_that_diverges_blames_the_settings() -> None:
    x, y = linear_rows(100)
    with pytest.raises(InputError, match="Training diverged"):
        DPCPRegressor(bounds_X=(-3, 3), bounds_y=(-5, 5), random_state=0, step_size=50.0, penalty=9.0, steps=900).fit(
            x, y
        )


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (pd.DataFrame([[1.0, 2.0]] * 40, columns=["a", "a"]), "two columns named 'a'"),
        (pd.DataFrame({0: ["u", "v"] * 20, 1: range(40)}), None),
        (pd.DataFrame({"target": np.arange(40.0)}), None),
    ],
)
def test_odd_column_names_are_read_or_refused_in_one_sentence(frame: pd.DataFrame, words: str | None) -> None:
    model = DPCPRegressor(random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrivacyLeakWarning)
        if words is None:
            assert model.fit(frame, np.arange(40.0)).predict(frame).shape == (40,)
        else:
            with pytest.raises(InputError, match=words):
                model.fit(frame, np.arange(40.0))


def test_no_rows_are_refused() -> None:
    schema = Schema((Column("a", "number", bounds=(0, 1)), Column("y", "number", bounds=(0, 1), role="target")))
    with pytest.raises(InputError, match="n_samples = 0"):
        DPCPRegressor(schema=schema, random_state=0).fit(pd.DataFrame({"a": []}), [])


def test_the_whole_range_is_the_whole_range_in_floating_point() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(100, 1))
    y = np.where(rng.random(100) < 0.8, 0.1, 1000.0)
    model = DPCPRegressor(epsilon=0.01, stability="profile", bounds_X=(-3, 3), bounds_y=(0.1, 1000.0), random_state=0)
    _, intervals = model.fit(x, y).predict_interval(x)
    assert (intervals[:, 0, 0] == 0.1).all()
    assert (intervals[:, 1, 0] == 1000.0).all()
