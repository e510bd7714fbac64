from __future__ import annotations

import pytest

from dpcp_core.experiments.splits import SplitMap
from dpcp_core.presentation.wording.budget import cell_words, choice_sentence, map_alt, map_key, map_title
from tests.core.presentation.maps import bins, cell, plain, shares

ROUGHLY_FLAT = {0.1: 44.0, 0.3: 40.1, 0.45: 40.0, 0.7: 40.1, 0.9: 44.8}


def sentence(found: SplitMap, chosen: float) -> str:
    choice = found.choice(1.0)
    assert choice is not None
    return plain(choice_sentence(choice, found, chosen))


def test_it_says_which_shares_are_as_good_which_is_best_and_what_yours_costs():
    assert sentence(shares(ROUGHLY_FLAT), chosen=0.9) == (
        "At ε = 1, any share from 30 % to 70 % is as good; 45 % gives the narrowest intervals, 40.0 mmHg on average. "
        "Your 90 % costs 12 % (12 to 12 %) more width."
    )


@pytest.mark.parametrize(
    ("chosen", "said"), [(0.45, "It is the one in use."), (0.3, "Your 30 % is as good."), (0.2, "on average.")]
)
def test_it_says_where_yours_stands(chosen, said):
    assert sentence(shares(ROUGHLY_FLAT), chosen).endswith(said)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"certified": False, "coverage": 0.7}, "Your 90 % misses the target coverage."),
        ({"top_share": 1.0}, "Your 90 % rules nothing out."),
    ],
)
def test_yours_is_said_to_fail_where_it_does(told, said):
    found = shares(ROUGHLY_FLAT)
    cells = {**found.cells, (0.9, 1.0): cell(30.0, training_share=0.9, **told)}
    words = sentence(SplitMap(found.plan, found.field, found.target, found.task, cells), chosen=0.9)
    assert "45 % gives the narrowest" in words
    assert words.endswith(said)


def test_a_best_share_that_stands_alone_is_not_said_to_be_one_of_many():
    words = sentence(shares({0.1: 50.0, 0.5: 40.0, 0.9: 50.0}), chosen=0.5)
    assert words == "At ε = 1, 50 % gives the narrowest intervals, 40.0 mmHg on average. It is the one in use."


def test_a_best_at_the_end_of_what_was_tried_is_said_to_be_there():
    assert "10 %, the smallest share tried, gives" in sentence(shares({0.1: 40.0, 0.5: 50.0}), chosen=0.5)
    assert "500 bins, the most tried, give" in sentence(bins({50: 45.0, 500: 40.0}), chosen=50)


def test_bins_are_spoken_of_in_the_plural():
    assert sentence(bins({10: 60.0, 50: 40.1, 100: 40.0, 1000: 44.0}), chosen=1000) == (
        "At ε = 1, any number of bins from 50 to 100 is as good; 100 bins give the narrowest intervals, 40.0 mmHg on "
        "average. Your 1,000 bins cost 10 % (10 to 10 %) more width."
    )


def test_sets_are_larger_not_wider():
    words = sentence(shares({0.1: 1.5, 0.5: 1.2, 0.9: 1.5}, task="classification"), chosen=0.9)
    assert words == (
        "At ε = 1, 50 % gives the smallest sets, 1.2 classes on average. Your 90 % makes them 25 % (25 to 25 %) larger."
    )


@pytest.mark.parametrize(
    ("task", "said"), [("regression", "every interval is the whole range"), ("classification", "every set holds every")]
)
def test_an_epsilon_at_which_nothing_can_be_ruled_out_says_so(task, said):
    words = sentence(shares({0.1: 180.0, 0.5: 180.0}, top_share=1.0, task=task), chosen=0.5)
    assert said in words
    assert words.endswith("nothing can be certified.")


def test_what_misses_the_target_is_never_called_the_best():
    found = shares({0.1: 30.0, 0.5: 31.0}, certified=False, coverage=0.7)
    assert sentence(found, chosen=0.5) == "At ε = 1, none of these reaches the target coverage."
    found = shares({0.1: 40.0, 0.5: 41.0}, certified=False, coverage=0.9)
    assert "gives the narrowest intervals" in sentence(found, chosen=0.5)


def test_the_title_counts_cells_until_those_of_the_epsilon_in_use_are_there():
    whole = shares(ROUGHLY_FLAT)
    some = SplitMap(whole.plan, whole.field, whole.target, whole.task, dict(list(whole.cells.items())[:2]))
    assert map_title(some, "size", 0.5, 1.0) == "2 of 5 combinations are measured"
    assert map_alt(some, "size", 0.5, 1.0).startswith("2 of 5")


def test_the_title_of_coverage_counts_what_surely_falls_short():
    short = shares({0.1: 30.0, 0.5: 31.0}, certified=False, coverage=0.85)
    assert plain(map_title(short, "coverage", 0.5, 1.0)) == (
        "Of 2 combinations, 2 cover surely less than the target of 90 %"
    )
    enough = plain(map_title(shares(ROUGHLY_FLAT), "coverage", 0.5, 1.0))
    assert enough == "None of 5 combinations covers surely less than the target of 90 %"
    assert "Mean coverage runs from 91.0 % to 91.0 %." in plain(map_alt(shares(ROUGHLY_FLAT), "coverage", 0.5, 1.0))


def test_the_alt_names_the_smallest_and_the_largest_with_their_place():
    words = plain(map_alt(shares(ROUGHLY_FLAT), "size", 0.9, 1.0))
    assert words.endswith("runs from 40.0 mmHg (ε = 1, 45 %) to 44.8 mmHg (ε = 1, 90 %).")


def test_a_cell_says_what_it_holds_with_its_uncertainty():
    found = shares({0.5: 40.0})
    assert plain(cell_words(found, found.cells[0.5, 1.0])).startswith("ε = 1, 50 %: width 40.0 mmHg ± 0.0")
    whole = cell(180.0, training_share=0.5, top_share=1.0)
    assert "rules nothing out" in cell_words(found, whole)


def test_the_key_explains_hatching_only_where_there_is_some():
    assert "Hatched" in map_key("size", "regression", hatched=True)
    assert "Hatched" not in map_key("coverage", "classification", hatched=False)
