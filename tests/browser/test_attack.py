"""The Attack page in a real browser: the answer is in sight, a move changes it, other attacks are one click away."""

from __future__ import annotations

import pytest

from tests.browser.conftest import see, settle, wait_until, words

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def first_chart(page):
    chart = page.locator(".js-plotly-plot").first
    chart.wait_for(timeout=120_000)
    return chart


def test_the_answer_is_in_sight_and_follows_epsilon(new_page):
    page = new_page("attack")
    see(page, "Who knows all other rows")
    place = first_chart(page).bounding_box()
    assert place["y"] + place["height"] < 900
    before = words(page, "stMain")
    slider = page.get_by_role("slider", name="Privacy budget ε")
    slider.focus()
    page.keyboard.press("ArrowRight")
    settle(page)
    wait_until(page, lambda: words(page, "stMain") != before, "another answer")
    assert "epsilon=" in page.url

    page.get_by_role("tab", name="Subtract the known rows").focus()
    page.keyboard.press("Enter")
    see(page, "Shuffled columns (not private)")
    label = first_chart(page).evaluate("chart => chart.closest('[aria-label]').getAttribute('aria-label')")
    assert "cells right" in label

    page.set_viewport_size({"width": 390, "height": 844})
    settle(page)
    main = page.locator('[data-testid="stMain"]')
    assert main.evaluate("part => part.scrollWidth <= part.clientWidth + 1")
    assert page.foreign == []
