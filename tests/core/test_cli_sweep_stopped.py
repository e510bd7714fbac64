"""``dpcp sweep`` stopped by Ctrl-C or by the loss of a worker: what is finished is kept, and how to go on is said."""

from __future__ import annotations

import contextlib
import os
import re
import select
import subprocess
import sys
import time

import pandas as pd
import pytest

from dpcp_core.experiments.sweep.store import SweepStore

# A library with threads of its own, loaded by another test of this process, warns of the terminal's child.
pytestmark = pytest.mark.filterwarnings(
    "ignore:os.fork:RuntimeWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)

LONG = (
    "sweep", "sample:blood_pressure", "--methods", "all", "--epsilons", "0.25,0.5,1,2,4,8", "--repetitions", "60",
)  # fmt: skip
needs_a_terminal = pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal as POSIX has them")


def in_a_terminal(words, *answers):
    """Run a command in a terminal of its own, pressing Ctrl-C whenever the next of these texts has been shown.

    Returns the exit code and what the terminal showed.
    """
    import pty

    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.executable, [sys.executable, "-m", "dpcp_core", *map(str, words)])
    shown, waited_for, until = "", list(answers), time.monotonic() + 240
    # A terminal whose last process has gone says so by an error.
    with contextlib.suppress(OSError):
        while time.monotonic() < until:
            if select.select([terminal], [], [], 1)[0]:
                shown += os.read(terminal, 65536).decode()
            if waited_for and waited_for[0] in shown:
                waited_for.pop(0)
                os.write(terminal, b"\x03")
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown.replace("\r\n", "\n")


@needs_a_terminal
@pytest.mark.slow
@pytest.mark.parametrize("backend", ["loky", "threading", "dask"])
def test_an_interrupt_shows_and_keeps_what_is_finished_and_says_how_to_go_on(tmp_path, backend):
    if backend == "dask":
        pytest.importorskip("distributed", reason="the package distributed is not installed")
    folder, table = tmp_path / "kept", tmp_path / "t.csv"
    words = (*LONG, "--jobs", 2, "--backend", backend, "--folder", folder, "--out", table)
    code, shown = in_a_terminal(words, "cells, about ")
    assert code == 130
    assert re.search(r"\d+ of 54 cells, about \d+ (second|minute)s? left", shown)
    assert "Stopping after the trainings that are under way; Ctrl-C once more stops at once." in shown
    n_done = int(re.search(r"Stopped: (\d+) of 54 cells are finished; they are kept in", shown)[1])
    assert "the same command goes on from there." in shown
    assert "Traceback" not in shown
    assert 0 < n_done < 54
    assert len(pd.read_csv(table)) == n_done
    assert sum(len(pd.read_parquet(path)) for path in SweepStore.at(folder).files()) == n_done


@needs_a_terminal
@pytest.mark.slow
def test_a_second_interrupt_stops_at_once(tmp_path):
    words = (*LONG, "--jobs", 2, "--folder", tmp_path)
    code, shown = in_a_terminal(words, "cells, about ", "Stopping after")
    assert code == 130
    n_done = int(re.search(r"Stopped: (\d+) of 54 cells are finished", shown)[1])
    assert sum(len(pd.read_parquet(path)) for path in SweepStore.at(tmp_path).files()) == n_done > 0
    assert "Traceback" not in shown
    assert "COVERAGE" not in shown


@pytest.mark.slow
def test_a_worker_that_dies_is_told_in_a_sentence(tmp_path):
    psutil = pytest.importorskip("psutil", reason="the package psutil is not installed")
    line = [sys.executable, "-m", "dpcp_core", *LONG, "--jobs", "2", "--folder", str(tmp_path)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        while not list(tmp_path.glob("*.parquet")):
            assert child.poll() is None
            time.sleep(0.01)
        workers = [
            process for process in psutil.Process(child.pid).children() if "LokyProcess" in str(process.cmdline())
        ]
        assert len(workers) == 2
        workers[0].kill()
        out, err = child.communicate()
    assert (child.returncode, out) == (2, "")
    assert err.splitlines()[-1].startswith("A worker ended in the middle of a training, perhaps for want of memory")
    assert "Traceback" not in err
