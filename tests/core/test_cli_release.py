"""Releasing, predicting and the ledger on the command line: spend once, refuse the rest, one sentence each."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from dpcp_core.cli.entry import run
from dpcp_core.data.samples import load_sample


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a small table with its schema beside it, and use a ledger of its own."""
    monkeypatch.setenv("DPCP_LEDGER_URL", f"sqlite:///{tmp_path / 'ledger.sqlite'}")
    sample = load_sample("blood_pressure")
    sample.frame.head(500).to_csv(tmp_path / "bp.csv", index=False)
    (tmp_path / "bp.toml").write_text(sample.schema.to_toml())
    return tmp_path / "bp.csv"


def dpcp(*words: object) -> int:
    return run([str(word) for word in words])


def released(table: Path, *more: object) -> int:
    schema = ("--schema", table.with_suffix(".toml"))
    return dpcp("release", table, *schema, "--out", table.with_suffix(".zip"), "--epsilon", 2, "--yes", *more)


def test_from_a_budget_to_intervals_of_new_rows(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dpcp("ledger", "budget", table, "--epsilon", 3, "--name", "ward 7") == 0
    assert released(table) == 0
    out = table.with_name("intervals.csv")
    assert dpcp("predict", table.with_suffix(".zip"), table, "--out", out) == 0
    found = pd.read_csv(out)
    assert len(found) == 500
    assert (found["lower"] <= found["prediction"]).all()
    capsys.readouterr()
    assert dpcp("ledger", "--json") == 0
    (account,) = json.loads(capsys.readouterr().out)
    assert (account["name"], account["budget"]["epsilon"], len(account["releases"])) == ("ward 7", 3.0, 1)
    assert dpcp("ledger", "verify") == 0
    assert "The ledger is whole: 3 lines" in capsys.readouterr().out
    assert dpcp("ledger", "export", "--out", table.with_name("ledger.csv")) == 0
    assert pd.read_csv(table.with_name("ledger.csv"))["kind"].tolist() == ["budget", "reserve", "commit"]


def test_a_synthetic_table_is_paid_from_the_same_budget(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dpcp("ledger", "budget", table, "--epsilon", 3)
    made = table.with_name("synthetic.zip")
    words = ("release-table", table, "--schema", table.with_suffix(".toml"), "--out", made, "--task-model", "ridge")
    assert dpcp(*words, "--epsilon", 2.5, "--yes") == 0
    assert released(table) == 2
    assert "above its budget of epsilon = 3" in capsys.readouterr().err
    assert not table.with_suffix(".zip").exists()


REFUSED: dict[str, tuple[tuple[object, ...], str]] = {
    "not a budget": (("--epsilon", "much"), "epsilon is 'much'"),
    "a file that is there": (("--out", "bp.csv"), "must end in .zip"),
    "more than the budget": (("--epsilon", 4), "above its budget"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_released_spends_nothing(name: str, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dpcp("ledger", "budget", table, "--epsilon", 3)
    words, said = REFUSED[name]
    assert released(table, *words) == 2
    heard = capsys.readouterr().err.strip()
    assert said in heard
    assert dpcp("ledger", "--json") == 0
    assert json.loads(capsys.readouterr().out)[0]["releases"] == []


def test_a_release_without_a_schema_file_or_a_budget_is_refused(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dpcp("release", table, "--out", table.with_suffix(".zip"), "--yes") == 2
    assert "Missing option '--schema'" in capsys.readouterr().err
    assert released(table) == 2
    assert "no budget yet" in capsys.readouterr().err


def test_nobody_to_confirm_is_no_confirmation(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dpcp("ledger", "budget", table, "--epsilon", 3)
    words = ("release", table, "--schema", table.with_suffix(".toml"), "--out", table.with_suffix(".zip"))
    assert dpcp(*words) == 2
    assert "Nobody is here to confirm it; add --yes" in capsys.readouterr().err


def test_a_changed_bundle_and_a_changed_ledger_are_told(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import sqlite3

    dpcp("ledger", "budget", table, "--epsilon", 3)
    released(table)
    bundle = table.with_suffix(".zip")
    bundle.write_bytes(bundle.read_bytes()[:-100])
    assert dpcp("predict", bundle, table, "--out", table.with_name("out.csv")) == 2
    assert "not a whole bundle" in capsys.readouterr().err
    with sqlite3.connect(table.with_name("ledger.sqlite")) as connection:
        connection.execute("DELETE FROM dpcp_entries WHERE number = 2")
    assert dpcp("ledger", "verify") == 1
    assert "Line 2 is missing" in capsys.readouterr().out


def test_a_near_copy_of_a_known_table_is_told(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dpcp("ledger", "budget", table, "--epsilon", 3, "--name", "ward 7")
    copy = table.with_name("copy.csv")
    pd.read_csv(table).iloc[:-1].to_csv(copy, index=False)
    capsys.readouterr()
    assert dpcp("ledger", "budget", copy, "--epsilon", 3) == 0
    assert "100 % of its rows are in ward 7" in capsys.readouterr().out
