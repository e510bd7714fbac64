"""Who wins where, in words: only what is told apart, and never a method that misses its target."""

from __future__ import annotations

import pytest

from dpcp_core.experiments.comparison import Comparison
from dpcp_core.presentation.wording.crossings import (
    at_sentence,
    beside_sentence,
    crossing_sentences,
    miss_sentences,
    n_crossings,
    where,
    winner_sentence,
)
from tests.core.experiments.sweeps import comparison_of

EPSILONS = (0.5, 1.0, 2.0, 4.0)


def plain(text: str) -> str:
    return text.replace("\u202f", " ").replace("\u00a0", " ")


def compared(lines, epsilons=EPSILONS, **more) -> Comparison:
    return Comparison(comparison_of(lines, epsilons, **more))


def flat(size: float, coverage: float = 0.92):
    return [(coverage, size)] * 4


def test_two_lines_that_cross_are_named_with_the_place():
    lines = {"dpcp_paper": flat(50.0), "pscp": [(0.92, s) for s in (80.0, 70.0, 45.0, 40.0)]}
    comparison = compared(lines)
    assert n_crossings(comparison) == 1
    assert crossing_sentences(comparison) == (
        "From ε = 2 on, “private split, as published” is narrower than “DPCP, as published”; up to ε = 1 it is the "
        "other way round.",
    )
    assert winner_sentence(comparison).startswith("Up to ε = 1, “DPCP, as published” gives the narrowest intervals")
    assert winner_sentence(comparison).endswith("from ε = 2 on, “private split, as published”.")


def test_everywhere_and_nowhere_are_said_as_such():
    comparison = compared({"dpcp": flat(40.0), "pscp": flat(60.0), "pcoqs": flat(40.05)}, noise=1.0)
    assert n_crossings(comparison) == 0
    assert crossing_sentences(comparison) == (
        "At every ε, “DPCP, certified” is narrower than “private split, as published”.",
        "“DPCP, certified” and “private split, noisy search” are not told apart at any ε.",
        "At every ε, “private split, noisy search” is narrower than “private split, as published”.",
    )
    assert plain(winner_sentence(comparison)) == (
        "At every ε, “DPCP, certified” and “private split, noisy search” give the narrowest intervals of the private "
        "methods that reach 90 %. Methods named together are not told apart."
    )


def test_a_method_that_misses_its_target_is_never_a_winner():
    lines = {"naive": flat(20.0, 0.85), "pcoqs": flat(25.0, 0.8), "dpcp": flat(40.0)}
    comparison = compared(lines)
    assert "noisy search" not in winner_sentence(comparison)
    assert "naive" not in winner_sentence(comparison)
    first, second = map(plain, miss_sentences(comparison))
    assert first == ("“Naive” is narrower but misses its target at every ε: 85.0 % instead of 90 % at ε = 0.5.")
    assert second.startswith("“Private split, noisy search” is narrower but misses its target")
    # Narrower, and yet no crossing and no win.
    assert "is narrower" not in crossing_sentences(comparison)[0]


def test_a_method_that_may_miss_its_target_is_named_too():
    result = comparison_of({"pcoqs": flat(25.0), "dpcp": flat(40.0)}, EPSILONS)
    for cell in result.where(method="pcoqs", epsilon=0.5):
        cell.coverage[:] = [0.8, 0.99] * 10
    assert miss_sentences(Comparison(result)) == (
        "“Private split, noisy search” may miss its target at ε = 0.5, and does not count as a winner there.",
    )


def test_a_method_that_is_wider_and_misses_is_not_called_narrower():
    comparison = compared({"dpcp": flat(40.0), "pscp": flat(60.0, 0.7)})
    assert miss_sentences(comparison)[0].startswith("“Private split, as published” misses its target at every ε")


def test_nobody_wins_where_everything_is_the_whole_range():
    lines = {"dpcp": [(1.0, 160.0), (1.0, 160.0), (0.92, 40.0), (0.92, 35.0)], "pscp": flat(160.0, 1.0)}
    comparison = compared(lines)
    assert winner_sentence(comparison).endswith(
        "Up to ε = 1, no private method reaches its target with less than the whole range for everybody."
    )
    assert at_sentence(comparison, 0.5) == (
        "At ε = 0.5 no private method reaches its target with less than the whole range for everybody."
    )


def test_without_a_private_method_there_is_no_winner():
    comparison = compared({"split": flat(30.0), "oracle": flat(29.0)})
    assert winner_sentence(comparison) == "None of these methods is private, so there is no winner to name."
    assert crossing_sentences(comparison) == ()
    assert beside_sentence(comparison) == (
        "“No privacy” and “split, no privacy” are not private: to compare with, not to win."
    )


def test_nothing_is_said_before_anything_is_computed():
    comparison = compared({"dpcp": [None] * 4, "split": [None] * 4})
    assert winner_sentence(comparison) == ""
    assert miss_sentences(comparison) == ()
    assert beside_sentence(comparison) == ""
    assert crossing_sentences(comparison) == ()


def test_one_epsilon_tells_what_it_costs_and_who_is_level():
    comparison = compared({"dpcp": flat(30.0), "pcoqs": flat(30.05), "pscp": flat(60.0)}, noise=1.0)
    assert plain(at_sentence(comparison, 1.0)) == (
        "At ε = 1 the narrowest intervals that are private and reach their target come from “DPCP, certified”: "
        "30.0 mmHg on average, 50 % wider than without privacy; “private split, noisy search” is not told apart from "
        "it."
    )


def test_sets_are_smaller_not_narrower():
    lines = {"dpcp": flat(1.2), "pscp": [(0.92, s) for s in (2.8, 2.0, 1.1, 1.1)]}
    comparison = compared(lines, classes=True)
    words = " ".join([winner_sentence(comparison), *crossing_sentences(comparison), at_sentence(comparison, 1.0)])
    assert "narrow" not in words
    assert "smallest sets" in words
    assert "is smaller than" in words
    assert "1.2 classes on average" in plain(words)


def test_scattered_epsilons_are_listed():
    assert where((0.5, 2.0, 4.0), EPSILONS) == "at ε = 0.5 and from ε = 2 on"
    assert where((1.0,), (1.0,)) == "at ε = 1"


def test_where_others_keep_up_with_the_one_that_is_named_is_said():
    lines = {"dpcp": flat(40.0), "pcoqs": [(0.92, size) for size in (40.0, 40.0, 60.0, 60.0)]}
    words = winner_sentence(compared(lines, noise=1.0))
    assert words.startswith("At every ε, “DPCP, certified” gives the narrowest intervals")
    assert words.endswith("Up to ε = 1, others are not told apart from the narrowest.")


def test_methods_that_were_never_both_computed_are_not_held_against_each_other():
    comparison = compared({"dpcp": [(0.92, 40.0), None, None, None], "pscp": [None, (0.92, 60.0), None, None]})
    assert crossing_sentences(comparison) == ()
    assert n_crossings(comparison) == 0
    assert winner_sentence(comparison).endswith("at ε = 1, “private split, as published”.")


def test_where_no_private_method_says_anything_none_is_named():
    assert winner_sentence(compared({"dpcp": flat(160.0, 1.0), "pscp": flat(160.0, 1.0)})) == (
        "At every ε, no private method reaches its target with less than the whole range for everybody."
    )


def test_methods_that_differ_where_the_narrower_one_misses_are_not_called_alike():
    always = compared({"dpcp": flat(30.0, 0.7), "pscp": flat(60.0)})
    assert crossing_sentences(always) == (
        "“DPCP, certified” and “private split, as published” are told apart only where the narrower one does not reach "
        "its target.",
    )
    late = [(0.92, 40.0), (0.92, 40.0), (0.7, 30.0), (0.7, 30.0)]
    assert crossing_sentences(compared({"dpcp": late, "pscp": flat(60.0)})) == (
        "Up to ε = 1, “DPCP, certified” is narrower than “private split, as published”; elsewhere they are not told "
        "apart, or the narrower one does not reach its target.",
    )
    same = [(0.92, size) for size in (40.0, 40.0, 60.0, 60.0)]
    assert crossing_sentences(compared({"dpcp": same, "pscp": flat(60.0)}))[0].endswith(
        "; elsewhere they are not told apart."
    )


@pytest.mark.parametrize(
    ("without", "words"),
    [
        (10.0, "3.0 times as wide as without privacy"),
        (20.0, "50 % wider than without privacy"),
        (30.0, "about as wide as without privacy"),
        (40.0, "25 % narrower than without privacy"),
    ],
)
def test_the_cost_of_privacy_is_said_whichever_way_it_goes(without: float, words: str):
    result = comparison_of({"dpcp": flat(30.0)}, EPSILONS)
    for cell in result.cells:
        cell.reference_size[:] = without
    assert f"30.0 mmHg on average, {words}." in plain(at_sentence(Comparison(result), 1.0))
