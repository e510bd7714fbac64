"""The page about one person in a real browser: keys move the limit, and the sheet prints on one page."""

from __future__ import annotations

import re

import pytest

from dpcp_core.experiments.person import answer, held_out_person
from dpcp_core.presentation.patient_sheet import sheet
from tests.browser.conftest import see, words
from tests.core.experiments.person.people import long_table, model_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LIMIT = "How many are above this, mmHg?"


def pages_of(browser, html: str, tmp_path) -> int:
    """Print a page as a browser does, and return on how many sheets."""
    file = tmp_path / "sheet.html"
    file.write_text(html, encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    printed = page.pdf(format="A4", prefer_css_page_size=True)
    page.close()
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", printed))


def test_keys_move_the_limit_and_the_sheet_that_comes_down_prints_on_one_page(new_page, browser, tmp_path):
    page = new_page("patient?sample=Blood+pressure")
    see(page, "What this does not know")
    limit = page.get_by_role("slider", name=LIMIT)
    limit.focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    see(page, "patients like this one are above 137 mmHg")
    shown = re.search(r"About \d+ of 50 patients like this one are above \d+ mmHg", words(page, "stMain"))[0]
    with page.expect_download() as coming:
        page.get_by_role("button", name="Sheet to print").press("Enter")
    html = coming.value.path().read_text(encoding="utf-8")
    assert shown in html.replace("\u00a0", " ")
    assert "ε = 1 for the interval and 0.5 for the dots" in html.replace("\u00a0", " ")
    assert pages_of(browser, html, tmp_path) == 1
    assert page.foreign == []


def test_the_longest_sheet_prints_on_one_page(browser, tmp_path):
    model = model_of(long_table(), epsilon=8.0, by_group=True)
    person = held_out_person(long_table().frame, model.schema, int(model.rows[0]), 0)
    assert pages_of(browser, sheet(model, answer(model, person), 6e4, 1e4), tmp_path) == 1
