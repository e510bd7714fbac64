"""The budget page: a goal, a map of splits, and what is possible at all; each with its answer."""

from __future__ import annotations

import json
from concurrent.futures import wait

import pytest

from dpcp_core.errors import InputError
from pages.ui import runs
from pages.ui.panels import budget_goal, budget_map, budget_plan
from pages.ui.panels.budget_tabs import QUESTIONS, TAB
from tests.pages.conftest import choose, plain, problems, shown_text
from tests.pages.tables import clinic_csv
from tests.pages.test_upload import choose_target, upload, use

GOAL, SPLIT, POSSIBLE = QUESTIONS


@pytest.fixture(autouse=True)
def _few_cells(monkeypatch):
    """Measure few cells, few times each."""
    quick = budget_plan.Detail("Coarse", (1.0, 4.0), (0.3, 0.7), 5)
    monkeypatch.setattr(budget_plan, "DETAILS", (quick,))
    monkeypatch.setattr(budget_map, "DETAILS", (quick,))


@pytest.fixture
def open_tab(open_app):
    """Return a function that opens the budget page at a question."""

    def open_at(question: str, sample: str = "Diabetes progression", **query: str):
        app = open_app("Start", sample=sample, **query)
        app.session_state[TAB] = question
        return app.switch_page("pages/budget.py").run()

    return open_at


def ended(app, name: str):
    """Wait until a run has ended, and look again."""
    running = f"{runs._JOB}{name}"
    if running in app.session_state:
        wait([app.session_state[running].future], timeout=60)
    return app.run()


def keys(app) -> list[str]:
    return [str(button.key) for button in app.button]


def measured(app, field: str = "training_share"):
    return ended(app.button(key="run_map").click().run(), budget_map.MAPS[field])


def badges(app) -> str:
    return plain(" ".join(part.proto.body for part in app.get("markdown")))


def chart(app, key: str) -> dict:
    (found,) = [one for one in app.get("plotly_chart") if one.key == f"chart_{key}"]
    assert any(digit.isdigit() for digit in found.proto.alt)
    return json.loads(found.proto.spec)


def test_the_first_view_finds_an_answer_by_itself(open_tab):
    app = ended(open_tab(GOAL), budget_goal.SEARCH)
    assert problems(app) == []
    assert "is enough for intervals of at most" in shown_text(app)
    assert chart(app, "goal")


def test_an_answer_is_taken_over_into_the_settings_with_one_click(open_tab):
    app = ended(open_tab(GOAL), budget_goal.SEARCH)
    answer = app.session_state["_run_finished_budget_goal"][1]
    app.button(key="take_epsilon").click().run()
    assert problems(app) == []
    assert "take_epsilon" not in keys(app)
    assert "previous answer" not in badges(app)
    app.switch_page("pages/coverage.py").run()
    assert problems(app) == []
    assert app.select_slider(key="epsilon").value == answer.epsilon


def test_a_goal_that_cannot_be_reached_says_why(open_tab):
    app = ended(open_tab(GOAL), budget_goal.SEARCH)
    size = next(field for field in app.number_input if str(field.key).startswith(budget_goal.SIZE))
    size.set_value(100.0).run()
    assert "previous answer" in badges(app)
    app.button(key="find_epsilon").click().run()
    ended(app, budget_goal.SEARCH)
    assert problems(app) == []
    assert "Not reachable" in shown_text(app)
    assert "Even without privacy intervals are" in shown_text(app)
    assert "previous answer" not in badges(app)
    assert "take_epsilon" not in keys(app)


def test_a_goal_that_everything_meets_is_refused_in_words(open_tab):
    app = ended(open_tab(GOAL), budget_goal.SEARCH)
    size = next(field for field in app.number_input if str(field.key).startswith(budget_goal.SIZE))
    size.set_value(5000.0).run()
    app.button(key="find_epsilon").click().run()
    ended(app, budget_goal.SEARCH)
    (said,) = problems(app)
    assert "must be below 400, the whole range" in said
    size.set_value(0.0).run()
    assert any("must be a number above 0" in said for said in problems(app))


def test_a_goal_for_classes_is_a_set_size(open_tab):
    app = open_tab(GOAL, sample="Breast cancer")
    assert any(field.label == "Mean classes in a set" for field in app.number_input)
    ended(app, budget_goal.SEARCH)
    assert problems(app) == []
    assert "for sets of at most" in shown_text(app)


def test_a_map_is_measured_by_a_click_and_names_the_best_split(open_tab):
    app = open_tab(SPLIT)
    assert "experiment of its own" in " ".join(str(part.value) for part in app.info)
    assert not app.get("plotly_chart")
    measured(app)
    assert problems(app) == []
    assert "At ε = 1, " in shown_text(app)
    assert "the narrowest intervals" in shown_text(app)
    assert len(chart(app, "map")["data"][1]["text"]) == 6
    assert [button.proto.label for button in app.get("download_button")] == ["CSV"]


def test_the_best_split_is_taken_over_and_then_is_the_one_in_use(open_tab):
    app = measured(open_tab(SPLIT, share="90"))
    assert "Your 90 %" in shown_text(app)
    app.button(key="take_split").click().run()
    assert problems(app) == []
    assert "It is the one in use." in shown_text(app)
    assert "take_split" not in keys(app)
    assert "previous ones" not in badges(app)
    assert " of ε for the model" in shown_text(app)
    assert "90 % of ε" not in shown_text(app)


def test_a_map_along_bins_and_a_map_of_coverage(open_tab):
    app = open_tab(SPLIT)
    app.session_state[budget_map.FIELD] = "bins"
    app.session_state[budget_map.MEASURE] = "coverage"
    measured(app.run(), "bins")
    assert problems(app) == []
    assert "combinations covers surely less than the target of 90 %" in shown_text(app)
    assert len(chart(app, "map")["layout"]["yaxis"]["ticktext"]) == 7
    app.session_state[budget_map.FIELD] = "training_share"
    app.run()
    assert not app.get("plotly_chart")
    app.session_state[budget_map.FIELD] = "bins"
    app.run()
    assert chart(app, "map")


def test_settings_that_changed_since_are_said_to_have_and_the_map_stays(open_tab):
    app = measured(open_tab(SPLIT))
    app.session_state["coverage"] = 80
    app.run()
    assert problems(app) == []
    assert "Settings changed since" in badges(app)
    assert "take_split" not in keys(app)
    assert chart(app, "map")
    app.session_state["coverage"] = 90
    app.session_state["epsilon"] = 4.0
    app.run()
    assert "Settings changed since" not in badges(app)
    assert "At ε = 4, " in shown_text(app)


def test_the_map_of_another_table_is_not_shown(open_tab):
    app = measured(open_tab(SPLIT))
    app.selectbox(key="sample").set_value("breast_cancer").run()
    assert problems(app) == []
    assert not app.get("plotly_chart")
    app.selectbox(key="sample").set_value("diabetes").run()
    assert chart(app, "map")


def test_other_pages_work_meanwhile_and_coming_back_finds_the_map(open_tab):
    app = open_tab(SPLIT)
    app.button(key="run_map").click().run()
    app.switch_page("pages/about.py").run()
    assert problems(app) == []
    app.switch_page("pages/budget.py").run()
    app.session_state[TAB] = SPLIT
    ended(app.run(), budget_map.MAPS["training_share"])
    assert problems(app) == []
    assert chart(app, "map")


def test_a_map_that_was_stopped_keeps_what_is_measured_and_says_so(open_tab, monkeypatch):
    honest = budget_map.run_plan

    def stop_after_one(data, plan, *, on_progress, should_stop):
        done = []

        def note(progress, new):
            done.extend(new)
            on_progress(progress, new)

        return honest(data, plan, n_jobs=1, on_progress=note, should_stop=lambda: bool(done) or should_stop())

    monkeypatch.setattr(budget_map, "run_plan", stop_after_one)
    app = measured(open_tab(SPLIT))
    assert problems(app) == []
    assert "Stopped: " in badges(app)
    assert "of 6 cells" in badges(app)
    assert chart(app, "map")


def test_a_map_that_fails_says_so_in_a_sentence(open_tab, monkeypatch):
    def fail(*_parts, **_names):
        raise InputError("Nothing goes today.")

    monkeypatch.setattr(budget_map, "run_plan", fail)
    assert problems(measured(open_tab(SPLIT))) == ["Nothing goes today."]


def test_a_method_without_a_private_threshold_has_nothing_to_split(open_tab):
    app = open_tab(SPLIT)
    app.session_state["set_method"] = "oracle"
    app.run()
    assert problems(app) == []
    assert "nothing to choose here" in plain(" ".join(str(part.value) for part in app.info))


def test_a_method_that_splits_rows_is_mapped_along_the_rows(open_tab):
    app = open_tab(SPLIT)
    app.session_state["set_method"] = "pcoqs"
    measured(app.run(), "row_share")
    assert problems(app) == []
    assert chart(app, "map")["layout"]["yaxis"]["title"]["text"] == "Rows that train the model"


def test_what_is_possible_is_said_at_once_and_follows_the_settings(open_tab):
    app = open_tab(POSSIBLE, sample="Blood pressure")
    assert problems(app) == []
    words = shown_text(app)
    assert "With 3,200 patients and ε = 1, something narrower than the whole range can be certified." in words
    assert "no row was touched" in words
    assert chart(app, "feasible")
    choose(app, "epsilon", 0.25)
    assert "With 3,200 patients and ε = 0.25" in shown_text(app)


def test_forgetting_drops_maps_answers_and_goals_of_a_table(open_app):
    app = open_app()
    upload(app, clinic_csv())
    choose_target(app, "pain")
    use(app)
    app.switch_page("pages/budget.py").run()
    ended(app, budget_goal.SEARCH)
    assert problems(app) == []
    app.session_state[TAB] = SPLIT
    measured(app.run())
    assert chart(app, "map")
    digest = app.session_state["_own_table"].digest[:12]
    assert f"{budget_map.DETAIL}_{digest}_training_share" in app.session_state
    app.button(key="forget").click().run()
    for key in (f"{budget_goal.SIZE}_{digest}", f"{budget_map.DETAIL}_{digest}_training_share"):
        assert key not in app.session_state
    assert "_run_finished_budget_map_training_share" not in app.session_state
    assert not app.get("plotly_chart")
