"""Run a rival in a process of its own, which can be stopped: a time-out or a failure is a result."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

import dpcp_core
from dpcp_core import _validate as check
from dpcp_core._words import names_text, number_text
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.synthesis.domain import Domain, as_table
from dpcp_core.synthesis.rivals.protocol import CodedRows, Rival, RivalRun
from dpcp_core.synthesis.rivals.registry import RIVALS

BINS = 32
_LOOKS_EVERY_S = 0.25
MOST_SECONDS = 600.0


@dataclass(frozen=True)
class _Limits:
    """When a run ends at the latest."""

    timeout: float
    should_stop: Callable[[], bool] | None


def run_rival(
    name: str,
    frame: pd.DataFrame,
    schema: Schema,
    *,
    epsilon: float = 1.0,
    delta: float = 1e-5,
    n: int | None = None,
    seed: int = 0,
    timeout: float = MOST_SECONDS,
    bins: int = BINS,
    should_stop: Callable[[], bool] | None = None,
) -> RivalRun:
    """Make a synthetic table by a rival method.

    Parameters
    ----------
    name : str
        In ``RIVALS``.
    frame : DataFrame
        The private rows.
    schema : Schema
        Columns that are not ignored are made.
    epsilon, delta : float
        Budget of the whole run.
    n : int, optional
        Rows to make; as many as there are if not given.
    seed : int
        Repeats the run where the rival's ``is_repeatable`` says so.
    timeout : float
        Seconds after which the run is stopped.
    bins : int
        Cells of each number, from the schema.
    should_stop : callable, optional
        Asked a few times a second; the run ends soon after it says yes.

    Returns
    -------
    RivalRun
        With a problem in one sentence where a library is missing, the run failed, or it was stopped.

    Raises
    ------
    InputError
        An unknown rival, a budget out of range, or rows that do not fit the schema.

    Notes
    -----
    **Privacy.** The rival's own, of (epsilon, delta); a seed makes it a simulation. How long the run took, and that it
    failed, are the curator's view.
    """
    rival = RIVALS[check.one_of(RIVALS, rival=name)]
    budget = PrivacyBudget(epsilon, delta)
    if not budget.epsilon < float("inf"):
        raise InputError("epsilon is infinite, but a rival needs a finite one; try 1.")
    wanted = len(frame) if n is None else check.whole(n=n)
    domain = Domain.of(schema, bins)
    rows = coded_rows(frame, schema, domain)
    missing = _missing_libraries(rival)
    if missing:
        return _failed(rival, 0.0, f'{rival.title} needs {missing}: pip install "dpcp-core[rivals]".')
    limits = _Limits(check.positive(timeout=timeout), should_stop)
    run, codes = _in_child(rival, rows, budget, wanted, seed, limits)
    if codes is None:
        return run
    rng = np.random.default_rng([seed, 1])
    table = as_table(domain.decode(codes, rng), [part.column for part in domain.parts])
    return RivalRun(rival.name, rival.title, table, run.seconds)


def coded_rows(frame: pd.DataFrame, schema: Schema, domain: Domain) -> CodedRows:
    """Return the rows as places of the domain's cells.

    Raises
    ------
    InputError
        A column that is not there, no row, or a value that lies in no cell.
    """
    absent = [name for name in domain.names if name not in frame.columns]
    if absent or len(frame) == 0:
        raise InputError(f"The table has no column {absent[0]!r}." if absent else "The table has no rows; give some.")
    codes = domain.read(frame).codes
    outside = (codes < 0).any(axis=0)
    if outside.any():
        column = domain.names[int(outside.argmax())]
        raise InputError(f"Column {column!r} has empty cells or unknown categories, which the schema has no place for.")
    target = domain.names.index(schema.target.name) if schema.target else len(domain.names) - 1
    has_missing = tuple(part.has_missing for part in domain.parts)
    return CodedRows(codes.astype(np.int64), domain.names, domain.sizes, has_missing, target)


def _missing_libraries(rival: Rival) -> str:
    return names_text([name for name in rival.needs if importlib.util.find_spec(name) is None])


def _in_child(
    rival: Rival, rows: CodedRows, budget: PrivacyBudget, n: int, seed: int, limits: _Limits
) -> tuple[RivalRun, np.ndarray | None]:
    request = {
        "rival": rival.name,
        "names": rows.names,
        "sizes": rows.sizes,
        "has_missing": rows.has_missing,
        "target": rows.target,
        "epsilon": budget.epsilon,
        "delta": budget.delta,
        "n": n,
        "seed": seed,
    }
    with tempfile.TemporaryDirectory(prefix="rival-") as place:
        folder = Path(place)
        np.save(folder / "rows.npy", rows.codes)
        (folder / "request.json").write_text(json.dumps(request), encoding="utf-8")
        started = time.perf_counter()
        ended = _run_child(folder, limits)
        seconds = time.perf_counter() - started
        if isinstance(ended, int):
            return _answer(rival, folder, ended, seconds)
        is_timeout = ended == "late"
        problem = _stopped(rival, limits.timeout) if is_timeout else f"{rival.title} was stopped by hand."
        return RivalRun(rival.name, rival.title, None, seconds, problem, is_timeout, is_stopped=not is_timeout), None


def _run_child(folder: Path, limits: _Limits) -> int | Literal["late", "stopped"]:
    """Return the exit code of the child, or why it was ended; a process of its own, as threads cannot be stopped."""
    home = str(Path(dpcp_core.__file__).parents[1])
    paths = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH", ""))))
    command = [sys.executable, "-m", "dpcp_core.synthesis.rivals.child", str(folder)]
    silent = subprocess.DEVNULL
    child = subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": paths}, stdin=silent, stdout=silent, stderr=silent
    )
    ends_at = time.monotonic() + limits.timeout
    try:
        while True:
            left = ends_at - time.monotonic()
            if left <= 0:
                return "late"
            try:
                return child.wait(min(left, _LOOKS_EVERY_S))
            except subprocess.TimeoutExpired:
                if limits.should_stop is not None and limits.should_stop():
                    return "stopped"
    finally:
        # Whatever ends the wait, an error or a key as well, ends the child.
        child.kill()
        child.wait()


def _answer(rival: Rival, folder: Path, exit_code: int, seconds: float) -> tuple[RivalRun, np.ndarray | None]:
    if not (folder / "answer.json").exists():
        why = "it may have run out of memory" if exit_code < 0 else f"exit code {exit_code}"
        return _failed(rival, seconds, f"{rival.title} ended without an answer ({why})."), None
    answer = json.loads((folder / "answer.json").read_text(encoding="utf-8"))
    if answer["problem"]:
        return _failed(rival, answer["seconds"], f"{rival.title} failed ({answer['problem']})."), None
    return RivalRun(rival.name, rival.title, None, answer["seconds"]), np.load(folder / "drawn.npy")


def _stopped(rival: Rival, timeout: float) -> str:
    return f"{rival.title} was stopped after {number_text(timeout)} seconds without an answer."


def _failed(rival: Rival, seconds: float, problem: str) -> RivalRun:
    return RivalRun(rival.name, rival.title, None, seconds, problem)
