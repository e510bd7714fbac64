from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest

from dpcp_core.experiments.result import SimulationResult
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.readouts import coverage_readout, privacy_readout, size_readout
from dpcp_core.presentation.wording.regions import is_whole_range, mean_size, says_nothing, size_cost
from dpcp_core.presentation.wording.thresholds import (
    step_in_words,
    threshold_in_words,
    threshold_noun,
    threshold_title,
    threshold_unit,
)

ResultOf = Callable[[str], SimulationResult]


def plain(text: str) -> str:
    return text.replace(say.NARROW, " ").replace(say.FIXED, " ")


def with_sizes(result: SimulationResult, size: float, without: float) -> SimulationResult:
    return dataclasses.replace(result, size=np.full(3, size), reference_size=np.full(3, without))


@pytest.mark.parametrize(
    ("size", "without", "words"),
    [
        (1.18, 1.18 / 1.12, "12 % larger than without privacy"),
        (1.05, 1.5, "30 % smaller than without privacy"),
        (1.2, 1.201, "as large as without privacy"),
        (3.0, 1.2, "2.5 times as large as without privacy"),
        (0.4, 0.0, "larger than without privacy, where they are empty"),
        (0.0, 0.0, "as empty as without privacy"),
    ],
)
def test_set_sizes_are_compared_without_a_unit(result_of: ResultOf, size: float, without: float, words: str) -> None:
    assert plain(size_cost(with_sizes(result_of("tumours"), size, without))) == words


def test_a_mean_of_one_class_is_a_singular(result_of: ResultOf) -> None:
    assert plain(mean_size(with_sizes(result_of("classes"), 1.0, 1.0))) == "1 class"
    assert plain(mean_size(with_sizes(result_of("classes"), 1.1764, 1.0))) == "1.18 classes"


def test_the_readout_of_sets_counts_classes_and_single_answers(result_of: ResultOf) -> None:
    result = result_of("classes")
    assert result.sets is not None
    readout = size_readout(result)
    assert (readout.label, plain(readout.value)) == ("Set size", f"{result.size_mean:.3g} classes")
    assert readout.comparison.endswith("than without privacy")
    single = f"{100 * result.sets.singleton_share.mean():.0f} %"
    assert f"{single} of them name a single class." in plain(readout.sentence)
    assert "name none" not in readout.sentence
    assert "name none" in size_readout(result_of("tumours")).sentence


def test_readouts_of_classes_speak_of_sets(any_sets: SimulationResult) -> None:
    for readout in (coverage_readout(any_sets), size_readout(any_sets), privacy_readout(any_sets)):
        told = " ".join([readout.value, readout.comparison, readout.sentence, readout.hint])
        assert "interval" not in told.lower()
        assert "true value" not in told


@pytest.mark.parametrize(("case", "forced"), [("every_class", True), ("both", False)])
def test_every_class_is_told_apart_by_why(result_of: ResultOf, case: str, forced: bool) -> None:
    assert says_nothing(result_of(case))
    assert is_whole_range(result_of(case)) == forced
    assert size_readout(result_of(case)).comparison == "every class"


def test_ordinary_results_say_something(result_of: ResultOf) -> None:
    assert not any(says_nothing(result_of(case)) for case in ("default", "classes", "tumours", "many"))
    assert says_nothing(result_of("nothing"))


@pytest.mark.parametrize(
    ("case", "told", "unit", "noun"),
    [
        ("default", "± 1.31 mmHg", "mmHg", "half-width"),
        ("relative", "± 1.31 times the usual distance", "", "threshold"),
        ("classes", "1.31", "", "threshold"),
    ],
)
def test_a_threshold_has_a_unit_only_where_it_is_a_distance(
    result_of: ResultOf, case: str, told: str, unit: str, noun: str
) -> None:
    result = result_of(case)
    assert plain(threshold_in_words(result, 1.31)) == told
    assert plain(step_in_words(result, 1.31, 3)) == told.removeprefix("± ")
    assert (threshold_unit(result), threshold_noun(result)) == (unit, noun)


def test_the_axis_of_thresholds_says_what_they_are(result_of: ResultOf) -> None:
    assert threshold_title(result_of("default")) == "Half-width of an interval, mmHg"
    assert threshold_title(result_of("relative")) == "Half-width of an interval, times the usual distance"
    assert threshold_title(result_of("classes")) == "Threshold: largest improbability inside a set"
