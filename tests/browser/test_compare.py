"""The Compare page in a real browser: run, leave, come back, stop, run again, take everything along."""

from __future__ import annotations

import csv
import json
import struct

import pytest

from tests.browser.conftest import see, settle, wait_until, words

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def go(page, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).first.click()
    settle(page)


def choose_repetitions(page, number: int) -> None:
    page.get_by_role("combobox", name="Repetitions").click()
    page.get_by_role("option", name=f"{number} repetitions").click()
    settle(page)


def start(page) -> None:
    """Start the comparison, unless it has begun by itself."""
    offer, stop = (page.get_by_role("button", name=name, exact=True) for name in ("Compare", "Stop"))
    begun = stop.or_(page.get_by_role("button", name="Summary (CSV)"))
    offer.or_(begun).first.wait_for()
    if offer.count():
        offer.click()
        begun.first.wait_for()


def finish(page) -> None:
    page.get_by_role("button", name="Summary (CSV)").wait_for(timeout=180_000)
    settle(page)


def compare_20(page) -> None:
    """Have twenty repetitions compared and nothing else, whatever began by itself as the page opened."""
    choose_repetitions(page, 20)
    start(page)
    finish(page)
    if "Settings changed since" in words(page):
        # What began before anything was chosen was quicker.
        start(page)
    wait_until(page, lambda: "Settings changed since" not in words(page), "the comparison asked for", limit_s=180)
    finish(page)


def see_cells(page) -> None:
    """Wait until something is finished, with much left to do."""
    wait_until(page, lambda: "of 120 cells, about" in words(page, "stMain"), "a finished cell", limit_s=180)


def stop(page) -> None:
    page.get_by_role("button", name="Stop", exact=True).click()
    wait_until(page, lambda: "Stopped: partial" in words(page), "the end of the run", limit_s=180)


def download(page, button) -> bytes:
    with page.expect_download() as waiting:
        button.click()
    return waiting.value.path().read_bytes()


def no_trouble(page) -> None:
    assert page.locator('[data-testid="stException"]').count() == 0
    assert page.foreign == []


def test_a_comparison_is_left_found_again_stopped_and_started_anew(new_page):
    page = new_page("compare?sample=Readmission")
    start(page)
    see_cells(page)
    go(page, "Coverage")
    see(page, "How many answers must a set hold")
    go(page, "Compare")
    stop(page)
    assert "of 120 cells" in words(page)
    no_trouble(page)

    choose_repetitions(page, 20)
    see(page, "Settings changed since: below is the previous comparison")
    see(page, "50 repetitions.")
    start(page)
    see_cells(page)
    assert "Stopped: partial" not in words(page)
    assert "Settings changed since" not in words(page)
    stop(page)
    assert "Settings changed since" not in words(page)
    no_trouble(page)

    # The numbers of one table never stand under the name of another.
    page.get_by_role("combobox", name="Data").click()
    page.get_by_role("option").filter(has_text="Diabetes").click()
    see(page, "not of the table in use")
    assert page.locator(".js-plotly-plot").count() == 0
    start(page)
    finish(page)
    see(page, "points on average")
    assert "Stopped: partial" not in words(page)
    no_trouble(page)


def is_within_a_phone(page) -> bool:
    page.set_viewport_size({"width": 390, "height": 844})
    settle(page)
    return page.evaluate("document.documentElement.scrollWidth") <= 390


def draws_without_network(browser, path) -> bool:
    """Whether a report shows its four pictures and asks nobody for anything."""
    context = browser.new_context(offline=True)
    report = context.new_page()
    asked = []
    report.on("request", lambda request: asked.append(request.url))
    report.goto(path.as_uri())
    report.locator(".js-plotly-plot .main-svg").first.wait_for()
    n_pictures = report.locator(".js-plotly-plot").count()
    context.close()
    return n_pictures == 4 and all(url.startswith(("file:", "data:", "blob:")) for url in asked)


def test_the_answer_is_in_sight_and_everything_can_be_taken_along(browser, new_page, tmp_path):
    page = new_page("compare?sample=Diabetes+progression")
    compare_20(page)
    charts = page.locator(".js-plotly-plot")
    wait_until(page, lambda: charts.count() == 4, "four pictures")
    for place in (page.get_by_text("of the private methods that reach").first, charts.nth(0), charts.nth(1)):
        box = place.bounding_box()
        assert box["y"] + box["height"] <= 900
    for chart in charts.all():
        label = chart.evaluate("chart => chart.closest('[aria-label]').getAttribute('aria-label')")
        assert label.endswith(".")

    rows = download(page, page.get_by_role("button", name="Summary (CSV)")).decode()
    assert len(list(csv.DictReader(rows.splitlines()))) == 120
    rows = download(page, page.get_by_role("button", name="Repetitions (CSV)")).decode()
    assert len(list(csv.DictReader(rows.splitlines()))) == 120 * 20
    values = json.loads(download(page, page.get_by_role("button", name="Everything (JSON)")))
    assert values["complete"] is True
    assert len(values["standings"]) == 12
    report = tmp_path / "report.html"
    report.write_bytes(download(page, page.get_by_role("button", name="Report (HTML)")))
    assert "which method wins where?" in report.read_text(encoding="utf-8")
    assert draws_without_network(browser, report)

    for number, name in enumerate(("coverage", "size")):
        charts.nth(number).hover()
        camera = charts.nth(number).locator(".modebar-btn")
        with page.expect_download() as waiting:
            camera.click()
        assert waiting.value.suggested_filename == f"diabetes-methods-{name}.png"
        picture = waiting.value.path().read_bytes()
        assert picture.startswith(b"\x89PNG")
        width, height = struct.unpack(">II", picture[16:24])
        # Three times as many points as on the screen: sharp on a slide.
        assert (width, height) >= (1200, 1200)
    no_trouble(page)
    assert is_within_a_phone(page)
