"""The page about one person: what is on screen is what the model answers, and nothing trains for another person."""

from __future__ import annotations

import time

import pytest

from dpcp_core.experiments import trained
from dpcp_core.experiments.person import Person, answer, typical_person
from dpcp_core.presentation.wording import patient, patient_context
from dpcp_core.presentation.wording import patient_page as words
from tests.pages.conftest import plain, problems, shown_text
from tests.pages.tables import SCHEMA, clinic_csv, wide_csv
from tests.pages.test_upload import choose_target, upload, uploader, use

MODEL = "_patient_model"


def opened(open_app, sample: str = "blood_pressure", **held):
    app = open_app()
    app.selectbox(key="sample").set_value(sample).run()
    for key, value in held.items():
        app.session_state[key] = value
    return app.switch_page("pages/patient.py").run()


def model_on(app):
    return app.session_state[MODEL]


def by_end(elements, end: str):
    return next(one for one in elements if str(one.key).endswith(end))


def by_hand(app):
    """Choose to type the values in."""
    key = by_end(app.get("button_group"), "_source").key
    return app.get_by_key(key).set_value(words.BY_HAND).run()


def cards(app) -> list[str]:
    return [plain(part.value)[3:] for part in app.markdown if str(part.value).startswith("## ")][:4]


def charts(app):
    return {chart.key: chart for chart in app.get("plotly_chart")}


def test_the_first_view_answers_for_a_held_out_patient(open_app):
    app = opened(open_app)
    assert problems(app) == []
    model = model_on(app)
    given = answer(model, Person({}, "no", place=0))
    wanted = [plain(card.value) for card in patient.cards(model, given, 140.0)]
    assert cards(app) == [*wanted, plain(patient_context.privacy_card(model).value)]
    text = shown_text(app)
    assert plain(patient.above_sentence(model, given.number, 140.0)) in text
    assert plain(patient_context.promise_sentences(model)) in text
    assert plain(patient_context.truth_sentence(model, given)) in text
    assert plain(patient_context.subgroup_sentence(model, given.subgroup)) in text
    for line in patient_context.unknowns(model):
        assert plain(line) in text
    assert set(charts(app)) == {"chart_patient_dots", "chart_patient_hundred"}
    assert all(any(sign.isdigit() for sign in chart.proto.alt) for chart in charts(app).values())
    assert "Sheet to print (HTML)" in [button.label for button in app.get("download_button")]


def test_another_person_or_limit_trains_nothing_and_the_count_follows(open_app, monkeypatch):
    app = opened(open_app)
    model = model_on(app)

    def refuse(*_: object, **__: object):
        raise AssertionError("trained again")

    monkeypatch.setattr(trained, "_train", refuse)
    app.button(key="patient_another").click().run()
    by_end(app.slider, "_threshold").set_value(125.0).run()
    given = answer(model, Person({}, "no", place=1))
    assert problems(app) == []
    assert model_on(app) is model
    assert cards(app)[2] == plain(patient.dots_of(given.number.above(125.0)))


def test_a_row_can_be_taken_into_the_form_and_changed(open_app):
    app = opened(open_app)
    app.button(key="patient_change").click().run()
    assert problems(app) == []
    model = model_on(app)
    row = answer(model, Person({}, "no", place=0)).number
    assert cards(app)[0] == f"{row.predicted:.0f} mmHg"
    assert "In truth it was" not in shown_text(app)
    by_end(app.number_input, "field_0").set_value(95).run()
    assert cards(app)[0] != f"{row.predicted:.0f} mmHg"


def test_the_form_begins_with_public_typical_values_and_numbers_may_be_empty(open_app):
    app = by_hand(opened(open_app))
    model = model_on(app)
    person = typical_person(model.schema)
    assert by_end(app.number_input, "field_0").value == 52
    assert cards(app)[0] == f"{answer(model, person).number.predicted:.0f} mmHg"
    by_end(app.number_input, "field_0").set_value(None).run()
    assert problems(app) == []
    unknown = answer(model, Person({**person.values, "age": None})).number
    assert cards(app)[0] == f"{unknown.predicted:.0f} mmHg"


def test_epsilon_is_that_of_the_other_pages_and_dots_can_be_switched_off(open_app):
    app = opened(open_app, epsilon=2.0)
    assert app.select_slider(key="epsilon").value == 2.0
    assert model_on(app).settings.epsilon == 2.0
    assert model_on(app).receipt.total.epsilon == pytest.approx(3.0)
    app.toggle(key="patient_dots").set_value(False).run()
    assert model_on(app).receipt.total.epsilon == pytest.approx(2.0)
    assert cards(app)[2] == "no count"
    assert "No dots: they are switched off. They would cost ε = 1 more." in shown_text(app)


def test_classes_get_a_set_and_no_limit(open_app):
    app = opened(open_app, "readmission")
    assert problems(app) == []
    given = answer(model_on(app), Person({}, place=0))
    assert cards(app)[0] == plain(patient.names_in_set(given.classes))
    assert "What matters to you?" not in shown_text(app)
    assert "only the set carries a promise" in shown_text(app)


def test_large_type_says_the_same_in_headings(open_app):
    app = opened(open_app)
    usual = cards(app)
    app.toggle(key="patient_large").set_value(True).run()
    large = [plain(part.value).rpartition("# ")[2] for part in app.markdown if str(part.value).startswith("#### ")]
    assert large == usual


def test_an_own_table_offers_its_form_and_none_of_its_rows(open_app):
    app = use(choose_target(upload(open_app(), clinic_csv()), "pain"))
    app.switch_page("pages/patient.py").run()
    assert problems(app) == []
    assert words.OWN_NOTE in shown_text(app)
    assert not [box for box in app.selectbox if str(box.key).endswith("_row")]
    field = by_end(app.number_input, "field_0")
    assert field.value is not None
    assert model_on(app).result.dataset_name == "clinic.csv"
    app.button(key="forget").click().run()
    assert field.key not in app.session_state
    assert model_on(app).result.dataset_name == "blood_pressure"


def test_of_very_many_columns_a_few_are_shown_and_others_can_be_searched_for(open_app):
    app = use(choose_target(upload(open_app(), wide_csv(300, 200)), "m5"))
    app.switch_page("pages/patient.py").run()
    assert problems(app) == []
    fields = [box for box in app.number_input if "_field_" in str(box.key)]
    assert len(fields) == 6
    chosen = by_end(app.multiselect, "_columns")
    assert len(chosen.options) == 299
    chosen.set_value([*chosen.value, "m200"]).run()
    assert problems(app) == []
    assert len([box for box in app.number_input if "_field_" in str(box.key)]) == 7
    assert "292 other columns at the middle of their range in the file, or their first category." in shown_text(app)


def test_the_previous_result_is_there_even_where_this_page_was_not_open_before(open_app):
    app = opened(open_app, "diabetes", set_trainer="mlp")
    assert problems(app) == []
    text = shown_text(app)
    assert "Settings changed since: below is the previous result" in text
    assert "interval from" in charts(app)["chart_patient_dots"].proto.alt
    assert "model Ridge regression" in text


def test_a_unit_with_signs_of_markdown_is_shown_as_it_is(open_app):
    app = open_app()
    uploader(app, "schema").upload("clinic.toml", SCHEMA.replace(b'unit = "mg"', b'unit = "$ *per* day"'))
    use(upload(app, clinic_csv()))
    app.switch_page("pages/patient.py").run()
    assert problems(app) == []
    (dose,) = (field for field in app.number_input if "dose" in plain(field.label))
    assert "\\$ \\*per\\* day" in dose.help


def test_a_group_with_its_own_threshold_is_asked_for(open_app):
    app = by_hand(opened(open_app, set_by_group=True))
    assert problems(app) == []
    box = by_end(app.selectbox, "_group_needed")
    assert box.options == ["no", "yes"]
    before = cards(app)[1]
    box.set_value("yes").run()
    assert cards(app)[1] != before


def test_a_move_is_answered_from_a_trained_model_within_its_time(open_app):
    app = opened(open_app)
    slider = by_end(app.slider, "_threshold")
    begun = time.process_time()
    slider.set_value(120.0).run()
    assert time.process_time() - begun < 0.7
