from __future__ import annotations

import csv

import pytest

from tests.browser.conftest import see, settle, until_seen, wait_until, words
from tests.pages.tables import clinic_csv, ward_csv

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def upload(page, tmp_path, name: str = "clinic.csv") -> None:
    path = tmp_path / name
    path.write_bytes(clinic_csv())
    page.locator('input[type="file"]').first.set_input_files(str(path))
    see(page, f"{name}: read")


def take_into_use(page, target: str) -> None:
    page.get_by_role("combobox", name="Which column is to be predicted?").click()
    page.keyboard.type(target)
    page.keyboard.press("Enter")
    settle(page)
    page.get_by_role("button", name="Explore now").click()
    see(page, f"predicts {target}")


def readout(page, label: str) -> str:
    """Return the line after a readout's label."""
    lines = [line.strip() for line in words(page, "stMain").splitlines() if line.strip()]
    return lines[lines.index(label) + 1]


def move(page, label: str, key: str, times: int = 1) -> None:
    slider = page.get_by_role("slider", name=label)
    for _ in range(times):
        slider.focus()
        page.keyboard.press(key)
        settle(page)


def test_from_upload_to_download(new_page, tmp_path):
    page = new_page()
    see(page, "100 held-out patients")

    upload(page, tmp_path)
    see(page, "400 rows")
    until_seen(page, "Bounds are missing for dose", lambda: set_bounds(page, row=1, lowest="18", highest="100"))
    take_into_use(page, "pain")

    page.get_by_role("link", name="Coverage").first.click()
    see(page, "How wide must an interval be")
    see(page, "In plain words")
    before = readout(page, "Interval width")
    move(page, "Privacy budget ε", "ArrowRight", times=3)
    wait_until(page, lambda: "epsilon=3" in page.url, "epsilon in the address")
    # A link carries settings, and nothing of a table.
    assert not any(told in page.url for told in ("clinic", "pain"))
    wait_until(page, lambda: readout(page, "Interval width") != before, "another width")

    with page.expect_download() as waiting:
        page.get_by_role("button", name="Repetitions (CSV)").click()
    rows = list(csv.DictReader(waiting.value.path().read_text().splitlines()))
    assert len(rows) == 20
    assert all(float(row["width"]) > 0 for row in rows)
    assert page.locator('[data-testid="stException"]').count() == 0
    assert page.foreign == []


def set_bounds(page, row: int, lowest: str, highest: str) -> None:
    """Type two bounds into a row of the schema's grid, with the keyboard alone."""
    for right, text in ((3, lowest), (4, highest)):
        box = resting_box(page, page.locator('[data-testid="stDataFrame"] canvas').first)
        page.mouse.click(box["x"] + 40, box["y"] + 35 * row + 17)
        for _ in range(right):
            page.keyboard.press("ArrowRight")
        # Typing into a chosen cell replaces what it holds, so that a second attempt ends the same.
        page.keyboard.type(text, delay=80)
        page.keyboard.press("Enter")
        settle(page)


def resting_box(page, element) -> dict[str, float]:
    """Return where an element is once the page around it has stopped moving."""
    element.scroll_into_view_if_needed()
    before, box = None, element.bounding_box()
    while box is None or box != before:
        page.wait_for_timeout(200)
        before, box = box, element.bounding_box()
    return box


def test_sliders_answer_to_the_keyboard(new_page):
    page = new_page("coverage")
    before = readout(page, "Coverage")
    move(page, "Target coverage", "ArrowLeft", times=4)
    see(page, "86 % target")
    assert readout(page, "Coverage") != before


def test_what_is_chosen_automatically_is_named_anew_for_another_table(new_page):
    page = new_page("coverage")
    page.get_by_text("More controls").click()
    model = page.get_by_role("combobox", name="Model").first
    wait_until(page, lambda: model.input_value() == "Ridge regression (auto)", "the model of a number")
    page.get_by_role("combobox", name="Data").click()
    page.get_by_role("option").filter(has_text="Readmission").click()
    wait_until(page, lambda: model.input_value() == "Logistic regression (auto)", "the model of two classes")


def test_a_link_carries_settings(new_page):
    shared = new_page("coverage?epsilon=4&coverage=80&sample=Length+of+stay")
    see(shared, "Length of stay")
    see(shared, "80 % target")


def test_a_table_of_classes_from_upload_to_a_network(new_page, tmp_path):
    page = new_page()
    path = tmp_path / "wards.csv"
    path.write_bytes(ward_csv())
    page.locator('input[type="file"]').first.set_input_files(str(path))
    see(page, "wards.csv: read")
    take_into_use(page, "ward")
    see(page, "3 classes")
    page.get_by_role("link", name="Coverage").first.click()
    see(page, "How many answers must a set hold")
    see(page, "A few rows in words")
    assert page.locator(".js-plotly-plot").count() == 3
    before = readout(page, "Set size")
    move(page, "Target coverage", "ArrowRight", times=8)
    wait_until(page, lambda: readout(page, "Set size") != before, "another size")

    page.get_by_text("More controls").click()
    page.get_by_role("combobox", name="Model").click()
    page.keyboard.type("neural")
    page.keyboard.press("Enter")
    see(page, "Settings changed since")
    see(page, "Neural network is trained 20 times on 600 rows")
    page.get_by_role("button", name="Train", exact=True).click()
    wait_until(page, lambda: "Settings changed since" not in words(page), "the result of the network", limit_s=120)
    assert page.locator('[data-testid="stException"]').count() == 0
    assert page.foreign == []
    assert "ward" not in page.url
