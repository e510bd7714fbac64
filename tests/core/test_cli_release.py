"""Releasing, predicting and the ledger on the command line: spend once, refuse the rest, one sentence each."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from dpcp_core.cli.entry import run
from dpcp_core.data.samples import load_sample
from dpcp_core.release import open_bundle


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


def releases(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    """Return what the ledger holds of the one table."""
    capsys.readouterr()
    assert dpcp("ledger", "--json") == 0
    found: list[dict[str, object]] = json.loads(capsys.readouterr().out)[0]["releases"]
    return found


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
    "no bundle's name": (("--out", "bp.csv"), "must end in .zip"),
    "a folder that is not there": (("--out", "nowhere/bp.zip"), "cannot be written: choose another place"),
    "more than the budget": (("--epsilon", 4), "above its budget"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_released_spends_nothing(name: str, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dpcp("ledger", "budget", table, "--epsilon", 3)
    words, said = REFUSED[name]
    assert released(table, *words) == 2
    heard = capsys.readouterr().err.strip()
    assert said in heard
    assert releases(capsys) == []


def test_a_file_that_is_there_is_never_written_over(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dpcp("ledger", "budget", table, "--epsilon", 3)
    table.with_suffix(".zip").write_bytes(b"theirs")
    assert released(table) == 2
    assert "is there already; a release is never overwritten: choose another name." in capsys.readouterr().err
    assert table.with_suffix(".zip").read_bytes() == b"theirs"
    assert releases(capsys) == []


def test_rows_without_the_target_can_be_left_out_and_the_bundle_says_so_but_not_how_many(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = pd.read_csv(table)
    frame.loc[:2, "systolic"] = None
    frame.to_csv(table, index=False)
    left_out = ("--leave-out-empty", "systolic")
    assert dpcp("ledger", "budget", table, "--epsilon", 3, *left_out) == 0
    assert released(table) == 2
    assert "leave those rows out" in capsys.readouterr().err
    assert released(table, *left_out) == 0
    assert "3 of 500 rows are empty in `systolic` and were left out" in capsys.readouterr().err
    with zipfile.ZipFile(table.with_suffix(".zip")) as bundle:
        texts = {name: bundle.read(name) for name in bundle.namelist() if not name.endswith(".npy")}
    assert b"497 rows" in texts["README.md"]
    assert not any(b"500" in text for name, text in texts.items() if name.endswith(("md", "txt", "receipt.json")))
    for name in ("README.md", "receipt.txt", "receipt.json"):
        assert "Rows in which 'systolic' is empty were left out beforehand" in " ".join(texts[name].decode().split())


def test_another_column_than_the_schemas_target_may_be_predicted(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dpcp("ledger", "budget", table, "--epsilon", 3)
    assert released(table, "--target", "age") == 0
    usual, target = load_sample("blood_pressure").schema.target, open_bundle(table.with_suffix(".zip")).schema.target
    assert usual is not None
    assert target is not None
    assert (target.name, usual.name) == ("age", "systolic")
    assert "Released: intervals of Age, ridge." in capsys.readouterr().out


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


class Terminal(io.StringIO):
    """Somebody who types."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("typed", "code"), [(" release \n", 0), ("yes\n", 2), ("\n", 2)])
def test_a_release_is_confirmed_by_typing_the_word(
    typed: str, code: int, table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dpcp("ledger", "budget", table, "--epsilon", 3)
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    words = ("release", table, "--schema", table.with_suffix(".toml"), "--out", table.with_suffix(".zip"))
    assert dpcp(*words, "--epsilon", 2) == code
    heard = capsys.readouterr().err
    assert "then epsilon = 2, delta = 1e-05 of epsilon = 3" in heard
    assert "It cannot be undone." in heard
    assert ("Not released; nothing was spent." in heard) == (code == 2)
    assert table.with_suffix(".zip").exists() == (code == 0)
    assert len(releases(capsys)) == (code == 0)


def test_whoever_leaves_at_the_question_has_released_nothing(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dpcp("ledger", "budget", table, "--epsilon", 3)
    monkeypatch.setattr("sys.stdin", Terminal(""))
    words = ("release", table, "--schema", table.with_suffix(".toml"), "--out", table.with_suffix(".zip"))
    assert dpcp(*words) == 130
    assert capsys.readouterr().err.endswith("Stopped.\n")
    assert releases(capsys) == []


def test_what_is_paid_for_is_kept_although_the_ledger_cannot_note_it(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dpcp("ledger", "budget", table, "--epsilon", 3)
    with sqlite3.connect(table.with_name("ledger.sqlite")) as connection:
        connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON dpcp_entries WHEN NEW.number = 3 "
            "BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
    assert released(table) == 0
    assert "is out, and counts it as never finished" in capsys.readouterr().err
    assert open_bundle(table.with_suffix(".zip")).receipt.total.epsilon == 2.0
    (release,) = releases(capsys)
    assert release["is_finished"] is False


def test_a_release_says_which_other_table_holds_the_same_people(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dpcp("ledger", "budget", table, "--epsilon", 3, "--name", "ward 7")
    copy = table.with_name("copy.csv")
    pd.read_csv(table).iloc[:-1].to_csv(copy, index=False)
    copy.with_suffix(".toml").write_text(table.with_suffix(".toml").read_text())
    dpcp("ledger", "budget", copy, "--epsilon", 3)
    capsys.readouterr()
    assert released(copy) == 0
    assert "About 100 % of the rows are in 'ward 7' too, which has a budget of its own" in capsys.readouterr().err


def test_a_changed_bundle_and_a_changed_ledger_are_told(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
