"""A release in a real browser: from a table of one's own to a bundle that predicts new rows."""

from __future__ import annotations

import pytest

from dpcp_core.release import open_bundle
from tests.browser.conftest import see, settle
from tests.pages.tables import SCHEMA, clinic_csv

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def give(page, place: int, name: str, content: bytes) -> None:
    """Choose a file in one of the page's uploaders."""
    page.locator('input[type="file"]').nth(place).set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )


def test_a_schema_is_saved_a_budget_set_a_word_typed_and_the_bundle_predicts(new_page):
    page = new_page()
    give(page, 1, "clinic.toml", SCHEMA)
    settle(page)
    give(page, 0, "clinic.csv", clinic_csv())
    see(page, "400 rows")
    row = page.get_by_role("textbox", name="What does one row stand for?")
    row.fill("one patient of the clinic")
    row.press("Enter")
    settle(page)
    page.get_by_role("button", name="Use this table").click()
    see(page, "one row: one patient of the clinic")
    page.get_by_role("link", name="Release", exact=True).first.click()
    see(page, "Nobody has set a budget")
    page.get_by_role("button", name="Set the budget").click()
    # What was uploaded is not what the table is read by any more.
    see(page, "A release needs a schema that was written down before it")
    with page.expect_download() as schema:
        page.get_by_role("button", name="Save the schema").click()
    assert "one patient of the clinic" in schema.value.path().read_text(encoding="utf-8")
    see(page, "It cannot be undone")
    page.get_by_role("textbox", name="Type the word release to spend it").fill("release")
    page.get_by_role("button", name="Release", exact=True).click()
    see(page, "Released in this session")
    with page.expect_download() as bundle:
        page.get_by_role("button", name="Download the bundle").click()
    assert open_bundle(bundle.value.path()).schema.one_row_is == "one patient of the clinic"
    give(page, 1, "new.csv", clinic_csv(30))
    see(page, "30 rows predicted")
    assert page.locator('[data-testid="stException"]').count() == 0
    assert page.foreign == []
