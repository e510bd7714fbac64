from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from dpcp_core.evaluation.coverage import mean_interval, wilson_interval
from dpcp_core.experiments.result import GroupResult, SimulationResult
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.group_words import (
    group_interval,
    group_sentence,
    groups_sentence,
    groups_words,
    worst_group,
)

ResultOf = Callable[[str], SimulationResult]


def plain(text: str) -> str:
    return text.replace(say.NARROW, " ").replace(say.FIXED, " ")


def group(name: str, coverage: Sequence[float], n_test: float = 50) -> GroupResult:
    return GroupResult(name, 200, n_test, np.asarray(coverage), np.full(len(coverage), 30.0), None, "Ward")


def with_groups(result: SimulationResult, *groups: GroupResult) -> SimulationResult:
    return dataclasses.replace(result, groups=groups)


def test_uncertainty_is_that_of_the_repetitions_that_saw_the_group() -> None:
    seen = group("east", [0.9, np.nan, 0.8, 0.85])
    assert group_interval(seen) == mean_interval([0.9, 0.8, 0.85], n_test=50)
    assert group_interval(group("east", [0.9])) == wilson_interval(hits=45, total=50)
    assert group_interval(group("east", [np.nan, np.nan], n_test=0)) is None


def test_the_group_that_falls_furthest_below_is_named(result_of: ResultOf) -> None:
    result = with_groups(result_of("default"), group("east", [0.95, 0.94, 0.96]), group("west", [0.70, 0.71, 0.72]))
    assert plain(groups_sentence(result)) == "Coverage falls furthest below 90 % in the group “Ward: west”: 71.0 %"
    assert worst_group(result) is result.groups[1]


def test_what_may_be_chance_is_not_called_low(result_of: ResultOf) -> None:
    result = with_groups(result_of("default"), group("west", [0.84, 0.96, 0.87]))
    assert groups_sentence(result).endswith("which may be chance")


def test_groups_that_all_reach_the_target_are_said_to(result_of: ResultOf) -> None:
    result = with_groups(result_of("default"), group("east", [0.95]), group("west", [0.9]))
    assert plain(groups_sentence(result)) == "Coverage reached 90 % on average in every group"
    assert worst_group(result) is None


def test_a_group_is_told_with_its_rows_its_uncertainty_and_its_size(result_of: ResultOf) -> None:
    result = result_of("default")
    told = plain(group_sentence(result, group("east", [0.9, 0.8, 0.85])))
    assert told == (
        "Group “Ward: east”: coverage 85.0 % ± 12.4 on 50 held-out patients in each repetition, "
        "intervals 30.0 mmHg wide on average."
    )
    assert "sets of 30 classes on average" in plain(group_sentence(result_of("classes"), group("east", [0.9])))
    assert "in each repetition" not in group_sentence(result, group("east", [0.9]))


def test_a_group_without_held_out_rows_is_said_to_be_one(result_of: ResultOf) -> None:
    result = with_groups(result_of("default"), group("far", [np.nan], n_test=0))
    assert group_sentence(result, result.groups[0]) == "None of the patients of the group “Ward: far” was held out."
    assert groups_sentence(result) == "No group has rows that were held out"


def test_of_many_groups_only_the_lowest_get_a_sentence(result_of: ResultOf) -> None:
    many = [group(f"ward {i}", [0.5 + i / 100] * 3) for i in range(40)]
    words = groups_words(with_groups(result_of("default"), *many[::-1]))
    assert words.count("Group “") == 5
    assert "Ward: ward 4”" in words
    assert "Ward: ward 5”" not in words


@pytest.mark.parametrize(("case", "words"), [("default", "One threshold serves all"), ("own_groups", "of its own")])
def test_it_is_said_whether_groups_have_thresholds_of_their_own(result_of: ResultOf, case: str, words: str) -> None:
    assert words in groups_words(result_of(case))


def test_a_table_without_groups_has_no_words_about_them(result_of: ResultOf) -> None:
    assert groups_words(result_of("few")) == ""


def test_words_on_real_groups_are_whole_sentences(any_result: SimulationResult) -> None:
    words = groups_words(any_result)
    assert words.endswith(".") == bool(any_result.groups)
    assert "nan" not in words.split()
