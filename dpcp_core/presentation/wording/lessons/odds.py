"""Lesson: epsilon as odds."""

from __future__ import annotations

from dpcp_core.experiments.lessons.counting import HiddenPerson
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.lessons.lesson import Lesson, Option, Question
from dpcp_core.presentation.wording.odds import times

LESSON = Lesson(
    name="odds",
    short="Odds",
    title="Epsilon limits how far a belief can move",
    story=(
        "A neighbour wonders whether Ana is among the smokers of the clinic, and thinks the chance is 50 in 100. Then "
        "the clinic publishes its count with noise. The count may move the neighbour's belief, whatever else the "
        "neighbour knows or computes. ε says how far."
    ),
    guess=Question(
        "At ε = 1, after the published count that points most clearly to Ana: what is the most that the neighbour "
        "can believe?",
        (
            Option("51 in 100", "The limit is higher. This would be the limit for an ε of about 0.04."),
            Option("73 in 100", "Yes: even odds, 1 to 1, become at most about 2.7 to 1, and that is 73 in 100."),
            Option("100 in 100", "The noise rules out that anybody becomes certain. The limit is 73 in 100."),
        ),
        right=1,
    ),
    move="Move ε, and what the neighbour believed before. Watch how many dots change from the left to the right.",
    check=Question(
        "Now it is about something rare. Before, the neighbour thinks the chance is 1 in 100. ε is 1. What is the "
        "most that can be believed afterwards?",
        (
            Option(
                "2.7 in 100",
                "Yes. The odds are multiplied by about 2.7 at most, and 1 in 100 becomes at most 2.7 in "
                "100: something rare stays unlikely.",
            ),
            Option("51 in 100", "No. ε does not add 50 in 100; it multiplies the odds, by about 2.7 at most."),
            Option("73 in 100", "No. That is the limit where the neighbour thought it 50 in 100 before."),
        ),
        right=0,
    ),
    idea="ε is a limit on how much odds can change: at most e to the power of ε times, for every person and onlooker.",
    minutes=7,
)

BEFORE_LABEL = "What the neighbour believes before"
TABLE_COLUMNS = ("When", "Chance that Ana is among them, in 100")
WHEN = ("before", "after, at least", "after, at most")


def prior_words(prior: float) -> str:
    """Return a belief as it stands in a list.

    >>> prior_words(0.01), prior_words(0.5)
    ('1 in 100', '50 in 100')
    """
    return f"{say.fixed(100 * prior, 0)} in 100"


def chance_words(chance: float) -> str:
    """Return a chance as so many in 100, with as many digits as keep it apart from 0 and 100.

    >>> [chance_words(chance) for chance in (0.7310586, 0.0267, 0.99995, 0.5, 1e-6)]
    ['73 in 100', '2.7 in 100', '99.995 in 100', '50 in 100', '0.00010 in 100']
    """
    value = 100 * chance
    return f"{say.fixed(value, max(say.decimals(value), say.decimals(100 - value, 1)))} in 100"


def headings(hidden: HiddenPerson, prior: float) -> tuple[str, str]:
    """Return what stands above the two fields of dots."""
    _, high = hidden.beliefs(prior)
    return f"before: {chance_words(prior)}", f"after, at most: {chance_words(high)}"


def title(hidden: HiddenPerson) -> str:
    """Return the sentence above the picture.

    >>> from dpcp_core.experiments.lessons.counting import hide_one
    >>> title(hide_one(1068, 1.0))
    'How far a published count can move the belief that Ana smokes, at ε = 1'
    """
    return f"How far a published count can move the belief that Ana smokes, at ε = {hidden.epsilon:g}"


def seen(hidden: HiddenPerson, prior: float) -> str:
    """Say how far the belief can move, either way, and in odds.

    >>> from dpcp_core.experiments.lessons.counting import hide_one
    >>> seen(hide_one(1068, 1.0), 0.5).partition("Ana ")[2].partition(".")[0]
    'makes it 73 in 100, the one that points most clearly away 27 in 100'
    """
    low, high = hidden.beliefs(prior)
    return (
        f"The belief was {chance_words(prior)}. The count that points most clearly to Ana makes it "
        f"{chance_words(high)}, the one that points most clearly away {chance_words(low)}. The odds grow or shrink "
        f"by a factor of {times(hidden.epsilon).removesuffix(' times')} at most."
    )


def alt(hidden: HiddenPerson, prior: float) -> str:
    """Return what the picture shows, for people who cannot see it."""
    _, high = hidden.beliefs(prior)
    return (
        f"Two fields of 100 dots at ε = {hidden.epsilon:g}: filled are {chance_words(prior)} before the count is "
        f"published, and {chance_words(high)} after the count that points most clearly to Ana."
    )
