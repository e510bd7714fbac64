"""A sweep that was killed, stopped or started twice ends with the same table, and runs no finished cell again."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pyarrow.parquet as pq
import pytest
from joblib import parallel_config

from dpcp_core import load_sample, sweep
from dpcp_core.experiments.sweep.store import SweepStore

DIABETES = load_sample("diabetes")
PLAN = {"methods": "all", "epsilons": [0.5, 1.0, 2.0, 4.0, 8.0], "bins": [50, 100], "repetitions": 8}
N_CELLS = 90

# Says of every cell that is reused, and of every cell that is run, when it is.
CHILD = """
import json, os, sys, time
from joblib import parallel_config
from dpcp_core import load_sample, sweep

plan, folder, backend, n_jobs = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])

def place(cell):
    return [cell.settings.method, cell.settings.epsilon, cell.settings.bins]

first = []

def heard(progress, new):
    print(json.dumps(["run" if first else "reused", [place(cell) for cell in new]]), flush=True)
    first.append(1)

if __name__ == "__main__":
    data = load_sample("diabetes")
    print("ready", flush=True)
    sys.stdin.readline()
    with parallel_config(backend, n_jobs=n_jobs):
        sweep(data, folder=folder, on_progress=heard, **plan)
    print("done", flush=True)
"""


@pytest.fixture(scope="module")
def whole():
    """Return the sweep as it is when nothing happens to it."""
    return sweep(DIABETES, **PLAN)


def started(folder, backend="sequential", n_jobs=1):
    """Start a sweep in a process group of its own; it waits for a line."""
    line = [sys.executable, "-c", CHILD, json.dumps(PLAN), str(folder), backend, str(n_jobs)]
    child = subprocess.Popen(
        line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=sys.platform != "win32"
    )
    assert child.stdout.readline() == "ready\n"
    return child


def go(child):
    """Let a sweep begin."""
    child.stdin.write("\n")
    child.stdin.flush()


def killed_after(child, n_files, folder):
    """Let a sweep begin, and kill it and its workers without warning once so many files are there."""
    go(child)
    while len(list(folder.glob("*.parquet"))) < n_files:
        assert child.poll() is None, "it was over too soon"
        time.sleep(0.002)
    os.killpg(child.pid, signal.SIGKILL)
    child.communicate()
    assert child.returncode == -signal.SIGKILL


def finished(child):
    """Let a sweep run to its end; return the places of the cells that it reused, and of those that it ran."""
    said, _ = child.communicate("\n")
    *lines, last = said.splitlines()
    assert last == "done"
    heard = [json.loads(line) for line in lines]
    return tuple(
        [tuple(place) for kind, cells in heard if kind == wanted for place in cells] for wanted in ("reused", "run")
    )


def places(cells):
    """Return where cells stand on the axes."""
    return [(cell.settings.method, cell.settings.epsilon, cell.settings.bins) for cell in cells]


def keys_in(folder):
    """Return the key of every row in every file of a folder."""
    return [key for path in folder.glob("*.parquet") for key in pq.read_table(path, columns=["key"])["key"].to_pylist()]


def assert_same_table(first, second):
    """Check that two sweeps found the same, to the last bit, but for how long it took."""
    for mine, theirs in zip(first.cells, second.cells, strict=True):
        for field in dataclasses.fields(mine):
            values = getattr(mine, field.name), getattr(theirs, field.name)
            same = np.array_equal(*values) if isinstance(values[0], np.ndarray) else values[0] == values[1]
            assert same or field.name == "seconds", (field.name, mine.settings)
    frames = [result.frame().drop(columns="seconds") for result in (first, second)]
    assert frames[0].equals(frames[1])


needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="kills a process group, as POSIX has them")


@needs_signals
@pytest.mark.slow
@pytest.mark.parametrize(("backend", "n_jobs"), [("threading", 2), ("loky", 2)])
def test_a_killed_sweep_goes_on_where_it_was(tmp_path, whole, backend, n_jobs):
    killed_after(started(tmp_path, backend, n_jobs), 6, tmp_path)
    kept = keys_in(tmp_path)
    assert 6 <= len(kept) < N_CELLS
    heard = []
    with parallel_config(backend, n_jobs=n_jobs):
        resumed = sweep(DIABETES, folder=tmp_path, on_progress=lambda _, new: heard.append(places(new)), **PLAN)
    # What is there is told of first, all at once.
    reused, *run = heard
    assert len(reused) == len(kept) == resumed.n_reused
    # Every cell is there, and none was run that had been finished.
    assert sorted(reused + [place for some in run for place in some]) == sorted(places(whole.cells))
    assert len(set(keys_in(tmp_path))) == len(keys_in(tmp_path)) == N_CELLS
    assert_same_table(resumed, whole)


@needs_signals
@pytest.mark.slow
def test_a_sweep_that_is_killed_over_and_over_ends_all_the_same(tmp_path, whole):
    for n_files in (3, 8):
        killed_after(started(tmp_path), n_files, tmp_path)
        assert len(set(keys_in(tmp_path))) == len(keys_in(tmp_path))
    n_kept = len(keys_in(tmp_path))
    reused, run = finished(started(tmp_path))
    assert len(reused) == n_kept
    assert sorted(reused + run) == sorted(places(whole.cells))
    assert_same_table(sweep(DIABETES, folder=tmp_path, **PLAN), whole)


@pytest.mark.slow
def test_two_sweeps_in_one_folder_at_once_both_end_complete(tmp_path, whole):
    children = [started(tmp_path) for _ in range(2)]
    for child in children:
        go(child)
    for child in children:
        reused, run = finished(child)
        # What the other one finished meanwhile is neither: it was not there at first, and was not run here.
        assert set(reused + run) <= set(places(whole.cells))
        assert len(set(run)) == len(run)
    assert set(keys_in(tmp_path)) == set(SweepStore.at(tmp_path).read(keys_in(tmp_path)))
    assert not list(tmp_path.glob("*.part"))
    both = sweep(DIABETES, folder=tmp_path, **PLAN)
    assert both.n_reused == N_CELLS
    assert_same_table(both, whole)


def test_a_sweep_that_is_stopped_between_cells_keeps_the_finished_ones(tmp_path, whole):
    heard = []
    stopped = sweep(
        DIABETES,
        folder=tmp_path,
        on_progress=lambda _, new: heard.extend(new),
        should_stop=lambda: len(heard) >= 10,
        **PLAN,
    )
    assert 10 <= len(stopped.cells) == len(heard) < N_CELLS
    assert not stopped.is_complete
    assert places(stopped.cells) == [place for place in places(whole.cells) if place in places(heard)]
    resumed = sweep(DIABETES, folder=tmp_path, **PLAN)
    assert resumed.n_reused == len(stopped.cells)
    assert_same_table(resumed, whole)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interrupt_in_the_middle_keeps_the_finished_cells(tmp_path, n_jobs):
    heard = []

    def interrupted(_, new):
        heard.extend(new)
        if len(heard) >= 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep(DIABETES, folder=tmp_path, on_progress=interrupted, n_jobs=n_jobs, **PLAN)
    assert sweep(DIABETES, folder=tmp_path, **PLAN).n_reused >= 10


def test_a_sweep_that_is_stopped_before_it_began_is_empty(tmp_path):
    stopped = sweep(DIABETES, folder=tmp_path, should_stop=lambda: True, **PLAN)
    assert stopped.cells == ()
    assert stopped.frame().empty
    assert list(tmp_path.iterdir()) == []
