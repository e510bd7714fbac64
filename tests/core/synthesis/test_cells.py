from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core.data.schema import Column, Schema
from dpcp_core.errors import InputError
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.synthesis.cells import ColumnCells
from dpcp_core.synthesis.domain import Domain, as_table
from tests.core.synthesis.tables import PEOPLE, people


@given(
    low=st.integers(-1000, 1000),
    width=st.integers(1, 3000),
    bins=st.integers(1, 70),
    kind=st.sampled_from(("integer", "number")),
    typical=st.booleans(),
)
def test_cells_cover_the_bounds_without_a_gap_and_every_value_comes_back_to_its_cell(low, width, bins, kind, typical):
    middle = (low + width / 4, low + width / 2) if typical else None
    column = Column("x", kind, bounds=(low, low + width), typical=middle)
    cells = ColumnCells.of(column, bins)
    assert cells.lower[0] == low
    assert cells.upper[-1] == low + width
    gap = 1 if kind == "integer" else 0
    inner = slice(None) if kind == "integer" else slice(1, -1)
    lower, upper = cells.lower[inner], cells.upper[inner]
    assert np.allclose(lower[1:] - upper[:-1], gap)
    codes = np.arange(cells.size, dtype=np.int32)
    values = cells.decode(codes, simulation_generator(0))
    again = cells.read(values).codes
    # A number that is rounded to its cell's end may count in the neighbour.
    assert np.abs(again - codes).max() <= (0 if kind == "integer" else 1)


def test_most_cells_lie_where_most_of_the_population_does():
    column = Column("gain", "number", bounds=(0, 100_000), typical=(0, 15_000))
    lower = ColumnCells.of(column, 30).lower
    assert np.count_nonzero((lower > 0) & (lower < 15_000)) == pytest.approx(20, abs=1)


def test_zeros_stay_zeros_because_a_bound_is_a_cell_of_its_own():
    column = Column("gain", "integer", bounds=(0, 99_999), missing="refuse")
    cells = ColumnCells.of(column, 10)
    codes = cells.read(pd.Series([0, 0, 5, 99_999])).codes
    assert cells.decode(codes, simulation_generator(0)).tolist()[:2] == [0, 0]
    assert codes.tolist() == [0, 0, 1, cells.size - 1]


def test_values_beyond_the_bounds_are_clipped_and_counted():
    read = ColumnCells.of(Column("age", "integer", bounds=(18, 90)), 10).read(pd.Series([3, 20, 95, None]))
    assert (read.clipped, read.missing, read.unknown) == (2, 1, 0)
    assert read.codes[0] == 0


def test_an_empty_cell_is_a_value_of_its_own_and_comes_back_empty():
    domain = Domain.of(PEOPLE)
    frame = people(500)
    coded = domain.read(frame)
    table = domain.decode(coded.codes, simulation_generator(0))
    for name in ("dose", "job"):
        assert (table[name].isna() == frame[name].isna()).all()
        assert coded.missing[name] == frame[name].isna().sum()


def test_a_category_that_the_schema_does_not_know_counts_as_missing_and_is_counted():
    cells = ColumnCells.of(Column("job", "category", categories=("a", "b")), 1)
    read = cells.read(pd.Series(["a", "c", None]))
    assert read.codes.tolist() == [0, 2, 2]
    assert (read.missing, read.unknown) == (1, 1)


def test_categories_ordinals_and_booleans_come_back_as_they_went_in():
    domain = Domain.of(PEOPLE)
    frame = people(300)
    columns = [PEOPLE.column(name) for name in domain.names]
    table = as_table(domain.decode(domain.read(frame).codes, simulation_generator(0)), columns)
    for name in ("size", "smoker", "ill"):
        assert table[name].tolist() == frame[name].tolist()
    assert table["age"].dtype == "int64"
    assert str(table["dose"].dtype) == "float64"
    assert (table["age"] - frame["age"]).abs().max() <= 3


def test_drawn_numbers_stay_inside_their_cell_and_spread_evenly_over_it():
    cells = ColumnCells.of(Column("x", "number", bounds=(0, 1), missing="refuse"), 2)
    values = cells.decode(np.full(4000, 1), simulation_generator(0)).to_numpy()
    assert values.min() >= 0
    assert values.max() <= 0.5
    assert values.mean() == pytest.approx(0.25, abs=0.01)


@pytest.mark.parametrize("column", [Column("x", "number"), Column("x", "category")])
def test_a_column_without_bounds_or_categories_is_refused_in_one_sentence(column):
    with pytest.raises(InputError, match=r"Column 'x' has no (bounds|categories); .*, or ignore it\.$"):
        Domain.of(Schema((column,)))
