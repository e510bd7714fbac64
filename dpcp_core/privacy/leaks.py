"""What is not private about a run, in words: refused in a release, warned of in a simulation.

>>> read_off_rows(("age", "dose"))
'The bounds or categories of age, dose were read off the rows'
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from dpcp_core._words import names_text
from dpcp_core.errors import InputError, NotPrivateError, PrivacyLeakWarning

_SHOWN = 5


def read_off_rows(names: Sequence[str], what: str = "bounds or categories") -> str:
    """Return the beginning of a sentence that names the columns, the first five where there are many."""
    return f"The {what} of {names_text(names, _SHOWN)} were read off the rows"


def file_leaks(from_file: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence if columns were described by reading the rows.

    >>> file_leaks(("age", "dose"))
    ('The bounds or categories of age, dose were read off the rows; give public ones.',)
    """
    return (f"{read_off_rows(from_file)}; give public ones.",) if from_file else ()


def speak_of(leaks: Sequence[str], mode: str, *, stacklevel: int) -> None:
    """Warn of what is not private; in release mode, refuse it.

    Parameters
    ----------
    leaks : sequence of str
        Sentences.
    mode : str
        ``simulation`` or ``release``.
    stacklevel : int
        Frames between the caller of this function, which is 1, and the person's own line.

    Raises
    ------
    NotPrivateError
        In release mode, for the first.

    Warns
    -----
    PrivacyLeakWarning
        In a simulation.
    """
    for leak in leaks:
        if mode == "release":
            raise NotPrivateError(leak)
        warnings.warn(leak, PrivacyLeakWarning, stacklevel=stacklevel + 1)


def speak_of_leaks(from_file: Sequence[str], mode: str, *, instead: str, stacklevel: int) -> None:
    """Warn of columns that were described by reading the rows; in release mode, refuse them.

    Parameters
    ----------
    from_file : sequence of str
        Their names; nothing happens if there are none.
    mode : str
        ``simulation`` or ``release``.
    instead : str
        What to give in their place, as it fits after "give".
    stacklevel : int
        As of :func:`speak_of`.
    """
    said = [f"{read_off_rows(from_file)}, which is not private; give {instead}."] if from_file else []
    speak_of(said, mode, stacklevel=stacklevel + 1)


@contextmanager
def silent_about_rows(mode: str) -> Iterator[None]:
    """In release mode, refuse rows that cannot be read in one constant sentence: the usual ones count them."""
    try:
        yield
    except NotPrivateError:
        raise
    except ValueError:
        if mode != "release":
            raise
        raise InputError(
            "Some of these rows cannot be read by the schema, and a release does not say which; fit the same as a "
            "simulation to learn why."
        ) from None
