"""Shares of classes that are bought: what they cost, what they put right, what they leave alone."""

from __future__ import annotations

import numpy as np
import pytest

from dpcp_core import DPDSyn
from dpcp_core.data.column import Column
from dpcp_core.synthesis.rates import noisy_rates, rates_plan, shift_towards, shifted
from tests.core.synthesis.tables import PEOPLE, people

FRAME = people()
JOB = Column("job", "category", categories=("a", "b", "c"))


def made(**changes: object) -> DPDSyn:
    model = DPDSyn(schema=PEOPLE, task_model="auto", random_state=0, **changes).fit(FRAME)
    model.sample(20_000)
    return model


def test_a_shift_puts_the_mean_where_it_is_wanted_and_keeps_the_order_of_rows():
    probabilities = np.random.default_rng(0).dirichlet([4, 1, 0.3], size=3000)
    wanted = np.array([0.2, 0.3, 0.5])
    moved = shifted(probabilities, shift_towards(probabilities, wanted))
    np.testing.assert_allclose(moved.mean(axis=0), wanted, atol=1e-5)
    np.testing.assert_allclose(moved.sum(axis=1), 1)
    odds, before = moved[:, 0] / moved[:, 1], probabilities[:, 0] / probabilities[:, 1]
    assert (np.argsort(odds) == np.argsort(before)).mean() > 0.999


def test_a_model_that_is_sure_of_every_row_is_not_made_to_doubt():
    sure = np.tile([1.0, 0.0], (50, 1))
    shift = shift_towards(sure, np.array([0.5, 0.5]))
    assert np.isfinite(shift).all()
    assert np.isfinite(shifted(sure, shift)).all()


def test_a_share_that_is_a_little_off_does_not_turn_sure_rows_into_a_lottery():
    sure = np.repeat([[1.0, 0.0], [0.0, 1.0]], [900, 100], axis=0)
    moved = shifted(sure, shift_towards(sure, np.array([0.89, 0.11])))
    # Brought about in full, the share would cost each of the 900 sure rows a chance of 0.011.
    np.testing.assert_allclose(moved, sure, atol=5e-3)


def test_the_bought_shares_are_off_by_the_noise_of_the_plan_and_no_more():
    plan = rates_plan(JOB, mu=0.05)
    codes = np.repeat([0, 1, 2], [3000, 2500, 500])
    found = np.array([noisy_rates(codes, plan, 6000, np.random.default_rng(seed)) for seed in range(400)])
    np.testing.assert_allclose(found.sum(axis=1), 1)
    np.testing.assert_allclose(found.mean(axis=0) * 6000, [3000, 2500, 500], atol=4)
    # The three counts are moved so that they add up: a third of each one's variance goes.
    np.testing.assert_allclose(found.std(axis=0) * 6000, 20 * np.sqrt(2 / 3), rtol=0.12)


def test_no_class_is_left_without_any_row():
    plan = rates_plan(JOB, mu=0.05)
    found = noisy_rates(np.zeros(600, dtype=np.int64), plan, 600, np.random.default_rng(0))
    assert found.min() > 0


def test_a_table_has_the_real_share_of_each_class():
    ways = ("argmax", "sample", "rate")
    reports = [made(labels=way).report_ for way in ways]
    off = [abs(report.label_rate[1] - report.real_label_rate[1]) for report in reports]
    assert off[2] < 0.015
    assert off[2] < off[1] < off[0]


def test_later_targets_are_put_right_too():
    model = made(target=["smoker", "ill"], labels="rate", epsilon=4.0)
    table = model.sample(20_000)
    for name in ("smoker", "ill"):
        real, found = ((frame[name].astype(str) == "yes").mean() for frame in (FRAME, table))
        assert found == pytest.approx(real, abs=0.03)


def test_a_number_has_no_shares_to_buy():
    right, sampled = (made(target="years_employed", labels=way) for way in ("rate", "sample"))
    assert right.receipt_.entries == sampled.receipt_.entries


def test_the_private_model_itself_stays_as_it_was_trained():
    model = made(labels="rate")
    assert model._source.labels[0].shift is not None
    plain = model._source.labels[0].outputs(FRAME)
    np.testing.assert_array_equal(model.predict_proba(FRAME), plain)
