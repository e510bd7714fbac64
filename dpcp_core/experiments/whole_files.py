"""Files that are there whole or not at all, in a folder that several processes may share.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as name:
...     path = add_whole(writable(name), "a.txt", lambda started: started.write_text("all"), what="part")
...     path.read_text(), [each.name for each in path.parent.iterdir()]
('all', ['a.txt'])
"""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Callable
from pathlib import Path

from dpcp_core.errors import InputError

_STARTED = ".part"


def writable(folder: str | os.PathLike[str]) -> Path:
    """Return a folder that can be written into; it is made where it is missing.

    Raises
    ------
    InputError
        It cannot be made, or written into.
    """
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / f"{uuid.uuid4().hex}{_STARTED}"
        probe.touch()
        probe.unlink()
    except (OSError, ValueError) as error:
        raise InputError(f"Nothing can be written into {path}: {_reason(error)}; choose another folder.") from None
    return path


def add_whole(folder: Path, name: str, write: Callable[[Path], object], *, what: str) -> Path:
    """Write a file under a name that nobody reads, and give it its own once it is on the disk.

    Parameters
    ----------
    folder : Path
    name : str
    write : callable
        Writes the file at the path that it is given.
    what : str
        What is kept in it, for the sentence where that fails.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    started, finished = folder / f"{uuid.uuid4().hex}{_STARTED}", folder / name
    try:
        write(started)
        _settle(started)
        os.replace(started, finished)
    except OSError as error:
        with contextlib.suppress(OSError):
            started.unlink()
        raise InputError(
            f"A finished {what} could not be written into {folder}: {_reason(error)}; make room or choose another "
            "folder, and start again: what is there is not run twice."
        ) from None
    return finished


def _settle(path: Path) -> None:
    """Make sure that a file's contents are on the disk before it gets its name."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _reason(error: OSError | ValueError) -> str:
    # Writers put words of their own around what the system said.
    number = getattr(error, "errno", None)
    return (os.strerror(number) if number else str(error)).lower()
