"""A ledger that somebody wrote into, in a place of any name, with costs of any size: one sentence, and soon."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dpcp_core.data.digest import row_hashes
from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.ledger import Ledger, Part, ReleaseCost
from dpcp_core.privacy.ledger.composing import together
from dpcp_core.privacy.ledger.entry import Entry

ROWS = "ab" * 32


def forge(file: Path, number: int, change: Callable[[dict[str, object]], None]) -> None:
    """Change one line, and write all hashes anew, as somebody would who knows how the chain is made."""
    previous = "0" * 64
    with sqlite3.connect(file) as connection:
        for place, line in connection.execute("SELECT number, line FROM dpcp_entries ORDER BY number").fetchall():
            values = json.loads(line)
            if place == number:
                change(values)
            values["previous"] = previous
            text = json.dumps(values, sort_keys=True, separators=(",", ":"))
            previous = hashlib.sha256(text.encode()).hexdigest()
            connection.execute("UPDATE dpcp_entries SET line = ?, hash = ? WHERE number = ?", (text, previous, place))
        connection.execute("UPDATE dpcp_head SET hash = ?", (previous,))


def fact(name: str, value: object) -> Callable[[dict[str, object]], None]:
    return lambda line: line["facts"].update({name: value})  # type: ignore[attr-defined]


FORGED = {
    "a budget of no facts": (1, lambda line: line.update(facts={})),
    "an epsilon too long": (1, fact("epsilon", 10**400)),
    "an epsilon of NaN": (1, fact("epsilon", float("nan"))),
    "an unknown composition": (1, fact("composition", "free")),
    "rows that are a list": (2, lambda line: line.update(rows=[1])),
    "a release that is a list": (2, lambda line: line.update(release=[])),
    "a cost without parts": (2, fact("parts", None)),
    "a part too long": (2, fact("parts", [{"kind": "pure", "numbers": [10**400]}])),
    "a number that is a word": (2, lambda line: line.update(number="two")),
    "a number too long": (2, lambda line: line.update(number=10**30)),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_line_is_found_and_nothing_can_be_spent_on_it(name: str, tmp_path: Path) -> None:
    number, change = FORGED[name]
    file = tmp_path / "ledger.sqlite"
    with Ledger(f"sqlite:///{file}") as ledger:
        ledger.set_budget(ROWS, PrivacyBudget(1.0, 1e-5), composition="basic")
        ledger.reserve(ROWS, ReleaseCost(PrivacyBudget(0.25)), "first")
        forge(file, number, change)
        assert not ledger.verify().is_whole
        with pytest.raises(InputError) as caught:
            ledger.reserve(ROWS, ReleaseCost(PrivacyBudget(0.25)), "second")
        assert "\n" not in str(caught.value)


OTHER = "cd" * 32
Written = tuple[str, str, float]
BEHIND: dict[str, tuple[list[Written], str]] = {
    "spent, then raised": ([("reserve", ROWS, 5.0), ("budget", ROWS, 9.0)], "more than its budget before line 4"),
    "spent, then given back": ([("reserve", ROWS, 5.0), ("void", ROWS, 0.0)], "more than its budget before line 4"),
    "before any budget": ([("reserve", OTHER, 0.1), ("budget", OTHER, 1.0)], "Line 3 reserves .* no budget then"),
    "a budget below what is spent": ([("budget", ROWS, 0.1), ("budget", ROWS, 9.0)], "its budget when line 3 set it"),
    "a kind that nobody knows": ([("gift", ROWS, 1.0)], "^Line 3 is of an unknown kind\\.$"),
    "another table's release": ([("void", OTHER, 0.0)], "Line 3 finishes a release that is not open"),
}  # fmt: skip


@pytest.mark.parametrize("name", BEHIND)
def test_lines_written_behind_the_rules_are_found_although_the_chain_and_the_end_are_right(name: str) -> None:
    lines, said = BEHIND[name]
    ledger = Ledger("sqlite://")
    ledger.set_budget(ROWS, PrivacyBudget(1.0, 1e-5), composition="basic")
    ledger.reserve(ROWS, ReleaseCost(PrivacyBudget(0.5)), "in order")
    with ledger._store.writing() as writer:
        for kind, rows, epsilon in lines:
            budget = {"epsilon": epsilon, "delta": 0.0, "composition": "basic", "parts": []}
            facts = {} if kind == "void" else budget
            release = "" if kind == "budget" else "mine"
            writer.append(Entry.after(writer.last(), at="", kind=kind, rows=rows, release=release, facts=facts))
    assert re.search(said, " ".join(ledger.verify().problems))


def test_threads_share_a_ledger_in_memory() -> None:
    ledger, cost = Ledger("sqlite://"), ReleaseCost(PrivacyBudget(0.25))
    ledger.set_budget(ROWS, PrivacyBudget(1.0, 1e-5), composition="basic")
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: ledger.reserve(ROWS, cost, "one of four"), range(4)))
    assert ledger.account(ROWS).epsilon_left == 0.0
    assert ledger.verify().is_whole


def test_whoever_only_looks_makes_no_file_and_needs_no_right_to_write(tmp_path: Path) -> None:
    file = tmp_path / "ledger.sqlite"
    with Ledger(f"sqlite:///{file}") as ledger:
        assert (ledger.accounts(), ledger.verify().problems) == ((), ())
        assert not file.exists()
        ledger.set_budget(ROWS, PrivacyBudget(1.0, 1e-5))
    with Ledger(f"sqlite:///file:{file}?mode=ro&uri=true") as reader:
        assert reader.verify().is_whole
        assert reader.account(ROWS).epsilon_left == 1.0
        with pytest.raises(InputError, match="readonly"):
            reader.reserve(ROWS, ReleaseCost(PrivacyBudget(0.5)), "no")


@pytest.mark.parametrize("folder", ["two words", "über 100 % # one?x=1", "%20"])
def test_a_folder_may_have_any_name(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / folder))
    monkeypatch.delenv("DPCP_LEDGER_URL", raising=False)
    with Ledger() as ledger:
        ledger.set_budget(ROWS, PrivacyBudget(1.0, 1e-5))
    assert (tmp_path / folder / "dpcp" / "ledger.sqlite").stat().st_size > 0


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    monkeypatch.delenv("DPCP_LEDGER_URL", raising=False)
    with pytest.raises(InputError, match="for the ledger cannot be made"):
        Ledger()


def test_an_address_of_another_form_is_opened(tmp_path: Path) -> None:
    with Ledger(f"sqlite:///file:{tmp_path / 'ledger.sqlite'}?uri=true") as ledger:
        ledger.set_budget(ROWS, PrivacyBudget(1.0, 1e-5))
        assert ledger.verify().is_whole


LARGE = {
    "pure": (Part.pure(800.0), 800.0),
    "a wide Gaussian": (Part.gaussian(50.0), 1400.0),
    "very small batches": (Part("sampled", (1.0, 1e-6, 1000)), 0.5),
}


@pytest.mark.parametrize("name", LARGE)
def test_parts_of_any_size_are_composed_at_once_and_never_above_the_sum(name: str) -> None:
    part, epsilon = LARGE[name]
    one = ReleaseCost(PrivacyBudget(epsilon, 1e-6), (part, Part.pure(0.1)))
    start = time.process_time()
    spent = together((one, one), PrivacyBudget(1e4, 1e-5), "tight")
    assert time.process_time() - start < 6
    assert spent is not None
    assert spent.epsilon <= 2 * epsilon


def test_a_coarser_lattice_is_still_above_the_exact_cost() -> None:
    # Two pure parts beside a Gaussian one: the Gaussian alone is a lower bound, and so wide that the lattice is coarse.
    part = Part.gaussian(9.0)
    assert part.profile is not None
    one = ReleaseCost(PrivacyBudget(99.0, 1e-5), (part, Part.pure(0.01)))
    spent = together((one,), PrivacyBudget(100.0, 1e-5), "tight")
    assert spent is not None
    assert part.profile.epsilon(1e-5) <= spent.epsilon <= part.profile.epsilon(1e-5) + 0.1


def test_a_near_copy_is_noticed_although_one_cell_turned_a_column_into_floats() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.integers(0, 10**9, 500), "sex": rng.choice(["x", "y"], 500)})
    copy = frame.astype({"age": float})
    copy.loc[3, "age"] = np.nan
    ledger = Ledger("sqlite://")
    ledger.set_budget(ROWS, PrivacyBudget(1.0, 1e-5), name="patients")
    ledger.remember(ROWS, row_hashes(frame))
    (near,) = ledger.near("cd" * 32, row_hashes(copy))
    assert near.account.name == "patients"
    assert row_hashes(frame.astype({"age": "Int64"})).tolist() == row_hashes(frame).tolist()
