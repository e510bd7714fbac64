"""Split conformal intervals are MAPIE's on the same split."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression, Ridge

from dpcp_core import SplitConformalRegressor

mapie_regression = pytest.importorskip("mapie.regression")

Floats = npt.NDArray[np.float64]
LEVELS = (0.5, 0.8, 0.9, 0.95)


def make_rows(n: int, seed: int, step: float | None = None) -> tuple[Floats, Floats]:
    """Return a noisy linear table; with a step, targets are rounded to it so that many residuals tie."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, 3))
    targets = features @ [1.0, -2.0, 0.5] + rng.standard_t(3, size=n)
    if step is not None:
        features, targets = np.round(features), np.round(targets / step) * step
    return features, targets


def mapie_intervals(model: SplitConformalRegressor, features: Floats, targets: Floats, new: Floats) -> Any:
    """Return MAPIE's intervals around a regressor that it trains itself, on the same two parts of the rows."""
    train, rank = model.train_rows_, model.rank_rows_
    theirs = mapie_regression.SplitConformalRegressor(
        estimator=LinearRegression() if model.estimator is None else model.estimator,
        confidence_level=model.confidence_level,
        prefit=False,
    )
    theirs.fit(features[train], targets[train]).conformalize(features[rank], targets[rank])
    return theirs.predict_interval(new)


def assert_equal_intervals(model: SplitConformalRegressor, features: Floats, targets: Floats) -> None:
    new = np.random.default_rng(99).normal(size=(25, features.shape[1]))
    predicted, intervals = model.fit(features, targets).predict_interval(new)
    their_predicted, their_intervals = mapie_intervals(model, features, targets, new)
    assert intervals.shape == their_intervals.shape == (25, 2, 1)
    np.testing.assert_allclose(predicted, their_predicted, rtol=0, atol=1e-12)
    np.testing.assert_allclose(intervals, their_intervals, rtol=0, atol=1e-12)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("n", [199, 200, 201, 202])
def test_intervals_are_those_of_mapie_for_odd_and_even_numbers_of_rows(n: int, level: float) -> None:
    assert_equal_intervals(SplitConformalRegressor(confidence_level=level, random_state=n), *make_rows(n, seed=n))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("step", [0.5, 2.0])
def test_intervals_are_those_of_mapie_when_residuals_tie(step: float, level: float) -> None:
    features, targets = make_rows(150, seed=3, step=step)
    model = SplitConformalRegressor(confidence_level=level, random_state=1).fit(features, targets)
    residuals = np.abs(targets - model.predict(features))[model.rank_rows_]
    assert len(np.unique(residuals.round(9))) < len(residuals)
    assert_equal_intervals(model, features, targets)


@pytest.mark.parametrize("n_ranked", [19, 39, 99, 199])
def test_intervals_are_those_of_mapie_when_the_rank_is_a_whole_number(n_ranked: int) -> None:
    """(n + 1) times .9 is whole here: rounding a hair above it would take the next residual."""
    features, targets = make_rows(2 * n_ranked, seed=n_ranked)
    assert_equal_intervals(SplitConformalRegressor(confidence_level=0.9, random_state=0), features, targets)


@pytest.mark.parametrize(
    "estimator", [Ridge(alpha=3.0), RandomForestRegressor(n_estimators=10, random_state=0)], ids=["ridge", "forest"]
)
def test_intervals_are_those_of_mapie_around_any_regressor(estimator: Any) -> None:
    features, targets = make_rows(300, seed=5)
    assert_equal_intervals(SplitConformalRegressor(estimator, row_share=0.7, random_state=2), features, targets)


def test_intervals_are_those_of_mapie_around_the_model_that_we_trained() -> None:
    features, targets = make_rows(240, seed=6)
    model = SplitConformalRegressor(confidence_level=0.85, random_state=3).fit(features, targets)
    theirs = mapie_regression.SplitConformalRegressor(model.estimator_, confidence_level=0.85, prefit=True)
    theirs.conformalize(features[model.rank_rows_], targets[model.rank_rows_])
    new = make_rows(20, seed=7)[0]
    np.testing.assert_allclose(model.predict_interval(new)[1], theirs.predict_interval(new)[1], rtol=0, atol=1e-12)


def test_intervals_are_those_of_mapie_on_abalone(real_data: Path) -> None:
    table = pd.read_csv(real_data / "abalone.csv")
    features = table.drop(columns=["sex", "rings"]).to_numpy(dtype=np.float64)
    targets = table["rings"].to_numpy(dtype=np.float64)
    for level in LEVELS:
        assert_equal_intervals(SplitConformalRegressor(confidence_level=level, random_state=4), features, targets)


def test_the_comparison_notices_the_neighbouring_residual() -> None:
    features, targets = make_rows(200, seed=8)
    model = SplitConformalRegressor(random_state=5).fit(features, targets)
    ranked = np.sort(np.abs(targets - model.predict(features))[model.rank_rows_])
    place = int(np.argmin(np.abs(ranked - model.threshold_)))
    model.threshold_ = float(ranked[place + 1])
    theirs = mapie_intervals(model, features, targets, features)[1]
    assert np.abs(model.predict_interval(features)[1] - theirs).max() > 1e-6
