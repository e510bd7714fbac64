"""The Synthesis page: useful or not, what it gives away, and never a real row beside a synthetic one."""

from __future__ import annotations

import io
import threading
import zipfile
from concurrent.futures import wait

import numpy as np
import pandas as pd
import pytest

from dpcp_core.data.samples import load_sample
from dpcp_core.data.schema import Schema
from dpcp_core.presentation.synthesis_files import archive
from pages.ui.panels import synthesis_run
from tests.pages.conftest import plain, problems, shown_text
from tests.pages.tables import clinic_csv, ward_csv, wide_csv
from tests.pages.test_upload import choose_target, upload, use

CHARTS = ["chart_synth_utility", "chart_synth_column", "chart_synth_pair"]


def opened(open_app, sample: str = "diabetes", **held):
    app = open_app()
    app.selectbox(key="sample").set_value(sample).run()
    for key, value in held.items():
        app.session_state[key] = value
    return app.switch_page("pages/synthesis.py").run()


def result_of(app):
    return app.session_state["_synth_shown"]


def charts(app) -> list[str]:
    return [chart.key for chart in app.get("plotly_chart")]


def badges(app) -> str:
    return " ".join(part.proto.body for part in app.get("markdown"))


def keys(app) -> list[str]:
    return [str(button.key) for button in app.button]


def ended(app):
    if "_run_synthesis" in app.session_state:
        wait([app.session_state["_run_synthesis"].future], timeout=120)
    return app.run()


def rules(app):
    return next(area for area in app.text_area if str(area.key).endswith("_rules"))


@pytest.fixture
def few(monkeypatch):
    """Make a thorough look short: two tables, one rival."""
    monkeypatch.setattr(synthesis_run, "TABLES", 2)
    monkeypatch.setattr(synthesis_run, "RIVALS", ("uniform",))
    monkeypatch.setattr(synthesis_run, "QUICK_MODELS", ("logistic",))


def test_numbers_are_answered_at_once_with_pictures_receipt_and_file(open_app):
    app = opened(open_app)
    assert problems(app) == []
    words = shown_text(app)
    assert "ridge regression that learns from the synthetic table is typically off by" in words
    assert "Guessing without a look at anybody: 75.0 points" in words
    assert charts(app) == CHARTS
    for chart in app.get("plotly_chart"):
        assert any(digit.isdigit() for digit in chart.proto.alt)
    assert "Receipt: ε = 1, δ = 1 in 100,000" in [fold.label for fold in app.expander]
    assert "Table, receipt and schema (ZIP)" in [button.label for button in app.get("download_button")]


def test_classes_are_answered_with_their_label_rate_and_one_click_changes_it(open_app):
    app = opened(open_app, "readmission")
    assert problems(app) == []
    words = shown_text(app)
    assert "logistic regression that learns from the synthetic table reaches AUC" in words
    assert "of the synthetic rows and in 14.2 % of the real ones" in words
    before = result_of(app).label_rates.gap
    app.button(key="synth_by_chance").click().run()
    assert problems(app) == []
    assert app.selectbox(key="synth_labels").value == "sample"
    assert result_of(app).label_rates.gap < before / 2


def test_no_real_row_is_on_the_page(open_app):
    app = opened(open_app)
    (rows,) = app.dataframe
    assert len(rows.value) == 8
    real = load_sample("diabetes").frame[list(rows.value.columns)]
    assert not set(rows.value.itertuples(index=False, name=None)) & set(real.itertuples(index=False, name=None))
    pd.testing.assert_frame_equal(rows.value, result_of(app).table.head(8), check_dtype=False)


def test_shuffled_columns_are_called_what_they_are(open_app):
    app = opened(open_app, synth_attributes="shuffle")
    assert problems(app) == []
    words = shown_text(app)
    assert "Not private." in words
    assert "subtracts what they know" in words
    assert "Receipt: not private" in [fold.label for fold in app.expander]
    app.selectbox(key="synth_attributes").set_value("marginals").run()
    assert "Not private." not in shown_text(app)


@pytest.mark.parametrize("maker", ["tree", "public"])
def test_other_ways_to_make_columns_work_from_the_list(open_app, maker):
    app = opened(open_app, synth_fold=True)
    app.selectbox(key="synth_attributes").set_value(maker).run()
    assert problems(app) == []
    assert result_of(app).settings.attributes == maker
    assert app.slider(key="synth_share").disabled == (maker == "public")


def test_a_rule_drops_rows_and_says_how_many(open_app):
    app = opened(open_app)
    app = rules(app).set_value("age >= 50").run()
    assert problems(app) == []
    result = result_of(app)
    assert result.table["age"].min() >= 50
    assert result.report.n_dropped > 0
    assert "broke a rule and were dropped" in shown_text(app)


def test_a_rule_can_be_put_together_from_lists(open_app):
    app = opened(open_app)
    add = next(button for button in app.button if str(button.key).endswith("_add"))
    app = add.click().run()
    assert problems(app) == []
    assert len(result_of(app).settings.rules) == 1


@pytest.mark.parametrize(("rule", "says"), [("agee > 3", "did you mean 'age'?"), ("import os", "cannot be read")])
def test_a_bad_rule_is_one_sentence_and_the_last_table_stays(open_app, rule, says):
    app = rules(opened(open_app)).set_value(rule).run()
    (problem,) = problems(app)
    assert says in problem
    assert charts(app) == CHARTS
    assert "Settings changed since: below is the previous table" in badges(app)
    rules(app).set_value("").run()
    assert problems(app) == []
    assert "Settings changed since" not in badges(app)


def test_columns_kept_together_are_part_of_the_settings(open_app):
    app = opened(open_app, synth_fold=True, synth_heading="Columns together")
    group = next(list_ for list_ in app.multiselect if "_group_0" in str(list_.key))
    group.set_value(["age", "sex"]).run()
    assert problems(app) == []
    assert result_of(app).settings.groups == (("age", "sex"),)


def test_a_measure_is_one_click_away(open_app):
    app = opened(open_app, "breast_cancer")
    assert "is right for" in shown_text(app)
    key = "synth_measure_accuracy_f1_auc_balanced_accuracy"
    app.session_state[key] = "f1"
    app.run()
    assert problems(app) == []
    assert "reaches F1" in shown_text(app)


@pytest.mark.usefixtures("few")
def test_rivals_are_compared_in_the_background_and_named(open_app):
    app = opened(open_app)
    app.button(key="synth_thorough").click().run()
    assert problems(app) == []
    ended(app)
    assert problems(app) == []
    result = result_of(app)
    assert (result.repetitions, [rival.name for rival in result.rivals]) == (2, ["uniform"])
    words = shown_text(app)
    assert "mean of 2 tables" in words
    assert "The rival “uniform”" in words
    assert "synth_thorough" not in keys(app)


@pytest.mark.usefixtures("few")
def test_a_run_can_be_left_stopped_and_keeps_what_is_finished(open_app, monkeypatch):
    held, honest = threading.Event(), synthesis_run.simulate_synthesis

    def slow(*parts, on_progress, **more):
        def report(progress):
            on_progress(progress)
            if progress.done >= 2:
                assert held.wait(60)

        return honest(*parts, on_progress=report, **more)

    monkeypatch.setattr(synthesis_run, "simulate_synthesis", slow)
    app = opened(open_app)
    app.button(key="synth_thorough").click().run()
    job = app.session_state["_run_synthesis"]
    for _ in range(3000):
        if job.latest is not None and job.latest.done >= 2:
            break
        threading.Event().wait(0.02)
    app.run()
    assert "stop_synthesis" in keys(app)
    assert charts(app) == CHARTS
    app.switch_page("pages/about.py").run()
    app.switch_page("pages/synthesis.py").run()
    app.button(key="stop_synthesis").click().run()
    held.set()
    ended(app)
    assert problems(app) == []
    assert not result_of(app).is_complete
    assert "Stopped: 1 table of 2" in plain(badges(app))


def test_what_takes_long_waits_for_a_click(open_app, monkeypatch):
    monkeypatch.setattr(synthesis_run, "is_slow", lambda *_: True)
    app = opened(open_app)
    assert problems(app) == []
    assert charts(app) == []
    app.button(key="synth_make").click().run()
    ended(app)
    assert problems(app) == []
    assert charts(app) == CHARTS
    app.selectbox(key="synth_attributes").set_value("tree").run()
    assert "Settings changed since" in badges(app)
    assert charts(app) == CHARTS
    assert "synth_make" in keys(app)


@pytest.mark.parametrize(
    ("table", "target"),
    [(clinic_csv(24), "pain"), (ward_csv(), "ward"), (wide_csv(120), "m7"), (clinic_csv(target="constant"), "sex")],
)
def test_odd_tables_give_an_answer_or_one_sentence(open_app, table, target):
    app = use(choose_target(upload(open_app(), table), target))
    app.switch_page("pages/synthesis.py").run()
    assert len(problems(app)) <= 1
    assert all(sentence.endswith(".") and "failed while" not in sentence for sentence in problems(app))
    assert problems(app) or charts(app) == CHARTS


def test_a_model_that_does_not_suit_the_classes_is_one_sentence(open_app):
    app = use(choose_target(upload(open_app(), ward_csv()), "ward"))
    app.switch_page("pages/synthesis.py").run()
    app.selectbox(key="synth_model_classification").set_value("logistic").run()
    (problem,) = problems(app)
    assert "two classes" in problem
    assert "softmax" in problem
    assert charts(app) == CHARTS


def test_the_file_holds_table_receipt_and_schema(open_app):
    result = result_of(opened(open_app))
    with zipfile.ZipFile(io.BytesIO(archive(result))) as packed:
        assert set(packed.namelist()) == {"README.txt", "synthetic.csv", "receipt.txt", "receipt.json", "schema.toml"}
        table = pd.read_csv(packed.open("synthetic.csv"))
        schema = Schema.from_toml(packed.read("schema.toml").decode())
        assert "SIMULATION" in packed.read("receipt.txt").decode().upper()
    assert tuple(table.columns) == schema.names
    assert np.allclose(table["progression"], result.table["progression"])


def test_an_own_table_is_made_and_forgotten(open_app):
    app = use(choose_target(upload(open_app(), clinic_csv()), "pain"))
    app.switch_page("pages/synthesis.py").run()
    assert problems(app) == []
    assert set(result_of(app).table.columns) == {"age", "dose", "sex", "pain"}
    assert "Not private." in shown_text(app)
    rules(app).set_value("dose >= 1").run()
    assert problems(app) == []
    app.button(key="forget").click().run()
    assert problems(app) == []
    assert "dose" not in repr(app.session_state)
    assert result_of(app).dataset_name != "clinic.csv"
