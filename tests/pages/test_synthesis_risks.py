"""Attacks on the Synthesis page: asked for by a click, with their numbers, and never of another table than is shown."""

from __future__ import annotations

import threading
from concurrent.futures import wait

import pytest

from dpcp_core.data.samples import load_sample
from dpcp_core.experiments.audit.table_risks import table_risks
from dpcp_core.presentation.wording.numbers import number
from dpcp_core.presentation.wording.table_risks import risks_answer
from pages.ui.panels import synthesis_risks
from tests.pages.conftest import plain, problems, shown_text
from tests.pages.tables import clinic_csv
from tests.pages.test_synthesis import charts, keys, opened, result_of
from tests.pages.test_synthesis_more import uploaded
from tests.pages.test_upload import choose_target, upload, use

CHART = "chart_synth_risks"


def ended(app):
    if "_run_table_risks" in app.session_state:
        wait([app.session_state["_run_table_risks"].future], timeout=120)
    return app.run()


def attacked(app):
    app.button(key="synth_risks").click().run()
    return ended(app)


def risks_of(app):
    return app.session_state["_run_finished_table_risks"][1]


def alt(app) -> str:
    return plain(next(chart.proto.alt for chart in app.get("plotly_chart") if chart.key == CHART))


def test_attacks_wait_for_a_click_and_answer_with_their_numbers(open_app):
    app = opened(open_app)
    assert problems(app) == []
    assert "Could somebody be found in it?" in shown_text(app)
    assert CHART not in charts(app)
    attacked(app)
    assert problems(app) == []
    assert CHART in charts(app)
    assert "synth_risks" not in keys(app)
    risks, result = risks_of(app), result_of(app)
    assert (risks.n_original, risks.n_control) == (354, 88)
    headline = plain(risks_answer(risks, result).headline)
    assert headline in shown_text(app)
    assert alt(app).startswith(headline)
    for risk in risks.risks:
        assert f"{number(100 * risk.attack.value)} ({number(100 * risk.attack.low)} to" in alt(app)
    assert "An attack that finds nobody proves nothing" in shown_text(app)
    assert "download_synth_risks" in [button.key for button in app.get("download_button")]


def test_the_page_attacks_the_table_on_the_page(open_app):
    app = attacked(opened(open_app))
    assert risks_of(app).risks == table_risks(load_sample("diabetes"), result_of(app)).risks


def test_another_table_is_not_shown_what_was_found_of_the_last(open_app):
    app = attacked(opened(open_app))
    app.selectbox(key="synth_attributes").set_value("shuffle").run()
    assert CHART not in charts(app)
    attacked(app)
    assert problems(app) == []
    assert "Whoever knows all patients but one takes them away" in shown_text(app)
    app.selectbox(key="synth_attributes").set_value("marginals").run()
    # What was found of a sample is known, to this session and to all others.
    assert CHART in charts(app)
    assert "Whoever knows all" not in shown_text(app)
    assert CHART in charts(opened(open_app))


def test_a_table_from_other_public_rows_is_another_table_and_shared_with_nobody(open_app):
    held = {"synth_fold": True, "synth_heading": "Public table", "synth_attributes": "public"}
    app = attacked(opened(open_app, **held))
    assert problems(app) == []
    assert CHART in charts(app)
    rows = load_sample("diabetes").frame.drop(columns="progression").head(200)
    uploaded(app, rows.to_csv(index=False).encode())
    assert CHART not in charts(app)
    attacked(app)
    assert CHART in charts(app)
    assert CHART not in charts(opened(open_app, **held))


def test_the_code_is_folded_away_and_names_the_attacks(open_app):
    app = attacked(opened(open_app, fold_risks_code=True))
    assert problems(app) == []
    assert "risks = table_risks(data, result)" in next(str(part.value) for part in app.code)


def test_a_stopped_attack_says_so_and_can_be_tried_again(open_app, monkeypatch):
    held, honest = threading.Event(), synthesis_risks.table_risks

    def slow(*parts, should_stop, **more):
        assert held.wait(60)
        return honest(*parts, should_stop=should_stop, **more)

    monkeypatch.setattr(synthesis_risks, "table_risks", slow)
    app = opened(open_app)
    app.button(key="synth_risks").click().run()
    assert "stop_table_risks" in keys(app)
    app.button(key="stop_table_risks").click().run()
    held.set()
    ended(app)
    assert problems(app) == []
    assert "The attacks were stopped before there was an answer." in shown_text(app)
    assert "synth_risks" in keys(app)


def test_an_own_table_is_attacked_and_forgotten(open_app):
    app = use(choose_target(upload(open_app(), clinic_csv(400)), "pain"))
    attacked(app.switch_page("pages/synthesis.py").run())
    assert problems(app) == []
    assert risks_of(app).n_original == 320
    app.button(key="forget").click().run()
    assert "_run_finished_table_risks" not in app.session_state


def test_a_table_with_too_few_rows_is_one_sentence(open_app):
    app = use(choose_target(upload(open_app(), clinic_csv(60)), "pain"))
    attacked(app.switch_page("pages/synthesis.py").run())
    (problem,) = problems(app)
    assert problem.startswith("Only 12 of 60 rows are no part of the synthetic table")
    assert "synth_risks" in keys(app)


@pytest.mark.parametrize("sample", ["diabetes", "readmission"])
def test_about_how_long_it_takes_is_told_before(open_app, sample):
    app = opened(open_app, sample)
    seconds = {"diabetes": "1 second", "readmission": "3 seconds"}[sample]
    assert f"patients that it was not made from: about {seconds}." in shown_text(app)
