"""Databases that a ledger can be kept in: how each is opened, and how its writers take turns."""

from __future__ import annotations

import os
import random
import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, QueuePool, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError

from dpcp_core.errors import InputError

_WAIT_S = 120
_NAPS_S = (0.001, 0.02)


def engine_of(url: str) -> Engine:
    """Return the database that an address names; nothing is opened yet.

    Raises
    ------
    InputError
        An address that cannot be read.
    """
    try:
        address = make_url(url)
        if address.get_backend_name() != "sqlite":
            return create_engine(address)
        return in_memory(address) if _is_in_memory(address) else _sqlite(create_engine(address, connect_args=_PATIENT))
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as problem:
        reason = str(problem).splitlines()[0].rstrip(".")
        example = "An example: sqlite:///ledger.sqlite."
        raise InputError(f"The ledger's address cannot be used: {reason}. {example}") from None


def in_memory(address: URL | str = "sqlite://") -> Engine:
    """Return a database in memory: one connection for all threads, which take turns at it."""
    given = {"check_same_thread": False, **_PATIENT}
    pool = {"poolclass": QueuePool, "pool_size": 1, "max_overflow": 0, "pool_timeout": _WAIT_S}
    return _sqlite(create_engine(address, connect_args=given, **pool))


def missing_file(engine: Engine) -> bool:
    """Whether the database is a file that is not there yet, in a folder that is."""
    file = _file(engine)
    return file is not None and not file.exists() and file.absolute().parent.is_dir()


def keep_private(engine: Engine) -> None:
    """Let nobody but the owner read the database, if it is a file."""
    file = _file(engine)
    if file is not None and os.name == "posix":
        # A file of somebody else's is for them to protect.
        with suppress(OSError):
            file.chmod(0o600)


_PATIENT = {"timeout": _WAIT_S}


def _is_in_memory(address: URL) -> bool:
    return not address.database or ":memory:" in address.database or address.query.get("mode") == "memory"


def _file(engine: Engine) -> Path | None:
    """Return the file of a database; None where there is none, or where its address is of another form."""
    name = engine.url.database
    is_file = engine.dialect.name == "sqlite" and name and not name.startswith("file:") and name != ":memory:"
    return Path(name) if is_file and name else None


def _sqlite(engine: Engine) -> Engine:
    @event.listens_for(engine, "connect")
    def connect(connection: Any, _: Any) -> None:
        connection.isolation_level = None
        connection.execute("PRAGMA synchronous = FULL")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        if connection.get_execution_options().get("writes", False):
            _lock(connection.connection.dbapi_connection)
        else:
            connection.exec_driver_sql("BEGIN")

    return engine


def _lock(connection: Any) -> None:
    """Lock the file now: two that both read first would both find the same end.

    SQLite's own waiting looks less often the longer it waits, so that whoever came last is served first and the first
    may never be. Here all look equally often.
    """
    end = time.monotonic() + _WAIT_S
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        while not _locked(connection, end):
            time.sleep(random.uniform(*_NAPS_S))
    finally:
        connection.execute(f"PRAGMA busy_timeout = {1000 * _WAIT_S}")


def _locked(connection: Any, end: float) -> bool:
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as problem:
        # The low byte says that it is busy; the rest says why, such as another mending the file after a crash.
        is_busy = problem.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
        if is_busy and time.monotonic() < end:
            return False
        raise OperationalError("BEGIN IMMEDIATE", None, problem) from None
    return True
