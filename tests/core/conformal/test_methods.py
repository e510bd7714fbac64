"""The procedures that are compared: what each fixes, and what it leaves to a person."""

from __future__ import annotations

import pytest

from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.methods import METHODS, Recipe

PRIVATE = {"pscp", "pcoqs", "laplace_histogram", "dpcp_paper", "dpcp"}


def recipe(method: str, **choices: str) -> Recipe:
    return ConformalChoices(method=method, **choices).recipe


def test_only_private_methods_release_nothing_that_was_not_paid_for() -> None:
    assert {method for method in METHODS if recipe(method).is_private} == PRIVATE
    assert not recipe("dpcp", grid="order_statistics").is_private


@pytest.mark.parametrize("method", [method for method in METHODS if METHODS[method].fixed])
def test_what_a_method_fixes_wins_over_what_a_person_chooses(method: str) -> None:
    other = {"loss": "bracket", "guarantee": "certified", "grid": "geometric", "composition": "tight"}
    chosen = recipe(method, stability="coupling", **other)
    assert {name: getattr(chosen, name) for name in METHODS[method].fixed} == dict(METHODS[method].fixed)


@pytest.mark.parametrize("method", ["pscp", "dpcp_paper"])
def test_the_published_methods_are_the_published_ones(method: str) -> None:
    literal = recipe(method)
    assert (literal.loss, literal.guarantee, literal.grid, literal.composition) == (
        "paper",
        "paper",
        "uniform",
        "basic",
    )


def test_dpcp_leaves_everything_to_a_person() -> None:
    choices = {"loss": "paper", "stability": "profile", "guarantee": "paper", "grid": "uniform", "composition": "basic"}
    chosen = recipe("dpcp", **choices)
    assert {name: getattr(chosen, name) for name in choices} == choices


def test_parts_that_share_no_row_compose_in_parallel() -> None:
    chosen = recipe("dpcp", stability="split", composition="tight")
    assert chosen.splits_rows
    assert chosen.composition == "parallel"
    allocation = ConformalChoices(method="dpcp", stability="split", epsilon=2.0).allocation
    assert (allocation.training.epsilon, allocation.quantile_epsilon) == (2.0, 2.0)


@pytest.mark.parametrize(("chosen", "is_added_up"), [("tight", "basic"), ("basic", "basic"), ("parallel", "parallel")])
def test_the_halves_of_the_published_split_are_added_unless_a_person_says_otherwise(
    chosen: str, is_added_up: str
) -> None:
    assert recipe("pscp", composition=chosen).composition == is_added_up


@pytest.mark.parametrize("method", METHODS)
def test_ranking_rows_that_trained_is_paid_for_or_said_not_to_be(method: str) -> None:
    chosen = recipe(method)
    assert chosen.splits_rows == (chosen.stability == "split")
    assert (chosen.stability == "none") == (method in ("oracle", "naive", "clip_only"))


def test_rows_are_split_where_what_the_wanted_composition_leaves_to_training_costs_too_much() -> None:
    """The exact composition leaves more to training, which then says more about the rows that are ranked."""
    chosen = ConformalChoices(epsilon=1.3, sampling_rate=0.1)
    assert chosen.recipe.splits_rows
    assert not chosen.replace(composition="basic").recipe.splits_rows
    assert not chosen.replace(epsilon=1.0).recipe.splits_rows
    assert chosen.replace(composition="basic", epsilon=1.7).recipe.splits_rows
