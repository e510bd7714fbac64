from __future__ import annotations

import pytest

from tests.pages.conftest import plain, problems, shown, shown_text
from tests.pages.tables import PNG, SCHEMA, clinic_csv, wide_csv
from tests.pages.test_open import SAMPLES_SHOWN


def uploader(app, name):
    return next(part for part in app.file_uploader if str(part.key).startswith(f"upload_{name}"))


def upload(app, content: bytes, name: str = "clinic.csv"):
    uploader(app, "table").upload(name, content)
    return app.run()


def part(app, start: str):
    """Return the widget of the schema editor whose key starts so."""
    widgets = [*app.selectbox, *app.text_input, *app.button, *app.data_editor]
    return next(widget for widget in widgets if str(widget.key).startswith(f"schema_{start}"))


def choose_target(app, name: str):
    part(app, "target").set_value(name).run()
    return app


def use(app):
    part(app, "use").click().run()
    return app


def test_an_uploaded_table_can_be_explored_after_one_click(open_app):
    app = upload(open_app(), clinic_csv())
    assert problems(app) == []
    assert "400 rows" in shown_text(app)
    choose_target(app, "pain")
    part(app, "row").set_value("one patient").run()
    use(app)
    assert problems(app) == []
    assert (shown(app).dataset_name, shown(app).target.name, shown(app).one_row_is) == (
        "clinic.csv",
        "pain",
        "one patient",
    )


def test_bounds_from_the_file_are_flagged_and_make_the_run_not_private(open_app):
    app = use(choose_target(upload(open_app(), clinic_csv()), "pain"))
    assert app.session_state["_own_table"].schema.from_file == ("age", "dose", "sex", "pain")
    assert "no bound" in shown_text(app)
    app.session_state["fold_schema"] = True
    app.run()
    assert "A release is refused until somebody has replaced them" in shown_text(app)


def test_bounds_from_a_schema_file_are_public(open_app):
    app = open_app()
    uploader(app, "schema").upload("clinic.toml", SCHEMA)
    use(upload(app, clinic_csv()))
    assert problems(app) == []
    assert "no bound" not in shown_text(app)
    assert "predicts **Pain score**" in shown_text(app)
    assert shown(app).receipt.total.epsilon == 1.0


def test_typed_bounds_replace_those_from_the_file(open_app):
    app = use(choose_target(upload(open_app(), clinic_csv()), "pain"))
    app.session_state["fold_schema"] = True
    app.run()
    editor = part(app, "table")
    rows = list(editor.value["column"])
    bounds = {"age": (18, 100), "dose": (0, 10), "pain": (0, 100)}
    edits = {rows.index(name): {"lowest": low, "highest": high} for name, (low, high) in bounds.items()}
    for name in ("sex", "dose", "pain"):
        edits.setdefault(rows.index(name), {})["known from"] = "public knowledge"
    app.session_state[editor.key] = {"edited_rows": edits, "added_rows": [], "deleted_rows": []}
    app.run()
    use(app)
    assert problems(app) == []
    assert app.session_state["_own_table"].schema.from_file == ()
    assert shown(app).receipt.total.epsilon == 1.0


def test_reversed_bounds_are_refused_where_they_are_typed(open_app):
    app = choose_target(upload(open_app(), clinic_csv()), "pain")
    before = shown(app)
    editor = part(app, "table")
    row = list(editor.value["column"]).index("age")
    app.session_state[editor.key] = {
        "edited_rows": {row: {"lowest": 100, "highest": 18}},
        "added_rows": [],
        "deleted_rows": [],
    }
    app.run()
    assert len(problems(app)) == 1
    assert "'age'" in problems(app)[0]
    assert shown(app) is before


def test_a_change_of_target_keeps_what_was_typed(open_app):
    app = upload(open_app(), clinic_csv())
    editor = part(app, "table")
    row = list(editor.value["column"]).index("age")
    app.session_state[editor.key] = {"edited_rows": {row: {"unit": "years"}}, "added_rows": [], "deleted_rows": []}
    app.run()
    choose_target(app, "pain")
    table = part(app, "table").value.set_index("column")
    assert table.loc["age", "unit"] == "years"
    assert table.loc["pain", "role"] == "target"


BAD_FILES = {
    "empty": (b"", "clinic.csv"),
    "picture": (PNG * 40, "clinic.csv"),
    "header only": (b"age,dose,sex,pain\n", "clinic.csv"),
}


@pytest.mark.parametrize("trouble", BAD_FILES)
def test_a_file_that_is_no_table_is_one_sentence_and_the_result_stays(open_app, trouble):
    app = open_app()
    before = shown(app)
    upload(app, *BAD_FILES[trouble])
    assert len(problems(app)) == 1
    assert problems(app)[0].count("\n") == 0
    assert "failed" not in problems(app)[0]
    assert shown(app) is before
    assert app.get("plotly_chart")


@pytest.mark.parametrize(
    ("content", "target", "names"),
    [
        (clinic_csv(target="text"), "pain", "pain"),
        (clinic_csv(target="constant"), "pain", "pain"),
        (clinic_csv(target="gaps"), "pain", "pain"),
        (clinic_csv(5), "pain", "5 rows"),
    ],
    ids=["text target", "constant target", "target with gaps", "five rows"],
)
def test_a_table_that_cannot_be_used_is_one_sentence_and_the_result_stays(open_app, content, target, names):
    app = open_app()
    before = shown(app)
    use(choose_target(upload(app, content), target))
    assert len(problems(app)) == 1
    assert names in problems(app)[0]
    assert "failed" not in problems(app)[0]
    assert shown(app) is before
    assert app.get("plotly_chart")
    assert app.selectbox(key="sample").value == "blood_pressure"


def test_no_target_is_one_sentence(open_app):
    app = use(upload(open_app(), clinic_csv()))
    assert len(problems(app)) == 1


def test_a_schema_with_an_unknown_column_is_one_sentence(open_app):
    app = open_app()
    uploader(app, "schema").upload("clinic.toml", SCHEMA.replace(b"[age]", b"[agee]"))
    upload(app, clinic_csv())
    assert len(problems(app)) == 1
    assert "'agee'" in problems(app)[0]


@pytest.mark.parametrize("content", [b"[age\nkind=", b"\xff\xfe\x00", b'[age]\nkind = "magic"'])
def test_a_schema_that_is_no_schema_is_one_sentence(open_app, content):
    app = open_app()
    uploader(app, "schema").upload("clinic.toml", content)
    upload(app, clinic_csv())
    assert len(problems(app)) == 1
    assert "failed" not in problems(app)[0]


def test_hundreds_of_columns_can_be_explored(open_app):
    app = use(choose_target(upload(open_app(), wide_csv(300)), "m0"))
    assert problems(app) == []
    assert shown(app).target.name == "m0"


def test_forgetting_drops_the_table_and_everything_computed_from_it(open_app):
    app = use(choose_target(upload(open_app(), clinic_csv()), "pain"))
    app.button(key="forget").click().run()
    assert problems(app) == []
    assert "_own_table" not in app.session_state
    assert shown(app).dataset_name == "blood_pressure"
    assert "clinic" not in shown_text(app)
    assert app.selectbox(key="sample").options == SAMPLES_SHOWN


def test_the_file_name_never_reaches_the_address(open_app):
    app = use(choose_target(upload(open_app(), clinic_csv(), "patients of Dr Smith.csv"), "pain"))
    assert "Smith" not in str(dict(app.query_params))
    assert app.selectbox(key="sample").options[-1] == "Your table"


def test_a_column_name_cannot_draw_on_the_page(open_app):
    content = clinic_csv(header="age,dose,sex,:red[pain] **x**")
    app = use(choose_target(upload(open_app(), content), ":red[pain] **x**"))
    assert problems(app) == []
    raw = "\n".join(str(part.value) for part in app.markdown)
    assert ":red[pain]" not in raw
    assert ":red[pain] **x**" in plain(raw)


def test_a_failed_computation_keeps_the_previous_result_with_a_badge(open_app, monkeypatch):
    from pages.ui import compute_samples

    app = open_app("Coverage")
    before = shown(app)

    def fail(*_):
        raise RuntimeError("row 7 holds 123-45-6789")

    monkeypatch.setattr(compute_samples, "calibrate", fail)
    app.slider(key="coverage").set_value(83).run()
    assert not app.exception
    assert "123-45-6789" not in shown_text(app)
    assert shown(app) is before
    assert app.get("plotly_chart")
    assert "Settings changed since" in shown_text(app)


def test_a_table_that_is_discarded_is_gone(open_app):
    app = upload(open_app(), clinic_csv())
    part(app, "discard").click().run()
    assert problems(app) == []
    assert "_draft" not in app.session_state
    assert "clinic" not in shown_text(app)


def test_a_table_that_waits_for_its_description_waits_across_pages(open_app):
    app = upload(open_app(), clinic_csv())
    app.switch_page("pages/coverage.py").run()
    app.switch_page("app.py").run()
    assert problems(app) == []
    assert "read 400 rows and 4 columns" in shown_text(app)


def test_half_a_range_is_no_error_while_it_is_typed(open_app):
    app = upload(open_app(), clinic_csv())
    editor = part(app, "table")
    app.session_state[editor.key] = {"edited_rows": {0: {"lowest": 18}}, "added_rows": [], "deleted_rows": []}
    app.run()
    assert problems(app) == []
    assert "give both or neither" in shown_text(app)


def test_real_files_with_trouble_are_read_or_refused_in_a_sentence(open_app, real_data):
    files = sorted((real_data / "messy").glob("*.csv"))
    assert files
    app = open_app()
    before = shown(app)
    for path in files:
        upload(app, path.read_bytes(), path.name)
        assert len(problems(app)) <= 1
        assert "failed" not in " ".join(problems(app))
        assert problems(app) or f"{path.name}: read" in shown_text(app).replace("**", "")
        assert shown(app) is before


def test_a_real_table_can_be_explored(open_app, real_data):
    app = upload(open_app(), (real_data / "abalone.csv").read_bytes(), "abalone.csv")
    use(choose_target(app, "rings"))
    assert problems(app) == []
    assert (shown(app).dataset_name, shown(app).target.name) == ("abalone.csv", "rings")
    assert 0.85 < shown(app).coverage_mean <= 1


def test_rows_without_the_target_can_be_left_out_with_one_click(open_app):
    app = use(choose_target(upload(open_app(), clinic_csv(target="gaps")), "pain"))
    assert "leave those rows out" in " ".join(plain(problem) for problem in problems(app))
    assert "leave_out_empty" not in " ".join(problems(app))
    button = part(app, "leave_out")
    assert "2 rows where “pain” is empty" in plain(button.label)
    button.click().run()
    assert problems(app) == []
    assert app.session_state["_own_table"].n_rows == 398
    assert shown(app).target.name == "pain"
    assert not any(str(button.key).startswith("schema_leave_out") for button in app.button)


def test_nothing_is_offered_where_the_target_is_filled(open_app):
    app = choose_target(upload(open_app(), clinic_csv()), "pain")
    assert not any(str(button.key).startswith("schema_leave_out") for button in app.button)
