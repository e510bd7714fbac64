from __future__ import annotations

import json

import pytest

from tests.pages.conftest import PAGES, problems, shown_text

SAMPLES_SHOWN = ["Blood pressure", "Length of stay", "Readmission", "Diabetes progression", "Breast cancer"]


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_without_a_problem(open_app, page):
    assert problems(open_app(page)) == []


def test_the_start_page_shows_a_finished_result_at_first_sight(open_app):
    app = open_app()
    assert "100 held-out patients" in shown_text(app)
    assert "at most 73.2 in 100" in shown_text(app)


@pytest.mark.parametrize("page", PAGES)
def test_every_page_says_whether_it_spends_budget(open_app, page):
    badges = " ".join(part.proto.body for part in open_app(page).get("markdown"))
    assert ("Simulation: not a private release" in badges) == (page != "Release")
    assert ("Release: this spends budget for good" in badges) == (page == "Release")


def test_privacy_is_told_as_a_bound_for_somebody_who_knows_nothing_else(open_app):
    words = shown_text(open_app("Coverage"))
    assert "knows nothing else about the person" in words
    assert "at most 73.2 in 100" in words


def test_only_pages_that_work_are_listed(open_app):
    assert [link.value for link in open_app("About").page_link] == list(PAGES)


def test_every_sample_is_offered(open_app):
    assert open_app().selectbox(key="sample").options == SAMPLES_SHOWN


def test_every_chart_has_a_sentence_for_those_who_cannot_see_it(open_app):
    charts = open_app("Coverage").get("plotly_chart")
    assert [chart.key for chart in charts] == ["chart_strip", "chart_mechanism"]
    for chart in charts:
        assert any(digit.isdigit() for digit in chart.proto.alt)


def test_the_strip_marks_misses_by_shape_as_well_as_colour(open_app):
    chart = open_app().get("plotly_chart")[0]
    symbols = {trace["marker"].get("symbol") for trace in json.loads(chart.proto.spec)["data"] if "marker" in trace}
    assert {"circle", "x"} <= symbols


@pytest.mark.parametrize("name", ["strip", "mechanism"])
def test_the_table_behind_a_chart_is_drawn_when_it_is_unfolded(open_app, name):
    app = open_app("Coverage")
    assert len(app.dataframe) == 0
    app.session_state[f"fold_table_{name}"] = True
    app.run()
    assert problems(app) == []
    assert len(app.dataframe[0].value) > 3


def test_the_about_page_says_what_is_kept_and_on_what_promises_rest(open_app):
    words = shown_text(open_app("About"))
    for claim in ("Nothing is written to disk", "exchangeable", "One row is one person", "2604.14621"):
        assert claim in words


def test_a_link_opens_the_page_with_its_settings(open_app):
    app = open_app("Coverage", epsilon="4", coverage="80", sample="Length of stay")
    assert app.select_slider(key="epsilon").value == 4.0
    assert app.slider(key="coverage").value == 80
    assert app.selectbox(key="sample").value == "length_of_stay"


def test_nonsense_in_a_link_falls_back_to_the_defaults(open_app):
    app = open_app("Coverage", epsilon="-3", coverage="abc", sample="../etc")
    assert problems(app) == []
    assert app.select_slider(key="epsilon").value == 1.0
    assert app.slider(key="coverage").value == 90


def test_a_link_to_the_start_page_carries_its_settings_too(open_app):
    app = open_app(epsilon="4", coverage="80", bins="77", share="x")
    assert problems(app) == []
    assert "80 % target" in shown_text(app)
    app.switch_page("pages/coverage.py").run()
    assert app.select_slider(key="epsilon").value == 4.0
    assert app.select_slider(key="bins").value == 100
