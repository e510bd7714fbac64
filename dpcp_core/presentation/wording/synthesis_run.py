"""What the page on synthetic tables says of a run, of the table that came of it, and of controls that do nothing.

>>> offer(180)
'A table like this, and training on it, takes about **3 minutes**. You can go on meanwhile.'
"""

from __future__ import annotations

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.progress import duration

MAKING = "Making a table and training on it"
REPEAT = "Repeat this in Python or on the command line"
FREE_COLUMNS = "It changes nothing now: these columns cost nothing."
NO_CATEGORIES = "This table has no column of categories; only those can be randomised."
MISFIT = "The public table does not fit: {}"


def offer(seconds: float) -> str:
    """Say how long a table takes; Markdown."""
    return f"A table like this, and training on it, takes about **{duration(seconds)}**. You can go on meanwhile."


def thorough_offer(n_tables: int, n_rivals: int, seconds: float) -> str:
    r"""Say what a thorough look measures, and how long it takes.

    >>> thorough_offer(3, 3, 180).replace("\xa0", " ")
    '3 tables, a neural network as well, and 3 rivals with the same budget: about 3 minutes.'
    """
    tables, rivals = say.count(n_tables, "table"), say.count(n_rivals, "rival")
    return f"{tables}, a neural network as well, and {rivals} with the same budget: about {duration(seconds)}."


def rows_alt(n_shown: int) -> str:
    """Return what the table of the first synthetic rows shows."""
    return f"The first {n_shown} synthetic rows; nobody is in them."
