"""The budget page in a real browser: an answer at first sight, runs that fill in and stop, one click to take over."""

from __future__ import annotations

import csv
import time

import pytest

from tests.browser.conftest import settle, wait_until, words

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SPLIT, POSSIBLE = "How to split it?", "What is possible?"


def soon(page, *texts: str, limit_s: float = 120) -> None:
    """Wait until a person reads one of these; the page may be redrawn meanwhile, as a run fills in."""
    end = time.monotonic() + limit_s
    while not any(text in words(page, "stMain") for text in texts):
        assert time.monotonic() < end, f"none of {texts} was to be read within {limit_s:g} s"
        page.wait_for_timeout(100)


def open_tab(page, name: str) -> None:
    page.get_by_role("tab", name=name).click()
    wait_until(page, lambda: page.get_by_role("tab", name=name).get_attribute("aria-selected") == "true", name)


def choose(page, name: str) -> None:
    page.get_by_role("radio", name=name, exact=True).click()
    settle(page)


def press(page, name: str) -> None:
    page.get_by_role("button", name=name).first.click()


def want(page, width: float) -> None:
    box = page.get_by_role("spinbutton", name="Mean width wanted")
    box.fill(f"{width:g}")
    box.press("Enter")
    soon(page, "previous answer")


def is_sound(page) -> bool:
    return page.locator('[data-testid="stException"]').count() == 0 and page.foreign == []


def test_the_first_view_answers_and_one_click_takes_epsilon_to_the_coverage_page(new_page):
    page = new_page("budget?sample=Diabetes+progression")
    soon(page, "is enough for intervals of at most")
    press(page, "Use ε")
    soon(page, "In use: see it on Coverage")
    chosen = words(page, "stMain").partition("In use: DPCP, certified · ε = ")[2].partition(" ·")[0]
    page.get_by_role("link", name="In use: see it on").click()
    soon(page, "How wide must an interval be")
    settle(page)
    assert page.get_by_role("slider", name="Privacy budget ε").get_attribute("aria-valuetext") == chosen
    assert is_sound(page)


def test_a_goal_out_of_reach_says_why_and_one_within_reach_is_found_again(new_page):
    page = new_page("budget?sample=Diabetes+progression")
    soon(page, "is enough for")
    want(page, 100)
    press(page, "Find ε")
    soon(page, "Not reachable: intervals of at most 100 points")
    soon(page, "Even without privacy intervals are")
    want(page, 230)
    press(page, "Find ε")
    soon(page, "is enough for intervals of at most 230 points")
    assert "previous answer" not in words(page, "stMain")
    assert is_sound(page)


def test_a_map_fills_in_stops_and_is_measured_again_and_its_best_is_taken_over(new_page):
    page = new_page("budget?share=90")
    open_tab(page, SPLIT)
    choose(page, "Fine")
    press(page, "Measure")
    soon(page, "combinations are measured")
    press(page, "Stop")
    soon(page, "Stopped: ")
    settle(page)

    choose(page, "Coarse")
    press(page, "Measure")
    soon(page, "the narrowest intervals")
    wait_until(page, lambda: page.get_by_role("button", name="Measure").is_enabled(), "the end of the run")
    assert "Your 90 % costs" in words(page, "stMain")
    with page.expect_download() as waiting:
        press(page, "CSV")
    rows = list(csv.DictReader(waiting.value.path().read_text().splitlines()))
    assert len(rows) == 15
    assert [row["epsilon"] for row in rows if row["best"] == "True"] == ["0.25", "1.0", "4.0"]

    page.get_by_role("button", name="Use ").click()
    soon(page, "It is the one in use.")
    assert "Settings changed since" not in words(page, "stMain")
    choose(page, "Coverage")
    soon(page, "covers surely less than the target")
    assert is_sound(page)


def test_a_map_goes_on_while_another_page_is_looked_at(new_page):
    page = new_page("budget?sample=Diabetes+progression")
    open_tab(page, SPLIT)
    press(page, "Measure")
    soon(page, "Stop", "the narrowest intervals")
    page.get_by_role("link", name="About").first.click()
    soon(page, "What may I believe?")
    page.get_by_role("link", name="Budget").first.click()
    soon(page, "What do I need?")
    open_tab(page, SPLIT)
    soon(page, "the narrowest intervals")
    assert is_sound(page)


def test_what_is_possible_follows_the_slider(new_page):
    page = new_page("budget")
    open_tab(page, POSSIBLE)
    soon(page, "With 3,200 patients and ε = 1, something narrower")
    slider = page.get_by_role("slider", name="Privacy budget ε")
    slider.focus()
    page.keyboard.press("ArrowRight")
    soon(page, "With 3,200 patients and ε = 1.5, something narrower")
    page.get_by_role("link", name="Coverage").first.click()
    soon(page, "How wide must an interval be")
    settle(page)
    assert page.get_by_role("slider", name="Privacy budget ε").get_attribute("aria-valuetext") == "1.5"
    assert is_sound(page)


@pytest.mark.parametrize("width", [1440, 390])
def test_the_answer_is_seen_without_scrolling_and_nothing_is_cut_off(new_page, width):
    page = new_page("budget")
    page.set_viewport_size({"width": width, "height": 900})
    soon(page, "is enough for intervals of at most")
    heading = page.get_by_role("heading", name="is enough for").bounding_box()
    assert heading["y"] + heading["height"] < 900
    main = page.locator('[data-testid="stMain"]')
    assert main.evaluate("part => part.scrollWidth - part.clientWidth") <= 1
