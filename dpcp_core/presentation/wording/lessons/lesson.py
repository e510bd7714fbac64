"""What every lesson consists of: a story, a question to guess at, something to move, a question that checks.

>>> from dpcp_core.presentation.wording.lessons import LESSONS
>>> [lesson.short for lesson in LESSONS.values()]
['Noise', 'Odds', 'Misses', 'Budget', 'Copies']
"""

from __future__ import annotations

from dataclasses import dataclass

from dpcp_core.errors import InputError


@dataclass(frozen=True)
class Option:
    """One answer to choose, and what is said to whoever chose it."""

    text: str
    reply: str


@dataclass(frozen=True)
class Question:
    """A question with answers to choose from.

    Attributes
    ----------
    text : str
    options : tuple of Option
        Two or more.
    right : int
        Place of the right one.

    Raises
    ------
    InputError
        If there is no such place.
    """

    text: str
    options: tuple[Option, ...]
    right: int

    def __post_init__(self) -> None:
        """Check that one of the answers is right."""
        if not 0 <= self.right < len(self.options):
            raise InputError(f"right is {self.right} but there are {len(self.options)} options.")

    @property
    def answer(self) -> Option:
        """The right one."""
        return self.options[self.right]


@dataclass(frozen=True)
class Lesson:
    """The words of one lesson.

    Attributes
    ----------
    name : str
        Key in the registry.
    short : str
        One word, in lists and in links.
    title : str
        The idea in one line.
    story : str
        Who wants what; read before anything is shown.
    guess : Question
        Asked before anything is shown.
    move : str
        What to move and what to watch.
    check : Question
        Asked at the end.
    idea : str
        What to take home.
    minutes : int
        About how long it takes.
    """

    name: str
    short: str
    title: str
    story: str
    guess: Question
    move: str
    check: Question
    idea: str
    minutes: int
