"""Many processes on one ledger, and processes that are killed: never overspent, never unrecorded, never corrupt."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.ledger import Ledger
from tests.core.privacy.ledger import postgres

ROWS = "ab" * 32
SPENDER = Path(__file__).parent / "spender.py"
LONG = os.environ.get("DPCP_VALIDITY") == "long"
PROCESSES, ROUNDS = (16, 200) if LONG else (2, 30)
KILLS = 50 if LONG else 1
CHECKS = 20

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path_factory.mktemp('ledger') / 'ledger.sqlite'}"
        return
    with postgres.server() as address:
        yield address


@pytest.fixture
def ledger(url: str) -> Iterator[Ledger]:
    with Ledger(url) as opened:
        yield opened


def start(url: str, rows: str, rounds: int, epsilon: float, out: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, SPENDER, url, rows, str(rounds), str(epsilon), out]
    return subprocess.Popen(command, stderr=subprocess.PIPE)


def test_processes_at_once_never_overspend_and_lose_nothing(url: str, ledger: Ledger, tmp_path: Path) -> None:
    budget, epsilon = 10.0 if LONG else 2.0, 0.05
    ledger.set_budget(ROWS, PrivacyBudget(budget), composition="basic")
    files = [tmp_path / f"{i}.txt" for i in range(PROCESSES)]
    running = [start(url, ROWS, ROUNDS, epsilon, file) for file in files]
    for process in running:
        _, said = process.communicate(timeout=1200)
        assert process.returncode == 0, said.decode()
    account = ledger.account(ROWS)
    published = [line for file in files for line in file.read_text().split()]
    assert account.spent is not None
    assert account.spent.epsilon <= budget * (1 + 1e-9)
    # Asked for far more than there is: at most what each of them gave back at the very end is left.
    assert account.spent.epsilon > budget - (PROCESSES + 1) * epsilon
    assert sorted(spending.release for spending in account.spendings) == sorted(published)
    assert account.unfinished == ()
    assert ledger.verify().problems == ()


def test_a_killed_process_leaves_a_whole_ledger_and_no_unrecorded_release(
    url: str, ledger: Ledger, tmp_path: Path
) -> None:
    rows, chance = "cd" * 32, np.random.default_rng(0)
    ledger.set_budget(rows, PrivacyBudget(1e6), composition="basic")
    for i in range(KILLS):
        file = tmp_path / f"{i}.txt"
        process = start(url, rows, 10_000, 0.05, file)
        _wait_for_a_line(file, process)
        time.sleep(chance.uniform(0, 0.2))
        process.kill()
        process.communicate()
        kept = {spending.release for spending in ledger.account(rows).spendings}
        # The last line may be cut off: it was being written.
        assert set(file.read_text().split("\n")[:-1]) <= kept
        assert ledger.verify().problems == ()


def test_whoever_checks_while_others_write_sees_one_moment(url: str, ledger: Ledger, tmp_path: Path) -> None:
    rows, file = "ef" * 32, tmp_path / "published.txt"
    ledger.set_budget(rows, PrivacyBudget(1e6), composition="basic")
    process = start(url, rows, 10_000, 0.05, file)
    try:
        _wait_for_a_line(file, process)
        assert [ledger.verify().problems for _ in range(CHECKS)] == [()] * CHECKS
    finally:
        process.kill()
        process.communicate()


def _wait_for_a_line(file: Path, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end and process.poll() is None:
        if file.exists() and file.stat().st_size:
            return
        time.sleep(0.02)
    raise AssertionError("the process published nothing")
