from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import controls
from pages.ui.controls.keys import DEFAULTS, FIELDS, key
from pages.ui.controls.rows import MORE
from tests.pages.conftest import choose, problems, shown, shown_text, under


@pytest.mark.parametrize(
    ("widget", "value"),
    [
        ("epsilon", 4.0),
        ("bins", 500),
        ("coverage", 75),
        ("share", 70),
        ("set_row_share", 30),
        ("set_test_share", 40),
        ("set_bound_share", 20),
        ("set_warmup_share", 50),
        ("set_repetitions", 10),
    ],
)
def test_every_slider_changes_the_result(open_app, widget, value):
    app = open_app("Coverage")
    if widget == "set_row_share":
        choose(app, "set_stability", "split")
    before = shown(app)
    choose(app, widget, value)
    assert problems(app) == []
    assert shown(app) is not before
    assert shown(app).thresholds.tolist() != before.thresholds.tolist()


NUMBERS = {
    "set_steps": 10,
    "set_step_size": 0.5,
    "set_max_grad_norm": 0.3,
    "set_penalty": 0.05,
    "set_noise_multiplier": 90.0,
    "set_smallest_width": 2.0,
}


@pytest.mark.parametrize("widget", NUMBERS)
def test_an_empty_number_is_the_public_default_and_a_typed_one_wins(open_app, widget):
    app = under(open_app("Coverage"), widget)
    assert app.number_input(key=widget).value is None
    before = shown(app)
    choose(app, widget, NUMBERS[widget])
    assert problems(app) == []
    field = widget.removeprefix("set_")
    assert (getattr(before.settings, field), getattr(shown(app).settings, field)) == (None, NUMBERS[widget])
    assert shown(app).thresholds.tolist() != before.thresholds.tolist()


def test_a_number_out_of_range_is_one_sentence_and_the_result_stays(open_app):
    app = open_app("Coverage")
    before = shown(app)
    choose(app, "set_noise_multiplier", 0.1)
    assert len(problems(app)) == 1
    assert "“Noise multiplier” is 0.1" in problems(app)[0]
    assert shown(app) is before
    assert "Settings changed since" in shown_text(app)


LISTS = {
    "set_method": [
        *("dpcp_paper", "pscp", "pcoqs", "laplace_histogram", "differential", "naive", "clip_only", "split", "oracle")
    ],
    "set_trainer": ["ols", "lasso", "adassp", "posterior_sample", "output_perturbation", "objective_perturbation"],
    "set_score": ["absolute", "normalized"],
    "set_loss": ["paper", "bracket", "one_sided"],
    "set_stability": ["coupling", "profile", "dp", "split"],
    "set_guarantee": ["paper", "prediction_sets"],
    "set_composition": ["basic"],
    "set_grid": ["uniform", "order_statistics"],
    "set_bin_rule": ["sqrt", "cbrt", "alpha"],
    "set_decay": ["cosine"],
    "set_delta": [1e-6],
}
_FIELDS = {"set_bin_rule": "bins"}


@pytest.mark.parametrize(("widget", "value"), [(widget, value) for widget, values in LISTS.items() for value in values])
def test_every_choice_gives_a_result(open_app, widget, value):
    app = choose(open_app("Coverage"), widget, value)
    assert problems(app) == []
    assert "held-out patients" in shown_text(app)
    assert getattr(shown(app).settings, _FIELDS.get(widget, widget.removeprefix("set_"))) == value


def test_no_setting_is_out_of_reach(open_app):
    app = open_app("Coverage")
    reached = set()
    for fields in MORE.values():
        under(app, f"set_{fields[0]}")
        reached |= {str(part.key) for kind in _KINDS for part in getattr(app, kind)}
    assert {key(field) for field in FIELDS} - {"set_bins"} <= reached


_KINDS = ("selectbox", "slider", "select_slider", "number_input", "toggle")


def one_click():
    """A page with a button that makes the change of a doctor, and all controls."""
    import streamlit as st

    from pages.ui import controls

    st.button("mend", on_click=lambda: controls.apply(st.session_state["change"]))
    controls.main_row()
    controls.more()
    st.session_state["chosen"] = controls.settings()


@pytest.mark.parametrize("field", FIELDS)
def test_one_click_can_change_every_setting(field):
    app = AppTest.from_function(one_click, default_timeout=30)
    app.session_state["change"] = {field: ONE_CLICK[field]}
    under(app.run(), f"set_{field}")
    app.button[0].click().run()
    assert problems(app) == []
    settings = app.session_state["chosen"]
    assert getattr(settings, field) == (ONE_CLICK[field] if field not in UNHEARD else getattr(DEFAULTS, field))
    label = controls.change_label({field: ONE_CLICK[field]})
    assert label.startswith(("Set ", "Switch "))
    assert "_" not in label


UNHEARD = {"bounds_epsilon"}
"""What the first sample has no use for: all its bounds are public."""

ONE_CLICK = {
    "method": "dpcp_paper",
    "trainer": "lasso",
    "score": "normalized",
    "epsilon": 1.7,
    "confidence_level": 0.93,
    "training_share": 0.33,
    "row_share": 0.62,
    "test_share": 0.31,
    "bins": 37,
    "steps": 31,
    "step_size": 0.21,
    "max_grad_norm": 0.4,
    "penalty": 0.02,
    "noise_multiplier": 80,
    "smallest_width": 1.5,
    "warmup_share": 0.12,
    "bound_share": 0.15,
    "decay": "cosine",
    "loss": "paper",
    "stability": "profile",
    "delta": 2e-6,
    "repetitions": 12,
    "seed": 5,
    "by_group": True,
    "allow_empty": True,
    "sampling_rate": 0.2,
    "batch_size": 500,
    "epochs": 2.5,
    "guarantee": "paper",
    "composition": "basic",
    "grid": "uniform",
    "bounds_epsilon": 0.1,
}


def test_the_seed_draws_other_luck(open_app):
    app = open_app("Coverage")
    before = shown(app).coverage.tolist()
    choose(app, "set_seed", 7)
    assert shown(app).coverage.tolist() != before


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
    choose(app, "set_loss", "paper")
    choose(app, "coverage", 80)
    app.switch_page("pages/about.py").run()
    app.switch_page("pages/coverage.py").run()
    result = shown(app)
    assert (result.dataset_name, result.settings.loss, result.settings.confidence_level) == (
        "length_of_stay",
        "paper",
        0.8,
    )


def test_the_doctor_mends_with_one_click(open_app):
    app = open_app("Coverage")
    app.selectbox(key="sample").set_value("diabetes").run()
    app.select_slider(key="epsilon").set_value(0.1).run()
    fix = next(button for button in app.button if str(button.key).startswith("fix_"))
    before = shown(app).settings
    fix.click().run()
    assert problems(app) == []
    assert shown(app).settings != before
    assert fix.key not in [button.key for button in app.button]


def test_a_slider_that_training_does_not_read_trains_nothing(open_app, monkeypatch):
    from pages.ui import compute_samples

    trained = []
    honest = compute_samples.train
    monkeypatch.setattr(compute_samples, "train", lambda *parts: trained.append(parts) or honest(*parts))
    compute_samples.sample_result.clear()
    compute_samples.sample_runs.clear()
    app = open_app("Coverage")
    choose(app, "coverage", 85)
    choose(app, "bins", 200)
    choose(app, "set_loss", "paper")
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
