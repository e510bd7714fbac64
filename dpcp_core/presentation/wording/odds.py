"""A privacy budget in odds: how far a guess about one person can be moved.

>>> moved(1.0), moved(0.1), moved(5.0), moved(1.0, prior=0.01)
('73 in 100', '52.5 in 100', '99.3 in 100', '2.7 in 100')
"""

from __future__ import annotations

import math

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.nouns import plural
from dpcp_core.privacy.receipt_text import odds_factor


def posterior(epsilon: float, prior: float = 0.5) -> float:
    """Return the largest chance that a guess can be moved to by a release with pure epsilon.

    Privacy
    -------
    Epsilon bounds the odds ratio of "in the table" against "not in it": posterior odds are at most
    ``exp(epsilon)`` times prior odds, whatever the observer computes.

    References
    ----------
    Wasserman and Zhou (2010), Theorem 2.4; odds wording after Nanayakkara et al. (USENIX Security 2023).

    Examples
    --------
    >>> round(posterior(1.0), 4), posterior(math.inf), posterior(0.0, prior=0.2)
    (0.7311, 1.0, 0.2)
    """
    if math.isinf(epsilon):
        return 1.0
    # Written with exp(-epsilon), which cannot overflow.
    return prior / (prior + (1 - prior) * math.exp(-epsilon))


def moved(epsilon: float, prior: float = 0.5) -> str:
    """Write that largest chance as so many in 100; 100 itself only without any bound.

    >>> [moved(epsilon) for epsilon in (0.5, 2.0, 10.0, math.inf)]
    ['62 in 100', '88 in 100', '99.995 in 100', '100 in 100']
    """
    value = 100 * posterior(epsilon, prior)
    if value == 100:
        return "100 in 100"
    if 0 < value - 100 * prior < 0.05:  # a limit that is written like no change at all would be wrong
        return f"{say.fixed(math.ceil(100 * value) / 100, 2)} in 100"
    near = 1 if 100 * prior < value < 100 * prior + 5 and value > 10 else 0
    return f"{say.fixed(value, max(say.decimals(value), say.decimals(100 - value, 1), near))} in 100"


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
    else about the person, could be moved to at most 73 in 100.
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
