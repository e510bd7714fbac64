from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.mark.slow
def test_visitors_at_the_same_time_see_their_own_table_and_nobody_elses(tmp_path: Path) -> None:
    report = tmp_path / "load.json"
    command = [sys.executable, str(BENCHMARKS / "load.py"), "--visitors", "3", "--seconds", "10", "--hurry", "4"]
    done = subprocess.run(
        [*command, "--leave", "0", "--json", str(report)], capture_output=True, text=True, timeout=180
    )
    assert report.exists(), done.stderr
    found = json.loads(report.read_text("utf-8"))
    # How long an answer takes depends on what else the computer does; that is for the benchmark.
    assert found["errors"] == {}
    assert found["markers"]["foreign"] == found["markers"]["without_own"] == 0
    assert found["markers"]["answers"] > 3 * 4
    assert any(row["action"].startswith("slider") for row in found["rows"])
