"""A table that predicts a class: samples, a table of one's own, and the way from numbers to classes and back."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pages.conftest import choose, problems, shown, shown_text, under
from tests.pages.tables import clinic_csv, ward_csv
from tests.pages.test_upload import choose_target, part, upload, use

CHARTS = ["chart_strip", "chart_mechanism", "chart_sets"]


def on(open_app, sample: str):
    """Open the Coverage page on a sample."""
    app = open_app("Coverage")
    app.selectbox(key="sample").set_value(sample).run()
    return app


@pytest.mark.parametrize("sample", ["readmission", "breast_cancer"])
def test_a_sample_with_classes_shows_sets(open_app, sample):
    app = on(open_app, sample)
    assert problems(app) == []
    assert shown(app).task == "classification"
    assert [chart.key for chart in app.get("plotly_chart")] == CHARTS
    assert app.title[0].value == "How many answers must a set hold at this privacy?"
    assert len(app.dataframe[0].value) > 3


def test_the_start_page_shows_classes_too(open_app):
    app = open_app()
    app.button(key="use_readmission").click().run()
    assert problems(app) == []
    assert shown(app).task == "classification"
    assert len(app.get("plotly_chart")) == 1


@pytest.mark.parametrize("widget", ["epsilon", "coverage", "share", "bins"])
def test_every_slider_changes_the_sets(open_app, widget):
    app = on(open_app, "readmission")
    before = shown(app)
    choose(app, widget, {"epsilon": 0.25, "coverage": 97, "share": 80, "bins": 20}[widget])
    assert problems(app) == []
    assert shown(app).size.tolist() != before.size.tolist()


LISTS = {
    "set_method": ["dpcp_paper", "pscp", "pcoqs", "laplace_histogram", "naive", "clip_only", "split", "oracle"],
    "set_trainer": ["logistic", "linear_svm", "output_perturbation", "objective_perturbation"],
    "set_score": ["probability", "aps", "aps_randomized"],
}


@pytest.mark.parametrize(("widget", "value"), [(widget, value) for widget, values in LISTS.items() for value in values])
def test_every_choice_gives_sets(open_app, widget, value):
    app = choose(on(open_app, "breast_cancer"), widget, value)
    assert problems(app) == []
    assert getattr(shown(app).settings, widget.removeprefix("set_")) == value
    assert shown(app).task == "classification"


def test_lists_offer_only_what_suits_the_target(open_app):
    app = under(on(open_app, "breast_cancer"), "set_trainer")
    classes = {name: set(app.selectbox(key=name).options) for name in ("set_trainer", "set_score")}
    app.selectbox(key="sample").set_value("blood_pressure").run()
    numbers = {name: set(app.selectbox(key=name).options) for name in ("set_trainer", "set_score")}
    assert "Softmax regression" in classes["set_trainer"] - numbers["set_trainer"]
    assert "Ridge regression" in numbers["set_trainer"] - classes["set_trainer"]
    assert not classes["set_score"] & numbers["set_score"]


@pytest.mark.parametrize("is_unfolded", [True, False])
def test_a_change_of_table_keeps_what_can_be_kept(open_app, is_unfolded):
    app = choose(open_app("Coverage"), "set_trainer", "ols")
    choose(app, "set_score", "normalized")
    choose(app, "coverage", 83)
    choose(app, "set_loss", "paper")
    app.session_state["more_controls"] = is_unfolded
    app.session_state["more_heading"] = "Model"
    app.run()
    app.selectbox(key="sample").set_value("readmission").run()
    assert problems(app) == []
    settings = shown(app).settings
    assert (settings.trainer, settings.score) == ("logistic", "probability")
    assert (settings.confidence_level, settings.loss) == (0.83, "paper")
    app.selectbox(key="sample").set_value("blood_pressure").run()
    assert problems(app) == []
    assert shown(app).task == "regression"
    kept = ("ridge", "absolute") if is_unfolded else ("ols", "normalized")
    assert (shown(app).settings.trainer, shown(app).settings.score) == kept
    assert shown(app).settings.loss == "paper"


def test_an_empty_set_is_only_allowed_where_somebody_allows_it(open_app):
    app = under(on(open_app, "breast_cancer"), "set_allow_empty")
    choose(app, "coverage", 60)
    assert shown(app).sets.empty_share.max() == 0
    choose(app, "set_allow_empty", True)
    assert problems(app) == []
    assert shown(app).sets.empty_share.max() > 0


def test_a_threshold_for_each_group_is_within_reach_where_there_are_groups(open_app):
    app = choose(on(open_app, "readmission"), "set_by_group", True)
    app.session_state["fold_groups"] = True
    app.run()
    assert problems(app) == []
    assert all(group.certificate for group in shown(app).groups)
    assert "chart_groups" in [chart.key for chart in app.get("plotly_chart")]
    app.selectbox(key="sample").set_value("breast_cancer").run()
    assert problems(app) == []
    assert not shown(app).settings.by_group
    assert app.toggle(key="set_by_group").disabled


@pytest.mark.parametrize("fold", ["fold_spread", "fold_training", "fold_accountants", "fold_receipt", "fold_code"])
@pytest.mark.parametrize("sample", ["blood_pressure", "breast_cancer"])
def test_every_fold_opens(open_app, sample, fold):
    app = on(open_app, sample)
    before = len(app.get("code")) + len(app.get("plotly_chart")) + len(app.markdown)
    app.session_state[fold] = True
    app.run()
    assert problems(app) == []
    assert len(app.get("code")) + len(app.get("plotly_chart")) + len(app.markdown) > before


def test_clipping_alone_is_worked_out_only_where_somebody_looks(open_app, monkeypatch):
    from pages.ui import compute_samples

    methods = []
    honest = compute_samples.calibrate
    monkeypatch.setattr(compute_samples, "calibrate", lambda *parts: methods.append(parts[1].method) or honest(*parts))
    app = choose(open_app("Coverage"), "set_seed", 4242)
    assert methods[-1] == "dpcp"
    assert "clip_only" not in methods
    app.session_state["fold_spread"] = True
    app.run()
    assert methods[-1] == "clip_only"


def test_a_class_target_is_taken_with_its_classes_listed_and_marked(open_app):
    app = choose_target(upload(open_app(), ward_csv()), "ward")
    table = part(app, "table").value.set_index("column")
    assert list(table.loc["ward", "categories"]) == ["east", "north", "west"]
    assert table.loc["ward", "known from"] == "the file, not public"
    use(app)
    assert problems(app) == []
    assert (shown(app).dataset_name, shown(app).task) == ("clinic.csv", "classification")
    assert "The categories of" in shown_text(app)
    assert "no bound" in shown_text(app)


def test_classes_can_be_declared_public(open_app):
    app = choose_target(upload(open_app(), ward_csv()), "ward")
    editor = part(app, "table")
    row = list(editor.value["column"]).index("ward")
    edit = {"categories": ["north", "east", "west", "south"], "known from": "public knowledge"}
    app.session_state[editor.key] = {"edited_rows": {row: edit}, "added_rows": [], "deleted_rows": []}
    use(app.run())
    assert problems(app) == []
    assert shown(app).target.categories == ("north", "east", "west", "south")
    assert "ward" not in app.session_state["_own_table"].schema.from_file


def test_numbers_that_are_names_can_be_taken_as_classes(open_app):
    rows = clinic_csv().decode().strip().splitlines()
    coded = "\n".join([f"{rows[0]},code", *(f"{row},{1 + place % 3}" for place, row in enumerate(rows[1:]))])
    app = choose_target(upload(open_app(), coded.encode()), "code")
    part(app, "base").click().run()
    use(app)
    assert problems(app) == []
    assert shown(app).target.categories == ("1", "2", "3")
    assert shown(app).task == "classification"


def with_target(cells: list[str]) -> bytes:
    rows = clinic_csv(len(cells)).decode().strip().splitlines()
    return "\n".join(
        [f"{rows[0]},kind", *(f"{row},{cell}" for row, cell in zip(rows[1:], cells, strict=True))]
    ).encode()


def test_a_class_with_one_member_does_no_harm(open_app):
    app = use(choose_target(upload(open_app(), with_target(["usual"] * 399 + ["rare"])), "kind"))
    assert problems(app) == []
    assert shown(app).target.categories == ("rare", "usual")


def test_sixty_classes_do_no_harm(open_app):
    cells = [f"k{place % 60}" for place in range(1200)]
    app = use(choose_target(upload(open_app(), with_target(cells)), "kind"))
    assert problems(app) == []
    assert shown(app).rows.members.shape[1] == 60
    app.switch_page("pages/coverage.py").run()
    assert problems(app) == []


def test_a_target_that_is_another_word_in_every_row_is_one_sentence(open_app):
    app = open_app()
    before = shown(app)
    use(choose_target(upload(app, with_target([f"word {place}" for place in range(400)])), "kind"))
    assert len(problems(app)) == 1
    assert "too many to learn any of them" in problems(app)[0]
    assert shown(app) is before


def test_more_probabilities_than_the_memory_holds_are_one_sentence(open_app, monkeypatch):
    from pages.ui import compute

    app = on(open_app, "breast_cancer")
    before = shown(app)
    monkeypatch.setattr(compute, "_MOST_PROBABILITIES", 50_000)
    choose(app, "set_repetitions", 50)
    assert problems(app) == [
        "569 rows, 2 classes and 50 repetitions are more than fits the memory; choose fewer repetitions."
    ]
    assert shown(app) is before


def test_a_target_with_one_class_or_gaps_is_one_sentence(open_app):
    for cells in (["same"] * 400, ["a", "b"] * 199 + ["", "a"], [""] * 400):
        app = use(choose_target(upload(open_app(), with_target(cells)), "kind"))
        assert len(problems(app)) == 1
        assert "kind" in problems(app)[0]
        assert shown(app).dataset_name == "blood_pressure"


def test_a_group_with_three_rows_loses_nothing(open_app):
    app = choose_target(upload(open_app(), with_target(["few"] * 3 + ["many"] * 397)), "pain")
    editor = part(app, "table")
    row = list(editor.value["column"]).index("kind")
    app.session_state[editor.key] = {"edited_rows": {row: {"role": "group"}}, "added_rows": [], "deleted_rows": []}
    use(app.run())
    assert problems(app) == []
    app.switch_page("pages/coverage.py").run()
    choose(app, "set_by_group", True)
    app.session_state["fold_groups"] = True
    app.run()
    assert problems(app) == []
    few = next(group for group in shown(app).groups if group.name == "few")
    assert np.nanmin(few.coverage) == 1.0
    assert "chart_groups" in [chart.key for chart in app.get("plotly_chart")]


def test_a_column_without_a_single_cell_is_ignored_and_nothing_is_lost(open_app):
    rows = clinic_csv().decode().strip().splitlines()
    content = "\n".join([f"{rows[0]},void", *(f"{row}," for row in rows[1:])]).encode()
    app = use(choose_target(upload(open_app(), content), "sex"))
    assert problems(app) == []
    assert shown(app).task == "classification"
