"""What pictures of columns are drawn from: shares of the same cells in both tables."""

from __future__ import annotations

import numpy as np
import pytest

from dpcp_core.errors import InputError
from dpcp_core.evaluation.fidelity import evaluate_fidelity
from dpcp_core.experiments.synthesis import table_shares
from tests.core.synthesis.tables import JOBS, PEOPLE, people

REAL, MADE = people(500), people(300, seed=1)
FIDELITY = evaluate_fidelity(MADE, REAL, PEOPLE)
SHARES = table_shares(MADE, REAL, PEOPLE, FIDELITY)


def test_columns_are_those_that_are_made_and_their_shares_add_up():
    assert [column.name for column in SHARES.columns] == [column.name for column in FIDELITY.columns]
    for column, measured in zip(SHARES.columns, FIDELITY.columns, strict=True):
        assert column.synthetic.sum() == pytest.approx(1)
        assert column.real.sum() == pytest.approx(1)
        assert np.abs(column.synthetic - column.real).sum() / 2 == pytest.approx(column.error) == measured.error


def test_a_number_has_bins_between_its_bounds_and_a_cell_for_what_is_empty():
    dose = SHARES.column("dose")
    assert (dose.edges[0], dose.edges[-1]) == (0, 10)
    assert len(dose.edges) == dose.n_cells + 1
    inside = (REAL["dose"] >= dose.edges[2]) & (REAL["dose"] < dose.edges[3])
    assert dose.real[2] == pytest.approx(inside.mean())
    assert dose.real[-2] == pytest.approx(REAL["dose"].isna().mean())


def test_categories_come_in_the_order_of_the_schema():
    job = SHARES.column("job")
    assert (job.categories, job.edges, job.values) == (JOBS, (), ())
    assert job.real[:-2] == pytest.approx([(REAL["job"] == name).mean() for name in JOBS])


def test_whole_numbers_with_a_cell_each_are_named():
    schema = PEOPLE.with_column(PEOPLE.column("age").__class__("age", "integer", bounds=(18, 30)))
    frame = REAL.assign(age=np.arange(500) % 13 + 18)
    shares = table_shares(frame, frame, schema, evaluate_fidelity(frame, frame, schema))
    age = shares.column("age")
    assert age.values == tuple(range(18, 31))
    assert age.real[0] == pytest.approx((frame["age"] == 18).mean())
    assert SHARES.column("age").values == ()


def test_a_pair_adds_up_to_its_columns_in_either_order():
    pair = SHARES.pair("age", "job")
    assert pair.real.sum(axis=1) == pytest.approx(SHARES.column("age").real, abs=1e-6)
    assert pair.synthetic.sum(axis=0) == pytest.approx(SHARES.column("job").synthetic, abs=1e-6)
    turned = SHARES.pair("job", "age")
    assert (turned.first, turned.second) == ("job", "age")
    assert np.array_equal(turned.real, pair.real.T)
    assert np.abs(pair.real - pair.synthetic).sum() / 2 == pytest.approx(pair.error, abs=1e-5)


def test_what_was_not_compared_is_refused():
    with pytest.raises(InputError, match="no column 'note'"):
        SHARES.column("note")
    with pytest.raises(InputError, match="'age' and 'note' were not compared"):
        SHARES.pair("age", "note")
