"""What is not private about a synthesis, in words: refused in a release, warned of in a simulation."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from dpcp_core._words import names_text
from dpcp_core.errors import InputError, NotPrivateError, PrivacyLeakWarning

_SHOWN = 5


def file_leaks(from_file: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence if columns were described by reading the rows.

    >>> file_leaks(("age", "dose"))
    ('The bounds or categories of age, dose were read off the rows; give public ones.',)
    """
    if not from_file:
        return ()
    return (f"The bounds or categories of {names_text(from_file, _SHOWN)} were read off the rows; give public ones.",)


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
