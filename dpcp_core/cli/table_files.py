"""Tables as files: CSV, Parquet or JSON, as the name's ending says."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING
from uuid import uuid4

from dpcp_core.errors import InputError

if TYPE_CHECKING:
    import pandas as pd


def refuse_unwritable(out: Path, inputs: Iterable[Path | None]) -> None:
    """Refuse a name that a table cannot be written under, before anything is run for it.

    Parameters
    ----------
    out : Path
    inputs : iterable of Path or None
        Files that are read, which must stay as they are.

    Raises
    ------
    InputError
        An ending that says nothing, a folder that is not there, or a file that is read.
    """
    if out.suffix.lower() not in _WRITERS:
        raise InputError(f"{out} must end in one of: {', '.join(_WRITERS)}.")
    if not takes_a_file(out):
        raise InputError(f"{out} cannot be written: choose another place.")
    if out.exists() and any(path is not None and path.exists() and out.samefile(path) for path in inputs):
        raise InputError(f"{out} is read by this command: choose another name for what it writes.")


def takes_a_file(out: Path) -> bool:
    """Whether a file of this name can be written where it is to lie."""
    # Tried, as what a system says of a folder is not always so.
    probe = out.with_name(f".{uuid4().hex}")
    try:
        probe.touch()
        probe.unlink()
        return not out.is_dir()
    except OSError:
        return False


def write_table(frame: pd.DataFrame, out: Path) -> None:
    """Write a table; an older one of this name is there until the new one is whole.

    Raises
    ------
    InputError
        It cannot be written.
    """
    _write_whole(out, partial(_WRITERS[out.suffix.lower()], frame))


def write_text(text: str, out: Path) -> None:
    """Write a text, as :func:`write_table` writes a table."""
    _write_whole(out, lambda path: path.write_text(text, encoding="utf-8"))


def _write_whole(out: Path, write: Callable[[Path], object]) -> None:
    started = out.with_name(f".{uuid4().hex}{out.suffix}")
    try:
        write(started)
        os.replace(started, out)
    except OSError as error:
        with contextlib.suppress(OSError):
            started.unlink()
        raise InputError(f"{out} cannot be written ({error.strerror}): choose another place.") from None


def _write_csv(frame: pd.DataFrame, path: Path) -> None:
    from dpcp_core.data.spreadsheet import harmless

    harmless(frame).to_csv(path, index=False)


def _write_parquet(frame: pd.DataFrame, path: Path) -> None:
    # Axes may hold rules beside numbers, which Parquet has no column for.
    mixed = [name for name in frame if frame[name].map(type).nunique() > 1]
    frame.astype(dict.fromkeys(mixed, str)).to_parquet(path, index=False)


def _write_json(frame: pd.DataFrame, path: Path) -> None:
    from dpcp_core.presentation.strict_json import strict_json

    rows = (strict_json({str(name): value for name, value in row.items()}) for row in frame.to_dict("records"))
    path.write_text("[" + ",\n ".join(rows) + "]\n", encoding="utf-8")


_WRITERS: Mapping[str, Callable[[pd.DataFrame, Path], None]] = MappingProxyType(
    {".csv": _write_csv, ".parquet": _write_parquet, ".json": _write_json}
)
