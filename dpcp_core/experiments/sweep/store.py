"""Finished cells on disk: a folder of Parquet files, to which every process only ever adds whole files.

A file is written under another name and then renamed, so a process that is killed leaves either a whole file or
none that is read. Two sweeps may use one folder at once: they read each other's files and never change them.
"""

from __future__ import annotations

import contextlib
import json
import os
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dpcp_core.errors import InputError
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.experiments.whole_files import add_whole, writable

if TYPE_CHECKING:
    import pyarrow as pa

_KEY = "key"
_ARRAYS = ("coverage", "size", "size_median", "thresholds", "reference_coverage", "reference_size")
_JSON = ("settings", "receipt")
_FINISHED = ".parquet"


@dataclass(frozen=True)
class SweepStore:
    """Finished cells of one or more sweeps, by their keys.

    Attributes
    ----------
    folder : Path

    Notes
    -----
    **Privacy.** What is kept was measured on real rows: the curator's view, to be protected like the table itself.
    """

    folder: Path

    @classmethod
    def at(cls, folder: str | os.PathLike[str]) -> SweepStore:
        """Open a folder, which is made where it is missing.

        Raises
        ------
        InputError
            It cannot be made, or written into.
        """
        if not os.fspath(folder):
            raise InputError("folder is empty; name one, or leave it out to keep nothing.")
        return cls(writable(folder))

    def read(self, keys: Iterable[str], files: Iterable[Path] | None = None) -> dict[str, CellResult]:
        """Return the finished cells among these keys.

        Parameters
        ----------
        keys : iterable of str
        files : iterable of Path, optional
            Where to look; None looks everywhere.

        Raises
        ------
        InputError
            A file that is none of a sweep's; the sentence names it.
        """
        wanted, found = set(keys), dict[str, CellResult]()
        for path in self.files() if files is None else files:
            # Another sweep may be packing its files together at this moment.
            with contextlib.suppress(FileNotFoundError):
                found |= _cells(path, wanted - found.keys())
        return found

    def files(self) -> list[Path]:
        """Return the files with finished cells, the oldest first."""
        # Some systems put a hidden file of their own beside each.
        paths = [path for path in self.folder.glob(f"[!.]*{_FINISHED}") if path.is_file()]
        return sorted(paths, key=_age)

    def add(self, cells: Mapping[str, CellResult]) -> Path:
        """Keep finished cells, each under its key, in a file of their own.

        Raises
        ------
        InputError
            The file cannot be written.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        rows = [{_KEY: key, **_row(cell)} for key, cell in cells.items()]
        table = pa.Table.from_pylist(rows, schema=_schema())
        return add_whole(
            self.folder,
            f"{uuid.uuid4().hex}{_FINISHED}",
            lambda path: pq.write_table(table, path, write_page_checksum=True),
            what="part",
        )

    def pack(self, paths: Iterable[Path]) -> None:
        """Bring the files that one sweep has added together in one; where that fails they stay as they are."""
        parts = list(paths)
        if len(parts) < 2:
            return
        # Only tidier: what was computed is on disk, and nothing of it may be lost for want of room.
        with contextlib.suppress(InputError, OSError):
            self.add({key: cell for path in parts for key, cell in _cells(path).items()})
            for path in parts:
                path.unlink(missing_ok=True)


def _schema() -> pa.Schema:
    import pyarrow as pa

    kinds = {"str": pa.string(), "Task": pa.string(), "int": pa.int64(), "float": pa.float64(), "bool": pa.bool_()}
    columns = [
        (field.name, pa.list_(pa.float64()) if field.name in _ARRAYS else kinds.get(str(field.type), pa.string()))
        for field in fields(CellResult)
    ]
    return pa.schema([(_KEY, pa.string()), *columns])


def _row(cell: CellResult) -> dict[str, Any]:
    values = {field.name: getattr(cell, field.name) for field in fields(cell)}
    values |= {name: values[name].tolist() for name in _ARRAYS}
    return values | {"settings": json.dumps(asdict(cell.settings)), "receipt": json.dumps(cell.receipt)}


def _cell(row: Mapping[str, Any]) -> CellResult:
    values = {name: value for name, value in row.items() if name != _KEY}
    values |= {name: np.array(values[name], dtype=np.float64) for name in _ARRAYS}
    values |= {name: json.loads(values[name]) for name in _JSON}
    return CellResult(**values | {"settings": ConformalSettings.from_dict(values["settings"])})


def _cells(path: Path, keys: Iterable[str] | None = None) -> dict[str, CellResult]:
    """Return the cells of a file, those with these keys or all.

    Raises
    ------
    InputError
        It is none of a sweep's, or damaged.
    FileNotFoundError
        It is gone.
    """
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path, page_checksum_verification=True)
        if keys is not None:
            table = table.filter(pc.field(_KEY).isin(pa.array(keys, pa.string())))
        return {row[_KEY]: _cell(row) for row in table.to_pylist()}
    except FileNotFoundError:
        raise
    # What a foreign or a damaged file makes its readers say is of many kinds.
    except (OSError, ValueError, TypeError, KeyError, pa.ArrowException):
        raise InputError(
            f"{path} is damaged or holds no finished part of a sweep; move it elsewhere, or choose another folder."
        ) from None


def _age(path: Path) -> tuple[float, str]:
    try:
        return path.stat().st_mtime, path.name
    except FileNotFoundError:
        return 0.0, path.name
