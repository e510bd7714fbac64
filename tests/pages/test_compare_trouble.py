"""The Compare page with a person's own table, with cells that fail, with nothing to compare."""

from __future__ import annotations

from dpcp_core.experiments.sweep.cell import CellResult
from pages.ui.panels import compare_run
from tests.pages.conftest import problems, shown_text
from tests.pages.tables import clinic_csv, ward_csv
from tests.pages.test_compare import charts, compare, few, gate, keys, opened_small
from tests.pages.test_upload import choose_target, upload, use

__all__ = ["gate"]


def test_an_own_table_is_compared_and_forgotten(open_app):
    app = use(choose_target(upload(open_app(), clinic_csv()), "pain"))
    app.switch_page("pages/compare.py").run()
    compare(few(app))
    assert problems(app) == []
    assert "clinic" in shown_text(app)
    app.button(key="forget").click().run()
    assert problems(app) == []
    assert "_run_finished_compare" not in app.session_state
    assert "clinic" not in shown_text(app)
    assert charts(app) == []


def test_forgetting_stops_the_run_of_a_table(open_app, gate):
    app = use(choose_target(upload(open_app(), ward_csv()), "ward"))
    app.switch_page("pages/compare.py").run()
    few(app).button(key="compare").click().run()
    job = app.session_state["_run_compare"]
    app.button(key="forget").click().run()
    assert problems(app) == []
    assert "_run_compare" not in app.session_state
    assert job.watch.stopped()
    gate.set()


def test_cells_that_cannot_be_computed_are_counted_with_their_reason(open_app, monkeypatch):
    honest = compare_run.run_plan

    def part_fails(*parts, **more):
        result = honest(*parts, **more)
        cells = [
            CellResult(c.settings, c.task, problem="Too few rows for it.") if c.settings.method == "pscp" else c
            for c in result.cells
        ]
        return type(result)(**{**vars(result), "cells": tuple(cells)})

    monkeypatch.setattr(compare_run, "run_plan", part_fails)
    app = compare(opened_small(open_app))
    assert problems(app) == [
        "2 cells of 8 could not be computed (“private split, as published” at every ε): Too few rows for it."
    ]
    assert len(charts(app)) == 4


def test_a_run_that_fails_is_one_sentence_and_can_be_tried_again(open_app, monkeypatch):
    honest = compare_run.run_plan

    def fail(*_, **__):
        raise RuntimeError("row 7 holds 123-45-6789")

    monkeypatch.setattr(compare_run, "run_plan", fail)
    app = compare(opened_small(open_app))
    assert len(problems(app)) == 1
    assert "123-45-6789" not in shown_text(app)
    monkeypatch.setattr(compare_run, "run_plan", honest)
    compare(app)
    assert problems(app) == []
    assert len(charts(app)) == 4


def test_nothing_chosen_is_said_and_nothing_is_offered(open_app):
    app = open_app("Compare")
    app.multiselect(key="compare_methods").set_value([]).run()
    assert problems(app) == ["Choose at least one method to compare."]
    assert "compare" not in keys(app)
    app.multiselect(key="compare_methods").set_value(["dpcp"])
    app.multiselect(key="compare_epsilons").set_value([]).run()
    assert problems(app) == ["Choose at least one value of ε to compare."]
