"""The lessons with the keyboard alone, in a real browser."""

from __future__ import annotations

import pytest

from dpcp_core.presentation.wording import learn as words
from dpcp_core.presentation.wording.lessons import LESSONS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FOCUSED = """() => {
    const at = document.activeElement
    const label = at.labels?.length ? [...at.labels].map(each => each.innerText).join(' ') : at.innerText
    return [at.getAttribute('role') || at.type || at.tagName.toLowerCase(), label || '']
}"""
MOST_TABS = 40


def tab_to(page, role: str, name: str = "") -> None:
    """Press Tab until what has this role and name is in focus."""
    page.get_by_role(role, name=name).last.wait_for(timeout=60_000)
    kinds = {"button": ("button", "submit"), "slider": ("slider", "range")}.get(role, (role,))
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        kind, called = page.evaluate(FOCUSED)
        # An epsilon and its number never part at the end of a line.
        if kind in kinds and name in called.replace("\u00a0", " "):
            return
    raise AssertionError(f"no {role} called {name!r} within {MOST_TABS} presses of Tab")


def choose(page, place: int) -> None:
    """Choose an answer of the question in focus and send it."""
    page.keyboard.press("Space")
    for _ in range(place):
        page.keyboard.press("ArrowDown")
    tab_to(page, "button", words.ANSWER)
    page.keyboard.press("Enter")


def see(page, text: str) -> None:
    page.get_by_text(text, exact=False).first.wait_for(timeout=60_000)


def alt_of(page) -> str:
    """Return the accessible name of the picture."""
    picture = page.locator('[data-testid="stPlotlyChart"]').first
    picture.wait_for(timeout=60_000)
    return picture.evaluate("chart => chart.closest('[aria-label]').getAttribute('aria-label')")


def test_every_lesson_can_be_finished_with_the_keyboard_alone(new_page):
    page = new_page("learn")
    for place, lesson in enumerate(LESSONS.values(), 1):
        see(page, lesson.title)
        tab_to(page, "radio", lesson.guess.options[0].text)
        choose(page, lesson.guess.right)
        see(page, words.CHECK)
        assert any(digit.isdigit() for digit in alt_of(page))
        if lesson.name == "synthetic":
            # Where columns are shuffled, epsilon has nothing to set.
            tab_to(page, "radio")
            page.keyboard.press("ArrowRight")
        else:
            tab_to(page, "slider")
            page.keyboard.press("ArrowLeft")
        tab_to(page, "radio", lesson.check.options[0].text)
        choose(page, lesson.check.right)
        see(page, f"{place} of 5 finished")
        if place < len(LESSONS):
            tab_to(page, "button", words.way_on(list(LESSONS.values())[place]))
            page.keyboard.press("Enter")
    see(page, words.ALL_FINISHED)
    assert page.locator('[data-testid="stException"]').count() == 0
    assert page.foreign == []
