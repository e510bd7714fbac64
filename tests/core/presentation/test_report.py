from __future__ import annotations

import csv
import dataclasses
import io
import json
import re
from collections.abc import Callable

import pytest

from dpcp_core.data.samples import load_sample
from dpcp_core.experiments.result import SimulationResult
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.presentation.report import downloads, file_stem, to_csv, to_html, to_json
from dpcp_core.presentation.wording.plain import plain_words
from dpcp_core.privacy.receipt import PrivacyReceipt

ResultOf = Callable[[str], SimulationResult]


def body(page: str) -> str:
    """Return the page without its scripts."""
    return re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)


def test_the_csv_has_one_line_for_each_repetition(result_of: ResultOf) -> None:
    result = result_of("default")
    lines = list(csv.DictReader(io.StringIO(to_csv(result))))
    assert [float(line["coverage"]) for line in lines] == list(result.coverage)
    assert [float(line["threshold"]) for line in lines] == list(result.thresholds)


def test_the_json_is_strict_and_gives_back_settings_and_receipt(any_result: SimulationResult) -> None:
    values = json.loads(to_json(any_result), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert ConformalSettings.from_dict(values["settings"]) == any_result.settings
    assert PrivacyReceipt.from_dict(values["summary"]["receipt"]) == any_result.receipt
    assert values["summary"]["coverage_mean"] == any_result.coverage_mean
    assert "not a private release" in values["note"]


def test_the_page_asks_nothing_of_any_network(result_of: ResultOf) -> None:
    page = to_html(result_of("default"), load_sample("blood_pressure"))
    assert not re.search(r"<(script|link|img|iframe)[^>]+(src|href)\s*=\s*[\"']?(https?:)?//", page)
    assert "@import" not in body(page)
    assert page.count("Plotly.newPlot") >= 3


def test_the_page_holds_words_pictures_tables_receipt_and_code(result_of: ResultOf) -> None:
    result = result_of("default")
    page = body(to_html(result, load_sample("blood_pressure")))
    assert plain_words(result) in page
    # Rows, mechanism, repetitions; groups and the course of training, as this table has groups and its model steps.
    assert page.count('role="img"') == 5
    assert page.count("<details>") == 5
    assert "PRIVACY RECEIPT" in page
    assert "simulate(data, settings)" in page
    assert "Simulation: not a private release" in page


def test_names_in_the_table_cannot_run_in_the_page(result_of: ResultOf) -> None:
    result = result_of("default")
    hostile = dataclasses.replace(result.target, label="<img src=x onerror=alert(1)>", unit="<b>")
    page = body(to_html(dataclasses.replace(result, target=hostile, one_row_is="one <i>patient</i>")))
    assert "<img" not in page
    assert "<b>mmHg" not in page
    assert "<i>" not in page


def test_a_page_of_classes_holds_sets_and_examples(result_of: ResultOf) -> None:
    result = result_of("tumours")
    page = body(to_html(result, load_sample("breast_cancer")))
    assert "Diagnosis: sets at" in page
    assert page.count('role="img"') == 5
    assert "True class" in page
    assert "interval" not in page.split("What the doctor says")[0].lower()


def test_the_csv_of_classes_has_set_sizes(result_of: ResultOf) -> None:
    result = result_of("tumours")
    assert result.sets is not None
    lines = list(csv.DictReader(io.StringIO(to_csv(result))))
    assert [float(line["set_size"]) for line in lines] == list(result.size)
    assert [float(line["singleton_share"]) for line in lines] == list(result.sets.singleton_share)
    assert "width" not in lines[0]


@pytest.mark.parametrize("case", ["nothing", "naive", "once", "every_class", "class_groups"])
def test_unusual_results_have_a_page_too(result_of: ResultOf, case: str) -> None:
    assert "nan" not in re.findall(r"\w+", body(to_html(result_of(case))))


def test_no_file_is_made_before_it_is_asked_for(result_of: ResultOf, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    monkeypatch.setattr("dpcp_core.presentation.report.to_html", lambda *_: made.append("html") or "page")
    files = downloads(result_of("default"))
    assert made == []
    assert files[0].make() == "page"
    assert made == ["html"]


def test_file_names_are_safe_on_every_system(result_of: ResultOf) -> None:
    odd = dataclasses.replace(result_of("default"), dataset_name='../a:b*"c"\u00fc')
    assert re.fullmatch(r"[A-Za-z0-9_.-]+", file_stem(odd))
    assert "/" not in file_stem(odd)
    names = [file.file_name for file in downloads(result_of("default"))]
    assert names == [f"blood_pressure-dpcp-epsilon-1.{kind}" for kind in ("html", "csv", "json")]
