"""What a comparison is taken away as: complete, strict, and nothing that asks a network."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

from dpcp_core import ConformalSettings, load_sample
from dpcp_core.experiments.sweep.engine import sweep
from dpcp_core.presentation.sweep_report import comparison_downloads, comparison_snippet, comparison_stem
from tests.core.experiments.sweeps import comparison_of

LINES = {"split": [(0.9, 30.0)] * 2, "dpcp": [(1.0, 160.0), (0.92, 40.0)], "pscp": [(0.99, 120.0), "no <room>"]}


@pytest.fixture(scope="module")
def files():
    made = comparison_downloads(comparison_of(LINES, (0.5, 2.0)), 2.0)
    return {file.file_name.rsplit("-", 1)[-1]: file.make() for file in made}


def test_the_page_holds_everything_and_asks_nothing_of_any_network(files):
    page = files["methods.html"]
    assert page.startswith("<!DOCTYPE html>")
    for part in ("which method wins where", "Who leads at each", "The methods", "not told apart", "Simulation"):
        assert part in page
    assert page.count('role="img"') == 4
    assert "no &lt;room&gt;" in page
    # Inside plotly's own script stand addresses that nothing loads.
    assert re.findall(r'<(?:script|link|img|iframe)[^>]* (?:src|href)="(?!data:)', page) == []


def test_the_summary_has_a_line_per_cell_and_the_other_file_one_per_repetition(files):
    rows = list(csv.DictReader(io.StringIO(files["methods.csv"])))
    assert len(rows) == 6
    assert [row["problem"] for row in rows if row["problem"]] == ["no <room>"]
    assert len(list(csv.DictReader(io.StringIO(files["repetitions.csv"])))) == 5 * 20


def test_the_json_is_strict_and_holds_repetitions_leaders_and_differences(files):
    def refuse(name):
        raise AssertionError(f"{name} is no JSON")

    values = json.loads(files["methods.json"], parse_constant=refuse)
    assert values["complete"] is True
    assert len(values["cells"]) == 6
    assert len(values["cells"][1]["size"]) == 20
    assert [standing["front"] for standing in values["standings"]] == [["pscp"], ["dpcp"]]
    pair = next(
        d for d in values["paired_differences"] if (d["method"], d["other"], d["epsilon"]) == ("dpcp", "pscp", 0.5)
    )
    assert pair["low"] < 40 <= pair["size_difference"] + 1e-6 < pair["high"] + 1
    assert any("Up to" in sentence or "At ε" in sentence for sentence in values["in_words"])


def test_a_file_name_is_safe_on_every_system():
    assert comparison_stem(comparison_of({"dpcp": [(0.9, 1.0)]}, (1.0,))) == "ward-methods"


def test_the_code_repeats_the_comparison():
    data, settings = load_sample("diabetes"), ConformalSettings(repetitions=5)
    result = sweep(data, settings, methods=["split", "dpcp"], epsilons=[2.0, 4.0])
    code = comparison_snippet(result, data).replace("from dpcp_core import ConformalSettings, load_sample, sweep", "")
    room: dict = {"ConformalSettings": ConformalSettings, "load_sample": load_sample, "sweep": sweep}
    exec(code.replace("print(", "("), room)
    assert [list(cell.size) for cell in room["result"].cells] == [list(cell.size) for cell in result.cells]
