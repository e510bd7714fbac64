"""The ledger never lets a table spend more than its budget, and tells when it was changed."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import binom

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.digest import row_hashes
from dpcp_core.errors import BudgetExceededError, InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.ledger import Ledger, Part, ReleaseCost, Reservation
from dpcp_core.privacy.ledger.composing import together

ROWS, OTHER = "ab" * 32, "cd" * 32


def cost(epsilon: float, delta: float = 0.0, *parts: Part) -> ReleaseCost:
    return ReleaseCost(PrivacyBudget(epsilon, delta), parts)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    made = Ledger(f"sqlite:///{tmp_path / 'ledger.sqlite'}")
    made.set_budget(ROWS, PrivacyBudget(1.0, 1e-5), name="patients", composition="basic")
    return made


def test_a_release_counts_from_its_reservation_on_and_a_void_one_not_at_all(ledger: Ledger) -> None:
    first = ledger.reserve(ROWS, cost(0.25), "first")
    assert ledger.account(ROWS).epsilon_left == 0.75
    ledger.void(first, "stopped before anything was drawn")
    assert ledger.account(ROWS).epsilon_left == 1.0
    second = ledger.reserve(ROWS, cost(0.5), "second")
    ledger.commit(second, "ef" * 32)
    account = ledger.account(ROWS)
    assert (account.epsilon_left, account.spendings[0].published, account.unfinished) == (0.5, "ef" * 32, ())


def test_what_was_never_finished_stays_spent_and_is_told(ledger: Ledger, tmp_path: Path) -> None:
    ledger.reserve(ROWS, cost(0.75), "a process that ended")
    again = Ledger(f"sqlite:///{tmp_path / 'ledger.sqlite'}")
    assert again.account(ROWS).epsilon_left == 0.25
    assert [spending.title for spending in again.account(ROWS).unfinished] == ["a process that ended"]
    assert again.verify().unfinished == 1


def test_tenths_add_up_to_a_whole_budget_and_not_one_more(ledger: Ledger) -> None:
    for _ in range(10):
        ledger.reserve(ROWS, cost(0.1), "a tenth")
    with pytest.raises(BudgetExceededError, match=r"would bring the table to epsilon = 1\.1"):
        ledger.reserve(ROWS, cost(0.1), "one more")


def test_delta_is_a_budget_too(ledger: Ledger) -> None:
    ledger.reserve(ROWS, cost(0.1, 9e-6), "most of delta")
    with pytest.raises(BudgetExceededError):
        ledger.reserve(ROWS, cost(0.1, 2e-6), "too much of it")


def test_tables_do_not_pay_for_each_other_and_an_unknown_one_cannot_spend(ledger: Ledger) -> None:
    ledger.set_budget(OTHER, PrivacyBudget(2.0, 1e-5))
    ledger.reserve(ROWS, cost(1.0), "all of it")
    assert ledger.account(OTHER).epsilon_left == 2.0
    with pytest.raises(BudgetExceededError, match="no budget yet"):
        ledger.reserve("00" * 32, cost(0.1), "nobody's")


@pytest.mark.parametrize("last", ["commit", "void"])
def test_a_reservation_is_finished_once(ledger: Ledger, last: str) -> None:
    held = ledger.reserve(ROWS, cost(0.1), "once")
    ledger.commit(held, "ef" * 32) if last == "commit" else ledger.void(held, "nothing drawn")
    for again in (lambda: ledger.void(held, "late"), lambda: ledger.commit(held, "ef" * 32)):
        with pytest.raises(InputError, match="finished" if last == "commit" else "given back"):
            again()
    with pytest.raises(InputError, match="not known"):
        ledger.commit(Reservation(ROWS, "made up"), "ef" * 32)
    with pytest.raises(InputError, match="not known"):
        ledger.void(Reservation(OTHER, held.release), "another table's")


def test_a_budget_can_be_raised_but_not_below_what_is_spent(ledger: Ledger) -> None:
    ledger.reserve(ROWS, cost(0.8), "most")
    with pytest.raises(InputError, match=r"has spent epsilon = 0\.8 already"):
        ledger.set_budget(ROWS, PrivacyBudget(0.5, 1e-5), composition="basic")
    ledger.set_budget(ROWS, PrivacyBudget(2.0, 1e-5), composition="basic")
    assert ledger.account(ROWS).epsilon_left == pytest.approx(1.2)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense", "address cannot be used"),
        ("quantum://here", "address cannot be used"),
        ("sqlite:////nowhere/at/all/ledger.sqlite", "cannot be used: unable to open"),
        ("postgresql+psycopg://me:secret@127.0.0.1:1/x", "cannot be used"),
    ],
)
def test_an_address_that_does_not_do_is_one_sentence_without_the_password(url: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        Ledger(url)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_ledger_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "no.sqlite"
    file.write_bytes(b"no database at all" * 100)
    with pytest.raises(InputError, match="not a database"):
        Ledger(f"sqlite:///{file}")


@pytest.mark.usefixtures("ledger")
def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    assert (tmp_path / "ledger.sqlite").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE dpcp_entries SET line = replace(line, '0.25', '0.05') WHERE number = 2", "Line 2 was changed"),
        ("DELETE FROM dpcp_entries WHERE number = 2", "Line 2 is missing"),
        ("DELETE FROM dpcp_entries WHERE number = 4", "ends with line 3, but line 4"),
        ("UPDATE dpcp_entries SET rows = '00' WHERE number = 3", "Line 3 was changed"),
        ("UPDATE dpcp_entries SET line = 'x' WHERE number = 1", "Line 1 cannot be read"),
        ("UPDATE dpcp_entries SET number = 9 WHERE number = 3", "Line 3 is missing"),
    ],
)
def test_every_change_is_found(ledger: Ledger, tmp_path: Path, change: str, said: str) -> None:
    held = ledger.reserve(ROWS, cost(0.25), "first")
    ledger.commit(held, "ef" * 32)
    ledger.reserve(ROWS, cost(0.25), "second")
    assert ledger.verify().is_whole
    with sqlite3.connect(tmp_path / "ledger.sqlite") as connection:
        connection.execute(change)
    assert said in " ".join(ledger.verify().problems)


@settings(max_examples=8, deadline=None)
@given(st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.7]), max_size=12))
def test_whatever_is_asked_for_the_sum_stays_within_the_budget(asked: list[float]) -> None:
    ledger = Ledger("sqlite://")
    ledger.set_budget(ROWS, PrivacyBudget(1.0, 1e-5), composition="basic")
    granted = 0.0
    for epsilon in asked:
        try:
            ledger.reserve(ROWS, cost(epsilon), "")
            granted += epsilon
        except BudgetExceededError:
            assert granted + epsilon > 1.0 + 1e-9
    assert granted <= 1.0 + 1e-9
    assert ledger.verify().is_whole


def test_tight_composition_has_room_for_more_gaussian_releases_than_the_sum() -> None:
    ledger = Ledger("sqlite://")
    ledger.set_budget(ROWS, PrivacyBudget(1.0, 1e-5), composition="tight")
    part = Part.gaussian(0.1)
    one = cost(part.profile.epsilon(1e-6), 1e-6, part)  # type: ignore[union-attr]
    # mu of n releases is sqrt(n) * .1, and 1.0 at 1e-5 is mu = .268: seven fit, where adding allows two.
    for _ in range(7):
        ledger.reserve(ROWS, one, "")
    with pytest.raises(BudgetExceededError):
        ledger.reserve(ROWS, one, "")
    assert int(1.0 // one.total.epsilon) == 2


def test_pure_releases_compose_as_randomised_response() -> None:
    one = cost(0.02, 0.0, Part.pure(0.02))
    spent = together((one,) * 40, PrivacyBudget(1.0, 1e-5), "tight")
    # Forty answers of randomised response: the exact joint cost is a sum over how many of them point the same way.
    lied = np.arange(41)
    loss = 0.02 * (40 - 2 * lied)
    chance = binom.pmf(lied, 40, 1 / (1 + np.exp(0.02)))
    epsilon = brentq(lambda e: float((chance * np.maximum(0, 1 - np.exp(e - loss))).sum()) - 1e-5, 0.1, 0.8)
    assert spent is not None
    # Losses are rounded up to multiples of .001.
    assert epsilon <= spent.epsilon <= epsilon + 40 * 0.001
    assert spent.epsilon < 0.6


def test_what_is_not_private_has_no_place() -> None:
    with pytest.raises(InputError, match="not private"):
        ReleaseCost(PrivacyBudget.infinite())


def test_the_same_rows_have_one_account_under_every_description() -> None:
    frame = pd.DataFrame({"age": [30, 40, 50], "y": [1.0, 2.0, 3.0]})
    data = Dataset.from_frame(frame)
    age = replace(data.schema.column("age"), bounds=(0.0, 120.0))
    other = data.with_schema(data.schema.with_column(age))
    assert data.digest != other.digest
    assert data.rows_digest == other.rows_digest


def test_a_near_copy_is_noticed_and_another_table_is_not() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=2000), "b": rng.choice(["x", "y"], 2000)})
    copy = frame.sample(frac=0.8, random_state=1)[["b", "a"]]
    apart = pd.DataFrame({"a": rng.normal(size=2000), "b": rng.choice(["x", "y"], 2000)})
    ledger = Ledger("sqlite://")
    ledger.set_budget(ROWS, PrivacyBudget(1.0, 1e-5), name="patients")
    ledger.remember(ROWS, row_hashes(frame))
    (near,) = ledger.near(OTHER, row_hashes(copy))
    assert (near.account.name, round(near.shared_share, 1)) == ("patients", 1.0)
    assert ledger.near(OTHER, row_hashes(apart)) == ()
    assert ledger.near(ROWS, row_hashes(frame)) == ()


def test_no_cell_is_kept(tmp_path: Path) -> None:
    frame = pd.DataFrame({"name": [f"Patient-{i}-Marker" for i in range(300)]})
    ledger = Ledger(f"sqlite:///{tmp_path / 'l.sqlite'}")
    ledger.remember(ROWS, row_hashes(frame))
    ledger.close()
    kept = (tmp_path / "l.sqlite").read_bytes()
    assert b"Marker" not in kept
    assert not any(str(int(value)).encode() in kept for value in row_hashes(frame)[:50])
