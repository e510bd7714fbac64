from __future__ import annotations

import pytest

from pages.ui import controls
from tests.pages.conftest import problems, shown_text


def with_all_controls(open_app):
    app = open_app("Coverage")
    app.session_state["more_controls"] = True
    return app.run()


@pytest.mark.parametrize(
    ("key", "value"),
    [("epsilon", 4.0), ("bins", 500), ("coverage", 75), ("share", 70), ("set_row_share", 30), ("set_repetitions", 10)],
)
def test_every_slider_changes_the_result(open_app, key, value):
    app = with_all_controls(open_app)
    if key == "set_row_share":
        app.selectbox(key="set_stability").set_value("split").run()
    before = shown_text(app)
    app.get_by_key(key).set_value(value).run()
    assert problems(app) == []
    assert shown_text(app) != before


LISTS = {
    "set_method": ["dpcp_paper", "pscp", "differential", "naive", "split", "oracle"],
    "set_trainer": ["ols"],
    "set_loss": ["paper"],
    "set_stability": ["coupling", "profile", "dp", "split"],
    "set_guarantee": ["paper"],
    "set_composition": ["basic"],
    "set_grid": ["uniform"],
    "set_bin_rule": ["sqrt", "cbrt", "alpha"],
    "set_delta": [1e-6],
}


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in LISTS.items() for value in values])
def test_every_choice_gives_a_result(open_app, key, value):
    app = with_all_controls(open_app)
    app.get_by_key(key).set_value(value).run()
    assert problems(app) == []
    assert "held-out patients" in shown_text(app)
    assert app.session_state["_shown"][0].settings == controls_settings(app)


def controls_settings(app):
    field = {"set_bin_rule": "bins"}
    shown = app.session_state["_shown"][0].settings
    for key in LISTS:
        value = app.session_state[key]
        if value != controls.AS_SLIDER:
            shown = shown.replace(**{field.get(key, key.removeprefix("set_")): value})
    return shown


def test_the_seed_draws_other_luck(open_app):
    app = with_all_controls(open_app)
    before = app.session_state["_shown"][0].coverage.tolist()
    app.number_input(key="set_seed").set_value(7).run()
    assert app.session_state["_shown"][0].coverage.tolist() != before


@pytest.mark.parametrize("preset", ["Cautious", "Sharp"])
def test_a_preset_sets_the_sliders_of_the_coverage_page(open_app, preset):
    app = open_app()
    app.button(key=f"preset_{preset}").click().run()
    assert problems(app) == []
    app.switch_page("pages/coverage.py").run()
    assert problems(app) == []
    assert (app.select_slider(key="epsilon").value, app.slider(key="coverage").value) == {
        "Cautious": (0.5, 95),
        "Sharp": (4.0, 80),
    }[preset]


def test_settings_and_table_last_across_pages(open_app):
    app = open_app()
    app.button(key="use_length_of_stay").click().run()
    app.switch_page("pages/coverage.py").run()
    app.session_state["more_controls"] = True
    app.run()
    app.selectbox(key="set_loss").set_value("paper").run()
    app.slider(key="coverage").set_value(80).run()
    app.switch_page("pages/about.py").run()
    app.switch_page("pages/coverage.py").run()
    shown = app.session_state["_shown"][0]
    assert (shown.dataset_name, shown.settings.loss, shown.settings.confidence_level) == (
        "length_of_stay",
        "paper",
        0.8,
    )


def test_the_doctor_mends_with_one_click(open_app):
    app = open_app("Coverage")
    app.selectbox(key="sample").set_value("diabetes").run()
    app.select_slider(key="epsilon").set_value(0.1).run()
    fix = next(button for button in app.button if str(button.key).startswith("fix_"))
    before = app.session_state["_shown"][0].settings
    fix.click().run()
    assert problems(app) == []
    assert app.session_state["_shown"][0].settings != before
    assert fix.key not in [button.key for button in app.button]


def test_a_slider_that_training_does_not_read_trains_nothing(open_app, monkeypatch):
    from pages.ui import compute

    trained = []
    honest = compute.train
    monkeypatch.setattr(compute, "train", lambda *parts: trained.append(parts) or honest(*parts))
    app = open_app("Coverage")
    app.session_state["more_controls"] = True
    app.run()
    app.slider(key="coverage").set_value(85).run()
    app.select_slider(key="bins").set_value(200).run()
    app.selectbox(key="set_loss").set_value("paper").run()
    assert len(trained) == 1
    app.select_slider(key="epsilon").set_value(2.0).run()
    assert len(trained) == 2


def test_small_epsilon_is_no_warning(open_app):
    app = open_app("Coverage")
    app.select_slider(key="epsilon").set_value(0.1).run()
    privacy = next(part.value for part in app.markdown if "at most 52.5 in 100" in part.value)
    assert "warning" not in privacy
    assert "red" not in privacy


def test_a_method_that_is_not_private_says_so(open_app):
    app = open_app("Coverage")
    app.selectbox(key="set_method").set_value("oracle").run()
    assert "no bound" in shown_text(app)
    assert any("not private" in fold.label for fold in app.expander)


IDLE = {
    "oracle": {"epsilon", "share", "bins", "set_loss", "set_stability", "set_row_share", "set_grid", "set_delta"},
    "split": {"epsilon", "share", "bins", "set_loss", "set_stability", "set_guarantee", "set_composition"},
    "naive": {"share", "bins", "set_stability", "set_row_share"},
    "pscp": {"set_loss", "set_stability", "set_guarantee", "set_composition", "set_grid"},
    "dpcp_paper": {"set_loss", "set_stability", "set_guarantee", "set_composition", "set_grid", "set_row_share"},
    "dpcp": {"set_row_share"},
}


@pytest.mark.parametrize("method", IDLE)
def test_a_control_that_changes_nothing_cannot_be_moved(open_app, method):
    app = with_all_controls(open_app)
    app.get_by_key("set_method").set_value(method).run()
    assert problems(app) == []
    for key in IDLE[method]:
        assert app.get_by_key(key).disabled, key
    for key in {"coverage", "set_trainer", "set_repetitions"} | ({"epsilon"} if method.startswith("dpcp") else set()):
        assert not app.get_by_key(key).disabled, key


def test_a_control_that_can_be_moved_changes_something(open_app):
    app = with_all_controls(open_app)
    app.get_by_key("set_stability").set_value("split").run()
    assert app.get_by_key("share").disabled
    assert app.get_by_key("set_composition").disabled
    assert not app.get_by_key("set_row_share").disabled
