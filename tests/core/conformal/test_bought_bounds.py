"""Bounds that part of the budget buys: what they cost, what that does to the level, what stays private."""

from __future__ import annotations

import dataclasses
import math
import warnings

import numpy as np
import pandas as pd
import pytest

from dpcp_core import DPCPClassifier, DPCPRegressor, InputError, NotPrivateError, load_sample
from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.linter import lint
from dpcp_core.conformal.private_schema import level_after_bounds
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Column, Schema
from dpcp_core.experiments.calibrate import calibrate
from dpcp_core.experiments.prepare import prepare
from dpcp_core.experiments.run import simulate
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.trained import train

BOUNDS = 0.4


def rows(n: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, 2))
    return x, x @ [1.0, -1.0] + 0.3 * rng.normal(size=n)


def unbounded(*names: str) -> Dataset:
    """The sample without the public bounds of some columns."""
    data = load_sample("blood_pressure")
    schema = data.schema
    for name in names:
        schema = schema.with_column(dataclasses.replace(schema.column(name), bounds=None, typical=None))
    return data.with_schema(schema)


X, Y = rows()
TARGET = load_sample("blood_pressure").schema.target
assert TARGET is not None
UNKNOWN = unbounded("age", TARGET.name)


def test_a_release_needs_no_bounds_where_it_buys_them() -> None:
    with pytest.raises(NotPrivateError, match="read off the rows"):
        DPCPRegressor(mode="release").fit(X, Y)
    model = DPCPRegressor(mode="release", bounds_epsilon=BOUNDS).fit(X, Y)
    assert model.certificate_.holds
    assert model.receipt_.is_private
    assert model.receipt_.leaks == ()
    for column in model.schema_.columns:
        assert column.bounds is not None
        assert not column.bounds_from_file


def test_a_simulation_that_buys_bounds_warns_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        DPCPRegressor(bounds_epsilon=BOUNDS, random_state=0).fit(X, Y)
        simulate(UNKNOWN, ConformalSettings(bounds_epsilon=BOUNDS, repetitions=2))


def test_each_column_has_a_line_and_the_total_stays_what_was_asked_for() -> None:
    receipt = DPCPRegressor(epsilon=1.5, bounds_epsilon=BOUNDS, bounds_y=(-6, 6), random_state=0).fit(X, Y).receipt_
    bought, rest = receipt.entries[:2], receipt.entries[2:]
    assert [entry.mechanism for entry in bought] == [f"Private bounds and typical range of x{i}" for i in (0, 1)]
    assert sum(entry.epsilon for entry in bought) == pytest.approx(BOUNDS)
    assert (receipt.total.epsilon, receipt.total.delta) == (1.5, 1e-5)
    assert rest[-1].epsilon == pytest.approx((1.5 - BOUNDS) / 2)
    assert receipt.composition.startswith("The cost of the bounds is added to that of the other parts.")
    assert any("but for the bounds bought above" in line for line in receipt.assumptions)


@pytest.mark.parametrize("method", ["dpcp", "pscp", "dpcp_paper"])
def test_what_bounds_cost_is_taken_off_before_the_rest_is_divided(method: str) -> None:
    spends = ConformalChoices(method=method, epsilon=1.5, bounds_epsilon=0.5).allocation
    assert spends == ConformalChoices(method=method, epsilon=1.0).allocation


def test_a_rival_that_costs_more_than_its_share_is_added_to_the_bounds() -> None:
    receipt = simulate(UNKNOWN, ConformalSettings(method="pcoqs", bounds_epsilon=BOUNDS, repetitions=2)).receipt
    (age, target), rest = receipt.entries[:2], receipt.entries[2:]
    assert receipt.total.epsilon == pytest.approx(age.epsilon + target.epsilon + max(line.epsilon for line in rest))


@pytest.mark.parametrize("stability", ["split", "coupling", "profile", "dp"])
def test_the_level_is_lowered_for_every_way_to_pay_and_the_certificate_says_why(stability: str) -> None:
    with_public = DPCPRegressor(epsilon=1.1, stability=stability, bounds_X=(-4, 4), bounds_y=(-8, 8), random_state=0)
    bought = DPCPRegressor(epsilon=1.1 + BOUNDS, stability=stability, bounds_epsilon=BOUNDS, random_state=0)
    levels = [model.fit(X, Y).certificate_.level for model in (with_public, bought)]
    assert levels[1] == pytest.approx(level_after_bounds(levels[0], BOUNDS), rel=1e-6)
    assert "bounds were bought from the rows for epsilon 0.4, which lowers the level" in bought.certificate_.reason
    assert bought.certificate_.holds


def test_a_method_that_pays_for_nothing_keeps_its_level() -> None:
    result = simulate(UNKNOWN, ConformalSettings(method="naive", bounds_epsilon=BOUNDS, repetitions=2))
    assert result.certificate.level == 0.1
    assert not result.receipt.is_private


def test_a_level_that_bounds_eat_up_leaves_the_whole_range() -> None:
    choices = ConformalSettings(epsilon=2000.0, bounds_epsilon=1000.0, repetitions=2)
    result = simulate(UNKNOWN, choices)
    assert result.certificate.nothing_narrower
    assert result.coverage_mean == 1.0


def test_public_bounds_cost_nothing_although_a_part_was_set_aside() -> None:
    known = {"bounds_X": (-4, 4), "bounds_y": (-8, 8), "random_state": 0}
    plain, idle = (DPCPRegressor(bounds_epsilon=spent, **known).fit(X, Y) for spent in (0.0, BOUNDS))
    assert plain.threshold_ == idle.threshold_
    assert plain.receipt_ == idle.receipt_
    data, settings = load_sample("blood_pressure"), ConformalSettings(repetitions=2)
    results = [simulate(data, settings.replace(bounds_epsilon=spent)) for spent in (0.0, BOUNDS)]
    assert results[0].receipt == results[1].receipt
    assert np.array_equal(results[0].thresholds, results[1].thresholds)


@pytest.mark.parametrize("spent", [1.0, 2.0])
def test_bounds_may_not_cost_all_there_is(spent: float) -> None:
    with pytest.raises(InputError, match="must be below epsilon, 1"):
        ConformalChoices(epsilon=1.0, bounds_epsilon=spent)


def test_a_negative_price_is_refused() -> None:
    with pytest.raises(InputError, match="bounds_epsilon"):
        ConformalChoices(bounds_epsilon=-0.1)


def test_too_few_rows_to_buy_bounds_are_one_sentence() -> None:
    with pytest.raises(InputError, match="60 rows are too few to buy the bounds of 3 columns"):
        DPCPRegressor(bounds_epsilon=BOUNDS, random_state=0).fit(X[:60], Y[:60])


def test_categories_from_the_rows_are_still_a_leak() -> None:
    sex = Column("sex", "category", categories=("f", "m"), bounds_from_file=True)
    dose = Column("dose", "number", bounds=(0, 9), bounds_from_file=True)
    target = Column("y", "number", role="target", bounds=(-8, 8))
    schema = Schema((sex, dose, target), one_row_is="one patient")
    choices = ConformalChoices(bounds_epsilon=BOUNDS)
    assert [leak.code for leak in lint(choices, schema)] == ["categories_from_file"]
    frame = pd.DataFrame({"sex": np.where(X[:, 0] > 0, "f", "m"), "dose": X[:, 1] + 4})
    with pytest.raises(NotPrivateError, match="categories of sex were read off the rows"):
        DPCPRegressor(mode="release", schema=schema, bounds_epsilon=BOUNDS).fit(frame, Y)


def test_a_classifier_buys_the_bounds_of_its_features() -> None:
    labels = np.where(Y > 0, "ill", "well")
    model = DPCPClassifier(bounds_epsilon=BOUNDS, classes=["ill", "well"], mode="release").fit(X, labels)
    assert [entry.mechanism[:14] for entry in model.receipt_.entries[:2]] == ["Private bounds"] * 2
    assert model.certificate_.holds
    _, sets = model.predict_set(X[:500])
    assert sets[np.arange(500), (labels[:500] == "well").astype(int), 0].mean() > 0.85


def test_all_repetitions_share_bounds_that_the_seed_decides() -> None:
    # A part so small that noise shows in the bounds.
    frame = pd.DataFrame({"x": X[:400, 0], "y": Y[:400]})
    schema = Schema((Column("x", "number"), Column("y", "number", role="target")), one_row_is="one patient")
    data = Dataset.from_frame(frame, schema)
    found = [prepare(data, bounds_epsilon=1.0, seed=seed) for seed in (0, 0, 1, 2, 3)]
    assert found[0].target == found[1].target
    assert len({(one.target.bounds, one.target.typical) for one in found}) > 1
    assert found[0].from_file == ()


def test_a_table_prepared_with_other_bounds_is_refused() -> None:
    settings = ConformalSettings(bounds_epsilon=BOUNDS, repetitions=2, seed=3).resolved("regression")
    prepared = prepare(UNKNOWN, bounds_epsilon=BOUNDS, seed=3)
    result = calibrate(train(prepared, settings.training_key()), settings)
    assert len(result.receipt.entries) == 4
    for other in (settings.replace(bounds_epsilon=0.3), settings.replace(seed=4), settings.replace(bounds_epsilon=0.0)):
        with pytest.raises(InputError, match="prepared with other bounds"):
            train(prepared, other.training_key())
    with pytest.raises(InputError, match="prepared with other bounds"):
        train(prepare(load_sample("blood_pressure")), settings.training_key())


def test_a_simulation_with_bought_bounds_covers_and_its_receipt_is_private() -> None:
    result = simulate(UNKNOWN, ConformalSettings(bounds_epsilon=0.25, repetitions=10))
    assert result.coverage_mean > 0.9
    assert result.receipt.is_private
    assert result.certificate.holds
    assert result.target.bounds is not None
    assert result.certificate.level == pytest.approx(0.1 * math.exp(-0.25))


def test_each_group_pays_for_the_bounds_too() -> None:
    data = unbounded("age")
    if data.schema.group is None:
        name = next(column.name for column in data.schema.features if not column.is_numeric)
        data = data.with_schema(data.schema.with_role(name, "group"))
    result = simulate(data, ConformalSettings(bounds_epsilon=BOUNDS, by_group=True, repetitions=2))
    assert {round(group.certificate.level, 6) for group in result.groups if group.certificate} == {
        round(level_after_bounds(0.1, BOUNDS), 6)
    }
