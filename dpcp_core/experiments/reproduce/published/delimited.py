"""Tables as text: with a header line or, as older ones are published, without."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import pandas as pd

from dpcp_core._words import names_text
from dpcp_core.errors import InputError

_MISSING = ["", "?"]


def read_delimited(
    path: Path,
    names: Sequence[str],
    title: str,
    *,
    has_header: bool = True,
    n_skipped: int = 0,
    encoding: str = "utf-8",
) -> pd.DataFrame:
    """Read columns from a file whose cells are separated by commas; gzip is unpacked.

    Parameters
    ----------
    path : Path
    names : sequence of str
        The columns that are wanted, or all columns of a file without a header line. Repeated spaces in a header count
        as one.
    title : str
        What the table is called in an error.
    has_header : bool
    n_skipped : int
        Lines before the first that is read.
    encoding : str

    Raises
    ------
    InputError
        The file cannot be read, or has other columns.
    """
    frame = _read(path, None if has_header else list(names), title, n_skipped, encoding)
    if has_header:
        frame.columns = pd.Index([" ".join(str(name).split()) for name in frame.columns])
        missing = [name for name in names if name not in frame.columns]
        if missing:
            raise InputError(
                f"{path} has no column {names_text([repr(name) for name in missing])}, so it is not the table "
                f"{title} as published; download it again."
            )
    return frame[list(names)]


def _read(path: Path, names: list[str] | None, title: str, n_skipped: int, encoding: str) -> pd.DataFrame:
    packed: Literal["gzip"] | None = "gzip" if is_packed(path) else None
    try:
        frame = pd.read_csv(
            path,
            header=0 if names is None else None,
            compression=packed,
            keep_default_na=False,
            na_values=_MISSING,
            skipinitialspace=True,
            low_memory=False,
            skiprows=n_skipped,
            encoding=encoding,
        )
    except (OSError, EOFError, zlib.error) as error:
        raise unreadable(path, title, error) from None
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError):
        raise InputError(f"{path} does not hold a table of text; download {title} again.") from None
    if names is None:
        return frame
    if frame.shape[1] != len(names):
        raise InputError(
            f"{path} has {frame.shape[1]} columns in place of {len(names)}, so it is not the table {title} as "
            "published; download it again."
        )
    return frame.set_axis(names, axis="columns")


def is_packed(path: Path) -> bool:
    """Return whether a file is gzip-compressed, whatever it is called; a missing file is not."""
    try:
        with path.open("rb") as file:
            return file.read(2) == b"\x1f\x8b"
    except OSError:
        return False


def unreadable(path: Path, title: str, error: Exception) -> InputError:
    """Return the one sentence for a file that cannot be opened or unpacked."""
    reason = getattr(error, "strerror", None) or "it is damaged"
    return InputError(f"{path} cannot be read ({reason[:1].lower()}{reason[1:]}); check it, or download {title} again.")
