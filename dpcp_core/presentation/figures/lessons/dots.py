"""Chances and shares as filled dots: two fields side by side, one to compare with the other."""

from __future__ import annotations

import pandas as pd

from dpcp_core.experiments.lessons.copying import Traces
from dpcp_core.experiments.lessons.counting import HiddenPerson
from dpcp_core.presentation.figures.dot_fields import DotField, dot_fields
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.theme import theme_of
from dpcp_core.presentation.wording.lessons import odds, synthetic


def belief_dots(hidden: HiddenPerson, prior: float, *, dark: bool = False) -> Picture:
    """Draw what an onlooker believes before a noisy count is published, and at most afterwards, in 100 dots.

    Parameters
    ----------
    hidden
        The count.
    prior
        Chance believed before, strictly between 0 and 1.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has the belief before, and the lowest and highest after.
    """
    low, high = hidden.beliefs(prior)
    before, after = odds.headings(hidden, prior)
    fields = (DotField(before, 100, 100 * prior), DotField(after, 100, 100 * high))
    table = pd.DataFrame(dict(zip(odds.TABLE_COLUMNS, (list(odds.WHEN), [100 * prior, 100 * low, 100 * high]),
                                  strict=True)))  # fmt: skip
    return Picture(dot_fields(fields, theme_of(dark), is_risk=True), odds.title(hidden), odds.alt(hidden, prior), table)


def trace_dots(traces: Traces, *, dark: bool = False) -> Picture:
    """Draw synthetic tables as dots, filled where a rare value turned up: made with the person, and without.

    Parameters
    ----------
    traces
        What was found.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table counts both kinds.

    Privacy
    -------
    A demonstration on a sample, part of no release.
    """
    found = (traces.n_with, traces.n_without)
    fields = [
        DotField(heading, traces.n_tables, n) for heading, n in zip(synthetic.headings(traces), found, strict=True)
    ]
    cells = ((synthetic.ROWS_WITH, synthetic.ROWS_WITHOUT), found, tuple(traces.n_tables - n for n in found))
    table = pd.DataFrame(dict(zip(synthetic.TABLE_COLUMNS, cells, strict=True)))
    return Picture(
        dot_fields(tuple(fields), theme_of(dark), is_risk=True), synthetic.title(traces), synthetic.alt(traces), table
    )
