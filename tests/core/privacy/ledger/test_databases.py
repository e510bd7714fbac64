"""Writers wait for whoever holds the file, whatever the reason, and are told at once of anything else."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.ledger import Ledger, databases

ROWS = "ab" * 32
Refusing = Callable[[int, int], Callable[[], int]]


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> Refusing:
    """Let a database refuse its first locks with a code of SQLite; return how often it was asked."""

    def use(code: int, times: int) -> Callable[[], int]:
        asked = 0

        class Refuses(sqlite3.Connection):
            def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
                nonlocal asked
                asked += sql == "BEGIN IMMEDIATE"
                if sql == "BEGIN IMMEDIATE" and asked <= times:
                    problem = sqlite3.OperationalError("refused")
                    problem.sqlite_errorcode = code
                    raise problem
                return super().execute(sql, *given)

        monkeypatch.setattr(databases, "_PATIENT", {"timeout": 5, "factory": Refuses})
        return lambda: asked

    return use


@pytest.mark.parametrize("code", [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_RECOVERY, sqlite3.SQLITE_BUSY_TIMEOUT])
def test_a_file_that_is_locked_or_mended_after_a_crash_is_waited_for(
    code: int, refusing: Refusing, tmp_path: Path
) -> None:
    n_asked = refusing(code, 2)
    with Ledger(f"sqlite:///{tmp_path / 'ledger.sqlite'}") as ledger:
        ledger.set_budget(ROWS, PrivacyBudget(1.0))
        assert ledger.account(ROWS).epsilon_left == 1.0
    assert n_asked() == 3


def test_what_no_waiting_mends_is_told_at_once(refusing: Refusing, tmp_path: Path) -> None:
    n_asked = refusing(sqlite3.SQLITE_READONLY, 2)
    with Ledger(f"sqlite:///{tmp_path / 'ledger.sqlite'}") as ledger, pytest.raises(InputError, match="refused"):
        ledger.set_budget(ROWS, PrivacyBudget(1.0))
    assert n_asked() == 1
