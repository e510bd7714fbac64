"""Where the ledger is kept: what ``DPCP_LEDGER_URL`` names, else a file in the user's own data folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from sqlalchemy.engine import URL

from dpcp_core.errors import InputError

VARIABLE = "DPCP_LEDGER_URL"
_FILE = "ledger.sqlite"


def ledger_url(url: str | None = None) -> str:
    """Return the address of a ledger as SQLAlchemy reads it; folders for a default file are made.

    >>> ledger_url("sqlite:////var/lib/dpcp/ledger.sqlite")
    'sqlite:////var/lib/dpcp/ledger.sqlite'
    """
    named = url or os.environ.get(VARIABLE, "")
    # Not as text: a folder's name may hold a question mark.
    return named or URL.create("sqlite", database=str(data_folder() / _FILE)).render_as_string()


def data_folder() -> Path:
    """Return the folder of this user's data, readable by nobody else.

    Raises
    ------
    InputError
        If it cannot be made.
    """
    folder = _base() / "dpcp"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise InputError(
            f"The folder {folder} for the ledger cannot be made ({problem.strerror}); name another place in {VARIABLE}."
        ) from None
    return folder


def _base() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
