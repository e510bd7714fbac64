"""A link opens what it asks for, and what it asks for in vain is told once."""

from __future__ import annotations

import pytest

from pages.ui import state
from pages.ui.controls import keys
from tests.pages.conftest import problems

HERE = {"epsilon": "0.5", "coverage": "91", "share": "35.0", "bins": "200", "sample": "Diabetes progression"}


def told(app):
    return [toast.value for toast in app.toast]


@pytest.mark.parametrize("page", ["Start", "Coverage", "Compare", "Budget"])
def test_what_is_on_offer_is_opened_and_nothing_said(page, open_app):
    app = open_app(page, **HERE)
    assert problems(app) == []
    assert told(app) == []
    held = {key: app.session_state[key] for key in (keys.EPSILON, keys.COVERAGE, keys.SHARE, keys.BINS)}
    assert held == {keys.EPSILON: 0.5, keys.COVERAGE: 91, keys.SHARE: 35, keys.BINS: 200}
    assert app.session_state[state.SOURCE] == "diabetes"


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({"epsilon": "7"}, "“epsilon=7”"),
        ({"epsilon": "none", "bins": "101"}, "“epsilon=none” and “bins=101”"),
        ({"coverage": "100"}, "“coverage=100”"),
        ({"coverage": "-90"}, "“coverage=-90”"),
        ({"share": "9"}, "“share=9”"),
        ({"sample": "Nobody"}, "“sample=Nobody”"),
    ],
)
def test_what_is_not_on_offer_is_told_once(asked, named, open_app):
    app = open_app("Coverage", **asked)
    assert problems(app) == []
    (said,) = told(app)
    assert named in said
    assert "usual value" in said
    app.run()
    assert told(app) == []


def test_a_link_cannot_put_markdown_or_a_long_text_on_the_page(open_app):
    (said,) = told(open_app("Coverage", epsilon=":red[x] [y](http://a.b)" + 500 * "z"))
    assert ":red[" not in said
    assert "[y]" not in said.replace("\\[", "")
    assert len(said) < 400


def test_a_reload_says_that_an_uploaded_table_is_gone(open_app):
    app = open_app("Coverage", sample="Your table")
    assert problems(app) == []
    (said,) = told(app)
    assert "Upload it again" in said


def test_names_that_are_none_of_ours_are_left_alone(open_app):
    assert told(open_app("Coverage", utm_source="mail")) == []
