"""What to say of columns that were described by reading the rows: in a warning, a refusal, on a receipt.

>>> read_off_rows(("age", "dose"))
'The bounds or categories of age, dose were read off the rows'
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from dpcp_core._words import names_text
from dpcp_core.errors import NotPrivateError, PrivacyLeakWarning

_SHOWN = 5


def read_off_rows(names: Sequence[str], what: str = "bounds or categories") -> str:
    """Return the beginning of a sentence that names the columns, the first five where there are many."""
    return f"The {what} of {names_text(names, _SHOWN)} were read off the rows"


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
        Frames between the caller of this function, which is 1, and the person's own line.

    Raises
    ------
    NotPrivateError
        In release mode.

    Warns
    -----
    PrivacyLeakWarning
        In a simulation.
    """
    if not from_file:
        return
    sentence = f"{read_off_rows(from_file)}, which is not private; give {instead}."
    if mode == "release":
        raise NotPrivateError(sentence)
    warnings.warn(sentence, PrivacyLeakWarning, stacklevel=stacklevel + 1)
