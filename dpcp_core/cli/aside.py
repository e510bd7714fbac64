"""What is said beside the answer, on standard error: progress and notes."""

from __future__ import annotations

import sys
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from dpcp_core.errors import PrivacyLeakWarning


@contextmanager
def stage(what: str) -> Iterator[None]:
    """Show what is being done, as long as it is being done and somebody is watching."""
    watched = sys.stderr.isatty()
    if watched:
        typer.echo(f"{what} ...", err=True, nl=False)
    try:
        yield
    finally:
        if watched:
            typer.echo("\r\x1b[K", err=True, nl=False)


@contextmanager
def leaks_heard() -> Iterator[list[str]]:
    """Collect the library's privacy warnings as sentences, each once, instead of Python's warning lines."""
    heard: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", PrivacyLeakWarning)
        yield heard
    heard += dict.fromkeys(str(warning.message) for warning in caught)


def note(sentence: str) -> None:
    """Print one sentence beside the answer."""
    typer.echo(printable(f"Note: {sentence}"), err=True)


def printable(text: str) -> str:
    r"""Return text without what a terminal would obey instead of showing it: a column's name may hold anything.

    >>> printable("do\x1b[31mse\nnext line")
    'do?[31mse\nnext line'
    """
    return "".join("?" if unicodedata.category(letter) in _OBEYED and letter != "\n" else letter for letter in text)


_OBEYED = ("Cc", "Cf")
"""Unicode's control and formatting characters, those among them that turn the direction of writing."""
