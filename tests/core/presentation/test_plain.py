from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

import numpy as np
import pytest

from dpcp_core.data.column import Column
from dpcp_core.experiments.result import HeldOutSets, SimulationResult
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.plain import certificate_sentence, plain_words, true_value_of
from dpcp_core.presentation.wording.regions import size_cost
from dpcp_core.presentation.wording.titles import mechanism_sentence, spread_sentence, strip_sentence

ResultOf = Callable[[str], SimulationResult]


def plain(text: str) -> str:
    return text.replace(say.NARROW, " ").replace(say.FIXED, " ")


def with_coverage(result: SimulationResult, share: float) -> SimulationResult:
    return dataclasses.replace(result, coverage=np.full(3, share))


@pytest.mark.parametrize(
    ("share", "inside", "outside"),
    [
        (0.905, "about 9 in 10 patients", "about 1 in 10 it did not"),
        (0.949, "about 19 in 20 patients", "about 1 in 20 it did not"),
        (0.922, "about 92 in 100 patients", "about 8 in 100 it did not"),
        (0.9995, "more than 99 in 100 patients", "fewer than 1 in 100 it did not"),
    ],
)
def test_coverage_is_told_in_people_with_those_it_failed(
    result_of: ResultOf, share: float, inside: str, outside: str
) -> None:
    words = plain(plain_words(with_coverage(result_of("default"), share)))
    assert inside in words
    assert outside in words
    assert "We cannot say which group this patient is in." in words


def test_full_coverage_claims_only_the_rows_that_were_looked_at(result_of: ResultOf) -> None:
    words = plain_words(with_coverage(result_of("default"), 1.0))
    assert words.startswith("For all patients that were held out")


def test_words_use_what_a_row_stands_for(result_of: ResultOf) -> None:
    visits = dataclasses.replace(result_of("default"), one_row_is="one visit of one patient")
    assert "visits of one patient like those in this table" in plain_words(visits)


def test_words_carry_the_width_and_its_cost_of_this_run(result_of: ResultOf) -> None:
    result = result_of("default")
    words = plain(plain_words(result))
    assert f"on average {result.size_mean:.0f} mmHg wide" in words
    assert f"{result.size_mean - result.reference_size.mean():.1f} mmHg) wider than without privacy" in words


def test_a_threshold_that_is_not_private_is_not_sold_as_private(result_of: ResultOf) -> None:
    assert "not private" in plain_words(result_of("naive"))
    assert "without privacy" not in plain_words(result_of("oracle"))


def test_nothing_certified_is_said_without_any_promise(result_of: ResultOf) -> None:
    words = plain(plain_words(result_of("nothing")))
    assert "the whole range, 0 to 400 points, so it holds every true value" in words
    assert "in 100" not in words


def test_a_certificate_says_for_whom_and_on_which_ground(result_of: ResultOf) -> None:
    sentence = plain(certificate_sentence(result_of("default")))
    assert sentence.startswith("Certified for new patients drawn from where these 3,200 came from.")
    assert "90 %" in sentence


@pytest.mark.parametrize("case", ["naive", "pscp", "paper"])
def test_what_is_not_proved_is_not_called_certified(result_of: ResultOf, case: str) -> None:
    assert certificate_sentence(result_of(case)).startswith("Coverage is not certified.")


def test_the_strip_counts_its_misses(result_of: ResultOf) -> None:
    result = result_of("default")
    outside = int((~result.rows.covered).sum())
    assert plain(strip_sentence(result)) == f"100 held-out patients: {outside} true values fall outside their interval"


@pytest.mark.parametrize(
    ("truth", "words"),
    [
        ([1.0, 2.0], "2 held-out patients: every true value falls inside its interval"),
        ([1.0, 9.0], "2 held-out patients: 1 true value falls outside its interval"),
        ([8.0, 9.0], "2 held-out patients: 2 true values fall outside their interval"),
    ],
)
def test_singular_and_plural_agree(result_of: ResultOf, truth: list[float], words: str) -> None:
    result = result_of("default")
    ends = {"predicted": np.ones(2), "lower": np.zeros(2), "upper": np.full(2, 3.0)}
    few = dataclasses.replace(result, rows=dataclasses.replace(result.rows, truth=np.asarray(truth), **ends))
    assert plain(strip_sentence(few)) == words


def test_repetitions_that_reached_the_target_are_counted(result_of: ResultOf) -> None:
    result = dataclasses.replace(result_of("default"), coverage=np.array([0.89, 0.9, 0.91]))
    assert plain(spread_sentence(result)).startswith("In 2 of 3 repetitions coverage reached 90 %")


def test_every_sentence_reads_to_its_end(any_result: SimulationResult) -> None:
    for text in (plain_words(any_result), certificate_sentence(any_result)):
        assert text.endswith(".")
    for title in (strip_sentence(any_result), mechanism_sentence(any_result), spread_sentence(any_result)):
        assert not title.endswith(".")
        assert not re.search(r"\bnan\b|\binf\b|\s\s", title)


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (Column("sbp", "number", label="Systolic blood pressure"), "true systolic blood pressure"),
        (Column("ViolentCrimesPerPop", "number"), "true value of ViolentCrimesPerPop"),
        (Column("rings", "integer"), "true value of rings"),
        (Column("x" * 300, "number"), f"true value of {'x' * 59}…"),
    ],
    ids=["label", "capitals", "plural", "long"],
)
def test_a_column_is_called_by_its_label_or_by_its_very_name(column: Column, words: str) -> None:
    assert true_value_of(column) == words


@pytest.mark.parametrize(
    ("width", "words"),
    [(3e-16, "as wide as without privacy"), (5.0, "wider than without privacy, where they are almost points")],
)
def test_points_without_privacy_are_nothing_to_compare_with(result_of: ResultOf, width: float, words: str) -> None:
    result = dataclasses.replace(result_of("default"), size=np.full(3, width), reference_size=np.full(3, 1e-17))
    assert size_cost(result) == words
    assert "× 10" not in plain(plain_words(result))


def test_a_large_number_in_a_certificate_has_no_powers_of_ten(result_of: ResultOf) -> None:
    result = result_of("default")
    certificate = dataclasses.replace(result.certificate, reason="no prediction by more than 1.34e+03 EUR")
    assert "1,340 EUR" in certificate_sentence(dataclasses.replace(result, certificate=certificate))


def with_sets(result: SimulationResult, single: float, empty: float = 0.0) -> SimulationResult:
    assert result.sets is not None
    shares = {"singleton_share": np.full(3, single), "empty_share": np.full(3, empty)}
    return dataclasses.replace(result, sets=dataclasses.replace(result.sets, **shares))


def test_sets_are_told_in_people_and_in_single_answers(result_of: ResultOf) -> None:
    result = with_sets(with_coverage(result_of("classes"), 0.905), 0.82)
    words = plain(plain_words(result))
    assert words.startswith("For about 9 in 10 patients like those in this table, the set of possible answers held the")
    assert "About 82 in 100 sets named a single class." in words
    assert "For about 1 in 10 the true one was not in it." in words
    assert f"Sets hold {result.size_mean:.3g} classes on average, " in words
    assert "interval" not in words


@pytest.mark.parametrize(
    ("single", "empty", "words"),
    [
        (1.0, 0.0, "All sets named a single class."),
        (0.0, 0.0, "No set named a single class."),
        (0.999, 0.001, "More than 99 in 100 sets named a single class, and fewer than 1 in 100 sets named none."),
        (0.5, 0.1, "About 5 in 10 sets named a single class, and about 1 in 10 sets named none."),
    ],
)
def test_single_and_empty_sets_are_counted_only_where_there_are_any(
    result_of: ResultOf, single: float, empty: float, words: str
) -> None:
    assert words in plain_words(with_sets(result_of("tumours"), single, empty))


@pytest.mark.parametrize("case", ["every_class", "both"])
def test_sets_of_all_classes_say_nothing_whether_forced_or_not(result_of: ResultOf, case: str) -> None:
    words = plain_words(result_of(case))
    assert words.startswith("At these settings every set holds both classes, so it holds every true class and says")
    assert "in 100" not in words


def test_a_certificate_of_sets_speaks_of_classes(result_of: ResultOf) -> None:
    sentence = certificate_sentence(result_of("every_class"))
    assert "could only be certified by ruling nothing out" in sentence
    assert "whole range" not in sentence


def test_a_certificate_of_groups_says_whose_it_is(result_of: ResultOf) -> None:
    assert "new patients of the largest group" in certificate_sentence(result_of("own_groups"))


@pytest.mark.parametrize(
    ("truth", "words"),
    [
        ([0, 0], "2 held-out patients: every true class is in its set"),
        ([0, 1], "2 held-out patients: 1 true class is not in its set"),
        ([1, 1], "2 held-out patients: 2 true classes are not in their set"),
    ],
)
def test_the_strip_of_sets_counts_its_misses(result_of: ResultOf, truth: list[int], words: str) -> None:
    rows = HeldOutSets(np.array([[0.9, 0.1]] * 2), np.array([[True, False]] * 2), np.asarray(truth))
    assert plain(strip_sentence(dataclasses.replace(result_of("classes"), rows=rows))) == words


def test_a_threshold_with_noise_is_not_called_exact(result_of: ResultOf) -> None:
    assert "drawn with noise" in mechanism_sentence(result_of("histogram"))
    assert "nothing at random" in mechanism_sentence(result_of("clipped"))


def with_class_coverage(result: SimulationResult, low: float, rows: int) -> SimulationResult:
    assert result.sets is not None
    holds = np.array([[0.99, 0.2], [0.4, low]])
    sets = dataclasses.replace(result.sets, holds=holds, class_counts=np.array([900, rows]))
    return dataclasses.replace(result, sets=sets)


def test_a_class_that_is_held_far_less_often_is_named(result_of: ResultOf) -> None:
    words = plain_words(with_class_coverage(result_of("classes"), 0.67, rows=100))
    assert "Where the true one is “yes”, only about 67 in 100 sets held it" in words
    assert "together, not within each class." in words


@pytest.mark.parametrize(("low", "rows"), [(0.87, 100), (0.67, 10)])
def test_a_class_that_is_held_nearly_as_often_or_hardly_seen_is_not(result_of: ResultOf, low: float, rows: int) -> None:
    assert "Where the true one is" not in plain_words(with_class_coverage(result_of("classes"), low, rows))
