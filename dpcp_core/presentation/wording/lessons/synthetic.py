"""Lesson: synthetic is not automatically private."""

from __future__ import annotations

import math

from dpcp_core.experiments.lessons.copying import Traces
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.lessons.lesson import Lesson, Option, Question

LESSON = Lesson(
    name="synthetic",
    short="Copies",
    title="Synthetic is not automatically private",
    story=(
        "A synthetic table has made-up patients in place of real ones. One way to make it: take each column of the "
        "real table and shuffle it, so that no row is a real person. Ana is the only one in the real table who lives "
        "with a transplant. A neighbour knows of the transplant, and sees only the synthetic table."
    ),
    guess=Question(
        "The columns were shuffled. Can the neighbour tell whether Ana is in the real table?",
        (
            Option(
                "No: no row is hers.",
                "Her row is gone, but her value is not: it still stands in its column, in "
                "every table that is made this way.",
            ),
            Option(
                "Yes: her value stands in the table.",
                "Yes. A transplant in the synthetic table can only come from Ana.",
            ),
            Option("Only if her name is in the table.", "No name is needed: she is the only one with a transplant."),
        ),
        right=1,
    ),
    move=(
        "Choose how the columns are made, and move ε. Each dot is one synthetic table; it is filled where somebody in "
        "the table lives with a transplant. Compare the tables made with Ana and without her."
    ),
    check=Question(
        "What makes a synthetic table private?",
        (
            Option(
                "That no row is the same as a real row.",
                "No. The shuffled tables had no need of her row to give her away.",
            ),
            Option(
                "That the columns are shuffled more than once.",
                "No. However often a column is shuffled, all its values are still there.",
            ),
            Option(
                "Noise on all that was read from real rows, with a receipt of what it cost.",
                "Yes. Then the same table could nearly as well have come out without Ana, and ε says how nearly.",
            ),
        ),
        right=2,
    ),
    idea="What protects people is noise on what was read from their rows, not that the rows are made up.",
    minutes=7,
)

MAKER_LABEL = "How columns are made"
MAKERS = {"shuffle": "shuffled, as they are", "marginals": "counted with noise, then drawn"}
TABLE_COLUMNS = ("Real rows", "Tables with a transplant", "Tables without one")
ROWS_WITH, ROWS_WITHOUT = "with Ana", "without Ana"


def headings(traces: Traces) -> tuple[str, str]:
    """Return what stands above the two fields of dots."""
    return (
        f"{ROWS_WITH}: {traces.n_with} of {traces.n_tables}",
        f"{ROWS_WITHOUT}: {traces.n_without} of {traces.n_tables}",
    )


def title(traces: Traces) -> str:
    """Return the sentence above the picture."""
    return f"Synthetic tables in which somebody lives with a transplant; columns {MAKERS[traces.maker]}"


def seen(traces: Traces) -> str:
    """Say in how many tables the value turns up, and what that gives away.

    >>> import numpy as np
    >>> seen(Traces("shuffle", math.inf, 1e-5, np.ones(50, bool), np.zeros(50, bool))).partition(".")[0]
    'A transplant turns up in 50 of 50 tables made with Ana, and in 0 of 50 made without her'
    """
    start = (
        f"A transplant turns up in {traces.n_with} of {traces.n_tables} tables made with Ana, and in "
        f"{traces.n_without} of {traces.n_tables} made without her."
    )
    if math.isinf(traces.epsilon):
        return f"{start} Whoever sees such a table knows which it was: nothing is private here, and no ε limits it."
    both = traces.n_with + traces.n_without
    return (
        f"{start} This is all that a transplant tells: of the {both} tables that have one, {traces.n_with} were made "
        f"with Ana, where a coin would give half. ε = {traces.epsilon:g} limits it. The same noise was used with and "
        "without her."
    )


def alt(traces: Traces) -> str:
    """Return what the picture shows, for people who cannot see it."""
    return f"Two fields of {say.count(traces.n_tables, 'dot')}. {seen(traces)}"
