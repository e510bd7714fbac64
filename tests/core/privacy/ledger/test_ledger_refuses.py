"""What a ledger does not take, where it lies, and what it finds at its borders."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.ledger import Ledger, Part, ReleaseCost
from dpcp_core.privacy.ledger.entry import START, Entry
from dpcp_core.privacy.ledger.location import ledger_url
from dpcp_core.privacy.profile import GaussianProfile, NoPrivacyProfile, SubsampledGaussianProfile

ROWS, OTHER = "ab" * 32, "cd" * 32


@pytest.fixture
def ledger() -> Ledger:
    made = Ledger("sqlite://")
    made.set_budget(ROWS, PrivacyBudget(1.0, 1e-5), composition="basic")
    return made


def test_a_budget_without_a_limit_is_refused_and_the_old_one_stays(ledger: Ledger) -> None:
    with pytest.raises(InputError, match=r"^A budget without a limit is none; choose an epsilon\.$"):
        ledger.set_budget(ROWS, PrivacyBudget.infinite())
    assert ledger.account(ROWS).epsilon_left == 1.0


@pytest.mark.parametrize("rows", ["ward 7", "AB" * 32, "ab" * 31, "ab" * 32 + "\n"])
def test_a_table_is_named_by_its_digest_alone(ledger: Ledger, rows: str) -> None:
    for ask in (
        lambda: ledger.set_budget(rows, PrivacyBudget(1.0)),
        lambda: ledger.reserve(rows, ReleaseCost(PrivacyBudget(0.1)), ""),
        lambda: ledger.remember(rows, np.arange(3, dtype=np.uint64)),
    ):
        with pytest.raises(InputError, match=r"^A table is named by the digest of its rows, 64 hexadecimal digits"):
            ask()
    assert [account.rows for account in ledger.accounts()] == [ROWS]


def test_a_table_without_a_budget_has_nothing_left(ledger: Ledger) -> None:
    assert ledger.account(OTHER).budget is None
    assert ledger.account(OTHER).epsilon_left == 0.0


def test_a_table_without_rows_is_near_to_none(ledger: Ledger) -> None:
    nothing = np.array([], dtype=np.uint64)
    ledger.remember(OTHER, nothing)
    assert ledger.near(ROWS, nothing) == ()


def test_a_line_that_follows_another_than_the_one_before_it_is_found(ledger: Ledger) -> None:
    ledger.reserve(ROWS, ReleaseCost(PrivacyBudget(0.25)), "first")
    with ledger._store.writing() as writer:
        facts = {"epsilon": 2.0, "delta": 0.0, "composition": "basic"}
        new = Entry.after(writer.last(), at="", kind="budget", rows=ROWS, facts=facts)
        writer.append(replace(new, previous=START))
    assert ledger.verify().problems == ("Line 3 does not follow the line before it.",)


def test_a_part_needs_the_numbers_of_its_kind() -> None:
    with pytest.raises(
        InputError, match=r"^A part of kind sampled needs noise_multiplier, sampling_rate, steps, not 1 "
    ):
        Part("sampled", (1.0,))
    with pytest.raises(InputError, match=r"^A part of kind pure needs epsilon, not 2 numbers\.$"):
        Part("pure", (1.0, 1e-5))


def test_a_profile_that_cannot_be_kept_is_known_by_its_cost_alone() -> None:
    whole = PrivacyBudget(1.0, 1e-5)
    for profile in (GaussianProfile(0.2), SubsampledGaussianProfile(2.0, 0.1, 30)):
        assert Part.of_profile(profile, whole).profile == profile
    assert Part.of_profile(NoPrivacyProfile(), whole) == Part.point(whole)


@pytest.mark.parametrize(
    ("system", "folder"),
    [
        ("linux", ".local/share"),
        ("darwin", "Library/Application Support"),
        ("win32", "AppData/Local"),
    ],
)
def test_each_system_keeps_the_ledger_where_its_users_data_lie(
    system: str, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DPCP_LEDGER_URL", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", system)
    assert ledger_url() == f"sqlite:///{tmp_path}/{folder}/dpcp/ledger.sqlite"
    assert (tmp_path / folder / "dpcp").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(("system", "variable"), [("linux", "XDG_DATA_HOME"), ("win32", "LOCALAPPDATA")])
def test_a_folder_that_a_user_named_for_data_is_heeded(
    system: str, variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DPCP_LEDGER_URL", raising=False)
    monkeypatch.setenv(variable, str(tmp_path / "named"))
    monkeypatch.setattr("sys.platform", system)
    assert ledger_url() == f"sqlite:///{tmp_path}/named/dpcp/ledger.sqlite"
