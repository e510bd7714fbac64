"""A PostgreSQL server of a test's own, where this machine has one."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
_WAIT_S = 30


@contextmanager
def server() -> Iterator[str]:
    """Start a server and yield its address; skip, with the reason, where that cannot be done."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    programs = next((place for place in _PLACES if (place / "initdb").exists()), None)
    found = shutil.which("initdb") if programs is None else None
    if programs is None and found is None:
        pytest.skip("PostgreSQL is not installed")
    place = programs or Path(str(found)).parent
    # It refuses to run as root.
    owner = "postgres" if os.geteuid() == 0 else None
    if owner and owner not in {user.pw_name for user in pwd.getpwall()}:
        pytest.skip("PostgreSQL does not run as root, and there is no user named postgres")
    with tempfile.TemporaryDirectory(prefix="pg", dir="/tmp") as folder:
        if owner:
            shutil.chown(folder, owner)
        yield from _running(place, Path(folder), owner)


def _running(place: Path, folder: Path, owner: str | None) -> Iterator[str]:
    data = folder / "data"
    made = [place / "initdb", "-D", data, "-U", "tester", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"]
    subprocess.run(made, check=True, capture_output=True, user=owner, cwd=folder)
    port = _free_port()
    started = [place / "postgres", "-D", data, "-p", str(port), "-k", folder, "-h", "127.0.0.1", "-c", "fsync=off"]
    process = subprocess.Popen(started, user=owner, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port, process)
        yield f"postgresql+psycopg://tester@127.0.0.1:{port}/postgres"
    finally:
        process.send_signal(signal.SIGINT)  # a fast end: does not wait for clients
        process.wait(_WAIT_S)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    import psycopg

    end = time.monotonic() + _WAIT_S
    while time.monotonic() < end and process.poll() is None:
        try:
            psycopg.connect(f"host=127.0.0.1 port={port} user=tester dbname=postgres").close()
            return
        except psycopg.OperationalError:
            time.sleep(0.1)
    raise RuntimeError("PostgreSQL did not start")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
