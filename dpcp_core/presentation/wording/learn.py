"""What the page of lessons says around them: steps, progress, replies.

>>> progress(["Noise", "Odds"], 5)
'2 of 5 finished: Noise, Odds'
"""

from __future__ import annotations

from collections.abc import Sequence

from dpcp_core.presentation.wording.lessons import LESSONS, Lesson, Question

TABS = ("Lessons", "In class", "Words")
INTRODUCTION = (
    "Five short lessons. In each you guess first, then move something and see, then answer one question. You can skip "
    "any of it. All of it runs on simulated patients; nothing is stored beyond this session."
)
CHOOSE = "Lesson"
GUESS, MOVE, CHECK = "1. Guess", "2. Move and see", "3. Check"
ANSWER, SKIP, START_AGAIN = "Answer", "Skip", "Start again"
CHOOSE_ONE = "Choose one of the answers first, or skip."
SKIPPED = "Skipped."
TRY_AGAIN = "Try another answer."
START_AGAIN_HELP = "Forgets the answers to all five lessons."
ALL_FINISHED = "All five lessons are finished. See the same ideas at full size on the other pages."
GUESS_KEEPS = "See for yourself below."
FIND, FIND_HELP = "Find a word", "Shows the words whose name or meaning holds these letters."
NOTHING_FOUND = "No word of the glossary holds these letters."
WORDS_INTRODUCTION = "The words of these pages, each in a sentence or two."


def progress(finished: Sequence[str], n_lessons: int) -> str:
    """Return how many lessons are finished, and which.

    >>> progress([], 5)
    '0 of 5 finished'
    """
    named = f": {', '.join(finished)}" if finished else ""
    return f"{len(finished)} of {n_lessons} finished{named}"


def way_on(lesson: Lesson) -> str:
    """Return what the button to the next lesson says.

    >>> way_on(LESSONS["odds"])
    'Next lesson: Odds'
    """
    return f"Next lesson: {lesson.short}"


def about(lesson: Lesson) -> str:
    """Return the line under a lesson's title.

    >>> about(LESSONS["odds"])
    'Lesson 2 of 5, about 7 minutes'
    """
    place = list(LESSONS).index(lesson.name) + 1
    return f"Lesson {place} of {len(LESSONS)}, about {lesson.minutes} minutes"


def reply_to_guess(question: Question, chosen: int | None) -> str:
    """Return what is said to a guess; None for one that was skipped."""
    if chosen is None:
        return f"{SKIPPED} {GUESS_KEEPS}"
    return f"{question.options[chosen].reply} {GUESS_KEEPS}"


def reply_to_check(question: Question, chosen: int | None) -> str:
    """Return what is said to an answer; None for one that was skipped."""
    if chosen is None:
        return f"{SKIPPED} The answer is “{question.answer.text.rstrip('.')}”. {question.answer.reply}"
    reply = question.options[chosen].reply
    return reply if chosen == question.right else f"{reply} {TRY_AGAIN}"
