"""What is folded away on the Synthesis page: training, noise in cells, a public table, code, and bad input."""

from __future__ import annotations

import contextlib
import io

import pandas as pd
import pytest

from dpcp_core.data.samples import load_sample
from tests.pages.conftest import plain, problems, shown_text
from tests.pages.test_synthesis import badges, opened, result_of, rules
from tests.pages.test_upload import uploader


def under(open_app, heading: str, sample: str = "diabetes", **held):
    return opened(open_app, sample, synth_fold=True, synth_heading=heading, **held)


def test_training_is_set_here_apart_from_the_other_pages(open_app):
    app = under(open_app, "Training", set_steps=77)
    assert problems(app) == []
    assert result_of(app).settings.steps is None
    app.number_input(key="synth_set_steps").set_value(30).run()
    assert problems(app) == []
    assert result_of(app).settings.steps == 30
    assert app.session_state["set_steps"] == 77


def test_a_choice_that_the_model_has_no_use_for_is_not_heard(open_app):
    app = under(open_app, "Training", synth_model_regression="adassp", synth_set_steps=30)
    assert problems(app) == []
    assert result_of(app).settings.steps is None
    assert app.number_input(key="synth_set_steps").disabled
    assert "has no use for it" in app.number_input(key="synth_set_steps").help


def test_many_steps_wait_for_a_click(open_app):
    app = under(open_app, "Training", synth_set_steps=900_000)
    assert problems(app) == []
    assert "synth_make" in [button.key for button in app.button]


def test_cells_of_a_column_are_randomised_and_the_receipt_says_so(open_app):
    app = under(open_app, "Noise in cells")
    listed = next(found for found in app.multiselect if str(found.key).endswith("_randomised"))
    listed.set_value(["sex"]).run()
    assert problems(app) == []
    assert "% of the cells stay as they are." in shown_text(app)
    result = result_of(app)
    assert result.settings.randomised_response == (("sex", 2.0),)
    assert any("each cell of sex is kept with a chance of" in line for line in result.receipt.assumptions)
    key = next(str(found.key) for found in app.number_input if "_randomised_sex" in str(found.key))
    app.number_input(key=key).set_value(4.0).run()
    assert result_of(app).settings.randomised_response == (("sex", 4.0),)


def test_a_public_table_is_drawn_from_and_can_be_left_out(open_app):
    app = under(open_app, "Public table", synth_attributes="public")
    assert problems(app) == []
    frame = load_sample("diabetes").frame.drop(columns="progression").head(40).assign(age=33.0)
    app = uploaded(app, frame.to_csv(index=False).encode())
    assert problems(app) == []
    assert "public.csv: 40 rows, every cell as the schema allows." in plain(shown_text(app))
    assert set(result_of(app).table["age"]) == {33}
    app.button(key="synth_public_drop").click().run()
    assert problems(app) == []
    assert result_of(app).table["age"].nunique() > 5


BAD_PUBLIC = {
    "another table": (b"height,weight\n1,2\n3,4\n5,6\n", "describes a column 'age' that the file does not have"),
    "words": (
        load_sample("diabetes").frame.assign(bmi="fat").to_csv(index=False).encode(),
        "'bmi' should hold numbers",
    ),
    "nothing": (b"", "public table does not fit"),
}


@pytest.mark.parametrize("case", BAD_PUBLIC)
def test_a_public_table_that_does_not_fit_is_one_sentence(open_app, case):
    content, words = BAD_PUBLIC[case]
    app = uploaded(under(open_app, "Public table", synth_attributes="public"), content)
    (problem,) = problems(app)
    assert problem.startswith("The public table does not fit: ")
    assert words in problem
    assert result_of(app).settings.attributes == "public"


def uploaded(app, content: bytes):
    uploader(app, "public").upload("public.csv", content)
    return app.run().run()


def test_the_code_on_the_page_gives_the_table_on_the_page(open_app, tmp_path, monkeypatch):
    app = opened(open_app, synth_model_regression="ridge", fold_code=True)
    assert problems(app) == []
    code, command = (str(part.value) for part in app.code)
    assert command.startswith("dpcp synthesize sample:diabetes --task-model ridge --evaluate --models logistic,svm")
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "page", "exec"), names)
    pd.testing.assert_frame_equal(names["result"].table, result_of(app).table)


BAD_RULES = {
    "age > 50 and age < 20": "No row that the schema allows satisfies the rule",
    "__import__('os').system('x')": "cannot be read",
    "sex == 'robot'": "none of its categories",
    "1 < 2": "names no column",
    "age > 1 and " * 300 + "age > 1": "but at most 2,000 are read",
    "\n".join(["age > 1"] * 200): "There are 200 rules, but at most 100",
}


def test_rules_that_cannot_be_are_one_sentence_and_the_last_table_stays(open_app):
    app = opened(open_app, synth_model_regression="ridge")
    for text, words in BAD_RULES.items():
        app = rules(app).set_value(text).run()
        (problem,) = problems(app)
        assert words in problem
        assert problem.endswith(".")
        assert "Settings changed since" in badges(app)
