"""What is written and drawn about one person is what the answer holds, and never a chance for that person."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

from dpcp_core.data.samples import load_sample
from dpcp_core.experiments.person import Person, answer, held_out_person, typical_person
from dpcp_core.experiments.person.model import Subgroup
from dpcp_core.presentation.figures.class_dots import class_dots
from dpcp_core.presentation.figures.dots import dots
from dpcp_core.presentation.figures.hundred import after_dots, hundred
from dpcp_core.presentation.patient_sheet import sheet, sheet_name
from dpcp_core.presentation.wording import patient, patient_context
from tests.core.experiments.person.people import LONG, long_table, model_of

LIMIT = 130.0


def told_by(sample: str = "blood_pressure", place: int = 3, **choices):
    model = model_of(sample, **choices)
    return model, answer(model, held_out_person(load_sample(sample).frame, model.schema, int(model.rows[place]), place))


def named(picture, name: str):
    return next(trace for trace in picture.figure.data if (trace.name or "").startswith(name))


def every_word(model, given) -> str:
    sentences = [
        patient_context.promise_sentences(model),
        patient_context.privacy_sentences(model),
        patient_context.truth_sentence(model, given),
        *patient_context.unknowns(model),
        *(f"{one.label} {one.value} {one.comparison} {one.sentence}" for one in patient.cards(model, given, LIMIT)),
    ]
    if given.number is not None:
        sentences += [patient.dots_sentence(model), patient_context.difference_sentence(model, given.number, 10.0)]
    return " ".join(sentences).replace("\u00a0", " ").replace("\u202f", " ")


def test_dots_drawn_dots_counted_and_dots_told_are_the_same():
    model, given = told_by()
    picture, above = dots(model, given, LIMIT), given.number.above(LIMIT)
    assert 0 < above < 50
    assert len(named(picture, "above").x) == above == int(picture.table["above"].sum())
    assert len(named(picture, "up to").x) == 50 - above
    assert f"above: {above}" == named(picture, "above").name
    assert picture.title.startswith(f"About {above} of 50 patients like this one are above 130")
    assert f"{given.number.inside} inside it" in picture.alt
    assert picture.table.iloc[:, 1].to_numpy() == pytest.approx(given.number.dots)
    card = patient.cards(model, given, LIMIT)[2]
    assert card.value == f"about {above} of 50"


def test_the_interval_that_is_drawn_and_written_is_the_answer():
    model, given = told_by()
    picture, number = dots(model, given, LIMIT), given.number
    assert (min(named(picture, "interval").x), max(named(picture, "interval").x)) == (number.lower, number.upper)
    assert named(picture, "best guess").x == (number.predicted,)
    assert named(picture, "true value").x == (number.truth,)
    cards = patient.cards(model, given, LIMIT)
    assert cards[0].value.startswith(f"{number.predicted:.0f}")
    assert cards[1].value.startswith(f"{number.lower:.0f} to {number.upper:.0f}")


def test_dots_of_classes_are_filled_where_the_set_holds_them():
    model, given = told_by("breast_cancer", epsilon=0.3)
    told, picture = given.classes, class_dots(model, given.classes)
    held, left = named(picture, "in the set"), named(picture, "not in")
    assert len(held.x) == int(told.dots[told.members].sum())
    assert len(held.x) + len(left.x) == 50
    assert picture.table["dots"].tolist() == told.dots.tolist()


def test_large_type_has_larger_letters_and_says_the_same():
    model, given = told_by()
    usual, large = (dots(model, given, LIMIT, large=large) for large in (False, True))
    assert large.figure.layout.font.size == 1.5 * usual.figure.layout.font.size
    assert large.figure.layout.height > usual.figure.layout.height
    assert (large.alt, large.title) == (usual.alt, usual.title)


@pytest.mark.parametrize("sample", ["blood_pressure", "breast_cancer"])
def test_nothing_written_is_a_chance_for_this_person(sample):
    model, given = told_by(sample)
    words = every_word(model, given)
    assert "probab" not in words
    assert not re.search(r"this patient (has|is at) a|chance that this patient|risk", words)
    assert "We cannot say which group this patient is in." in words


def test_the_promise_counts_held_out_rows():
    model, _ = told_by()
    words = patient_context.promise_sentences(model).replace("\u00a0", " ")
    assert f"of {model.everybody.n} held-out patients, {model.everybody.hits} intervals held it" in words


def test_a_group_is_told_with_its_number_and_its_uncertainty():
    model, _ = told_by()
    words = patient_context.subgroup_sentence(model, Subgroup("Pregnant", "yes", 20, 29)).replace("\u00a0", " ")
    assert "20 of 29 held-out patients" in words
    assert "69\u202f%, or 51\u202f% to 83\u202f%" in words
    assert "None of the patients" in patient_context.subgroup_sentence(model, Subgroup("Pregnant", "yes", 0, 0))


def test_hardly_any_miss_is_not_told_as_one_in_a_hundred():
    model = model_of("blood_pressure")
    rare = dataclasses.replace(model, everybody=Subgroup("", "", 798, 800))
    words = patient_context.promise_sentences(rare)
    assert "For more than 99 in 100" in words
    assert "for fewer than 1 in 100" in words
    told = patient_context.subgroup_sentence(model, Subgroup("Pregnant", "no", 769, 771)).replace("\u202f", " ")
    assert "99.7 %, or 99.1 % to 99.9 % with 95 % confidence" in told


def test_a_width_is_held_against_the_difference_that_matters():
    model, given = told_by()
    width = given.number.width
    wide = patient_context.difference_sentence(model, given.number, width / 4)
    assert "4.0 times" in wide
    assert "overlap" in wide
    assert "no further apart" in patient_context.difference_sentence(model, given.number, 2 * width)


def test_the_word_beside_the_bar_stays_inside_the_picture():
    model, given = told_by()
    low, high = model.result.target.bounds
    whole = dataclasses.replace(given, number=dataclasses.replace(given.number, lower=low, upper=high, truth=None))
    layout = dots(model, whole, LIMIT).figure.layout
    (word,) = (label for label in layout.annotations if label.text == " interval ")
    assert (word.x, word.xanchor) == (low, "left")
    assert layout.xaxis.range[1] - word.x > 0.2 * (layout.xaxis.range[1] - layout.xaxis.range[0])


def test_the_whole_range_is_said_to_say_nothing():
    model = model_of("diabetes", epsilon=0.1)
    given = answer(model, typical_person(model.schema))
    assert "says nothing about this patient" in patient_context.nothing_sentence(model, given)
    assert "noise would move about 16 of 50" in patient.no_dots_sentence(model)
    assert patient.cards(model, given, 200.0)[2].value == "no count"


def test_without_a_bound_nothing_is_called_private():
    model, given = told_by(method="split")
    assert patient.cards(model, given, LIMIT)[0].comparison == "of the model"
    picture = hundred(model.receipt.total.epsilon)
    assert "after: no limit" in picture.alt
    assert [label.text for label in picture.figure.layout.annotations] == ["before: 50 in 100", "after: no limit"]
    assert "after: no limit" in sheet(model, given, LIMIT)


def test_privacy_is_told_for_interval_and_dots_together():
    model, _ = told_by(epsilon=1.0)
    words = patient_context.privacy_sentences(model).replace("\u00a0", " ")
    assert "at most 81.8 in 100" in words
    assert "The interval costs ε = 1, the dots ε = 0.5 more: 1.5 together." in words
    assert patient_context.privacy_card(model).value == "at most 81.8 in 100"
    assert patient_context.privacy_card(model_of(method="split")).value == "no bound"


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_a_hundred_dots_show_the_limit_that_is_written(epsilon):
    picture = hundred(epsilon, "patient")
    filled = sum(len(trace.x) for trace in picture.figure.data[2:] if trace.marker.symbol == "circle")
    assert filled == after_dots(epsilon) == picture.table["filled dots"].iloc[1]
    assert sum(len(trace.x) for trace in picture.figure.data) == 200


def test_the_sheet_holds_what_the_page_says_and_asks_nothing_of_a_network():
    model, given = told_by()
    page = sheet(model, given, LIMIT, 10.0)
    for part in (patient.above_sentence(model, given.number, LIMIT), patient_context.promise_sentences(model)):
        assert part in page
    assert page.count('fill="#E07A1F"') == given.number.above(LIMIT)
    assert "http" not in page
    assert "<script" not in page
    assert sheet_name(model) == "one-patient.html"


def test_names_cannot_write_into_the_sheet():
    data = load_sample("blood_pressure")
    column = dataclasses.replace(data.schema.column("age"), label="<script>alert(1)</script>")
    model = model_of(data.with_schema(data.schema.with_column(column)))
    page = sheet(model, answer(model, typical_person(model.schema)), LIMIT)
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_three_hundred_columns_with_long_names_are_cut_on_the_sheet():
    model = model_of(long_table(), epsilon=8.0, by_group=True)
    person = Person(typical_person(model.schema).values, model.schema.group.categories[0])
    page = sheet(model, answer(model, person), 6e4, 1e4)
    assert LONG not in page
    assert "288\u00a0more values not printed." in page
    assert np.isfinite(answer(model, person).number.predicted)
