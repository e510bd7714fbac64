"""Finished cells on disk: a small JSON file for each, written under another name and then renamed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from dpcp_core.errors import InputError
from dpcp_core.experiments.reproduce_synthesis.measurement import Measurement
from dpcp_core.experiments.whole_files import add_whole, writable


@dataclass(frozen=True)
class CellStore:
    """Finished cells by their keys.

    Attributes
    ----------
    folder : Path

    Notes
    -----
    **Privacy.** What is kept was measured on real rows: the curator's view, to be protected like the table itself.
    """

    folder: Path

    @classmethod
    def at(cls, folder: Path) -> Self:
        """Open a folder, which is made where it is missing.

        Raises
        ------
        InputError
            It cannot be made, or written into.
        """
        return cls(writable(folder))

    def find(self, key: str) -> Measurement | None:
        """Return a finished cell, or None.

        Raises
        ------
        InputError
            A file that holds something else; the sentence names it.
        """
        path = self.folder / f"{key}.json"
        try:
            return Measurement.from_dict(json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError):
            raise InputError(
                f"{path} is damaged or holds no finished cell; move it elsewhere, or choose another folder."
            ) from None

    def add(self, key: str, found: Measurement) -> None:
        """Keep a finished cell.

        Raises
        ------
        InputError
            The file cannot be written.
        """
        add_whole(
            self.folder,
            f"{key}.json",
            lambda path: path.write_text(json.dumps(found.to_dict()), encoding="utf-8"),
            what="cell",
        )
