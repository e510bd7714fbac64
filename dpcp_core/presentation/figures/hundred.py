"""A privacy promise as a hundred dots: what somebody thought before, and at most thinks after."""

from __future__ import annotations

import math

import pandas as pd

from dpcp_core.presentation.figures.dot_fields import DotField, dot_fields
from dpcp_core.presentation.figures.large import enlarged
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.theme import theme_of
from dpcp_core.presentation.wording import odds as words
from dpcp_core.privacy.meaning import posterior

BEFORE = 50
"""Dots that are filled before."""

_DOT = 10.0


def hundred(epsilon: float, noun: str = "person", *, dark: bool = False, large: bool = False) -> Picture:
    """Draw two fields of a hundred dots: a guess of 50 in 100 that somebody is in the table, before and after.

    Parameters
    ----------
    epsilon
        Above 0; infinity means that nothing is promised.
    noun
        What one row stands for.
    dark, large
        Colours for dark paper; larger letters.
    """
    after = after_dots(epsilon)
    fields = DotField(words.BEFORE_WORDS, 100, BEFORE), DotField(words.after_words(epsilon), 100, after)
    figure = dot_fields(fields, theme_of(dark), is_risk=False, dot=_DOT)
    table = pd.DataFrame({"when": ["before", "after, at most"], "filled dots": [BEFORE, after]})
    alt = words.hundred_alt(epsilon, noun, BEFORE, after)
    return Picture(enlarged(figure) if large else figure, words.hundred_title(noun), alt, table)


def after_dots(epsilon: float) -> int:
    """Return how many of a hundred dots are filled after, rounded up; all of them only where nothing is promised.

    >>> [after_dots(epsilon) for epsilon in (1.0, 0.1, 10.0, float("inf"))]
    [74, 53, 99, 100]
    """
    chance = posterior(epsilon)
    return 100 if chance == 1 else min(math.ceil(100 * chance), 99)
