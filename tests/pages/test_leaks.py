"""What would not be private is listed above the result, and nothing is said where there is nothing to say."""

from __future__ import annotations

import pytest

from tests.pages.conftest import choose, problems, shown_text
from tests.pages.tables import SCHEMA, clinic_csv
from tests.pages.test_upload import choose_target, upload, uploader, use

REFUSED, REMINDED = "What would not be private", "What only you can know"


@pytest.mark.parametrize("page", ["Start", "Coverage"])
def test_a_sample_with_public_bounds_has_no_list(open_app, page):
    words = shown_text(open_app(page))
    assert REFUSED not in words
    assert REMINDED not in words


@pytest.mark.parametrize(
    ("widget", "value", "said"),
    [
        ("set_method", "naive", "The threshold is an exact residual of somebody in the table."),
        ("set_method", "oracle", "The model was trained without noise."),
        ("set_grid", "order_statistics", "The threshold is an exact residual of somebody in the table."),
    ],
)
def test_a_step_that_nobody_pays_for_is_listed_with_what_to_do(open_app, widget, value, said):
    words = shown_text(choose(open_app("Coverage"), widget, value))
    assert REFUSED in words
    assert said in words
    assert "Choose " in words[words.index(said) :]


def test_a_number_set_by_hand_is_a_reminder(open_app):
    words = shown_text(choose(open_app("Coverage"), "set_max_grad_norm", 0.5))
    assert REFUSED not in words
    assert "“Clipping norm” was set by hand" in words[words.index(REMINDED) :]


def test_bounds_from_the_file_are_listed_by_column_until_they_are_bought(open_app):
    app = use(choose_target(upload(open_app(), clinic_csv()), "pain"))
    words = shown_text(app)
    assert "The bounds of age, dose, pain were read off the rows" in words.replace(" and ", ", ")
    assert "The categories of sex were read off the rows" in words
    assert "It is not said what one row stands for" in words
    # Three lines would push the answer down, so they are folded under what they come to.
    assert "2 things would not be private, and 1 only you can know" in [fold.label for fold in app.expander]
    app.switch_page("pages/coverage.py").run()
    choose(app, "epsilon", 10.0)
    choose(app, "set_bounds_epsilon", 4.0)
    assert problems(app) == []
    words = shown_text(app)
    assert "The bounds of age" not in words.split("100 held-out")[0]
    assert "The categories of sex were read off the rows" in words


def test_the_list_is_there_before_a_training_is_started(open_app):
    app = open_app("Coverage")
    choose(app, "set_trainer", "mlp")
    choose(app, "set_noise_multiplier", 500.0)
    assert "train" in [button.key for button in app.button]
    assert "“Noise multiplier” was set by hand" in shown_text(app)


def test_a_complete_schema_has_nothing_to_list(open_app):
    app = open_app()
    uploader(app, "schema").upload("clinic.toml", SCHEMA)
    use(upload(app, clinic_csv()))
    assert REFUSED not in shown_text(app)
