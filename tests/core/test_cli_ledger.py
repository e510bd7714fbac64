"""``dpcp ledger`` for people: every table with its budget, what was never finished, and every line."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from dpcp_core.cli.entry import run
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.ledger import Ledger, ReleaseCost

ROWS, OTHER = "ab" * 32, "cd" * 32
COST = ReleaseCost(PrivacyBudget(0.5, 1e-6))


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the address of a ledger that is not there yet, and make it the usual one."""
    address = f"sqlite:///{tmp_path / 'ledger.sqlite'}"
    monkeypatch.setenv("DPCP_LEDGER_URL", address)
    return address


@pytest.fixture
def used(url: str) -> str:
    """Return the address of a ledger with one release that is out and one that was never finished."""
    with Ledger(url) as ledger:
        ledger.set_budget(ROWS, PrivacyBudget(2.0, 1e-5), name="ward 7", composition="basic")
        ledger.set_budget(OTHER, PrivacyBudget(1.0))
        ledger.commit(ledger.reserve(ROWS, COST, "intervals of Age, ridge"), "ef" * 32)
        ledger.reserve(ROWS, COST, "a synthetic table")
    return url


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Run a command that must succeed; return what it printed."""
    assert run(["ledger", *words]) == 0
    return capsys.readouterr().out


def test_a_ledger_without_tables_says_how_to_begin(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys).splitlines() == [
        f"Ledger: {url}",
        "No table has a budget yet; set one with: dpcp ledger budget DATA.csv --schema SCHEMA.toml --epsilon 4",
    ]


def test_every_table_is_shown_with_what_it_may_spend_and_has_spent(
    used: str, capsys: pytest.CaptureFixture[str]
) -> None:
    first, ward, done, open_, other = said(capsys).splitlines()
    assert first == f"Ledger: {used}"
    assert ward == (
        "ward 7 (abababababab): budget epsilon = 2, delta = 1e-05, basic; spent epsilon = 1, delta = 2e-06; "
        "left: epsilon = 1"
    )
    assert done.endswith("  intervals of Age, ridge: epsilon = 0.5, delta = 1e-06")
    assert open_.endswith("  a synthetic table: epsilon = 0.5, delta = 1e-06 (never finished, counts as spent)")
    assert other == "unnamed (cdcdcdcdcdcd): budget epsilon = 1, tight; nothing spent; left: epsilon = 1"


@pytest.mark.usefixtures("used")
def test_a_whole_ledger_still_tells_what_was_never_finished(capsys: pytest.CaptureFixture[str]) -> None:
    whole, never = said(capsys, "verify").splitlines()
    assert whole.startswith("The ledger is whole: 5 lines, the last is ")
    assert never == "Never finished, and counted as spent: 1 release."


@pytest.mark.usefixtures("used")
def test_without_a_file_the_lines_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = said(capsys, "export")
    lines = list(csv.DictReader(io.StringIO(printed)))
    assert [line["kind"] for line in lines] == ["budget", "budget", "reserve", "commit", "reserve"]
    assert {line["rows"] for line in lines} == {ROWS, OTHER}
    said(capsys, "export", "--out", str(tmp_path / "lines.csv"))
    assert (tmp_path / "lines.csv").read_text() == printed
