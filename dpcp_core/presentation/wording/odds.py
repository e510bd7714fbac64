"""A privacy budget in odds: how far a guess about one person can be moved.

>>> moved(1.0), moved(0.1), moved(5.0), moved(1.0, prior=0.01)
('73.2 in 100', '52.5 in 100', '99.4 in 100', '2.7 in 100')
"""

from __future__ import annotations

import math

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.meaning import in_100
from dpcp_core.presentation.wording.nouns import plural
from dpcp_core.privacy.meaning import posterior
from dpcp_core.privacy.receipt_text import odds_factor

__all__ = [
    "BEFORE_WORDS",
    "after_words",
    "delta_sentence",
    "hundred_alt",
    "hundred_title",
    "moved",
    "odds_sentence",
    "posterior",
    "times",
]

BEFORE_WORDS = "before: 50 in 100"
"""Above a hundred dots, what the guess is before."""


def moved(epsilon: float, prior: float = 0.5) -> str:
    """Write that largest chance as so many in 100, rounded up; 100 itself only without any bound.

    >>> [moved(epsilon) for epsilon in (0.5, 2.0, 10.0, math.inf)]
    ['62.3 in 100', '88.1 in 100', '99.996 in 100', '100 in 100']
    """
    return in_100(posterior(epsilon, prior))


def after_words(epsilon: float) -> str:
    """Write above a hundred dots how far the guess can be moved.

    >>> after_words(1.0), after_words(math.inf)
    ('after: at most 73.2 in 100', 'after: no limit')
    """
    return "after: no limit" if math.isinf(epsilon) else f"after: at most {moved(epsilon)}"


def hundred_title(noun: str) -> str:
    """Return the title of the hundred dots."""
    return f"How sure somebody can get that a certain {noun} is in the table"


def hundred_alt(epsilon: float, noun: str, before: int, after: int) -> str:
    """Return what the hundred dots show, with so many of them filled on the left and on the right."""
    words = f"{BEFORE_WORDS}, {after_words(epsilon)}"
    return f"{hundred_title(noun)}: {words}. {after} of 100 dots are filled on the right, {before} on the left."


def times(epsilon: float) -> str:
    """Write by how much odds can grow, rounded up.

    >>> times(1.0), times(0.1), times(10.0), times(math.inf)
    ('2.72 times', '1.11 times', '22,100 times', 'without limit')
    """
    return "without limit" if math.isinf(epsilon) else f"{odds_factor(epsilon)} times"


def odds_sentence(epsilon: float, noun: str = "person", prior: float = 0.5) -> str:
    r"""Say in one sentence what a release can at most do to a guess about one person.

    >>> import textwrap
    >>> print(textwrap.fill(odds_sentence(1.0, "patient"), 104))
    Someone who thought the chance was 50 in 100 that a certain patient is in this table, and knows nothing
    else about the person, could be moved to at most 73.2 in 100.
    >>> odds_sentence(math.inf, "visit")
    'Nothing limits what someone could learn about a certain visit from what is shown.'
    """
    if math.isinf(epsilon):
        return f"Nothing limits what someone could learn about a certain {noun} from what is shown."
    about = "the person" if noun in _PEOPLE else f"that {noun}"
    return (
        f"Someone who thought the chance was {say.number(100 * prior)} in 100 that a certain {noun} is in "
        f"this table, and knows nothing else about {about}, could be moved to at most "
        f"{moved(epsilon, prior)}."
    )


_PEOPLE = frozenset({"person", "patient", "child", "woman", "man", "participant", "adult", "student", "donor"})


def delta_sentence(delta: float, n: int, noun: str = "person") -> str:
    r"""Say what delta means beside the number of rows.

    >>> delta_sentence(1e-3, 40, "owl")
    'On top of that, δ leaves an extra chance of at most 1 in 1,000; 1 in 40, the number of owls, would be too much.'
    >>> delta_sentence(0.0, 4000)
    'Nothing is left on top of that.'

    Notes
    -----
    (epsilon, delta) bounds the chance of any outcome by ``exp(epsilon)`` times what it would be without the row,
    plus delta. It does not say that odds grow by more only with chance delta.
    """
    if delta <= 0:
        return "Nothing is left on top of that."
    start = f"On top of that, δ leaves an extra chance of at most {say.one_in(delta)}"
    rows = f"{say.one_in(1 / n)}, the number of {plural(noun)}"
    if delta * n >= 1:
        return f"{start}. That is not below {rows}: choose a smaller δ."
    return f"{start}; {rows}, would be too much."
