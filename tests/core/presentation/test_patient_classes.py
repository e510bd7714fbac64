"""What is written and printed about somebody whose class is predicted, and about somebody without dots."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from dpcp_core.data.column import Column
from dpcp_core.experiments.person import ClassAnswer, PersonAnswer, answer, typical_person
from dpcp_core.presentation.figures.class_dots import class_dots
from dpcp_core.presentation.figures.dots import dots
from dpcp_core.presentation.figures.theme import LIGHT
from dpcp_core.presentation.patient_sheet import sheet
from dpcp_core.presentation.patient_svg import class_svg, dots_svg
from dpcp_core.presentation.wording import patient, patient_context
from tests.core.experiments.person.people import model_of

HELD, MISSED = f'stroke="{LIGHT.result}" stroke-width="3"', f'stroke="{LIGHT.miss_edge}" stroke-width="3"'
DASHED = "stroke-dasharray"


def classes(members: str, names: tuple[str, ...] = ("flu", "cold", "no"), truth: int | None = None) -> ClassAnswer:
    """Return an answer that finds earlier names likelier; members has a letter x for each that is in the set."""
    weights = np.arange(len(names), 0, -1.0)
    return ClassAnswer(names, weights / weights.sum(), np.array([part == "x" for part in members]), truth)


def told(answered: ClassAnswer) -> PersonAnswer:
    model = model_of("breast_cancer", epsilon=0.3)
    return dataclasses.replace(answer(model, typical_person(model.schema)), classes=answered)


def test_printed_dots_are_filled_where_the_set_holds_the_class() -> None:
    drawn = class_svg(classes("x-x"))
    assert drawn.count("<circle") == 50
    dots = classes("x-x").dots
    assert drawn.count(f'fill="{LIGHT.result}" stroke') == dots[0] + dots[2]
    assert drawn.count('fill="none"') == dots[1]
    assert (HELD in drawn, MISSED in drawn) == (False, False)


@pytest.mark.parametrize(("truth", "mark", "other"), [(0, HELD, MISSED), (1, MISSED, HELD)])
def test_the_true_class_of_a_held_out_row_is_crossed_in_print_in_the_colour_of_a_hit_or_a_miss(
    truth: int, mark: str, other: str
) -> None:
    drawn = class_svg(classes("x-x", truth=truth))
    assert drawn.count(mark) == 1
    assert other not in drawn


def test_a_sheet_about_classes_has_their_names_dots_and_set_and_no_limit() -> None:
    model, given = model_of("breast_cancer", epsilon=0.3), told(classes("x--", ("<b>flu</b>", "cold", "no")))
    page = sheet(model, given, threshold=1.0, difference=1.0)
    assert class_svg(given.classes) in page
    assert "&lt;b&gt;flu&lt;/b&gt;" in page
    assert "<b>flu</b>" not in page
    assert patient.class_dots_sentence(model) in page
    assert DASHED not in page


@pytest.mark.parametrize(
    ("members", "card", "sentence"),
    [
        ("--x", "no", "The set holds “no” alone."),
        ("x-x", "flu or no", "The set holds “flu” and “no”."),
        ("xxx", "all 3 classes", "The set holds all 3 classes: nothing can be ruled out for this patient."),
        ("---", "no class", "The set is empty: no class is likely enough."),
    ],
)
def test_a_set_is_told_with_its_classes_in_quotes(members: str, card: str, sentence: str) -> None:
    model, given = model_of("breast_cancer", epsilon=0.3), told(classes(members))
    held, guess = patient.cards(model, given, 0.0)
    assert held.value == card
    assert held.comparison == f"{members.count('x')} of 3 classes"
    assert held.sentence.startswith(sentence)
    assert guess.sentence == "The model gives “flu” the most."
    assert bool(patient_context.nothing_sentence(model, given)) == (members == "xxx")


def test_of_two_classes_both_are_said_as_both() -> None:
    assert patient.names_in_set(classes("xx", ("ill", "well"))) == "both classes"


def test_the_first_few_of_many_classes_are_named_and_the_others_counted() -> None:
    many = classes("xxxxx--", tuple("abcdefg"))
    assert patient.names_in_set(many) == "a or b or c and 2 more"
    assert patient.class_title(many).startswith("The set holds “a”, “b”, “c” and 2 more; dots show")


def test_a_class_called_no_is_not_read_as_none_by_those_who_cannot_see_the_dots() -> None:
    alt = class_dots(model_of("breast_cancer", epsilon=0.3), classes("--x", truth=2)).alt
    assert "the set holds “no”. Of the model's 50 dots: flu 25, cold 17, no 8. The true class is “no”." in alt
    assert class_dots(model_of("breast_cancer", epsilon=0.3), classes("--x")).alt.endswith("cold 17, no 8.")


def test_without_dots_a_sheet_prints_the_interval_and_why_there_are_none() -> None:
    model = model_of("blood_pressure", dots=False)
    given = answer(model, typical_person(model.schema))
    drawn = dots_svg(model, given.number, 130.0)
    assert "<circle" not in drawn
    assert f'fill="{LIGHT.band}"' in drawn
    assert DASHED in drawn
    why = patient.dots_sentence(model)
    assert why == "No dots: they are switched off. They would cost ε = 0.5 more."
    assert why in sheet(model, given, 130.0)
    assert patient.cards(model, given, 130.0)[2].sentence == why
    assert "costs ε = 1." in patient_context.privacy_sentences(model)


def test_without_dots_the_picture_has_the_interval_and_its_title_says_why() -> None:
    model = model_of("blood_pressure", dots=False)
    given = answer(model, typical_person(model.schema))
    picture = dots(model, given, 130.0)
    assert picture.title == patient.no_dots_sentence(model)
    assert [trace.name for trace in picture.figure.data] == ["interval", "best guess"]
    assert "50 dots" not in picture.alt
    assert patient.reach(given.number.lower, given.number.upper, model.result.target) in picture.alt


def test_a_true_class_that_is_too_unlikely_for_a_row_is_told_and_not_drawn() -> None:
    names = tuple(f"kind {place}" for place in range(20))
    last = class_dots(model_of("breast_cancer", epsilon=0.3), classes("x" * 20, names, truth=19))
    first = class_dots(model_of("breast_cancer", epsilon=0.3), classes("x" * 20, names, truth=0))
    assert [trace.name for trace in first.figure.data][-1] == "true class"
    assert "true class" not in [trace.name for trace in last.figure.data]
    assert last.alt.endswith("The true class is “kind 19”.")


def test_a_limit_outside_the_picture_is_not_drawn_at_its_edge() -> None:
    model = model_of("blood_pressure")
    number = answer(model, typical_person(model.schema)).number
    assert DASHED in dots_svg(model, number, 130.0)
    assert DASHED not in dots_svg(model, number, 1e4)


def test_where_every_interval_held_the_truth_no_number_of_misses_is_made_up() -> None:
    model = model_of("blood_pressure")
    always = dataclasses.replace(model, everybody=dataclasses.replace(model.everybody, hits=800, n=800))
    said = patient_context.promise_sentences(always).replace("\u00a0", " ")
    assert said.endswith("of every patient that was held out: of 800 held-out patients, 800 intervals held it.")


def test_a_value_of_a_very_small_range_is_not_rounded_to_nothing() -> None:
    dose = Column("dose", "number", "target", bounds=(0, 4e-9), unit="g")
    assert patient.amount(1.234e-9, dose) != patient.amount(1.434e-9, dose)
    assert patient.amount(1.234e-9, dose).startswith("1.23")


def test_dots_of_a_method_without_privacy_are_called_not_private() -> None:
    model = model_of("blood_pressure", method="split")
    assert patient.dots_sentence(model).endswith("The errors are counted exactly, so these dots are not private.")
    switched_off = model_of("blood_pressure", method="split", dots=False)
    assert patient.no_dots_sentence(switched_off) == "No dots: they are switched off."


@pytest.mark.parametrize(
    ("shift", "words"), [(0.001, "less than one dot"), (0.02, "about one dot"), (0.08, "about 4 dots")]
)
def test_what_noise_moves_is_told_in_dots(shift: float, words: str) -> None:
    moved = dataclasses.replace(model_of("blood_pressure"), shift=shift)
    assert f"counted with noise, which may move {words} past a limit" in patient.dots_sentence(moved)
