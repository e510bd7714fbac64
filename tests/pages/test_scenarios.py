"""Each scenario's link opens what it promises, and what is said to be noticed is true."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from dpcp_core import load_sample, simulate
from dpcp_core.conformal.feasibility import certified_feasibility
from dpcp_core.experiments.scenarios import SCENARIOS, Scenario
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.presentation.wording.regions import is_whole_range
from dpcp_core.synthesis.run import synthesize
from dpcp_core.synthesis.settings import SynthesisSettings
from pages.ui import state
from pages.ui.panels import compare_run
from pages.ui.scenario_links import address_of, query_of, script_of
from tests.pages.conftest import APP, problems, shown, shown_text

TOLD = {"compare": "in Diabetes progression: 90 % coverage", "budget": "ε = 0.1", "synthesis": "synthetic"}
"""What a page without the sliders says of its settings."""


@pytest.fixture(scope="module")
def measured() -> Callable[..., object]:
    """Return a function that measures settings of a scenario, each only once."""
    kept: dict[tuple[str, ConformalSettings], object] = {}

    def measure(name: str, **changes: object):
        scenario = SCENARIOS[name]
        settings = scenario.settings.replace(**changes)
        if (scenario.sample, settings) not in kept:
            kept[scenario.sample, settings] = simulate(load_sample(scenario.sample), settings)
        return kept[scenario.sample, settings]

    return measure


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
def test_a_link_opens_the_settings_that_it_promises(scenario: Scenario):
    parts = urlsplit(address_of(scenario))
    assert dict(parse_qsl(parts.query)) == query_of(scenario)
    assert f"pages/{parts.path}.py" == script_of(scenario)
    app = opened(scenario.name)
    assert problems(app) == []
    assert app.session_state[state.SOURCE] == scenario.sample
    if scenario.page == "coverage":
        assert shown(app).settings.replace(trainer="auto", score="auto") == scenario.settings
        assert shown(app).dataset_name == scenario.sample
    else:
        assert TOLD[scenario.page] in shown_text(app)


def test_privacy_costs_many_patients_less_than_a_fifth_of_width(measured):
    assert 1 < measured("many_rows").width_ratio < 1.2


def test_it_costs_few_patients_more_than_twice_as_much(measured):
    few, many = measured("few_rows"), measured("many_rows")
    assert few.settings.epsilon == many.settings.epsilon
    assert few.width_ratio - 1 > 2 * (many.width_ratio - 1)


def test_too_little_budget_gives_the_whole_range(measured):
    assert is_whole_range(measured("nothing_to_promise"))
    assert measured("nothing_to_promise").coverage_mean == 1
    assert "every interval is the whole range" in shown_text(opened("nothing_to_promise"))


def test_one_miss_in_a_hundred_makes_intervals_more_than_twice_as_wide(measured):
    usual = measured("few_misses", confidence_level=0.9)
    assert measured("few_misses").width_mean > 2 * usual.width_mean


def test_ten_candidates_make_intervals_wider_and_hold_more_than_was_asked_for(measured):
    few, many = measured("few_bins"), measured("few_bins", bins=100)
    assert few.width_mean > 1.1 * many.width_mean
    assert few.coverage_interval[0] > 0.93


def test_all_on_the_model_is_over_a_half_wider(measured):
    even = measured("all_on_the_model", training_share=0.5)
    assert measured("all_on_the_model").width_mean > 1.5 * even.width_mean


def test_eight_in_ten_are_right_with_no_for_everybody(measured):
    result = measured("same_answer_for_all")
    no, yes = result.sets.class_coverage
    assert result.target.categories == ("no", "yes")
    assert result.coverage_mean > 0.8
    assert no > 0.99
    assert yes < 0.1
    assert result.size_mean < 1.05


def test_the_narrowest_methods_are_those_that_are_not_private(measured):
    at = {"epsilon": 0.25, "repetitions": 10}
    narrow = [measured("which_method", method=name, **at) for name in ("oracle", "split", "naive")]
    private = [measured("which_method", method=name, **at) for name in ("dpcp", "laplace_histogram", "pscp")]
    assert all(result.receipt.total.epsilon == float("inf") for result in narrow)
    assert all(result.receipt.total.epsilon <= 0.2501 for result in private)
    assert max(result.width_mean for result in narrow) < min(result.width_mean for result in private)


def test_more_patients_or_more_epsilon_would_do():
    scenario = SCENARIOS["how_many_rows"]
    data = load_sample(scenario.sample)
    for n, epsilon, can in ((data.n_rows, 0.1, False), (10 * data.n_rows, 0.1, True), (data.n_rows, 1.0, True)):
        settings = scenario.settings.replace(epsilon=epsilon)
        assert certified_feasibility(settings.n_used(n), settings, data.schema).certified is can
    app = opened("how_many_rows")
    assert "nothing narrower than the whole range" in shown_text(app)
    assert "no row was touched" in shown_text(app)


def test_hardly_anybody_comes_back_in_the_synthetic_table():
    data = load_sample("readmission")
    assert 0.1 < (data.frame["readmitted"] == "yes").mean() < 0.2
    shown_there = opened("nobody_comes_back").session_state["_synth_shown"]
    assert shown_there.settings.epsilon == SCENARIOS["nobody_comes_back"].epsilon
    by_chance = synthesize(data, SynthesisSettings(labels="sample"))
    assert (shown_there.table["readmitted"] == "yes").mean() < 0.03
    assert (by_chance.table["readmitted"] == "yes").mean() > 0.07


@cache
def opened(name: str) -> AppTest:
    """Open a scenario by its link, as somebody new; each only once."""
    app = AppTest.from_file(str(APP), default_timeout=60)
    for key, value in query_of(SCENARIOS[name]).items():
        app.query_params[key] = value
    # A comparison that begins by itself would run beside the tests.
    app.session_state[compare_run.BEGUN] = True
    return app.switch_page(script_of(SCENARIOS[name])).run()
