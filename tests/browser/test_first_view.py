"""Every page as a stranger meets it: the answer without scrolling, a name on everything, one heading above all."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pages.ui.frame import PAGES
from tests.browser.conftest import settle, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HEIGHT = 900
ANSWER = ".st-key-answer"
# These pages answer in their first paragraphs.
FIRST_LINES = {"release", "about"}
NAMES = ["" if script == "app.py" else script.removeprefix("pages/").removesuffix(".py") for script, *_ in PAGES]
NAMED = {"button", "link", "slider", "combobox", "textbox", "checkbox", "switch", "radio", "spinbutton", "tab"}
HEADINGS = "parts => parts.filter(part => part.checkVisibility()).map(part => Number(part.tagName[1]))"


@pytest.mark.parametrize("name", NAMES)
def test_a_page_answers_at_first_sight_names_its_parts_and_fits_a_phone(new_page, name):
    page = new_page(name)
    answer = page.locator(f'[data-testid="stMain"] {"h2" if name in FIRST_LINES else ANSWER}').first
    answer.wait_for(timeout=120_000)
    settle(page)
    box = answer.bounding_box()
    assert box["y"] > 0
    assert box["y"] + box["height"] <= HEIGHT
    assert unnamed(page) == []
    assert page.locator("img:not([alt]), iframe:not([title])").count() == 0
    levels = page.locator("h1, h2, h3, h4, h5, h6").evaluate_all(HEADINGS)
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(deeper - level <= 1 for level, deeper in pairwise(levels))
    for chart in page.locator(".js-plotly-plot").all():
        alt = chart.evaluate("chart => chart.closest('[aria-label]').getAttribute('aria-label')")
        assert alt.endswith(".")
        assert any(letter.isdigit() for letter in alt)
    page.set_viewport_size({"width": 390, "height": 844})
    wait_until(page, lambda: page.evaluate("document.documentElement.scrollWidth") <= 390, "a page within a phone")
    assert page.locator('[data-testid="stException"]').count() == 0
    assert page.foreign == []


def unnamed(page) -> list[str]:
    """Return the roles of controls that a screen reader has no name for."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    told = ((node.get("role", {}).get("value"), node.get("name", {}).get("value", "")) for node in tree)
    return [role for role, words in told if role in NAMED and not words.strip()]
