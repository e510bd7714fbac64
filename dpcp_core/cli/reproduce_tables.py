"""Which tables ``dpcp reproduce`` runs on, whichever paper is run again, and how much of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from dpcp_core import _validate as check
from dpcp_core.errors import InputError

if TYPE_CHECKING:
    from dpcp_core.experiments.reproduce.published.registry import FoundTable, PublishedTable

Effort = TypeVar("Effort")


@dataclass(frozen=True)
class Tables:
    """The tables of a paper.

    Attributes
    ----------
    found : tuple of FoundTable
        Those that are to run.
    missing : tuple of PublishedTable
        Those that are not there.
    left_out : tuple of PublishedTable
        Those that are there and not wanted.
    """

    found: tuple[FoundTable, ...]
    missing: tuple[PublishedTable, ...]
    left_out: tuple[PublishedTable, ...]


def tables_in(
    folder: Path | None, typed: str, published: Sequence[PublishedTable], groups: Mapping[str, frozenset[str]]
) -> Tables:
    """Look for a paper's tables.

    Parameters
    ----------
    folder : Path or None
    typed : str
        Names with commas between them, of tables and of groups; a table that is named itself must be there.
    published : sequence of PublishedTable
    groups : mapping
        Words that stand for several tables.

    Raises
    ------
    InputError
        No folder, an unknown name, none of the tables in the folder, or not one that was named.
    """
    from dpcp_core.experiments.reproduce.published.registry import look_into

    if folder is None:
        raise InputError("Name the folder that holds the tables: --data FOLDER.")
    known = [*(table.name for table in published), *groups]
    words = [check.one_of(known, tables=word.strip()) for word in typed.split(",")]
    wanted = frozenset(name for word in words for name in groups.get(word, (word,)))
    here, missing = look_into(folder, published)
    _refuse_missing(words, missing)
    if not here:
        raise InputError(_nothing(folder, published))
    found = tuple(entry for entry in here if entry.table.name in wanted)
    return Tables(found, missing, tuple(entry.table for entry in here if entry.table.name not in wanted))


def effort_from(usual: Effort, typed: dict[str, Any]) -> Effort:
    """Return how much is run: what was typed, and the usual for what was not, which None stands for."""
    chosen = {name: value for name, value in typed.items() if value is not None}
    return dataclasses.replace(usual, **chosen)  # type: ignore[type-var]  # both papers have a frozen dataclass


def _refuse_missing(asked: Collection[str], missing: Sequence[PublishedTable]) -> None:
    from dpcp_core.presentation.findings.page import missing_line

    for table in missing:
        if table.name in asked:
            raise InputError(missing_line(table))


def _nothing(folder: Path, published: Sequence[PublishedTable]) -> str:
    first, titles = published[0], ", ".join(table.title for table in published)
    return (
        f"{folder} holds none of the tables {titles}; put files such as {first.files[0]} there, from {first.source} "
        "and the like."
    )
