"""Runs of rivals in a process of their own: tables that fit the schema, time-outs and failures as results."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pytest

from dpcp_core.data.schema import Column, Schema
from dpcp_core.errors import InputError
from dpcp_core.synthesis.rivals import RIVALS, run_rival
from dpcp_core.synthesis.rivals import run as running
from dpcp_core.synthesis.rivals.child import _said
from dpcp_core.synthesis.rivals.counted import Uniform

SCHEMA = Schema(
    (
        Column("age", "integer", bounds=(0, 99), typical=(30, 60), missing="refuse"),
        Column("ward", "category", categories=("a", "b", "c")),
        Column("ill", "category", categories=("no", "yes"), role="target"),
        Column("id", "integer", role="ignore"),
    )
)
NEEDS_LIBRARY = pytest.mark.skipif(importlib.util.find_spec("opendp") is None, reason="the extra 'rivals' is missing")


def patients(n: int = 3000) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    age = rng.integers(20, 80, n)
    ward = pd.Series(rng.choice(["a", "b"], n)).where(rng.random(n) > 0.1, None)
    return pd.DataFrame({"age": age, "ward": ward, "ill": np.where(age > 60, "yes", "no"), "id": np.arange(n)})


@pytest.mark.parametrize("name", [name for name, rival in RIVALS.items() if not rival.needs])
def test_a_rival_makes_a_table_of_the_schema(name: str) -> None:
    run = run_rival(name, patients(), SCHEMA, n=500)
    assert run.problem == ""
    assert run.seconds > 0
    assert run.table is not None
    SCHEMA.with_role("id", "ignore").replace(columns=SCHEMA.columns[:3]).check(run.table)
    assert list(run.table.columns) == ["age", "ward", "ill"]
    assert len(run.table) == 500
    assert run.table["age"].between(0, 99).all()
    assert set(run.table["ill"]) == {"no", "yes"}


@pytest.mark.parametrize("name", ["independent", "naive_bayes"])
def test_a_seed_repeats_a_rival_that_says_so(name: str) -> None:
    assert RIVALS[name].is_repeatable
    tables = [run_rival(name, patients(), SCHEMA, n=50, seed=seed).table for seed in (1, 1, 2)]
    assert tables[0].equals(tables[1])
    assert not tables[0].equals(tables[2])


def test_a_run_that_takes_too_long_is_a_result() -> None:
    run = run_rival("uniform", patients(), SCHEMA, timeout=0.01)
    assert run.is_timeout
    assert run.table is None
    assert run.problem == "uniform was stopped after 0.01 seconds without an answer."
    assert 0.01 <= run.seconds < 10


def test_a_run_can_be_stopped_by_hand_and_leaves_no_process() -> None:
    before = psutil.Process().children()
    begun, asked = time.perf_counter(), []
    run = run_rival("uniform", patients(), SCHEMA, should_stop=lambda: bool(asked.append(0)) or len(asked) >= 2)
    assert (run.is_stopped, run.is_timeout, run.table) == (True, False, None)
    assert run.problem == "uniform was stopped by hand."
    assert time.perf_counter() - begun < 5
    assert psutil.Process().children() == before


@dataclass(frozen=True)
class NeedsMore(Uniform):
    name: str = "needs_more"
    title: str = "Needs more"
    needs: tuple[str, ...] = ("json", "no_such_library")


@dataclass(frozen=True)
class Unknown(Uniform):
    """Known here, but not to the process that it is run in."""

    name: str = "unknown"
    title: str = "Unknown"


def test_a_missing_library_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RIVALS, "needs_more", NeedsMore())
    run = run_rival("needs_more", patients(), SCHEMA)
    assert run.table is None
    assert run.problem == 'Needs more needs no_such_library: pip install "dpcp-core[rivals]".'


def test_an_error_in_the_process_is_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RIVALS, "unknown", Unknown())
    run = run_rival("unknown", patients(), SCHEMA)
    assert run.table is None
    assert not run.is_timeout
    assert run.problem == "Unknown failed (KeyError: 'unknown')."


def test_a_process_that_dies_without_a_word_is_a_result(tmp_path: Path) -> None:
    run, codes = running._answer(RIVALS["uniform"], tmp_path, -9, 1.5)
    assert codes is None
    assert run.problem == "uniform ended without an answer (it may have run out of memory)."


def test_of_a_trace_passed_on_as_text_the_error_is_told() -> None:
    trace = 'FFI("Continued stack trace:\n  Traceback (most recent call last)\n  ValueError: too large.\nrest'
    assert _said(RuntimeError(trace)) == "ValueError: too large"
    assert _said(RuntimeError("plain words")) == "RuntimeError: plain words"
    assert _said(MemoryError()) == "MemoryError"


@pytest.mark.skipif(sys.platform == "win32", reason="process numbers of parents do not change on Windows")
def test_a_rival_ends_when_nobody_waits_for_it_any_more() -> None:
    waiting = "import sys; from dpcp_core.synthesis.rivals.child import _end_with_parent as end; end(int(sys.argv[1]))"
    # A process whose parent is another than it is told ends at once; told of its own parent, it would wait here.
    ended = subprocess.run([sys.executable, "-c", waiting, "1"], check=False, timeout=120)
    assert ended.returncode == 1
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run([sys.executable, "-c", waiting, str(os.getpid())], check=False, timeout=5)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "gan"}, "rival is 'gan' but must be one of"),
        ({"epsilon": -1.0}, "epsilon is -1.0 but must be a number above 0"),
        ({"epsilon": float("inf")}, "epsilon is infinite"),
        ({"n": 0}, "n is 0 but must be a whole number of at least 1"),
        ({"timeout": 0}, "timeout is 0 but must be a number above 0"),
        ({"frame": patients().drop(columns="ward")}, "The table has no column 'ward'"),
        ({"frame": patients().assign(ill=None)}, "Column 'ill' has empty cells"),
        ({"frame": patients().head(0)}, "The table has no rows"),
    ],
)
def test_what_cannot_be_run_is_one_sentence(change: dict, said: str) -> None:
    given = {"name": "uniform", "frame": patients(), "schema": SCHEMA, **change}
    with pytest.raises(InputError, match=said):
        run_rival(**given)


@NEEDS_LIBRARY
@pytest.mark.slow
@pytest.mark.parametrize("name", ["mst", "aim"])
def test_graphical_rivals_keep_what_the_target_depends_on(name: str) -> None:
    started = time.perf_counter()
    frame = patients()[["ward", "ill"]].assign(ward=lambda f: np.where(f["ill"] == "yes", "b", "a"))
    schema = SCHEMA.with_role("age", "ignore")
    run = run_rival(name, frame.assign(age=1, id=1), schema, n=400, timeout=900)
    assert run.problem == ""
    assert run.seconds <= time.perf_counter() - started
    agreeing = (run.table["ward"] == "b") == (run.table["ill"] == "yes")
    assert agreeing.mean() > 0.9
    # The library's own cell for empty ones is not a label.
    assert set(run.table["ill"]) <= {"no", "yes"}
