"""Controls that change nothing just now, and those that contradict each other or another trainer."""

from __future__ import annotations

import pytest

from tests.pages.conftest import choose, problems, shown, under

IDLE = {
    "oracle": {"epsilon", "share", "bins", "set_loss", "set_stability", "set_row_share", "set_grid", "set_delta"},
    "split": {"epsilon", "share", "bins", "set_loss", "set_stability", "set_guarantee", "set_composition"},
    "naive": {"share", "bins", "set_stability", "set_row_share", "set_bound_share"},
    "clip_only": {"epsilon", "set_noise_multiplier"},
    "pscp": {"set_loss", "set_stability", "set_guarantee", "set_grid", "set_smallest_width"},
    "dpcp_paper": {"set_loss", "set_stability", "set_guarantee", "set_composition", "set_grid", "set_row_share"},
    "dpcp": {"set_row_share", "set_allow_empty", "set_bounds_epsilon"},
}


@pytest.mark.parametrize("method", IDLE)
def test_a_control_that_changes_nothing_cannot_be_moved_and_says_why(open_app, method):
    app = choose(open_app("Coverage"), "set_method", method)
    assert problems(app) == []
    for widget in IDLE[method]:
        found = under(app, widget).get_by_key(widget)
        assert found.disabled, widget
        assert "It changes nothing now. " in found.proto.help
    lively = {"coverage", "set_trainer", "set_repetitions"} | ({"epsilon"} if method.startswith("dpcp") else set())
    for widget in lively:
        assert not under(app, widget).get_by_key(widget).disabled, widget


def test_a_control_that_can_be_moved_changes_something(open_app):
    app = choose(open_app("Coverage"), "set_stability", "split")
    assert app.get_by_key("share").disabled
    assert not app.get_by_key("set_row_share").disabled
    before = shown(app)
    choose(app, "set_composition", "basic")
    assert not app.get_by_key("share").disabled
    assert shown(app).size.tolist() != before.size.tolist()


def test_halves_may_spend_all_of_the_budget_each_or_share_it(open_app):
    app = choose(open_app("Coverage"), "set_method", "pscp")
    together = shown(app)
    choose(app, "set_composition", "parallel")
    assert problems(app) == []
    assert shown(app).settings.recipe.composition == "parallel"
    assert shown(app).size.tolist() != together.size.tolist()
    choose(app, "set_method", "dpcp")
    assert problems(app) == []
    assert app.get_by_key("set_composition").value == "tight"


def test_a_choice_that_another_trainer_has_no_use_for_is_kept_for_the_next(open_app):
    app = choose(open_app("Coverage"), "set_steps", 12)
    choose(app, "set_trainer", "adassp")
    assert problems(app) == []
    assert app.number_input(key="set_steps").disabled
    assert shown(app).settings.steps is None
    choose(app, "set_trainer", "ridge")
    assert problems(app) == []
    assert shown(app).settings.steps == 12


def test_two_ways_to_say_one_thing_cannot_contradict_each_other(open_app):
    app = choose(open_app("Coverage"), "set_epochs", 3.0)
    choose(app, "set_steps", 12)
    assert problems(app) == []
    assert app.number_input(key="set_epochs").disabled
    assert (shown(app).settings.steps, shown(app).settings.epochs) == (12, None)
