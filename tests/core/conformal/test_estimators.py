"""The estimators: scikit-learn's conventions, intervals that cover, and what is refused."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

from dpcp_core import (
    DPCPRegressor,
    InputError,
    NotPrivateError,
    PrivacyLeakWarning,
    PrivateSplitConformalRegressor,
    SplitConformalRegressor,
    load_sample,
)

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
    with pytest.warns(PrivacyLeakWarning, match="not private"):
        model = DPCPRegressor(random_state=0).fit(x, y)
    assert not model.receipt_.is_private


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
