"""A page that is closed and does not come back leaves nothing behind; one that comes back finds everything."""

from __future__ import annotations

import time

import pytest
from streamlit.runtime.caching import clear_session_resource_cache

from dpcp_core.data.dataset import Dataset
from pages.ui import closing
from tests.pages.conftest import problems, shown
from tests.pages.tables import clinic_csv
from tests.pages.test_upload import choose_target, upload, use

SESSION = "test session id"


@pytest.fixture
def close_page():
    """Return a function that does what Streamlit does when a connection is gone."""
    # All tests are one session to Streamlit: what an earlier one left there is not this page.
    clear_session_resource_cache(SESSION)
    _cancel_timers()
    yield lambda: clear_session_resource_cache(SESSION)
    _cancel_timers()


def _cancel_timers() -> None:
    for timer in list(closing._waiting.values()):
        timer.cancel()


def test_a_closed_page_leaves_nothing_of_its_table(open_app, close_page, monkeypatch):
    monkeypatch.setattr(closing, "GRACE_S", 0.05)
    app = use(choose_target(upload(open_app(), clinic_csv()), "pain"))
    assert "clinic.csv" in repr(app.session_state)
    close_page()
    deadline = time.monotonic() + 10
    while "clinic.csv" in repr(app.session_state) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert "clinic.csv" not in repr(app.session_state)
    assert "pain" not in repr(app.session_state)


def test_a_page_that_comes_back_in_time_finds_its_table(open_app, close_page, monkeypatch):
    monkeypatch.setattr(closing, "GRACE_S", 2.0)
    app = use(choose_target(upload(open_app(), clinic_csv()), "pain"))
    close_page()
    app.run()
    time.sleep(2.5)
    assert problems(app) == []
    assert shown(app).dataset_name == "clinic.csv"
    assert app.run().selectbox(key="sample").value == "own"


def _handed_to_callbacks(app) -> list[object]:
    widgets = closing.widgets_of(app._session_state).values()
    return [value for widget in widgets for value in widget.callback_args or () if isinstance(value, Dataset)]


def test_a_closed_page_leaves_no_table_in_the_arguments_of_its_buttons(open_app, close_page, monkeypatch):
    monkeypatch.setattr(closing, "GRACE_S", 0.05)
    app = use(choose_target(upload(open_app(), clinic_csv()), "pain"))
    app.switch_page("pages/patient.py").run()
    assert "clinic.csv" in [table.name for table in _handed_to_callbacks(app)]
    close_page()
    deadline = time.monotonic() + 10
    while _handed_to_callbacks(app) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert _handed_to_callbacks(app) == []


@pytest.mark.usefixtures("close_page")
def test_a_forgotten_table_is_in_the_arguments_of_no_button(open_app):
    app = use(choose_target(upload(open_app(), clinic_csv()), "pain"))
    app.switch_page("pages/patient.py").run()
    app.button(key="forget").click().run()
    assert problems(app) == []
    assert "clinic.csv" not in [table.name for table in _handed_to_callbacks(app)]
