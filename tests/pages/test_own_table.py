"""A table of one's own: taken in, doubted where there is reason, and forgotten when asked."""

from __future__ import annotations

import gzip

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from tests.pages.conftest import problems, shown, shown_text
from tests.pages.tables import clinic_csv
from tests.pages.test_upload import choose_target, part, upload, use


def test_a_table_can_be_forgotten_as_soon_as_it_is_uploaded(open_app):
    app = open_app()
    app.button(key="use_length_of_stay").click().run()
    upload(app, clinic_csv())
    assert not app.button(key="forget").disabled
    app.button(key="forget").click().run()
    assert problems(app) == []
    assert "clinic" not in shown_text(app)
    assert "_draft" not in app.session_state
    assert shown(app).dataset_name == "length_of_stay"


def test_forgetting_drops_what_was_said_about_a_refused_file(open_app):
    app = upload(open_app(), b"", "ward seven.csv")
    assert len(problems(app)) == 1
    app.button(key="forget").click().run()
    assert problems(app) == []
    assert "ward" not in repr(app.session_state)


def test_a_packed_table_is_taken_in(open_app):
    app = upload(open_app(), gzip.compress(clinic_csv()), "clinic.csv.gz")
    assert problems(app) == []
    assert "400 rows" in shown_text(app)
    assert "unpacked from gzip" in shown_text(app)


def test_where_a_file_leaves_the_decimal_mark_open_a_person_chooses_it(open_app):
    rows = clinic_csv(40).decode().strip().splitlines()
    unclear = "\n".join(["cost;age", *(f"1.{200 + place};{row.split(',')[0]}" for place, row in enumerate(rows[1:]))])
    app = upload(open_app(), unclear.encode())
    (asked,) = problems(app)
    assert "may be a decimal or a thousands mark" in asked
    assert asked.endswith(", or choose the decimal mark here.")
    assert "decimal=" not in asked
    app.get_by_key("upload_decimal_mark").set_value(",").run()
    assert problems(app) == []
    assert app.session_state["_draft"].frame["cost"].iloc[0] == 1200
    assert "reload this page" in shown_text(app)


def test_a_target_that_codes_two_classes_is_doubted_before_it_is_used(open_app):
    rows = clinic_csv().decode().strip().splitlines()
    coded = "\n".join([f"{rows[0]},class", *(f"{row},{1 + place % 2}" for place, row in enumerate(rows[1:]))])
    app = choose_target(upload(open_app(), coded.encode()), "class")
    assert "holds only 2 different values" in shown_text(app)
    use(app)
    assert problems(app) == []


def test_a_yes_or_no_target_is_predicted_as_two_classes(open_app):
    yes_or_no = clinic_csv().replace(b",f,", b",no,").replace(b",m,", b",yes,")
    app = use(choose_target(upload(open_app(), yes_or_no), "sex"))
    assert problems(app) == []
    assert shown(app).target.categories == ("no", "yes")


def test_a_column_that_cannot_be_used_after_all_is_named_in_the_report(open_app):
    rows = clinic_csv().decode().strip().splitlines()
    told = "\n".join([f"{rows[0]},story", *(f"{row},told {place % 90}" for place, row in enumerate(rows[1:]))])
    app = choose_target(upload(open_app(), told.encode()), "pain")
    editor = part(app, "table")
    row = list(editor.value["column"]).index("story")
    app.session_state[editor.key] = {"edited_rows": {row: {"role": "feature"}}, "added_rows": [], "deleted_rows": []}
    use(app.run())
    assert problems(app) == []
    app.session_state["fold_schema"] = True
    app.run()
    assert shown_text(app).count("Column 'story' is ignored because it is text with 90 different values") == 2


def test_an_icon_in_a_column_name_stays_letters(open_app):
    name = ":material/home:"
    app = use(choose_target(upload(open_app(), clinic_csv(header=f"age,dose,sex,{name}")), name))
    assert problems(app) == []
    raw = "\n".join(str(part.value) for part in [*app.markdown, *app.caption]).replace("\\", "")
    assert name not in raw
    assert name in shown_text(app)


def test_columns_with_empty_cells_are_counted_in_the_right_number(open_app):
    header = ",".join(f"c{place}" for place in range(6))
    rows = "\n".join([header, ",".join([""] * 5 + ["1"]), ",".join("1" * 5) + ",", *[",".join("234567")] * 40])
    assert "c4 (1), and 1 more column." in shown_text(upload(open_app(), rows.encode()))


@pytest.fixture
def files_held(monkeypatch):
    """Return a function that gives the names of the files that Streamlit holds for any session."""
    managers = []
    honest = MemoryUploadedFileManager.__init__
    monkeypatch.setattr(
        MemoryUploadedFileManager, "__init__", lambda self, *args: managers.append(self) or honest(self, *args)
    )
    # Each run under test has a manager of its own; a real server has one.
    return lambda: [file.name for files in managers[-1].file_storage.values() for file in files.values()]


@pytest.mark.parametrize("way", ["forget", "use", "leave"])
def test_the_file_itself_is_held_no_longer_than_it_is_needed(open_app, files_held, way):
    app = upload(open_app(), clinic_csv())
    if way == "forget":
        app.button(key="forget").click().run()
    elif way == "use":
        use(choose_target(app, "pain"))
        assert shown(app).dataset_name == "clinic.csv"
    else:
        app.switch_page("pages/coverage.py").run()
    assert problems(app) == []
    assert files_held() == []
