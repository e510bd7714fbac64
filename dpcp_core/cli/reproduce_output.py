"""What ``dpcp reproduce`` writes and says, whichever paper is run again."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dpcp_core.cli import aside
from dpcp_core.errors import InputError

if TYPE_CHECKING:
    from dpcp_core.presentation.findings.sheet import Finding

CELLS = "cells"

_WIDTH, _STOPPED = 88, 130


@contextmanager
def how_to_go_on(out: Path) -> Iterator[None]:
    """Say what is kept where a run was stopped, and clear the line that told how far it was."""
    try:
        yield
    except KeyboardInterrupt:
        kept = f"Stopped: finished cells are kept in {out / CELLS}, and the same command goes on from there."
        typer.echo(aside.printable(f"\n{kept}" if sys.stderr.isatty() else kept), err=True)
        raise typer.Exit(_STOPPED) from None
    if sys.stderr.isatty():
        typer.echo("\r\x1b[K", err=True, nl=False)


def write_files(files: Iterable[tuple[str, str]], out: Path) -> None:
    """Write files into a folder, each under its name there.

    Raises
    ------
    InputError
        One that cannot be written.
    """
    for name, text in files:
        path = out / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            reason = (error.strerror or "no reason given").lower()
            raise InputError(f"{path} cannot be written ({reason}); choose another folder with --out.") from None


def report_of(texts: Sequence[Finding], own: Sequence[Finding], lines: Iterable[str], out: Path) -> str:
    """Return what became of each claim, what was not run, and where everything lies; at most 88 characters wide."""
    from dpcp_core.presentation.findings.sheet import tally
    from dpcp_core.presentation.findings.words import figure_words, status_words

    said = [*_wrapped(tally(texts), ""), ""]
    for title, some in (("WHAT THE TEXTS CLAIM", texts), ("WHAT WE CLAIM", own)):
        said.append(title)
        for entry in some:
            said += _wrapped(entry.claim.sentence, "  ")
            said += _wrapped(f"{status_words(entry.verdict)}. {figure_words(entry.claim, entry.verdict)}", "    ")
        said.append("")
    said += ["WHAT WAS RUN", *(part for line in lines for part in _wrapped(line, "  "))]
    said += ["", aside.printable(f"Findings, tables and figures are in {out}: open {out / 'findings.html'}.")]
    return "\n".join(said)


def _wrapped(text: str, indent: str) -> list[str]:
    from dpcp_core.cli.report import for_terminal

    # An address must stay in one piece.
    return textwrap.wrap(
        for_terminal(text),
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
