"""What one person is told agrees with the simulation, the dots are honest, and the cost is on the receipt."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.samples import load_sample
from dpcp_core.errors import InputError
from dpcp_core.experiments.person import Person, answer, held_out_person, typical_person
from dpcp_core.experiments.person.model import MOST_SHIFT, person_model
from dpcp_core.experiments.settings import ConformalSettings
from tests.core.experiments.person.people import gappy_table, model_of, trained


def picked(model, data: Dataset | str, place: int) -> Person:
    frame = (load_sample(data) if isinstance(data, str) else data).frame
    return held_out_person(frame, model.schema, int(model.rows[place]), place)


def unbounded_table() -> Dataset:
    data = load_sample("blood_pressure")
    age = dataclasses.replace(data.schema.column("age"), bounds=None, typical=None)
    return data.with_schema(data.schema.with_column(age))


@pytest.mark.parametrize(
    "choices",
    [{}, {"score": "normalized"}, {"method": "oracle"}, {"method": "split"}, {"by_group": True}, {"repetitions": 3}],
    ids=str,
)
def test_a_held_out_row_is_told_what_the_simulation_measured(choices):
    model = model_of(**choices)
    rows = model.result.rows
    for place in (0, 1, 50, 99):
        told = answer(model, picked(model, "blood_pressure", place)).number
        assert told.predicted == pytest.approx(rows.predicted[place], abs=1e-3)
        assert told.lower == pytest.approx(rows.lower[place], abs=1e-3)
        assert told.upper == pytest.approx(rows.upper[place], abs=1e-3)
        assert told.truth == rows.truth[place]
        assert told.covered == rows.covered[place]


@pytest.mark.parametrize("score", ["probability", "aps", "aps_randomized"])
def test_a_held_out_row_gets_the_set_that_the_simulation_measured(score):
    model = model_of("readmission", score=score)
    rows = model.result.rows
    for place in (0, 3, 77):
        told = answer(model, picked(model, "readmission", place)).classes
        assert told.members.tolist() == rows.members[place].tolist()
        assert told.probabilities == pytest.approx(rows.probabilities[place], abs=1e-5)
        assert told.truth == rows.truth[place]
        assert int(told.dots.sum()) == 50


@pytest.mark.parametrize("data", ["blood_pressure", gappy_table()], ids=["sample", "gaps"])
def test_the_same_values_typed_in_get_the_same_answer_without_a_truth(data):
    model = model_of(data)
    for place in (2, 5, 11):
        row = picked(model, data, place)
        typed = answer(model, Person(row.values, row.group)).number
        assert typed.predicted == pytest.approx(answer(model, row).number.predicted, abs=1e-3)
        assert typed.truth is None
        assert typed.covered is None


def test_people_are_read_by_the_bounds_that_were_bought():
    data = unbounded_table()
    model = model_of(data, bounds_epsilon=0.4)
    row = picked(model, data, 4)
    told = answer(model, Person(row.values)).number
    assert told.predicted == pytest.approx(model.result.rows.predicted[4], abs=1e-3)


def test_hits_within_groups_add_up_to_the_coverage_of_the_result():
    model = model_of()
    assert model.everybody.hits / model.everybody.n == model.result.coverage[0]
    assert sum(group.hits for group in model.subgroups) == model.everybody.hits
    assert sum(group.n for group in model.subgroups) == model.everybody.n == model.result.n_test
    for group, measured in zip(model.subgroups, model.result.groups, strict=True):
        assert group.share == pytest.approx(measured.coverage[0])
        assert group.interval[0] < group.share < group.interval[1]


@pytest.mark.parametrize("sample", ["blood_pressure", "length_of_stay"])
def test_true_values_fall_among_the_dots_as_often_as_the_dots_say(sample):
    model = model_of(sample, epsilon=2.0)
    told = [answer(model, Person({}, place=place)).number for place in range(min(300, len(model.rows)))]
    below = np.array([np.mean(one.dots < one.truth) + np.mean(one.dots == one.truth) / 2 for one in told])
    spare = 3 / math.sqrt(12 * len(told))
    assert below.mean() == pytest.approx(0.5, abs=spare + 0.03)
    inner = np.mean((below > 0.1) & (below < 0.9))
    assert inner == pytest.approx(0.8, abs=0.1)


def test_dots_are_ends_of_nested_intervals_and_stay_within_the_bounds():
    model = model_of("length_of_stay")
    low, high = model.result.target.bounds
    told = answer(model, picked(model, "length_of_stay", 3)).number
    assert len(told.dots) == 50
    assert np.all(np.diff(told.dots) >= 0)
    assert told.dots[0] >= low
    assert told.dots[-1] <= high
    # About as many dots as people fall outside: the interval is one of those nested ones.
    assert told.inside == pytest.approx(50 * model.everybody.share, abs=3)


def test_counts_above_a_limit_are_counts_of_dots():
    told = answer(model_of(), typical_person(model_of().schema)).number
    for threshold in (100.0, float(told.dots[17]), 125.0, 200.0):
        assert told.above(threshold) == sum(value > threshold for value in told.dots.tolist())


def test_another_person_draws_nothing_anew():
    model = model_of()
    first, second = (answer(model, picked(model, "blood_pressure", place)).number for place in (0, 1))
    assert second.dots - second.predicted == pytest.approx(first.dots - first.predicted)


def test_dots_cost_as_much_as_the_threshold_and_the_receipt_adds_it():
    model = model_of(epsilon=1.0, training_share=0.6)
    assert model.dots_epsilon == pytest.approx(0.4)
    assert model.receipt.total.epsilon == pytest.approx(1.4)
    assert model.receipt.total.delta == model.result.receipt.total.delta
    assert model.receipt.entries[:-1] == model.result.receipt.entries
    assert f"about {math.sqrt(2) / 0.4:.2f} rows" in model.receipt.entries[-1].detail
    without = model_of(epsilon=1.0, training_share=0.6, dots=False)
    assert without.receipt == without.result.receipt
    assert answer(without, typical_person(without.schema)).number.dots is None


def test_where_noise_would_drown_the_dots_there_are_none_and_nothing_is_paid():
    model = model_of("diabetes", epsilon=0.1)
    assert model.shift > MOST_SHIFT
    assert model.shape is None
    assert model.receipt == model.result.receipt


def test_without_privacy_the_dots_are_exact_and_the_receipt_says_infinite():
    model = model_of(method="split")
    assert math.isinf(model.shape.epsilon)
    assert not model.receipt.is_private


def test_a_group_with_a_threshold_of_its_own_must_be_named():
    model = model_of(by_group=True)
    with pytest.raises(InputError, match="say which group"):
        answer(model, typical_person(model.schema))
    widths = {answer(model, Person({}, name)).number.width for name in model.schema.group.categories}
    assert len(widths) == 2


@pytest.mark.parametrize(
    ("person", "sentence"),
    [
        (Person({"agee": 50.0}), "Nothing is predicted from 'agee' .did you mean 'age'"),
        (Person({"age": 500.0}), "'age' is given as 500.0 but must be a number from 18 to 100"),
        (Person({"age": "old"}), "'age' is given as 'old' but must be a number"),
        (Person({"sex": "x"}), "'sex' has no category 'x'; choose one of: female, male"),
        (Person({}, "maybe"), "'maybe' is no group of 'pregnant'; the groups are: no, yes"),
        (Person({"systolic": 120.0}), "Nothing is predicted from 'systolic'"),
        (Person({}, place=5000), "place is 5000 but must be a whole number of at most 799"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(person, sentence):
    with pytest.raises(InputError, match=sentence):
        answer(model_of(), person)


def test_a_missing_value_is_allowed_only_where_the_schema_allows_it():
    model = model_of(gappy_table())
    assert answer(model, Person({"age": None, "sex": None})).number.predicted > 0
    with pytest.raises(InputError, match="'dose' has 1 missing value"):
        answer(model, Person({"dose": None}))


def test_runs_of_another_table_are_refused():
    settings = ConformalSettings(repetitions=1)
    runs = trained(load_sample("blood_pressure"), settings)
    with pytest.raises(InputError, match="another table"):
        person_model(load_sample("diabetes"), runs, settings)
