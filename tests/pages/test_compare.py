"""The Compare page: asked, watched, stopped, and never an old number that looks like a new one."""

from __future__ import annotations

import json
import threading
from concurrent.futures import wait

import pytest

from pages.ui.panels import compare_run
from tests.pages.conftest import choose, problems, shown_text

FEW = {"compare_methods": ["split", "pscp", "dpcp"], "compare_epsilons": [1.0, 4.0], "compare_repetitions": 20}


@pytest.fixture
def gate(monkeypatch):
    """Let comparisons end only once the returned event is set."""
    opened, honest = threading.Event(), compare_run.run_plan

    def hold(*parts, **more):
        result = honest(*parts, **more)
        assert opened.wait(30)
        return result

    monkeypatch.setattr(compare_run, "run_plan", hold)
    yield opened
    opened.set()


def few(app):
    """Choose a comparison that takes no time."""
    for key, value in FEW.items():
        app.get_by_key(key).set_value(value)
    return app.run()


def compare(app):
    """Start the comparison, wait for its end, and look again."""
    app.button(key="compare").click().run()
    return ended(app)


def ended(app):
    if "_run_compare" in app.session_state:
        wait([app.session_state["_run_compare"].future], timeout=60)
    return app.run()


def until(holds) -> None:
    """Wait until something holds."""
    for _ in range(1500):
        if holds():
            return
        threading.Event().wait(0.02)
    raise AssertionError("it did not come about")


def opened_small(open_app, **query):
    return few(open_app("Compare", sample="Diabetes progression", **query))


def keys(app) -> list[str]:
    return [str(button.key) for button in app.button]


def charts(app) -> list[str]:
    return [chart.key for chart in app.get("plotly_chart")]


def badges(app) -> str:
    return " ".join(part.proto.body for part in app.get("markdown"))


def result_of(app):
    return app.session_state["_run_finished_compare"][1].result


def test_a_first_visit_finds_an_answer_and_a_second_run_waits_for_a_click(open_app):
    app = open_app(sample="Diabetes progression")
    del app.session_state[compare_run.BEGUN]
    app.switch_page("pages/compare.py").run()
    assert "compare" not in keys(app)
    assert problems(ended(app)) == []
    assert len(result_of(app).cells) == 120
    assert len(charts(app)) == 4
    few(app)
    assert "compare" in keys(app)
    assert "_run_compare" not in app.session_state


def test_what_takes_long_does_not_begin_by_itself(open_app):
    app = open_app(sample="Readmission")
    del app.session_state[compare_run.BEGUN]
    app.switch_page("pages/compare.py").run()
    assert "compare" in keys(app)
    assert "_run_compare" not in app.session_state


def test_the_page_offers_the_whole_comparison_and_says_how_long_it_takes(open_app):
    app = open_app("Compare")
    assert problems(app) == []
    assert app.multiselect(key="compare_methods").value == [
        "oracle", "split", "naive", "differential", "pscp", "pcoqs", "laplace_histogram", "dpcp_paper", "dpcp",
    ]  # fmt: skip
    assert len(app.multiselect(key="compare_epsilons").value) == 12
    assert app.selectbox(key="compare_repetitions").value == 50
    words = shown_text(app)
    assert "seconds" in words
    assert "90 % coverage" in words
    assert "Ridge regression" in words
    assert charts(app) == []


def test_a_comparison_names_its_winner_beside_pictures_boxes_pairs_and_files(open_app):
    app = compare(opened_small(open_app))
    assert problems(app) == []
    words = shown_text(app)
    assert "the narrowest intervals of the private methods that reach 90 %" in words
    assert "not private: to compare with, not to win" in words
    assert "“DPCP, certified” is narrower than “private split, as published”" in words
    assert charts(app) == [
        "chart_compare_coverage", "chart_compare_size", "chart_compare_coverage_boxes", "chart_compare_size_boxes",
    ]  # fmt: skip
    for chart in app.get("plotly_chart"):
        assert any(digit.isdigit() for digit in chart.proto.alt)
    assert [b.label for b in app.get("download_button")] == [
        "Report (HTML)", "Summary (CSV)", "Repetitions (CSV)", "Everything (JSON)",
    ]  # fmt: skip
    assert "compare" not in keys(app)
    # Clipping alone is drawn, chosen or not.
    names = [trace.get("name") for trace in json.loads(app.get("plotly_chart")[1].proto.spec)["data"]]
    assert "clipping only, no noise" in names
    assert "Settings changed since" not in badges(app)


def test_pictures_fill_in_while_it_runs_and_it_can_be_left_and_found_again(open_app, gate):
    app = opened_small(open_app)
    app.button(key="compare").click().run()
    job = app.session_state["_run_compare"]
    until(lambda: len(job.cells) == 8)
    app.run()
    assert problems(app) == []
    assert "stop_compare" in keys(app)
    assert charts(app) == ["chart_compare_coverage_so_far", "chart_compare_size_so_far"]
    assert "Coverage so far" in shown_text(app)
    app.switch_page("pages/coverage.py").run()
    assert problems(app) == []
    app.switch_page("pages/compare.py").run()
    assert "stop_compare" in keys(app)
    gate.set()
    ended(app)
    assert problems(app) == []
    assert "narrowest intervals" in shown_text(app)
    app.switch_page("app.py").run()
    app.switch_page("pages/compare.py").run()
    assert "narrowest intervals" in shown_text(app)
    assert app.multiselect(key="compare_epsilons").value == [1.0, 4.0]
    assert "Settings changed since" not in badges(app)


def test_what_a_stopped_run_has_finished_is_called_partial(open_app, monkeypatch):
    honest, held = compare_run.run_plan, threading.Event()

    def slow(*parts, on_progress, **more):
        def report(progress, new):
            on_progress(progress, new)
            if new:
                assert held.wait(30)

        return honest(*parts, on_progress=report, n_jobs=1, **more)

    monkeypatch.setattr(compare_run, "run_plan", slow)
    app = opened_small(open_app)
    app.button(key="compare").click().run()
    until(lambda: app.session_state["_run_compare"].cells)
    app.button(key="stop_compare").click().run()
    assert problems(app) == []
    held.set()
    ended(app)
    assert problems(app) == []
    assert not result_of(app).is_complete
    assert f"Stopped: partial, {len(result_of(app).cells)} of 8 cells" in badges(app)
    # It may be started again.
    assert "compare" in keys(app)
    compare(app)
    assert result_of(app).is_complete
    assert "Stopped" not in badges(app)


def test_a_run_that_is_stopped_before_anything_is_finished_leaves_the_last_result(open_app, monkeypatch):
    held, honest = threading.Event(), compare_run.run_plan

    def slow(*parts, **more):
        assert held.wait(30)
        return honest(*parts, **more)

    app = compare(opened_small(open_app))
    monkeypatch.setattr(compare_run, "run_plan", slow)
    app.multiselect(key="compare_epsilons").set_value([2.0]).run()
    app.button(key="compare").click().run()
    until(lambda: app.session_state["_run_compare"].has_begun)
    app.button(key="stop_compare").click().run()
    held.set()
    ended(app)
    assert problems(app) == []
    assert "stopped before anything was finished" in shown_text(app)
    assert "compare" in keys(app)
    # What was there before is still there, and says what it is.
    assert "Settings changed since" in badges(app)
    assert result_of(app).plan.axes["epsilon"] == (1.0, 4.0)


def test_other_settings_leave_the_result_on_screen_and_say_so(open_app):
    app = compare(opened_small(open_app))
    app.multiselect(key="compare_epsilons").set_value([1.0, 2.0]).run()
    assert problems(app) == []
    assert "Settings changed since: below is the previous comparison" in badges(app)
    assert "3 methods at 2 values of ε, 20 repetitions" in shown_text(app)
    assert "compare" in keys(app)
    compare(app)
    assert "Settings changed since" not in badges(app)
    assert result_of(app).plan.axes["epsilon"] == (1.0, 2.0)


def test_a_setting_of_the_coverage_page_counts_but_its_epsilon_and_method_do_not(open_app):
    app = compare(opened_small(open_app))
    app.switch_page("pages/coverage.py").run()
    choose(app, "epsilon", 3.0)
    choose(app, "set_method", "pscp")
    app.switch_page("pages/compare.py").run()
    assert "Settings changed since" not in badges(app)
    app.switch_page("pages/coverage.py").run()
    choose(app, "coverage", 80)
    app.switch_page("pages/compare.py").run()
    assert "Settings changed since" in badges(app)
    assert "80 % coverage" in shown_text(app)
    assert "It shows Diabetes progression" in shown_text(app)


def test_the_numbers_of_another_table_are_hidden_until_it_is_back(open_app):
    app = compare(opened_small(open_app))
    app.selectbox(key="sample").set_value("breast_cancer").run()
    assert problems(app) == []
    assert charts(app) == []
    assert "narrowest intervals" not in shown_text(app)
    assert any("Diabetes progression" in str(info.value) for info in app.info)
    app.selectbox(key="sample").set_value("diabetes").run()
    assert "narrowest intervals" in shown_text(app)


def test_sets_of_classes_are_compared_by_their_size(open_app):
    app = compare(few(open_app("Compare", sample="Breast cancer")))
    assert problems(app) == []
    words = shown_text(app)
    assert "smallest sets" in words
    assert "Logistic regression" in words
    assert "narrowest intervals" not in words


def test_one_method_at_one_epsilon_is_a_comparison_too(open_app):
    app = opened_small(open_app)
    app.multiselect(key="compare_methods").set_value(["dpcp"])
    app.multiselect(key="compare_epsilons").set_value([4.0]).run()
    compare(app)
    assert problems(app) == []
    assert len(charts(app)) == 4


def test_the_slider_looks_closer_at_another_epsilon(open_app):
    app = compare(opened_small(open_app))
    assert "At ε = 1 the narrowest" in shown_text(app)
    app.select_slider(key="compare_at").set_value(4.0).run()
    assert problems(app) == []
    assert "At ε = 4 the narrowest" in shown_text(app)
    assert "Coverage in 20 repetitions, at ε = 4" in shown_text(app)


@pytest.mark.parametrize("fold", ["fold_cells", "fold_code", "fold_table_chart_compare_size", "compare_close"])
def test_what_is_folded_away_can_be_unfolded(open_app, fold):
    app = compare(opened_small(open_app))
    app.session_state[fold.replace("table_chart", "table")] = True
    app.run()
    assert problems(app) == []
