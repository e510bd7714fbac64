"""Lesson: noise hides one person."""

from __future__ import annotations

from dpcp_core.experiments.lessons.counting import HiddenPerson
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.lessons.lesson import Lesson, Option, Question

LESSON = Lesson(
    name="noise",
    short="Noise",
    title="Noise hides one person",
    story=(
        "A clinic wants to publish how many of its patients smoke. Ana is one of them. Someone who knows about all "
        "the others could work out her answer from the exact count. So the clinic adds a little noise: it publishes "
        "a count that is off by a few, up or down, by chance."
    ),
    guess=Question(
        "The published count is off by about three patients, and more than a thousand smoke. What does the noise do?",
        (
            Option("It spoils the count.", "Three in a thousand is far less than the count changes from year to year."),
            Option(
                "It does not help Ana: with her the count is still higher by one.",
                "It is higher by one on average. But three times in four chance alone moves a count by one or more, so "
                "one published count hardly shows whether Ana is in it.",
            ),
            Option(
                "It hides Ana, and the count stays useful.",
                "Yes: one person is small beside the noise, and the noise is small beside the count.",
            ),
        ),
        right=2,
    ),
    move=(
        "Move the privacy budget ε, and draw again. Watch how far apart the two curves lie, and how far a published "
        "count is from the true one."
    ),
    check=Question(
        "A hospital has ten times as many patients and publishes the same count at the same ε. How much noise does "
        "it need to hide one person?",
        (
            Option(
                "Ten times as much",
                "No. One person changes the count by one, in a large hospital as in a small "
                "clinic; the noise has to hide that one.",
            ),
            Option(
                "Just as much",
                "Yes. One person changes any count by one at most, so the same noise will do. "
                "Beside a larger count it matters less: that is why large tables are easier to protect.",
            ),
            Option(
                "A tenth", "No. With a tenth of the noise the curves with and without one person would lie far apart."
            ),
        ),
        right=1,
    ),
    idea="Noise that is large beside one person, and small beside the crowd, protects the one and keeps the count.",
    minutes=6,
)

DRAW_AGAIN = "Draw again"
LEGEND_WITH, LEGEND_WITHOUT, LEGEND_DRAWN = "with Ana", "without Ana", "20 published counts"
AXIS, CHANCE = "Published count of smokers", "Chance"
TABLE_COLUMNS = ("Published count", "Chance with Ana", "Chance without Ana")


def seen(hidden: HiddenPerson) -> str:
    r"""Say what the picture shows: how far a count is off, and what it gives away.

    >>> from dpcp_core.experiments.lessons.counting import hide_one
    >>> seen(hide_one(1068, 0.5)).partition("guesses ")[2]
    'as well as can be is right 62 times in 100 about Ana; a coin is right 50 times.'
    """
    right = 100 * hidden.best_guess
    return (
        f"With Ana, {say.count(hidden.count, 'patient')} smoke; without her {say.whole(hidden.count - 1)}. A published "
        f"count is off by about {say.quantity(hidden.usual_error, 'patients')}. Whoever sees it and guesses as well "
        f"as can be is right {_times(right)} times in 100 about Ana; a coin is right 50 times."
    )


def title(hidden: HiddenPerson) -> str:
    """Return the sentence above the picture.

    >>> from dpcp_core.experiments.lessons.counting import hide_one
    >>> title(hide_one(1068, 0.5))
    'What may be published at ε = 0.5, with Ana and without her'
    """
    return f"What may be published at ε = {say.short(hidden.epsilon)}, with Ana and without her"


def alt(hidden: HiddenPerson) -> str:
    """Return what the picture shows, for people who cannot see it."""
    return (
        f"Two curves of the same shape, one patient apart, at ε = {say.short(hidden.epsilon)}: the less they "
        "overlap, the surer a guess; here the best guess about Ana is right "
        f"{_times(100 * hidden.best_guess)} times in 100. {len(hidden.drawn)} counts drawn by chance lie between "
        f"{say.whole(hidden.drawn.min())} and {say.whole(hidden.drawn.max())}; "
        f"the true one is {say.whole(hidden.count)}."
    )


def _times(right: float) -> str:
    return say.fixed(min(right, 99.9), 1 if right > 99 else 0)
