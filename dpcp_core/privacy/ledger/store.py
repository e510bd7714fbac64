"""The ledger's lines in a database: they are read, and appended one transaction at a time, and never changed."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from sqlalchemy import Column, Connection, Engine, Integer, MetaData, String, Table, Text, inspect, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from dpcp_core.errors import InputError
from dpcp_core.privacy.ledger.databases import engine_of, in_memory, keep_private, missing_file
from dpcp_core.privacy.ledger.entry import START, Entry
from dpcp_core.privacy.ledger.verifying import Line

_METADATA = MetaData()
_ENTRIES = Table(
    "dpcp_entries",
    _METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("line", Text, nullable=False),
    Column("hash", String(64), nullable=False),
    # A copy of what the line says, to find the lines of one table.
    Column("rows", String(64), nullable=False, index=True),
)
# One row: whoever appends locks it, and it tells where the chain ends.
_HEAD = Table(
    "dpcp_head",
    _METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
    Column("hash", String(64), nullable=False),
    Column("salt", String(64), nullable=False),
)
_SKETCHES = Table(
    "dpcp_sketches",
    _METADATA,
    Column("rows", String(64), primary_key=True),
    Column("n_rows", Integer, nullable=False),
    Column("hashes", Text, nullable=False),
)


class Store:
    """A database that holds one ledger.

    Parameters
    ----------
    url : str
        As SQLAlchemy reads it; ``sqlite:///FILE`` or, for instance, ``postgresql+psycopg://USER@HOST/NAME``.

    Raises
    ------
    InputError
        If it cannot be opened; the sentence names it, without a password.

    Notes
    -----
    One writer at a time: SQLite locks the file as a transaction begins, other databases lock the row of ``dpcp_head``.
    Tables, and a file, are made by the first writer: whoever only looks leaves no trace, and may look at a ledger that
    cannot be written.
    """

    def __init__(self, url: str) -> None:
        self._engine = engine_of(url)
        self.name = self._engine.url.render_as_string(hide_password=True)
        self._is_made = False
        with self._reporting():
            self._look()

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """Open the ledger as it stands."""
        with self._reporting():
            self._look()
            with (self._engine if self._is_made else _without_lines()).connect() as connection:
                if connection.dialect.name == "postgresql":
                    # Lines and their noted end as of one moment; SQLite reads nothing else.
                    connection = connection.execution_options(isolation_level="REPEATABLE READ")
                yield Reader(connection)

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """Open the ledger for one writer; what it appends is kept all together, or, on an error, not at all."""
        with self._reporting():
            with self._engine.execution_options(writes=True).begin() as connection:
                if not self._is_made:
                    keep_private(self._engine)
                    _make_tables(connection)
                yield Writer(connection)
            self._is_made = True

    def close(self) -> None:
        """Close connections that wait for more work."""
        self._engine.dispose()

    def _look(self) -> None:
        """Find out whether there are tables; what cannot be opened is told now and not when a release is paid for."""
        if not self._is_made and not missing_file(self._engine):
            with self._engine.connect() as connection:
                self._is_made = inspect(connection).has_table(_HEAD.name)

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as problem:
            found = problem.orig if isinstance(problem, DBAPIError) and problem.orig else problem
            reason = str(found).strip().splitlines()[0].rstrip(".")
            raise InputError(f"The ledger at {self.name} cannot be used: {reason}.") from None


def _make_tables(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        # "If not exists" is no lock there: two that begin at once would collide.
        connection.execute(text("SELECT pg_advisory_xact_lock(60522)"))
    _METADATA.create_all(connection)
    if connection.execute(_HEAD.select()).first() is None:
        start = {"id": 1, "number": 0, "hash": START, "salt": secrets.token_hex(32)}
        connection.execute(_HEAD.insert().values(**start))


@lru_cache(maxsize=1)
def _without_lines() -> Engine:
    """Return a ledger that nobody has written to."""
    engine = in_memory()
    with engine.begin() as connection:
        _make_tables(connection)
    return engine


class Reader:
    """A ledger that is open."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def lines(self) -> tuple[Line, ...]:
        """Return every line as it is kept, in order."""
        found = self._connection.execute(_ENTRIES.select().order_by(_ENTRIES.c.number))
        return tuple(Line(row.number, row.line, row.hash, row.rows) for row in found)

    def entries(self, rows: str | None = None) -> tuple[Entry, ...]:
        """Return every line in order, or those of one table."""
        wanted = _ENTRIES.select().order_by(_ENTRIES.c.number)
        found = self._connection.execute(wanted if rows is None else wanted.where(_ENTRIES.c.rows == rows))
        return tuple(Entry.from_text(row.line) for row in found)

    def last(self) -> Entry | None:
        """Return the last line."""
        row = self._connection.execute(_ENTRIES.select().order_by(_ENTRIES.c.number.desc()).limit(1)).first()
        return None if row is None else Entry.from_text(row.line)

    def head(self) -> tuple[int, str]:
        """Return number and hash of the last line, as they were noted apart from it."""
        row = self._connection.execute(_HEAD.select()).one()
        return row.number, row.hash

    def salt(self) -> bytes:
        """Return what this ledger's hashes of rows are made with."""
        return bytes.fromhex(self._connection.execute(_HEAD.select()).one().salt)

    def sketches(self) -> dict[str, tuple[int, str]]:
        """Return number of rows and hashes of each known table, by the digest of its rows."""
        return {row.rows: (row.n_rows, row.hashes) for row in self._connection.execute(_SKETCHES.select())}


class Writer(Reader):
    """A ledger that is open to one writer."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        # Waits until whoever writes now has finished.
        connection.execute(_HEAD.select().with_for_update())

    def append(self, entry: Entry) -> None:
        """Write one more line."""
        line = {"number": entry.number, "line": entry.to_text(), "hash": entry.hash, "rows": entry.rows}
        self._connection.execute(_ENTRIES.insert().values(**line))
        self._connection.execute(_HEAD.update().values(number=entry.number, hash=entry.hash))

    def keep_sketch(self, rows: str, n_rows: int, hashes: str) -> None:
        """Keep the hashes of a table, unless they are kept already."""
        if rows not in self.sketches():
            self._connection.execute(_SKETCHES.insert().values(rows=rows, n_rows=n_rows, hashes=hashes))
