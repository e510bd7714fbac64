"""Randomised response: a cell says the truth with a known chance, whatever is done with it afterwards.

>>> round(truth_chance(2.0, 5), 3)
0.649
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pandas as pd

from dpcp_core import _validate as check
from dpcp_core._words import number_text, percent_text
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.synthesis.cells import ColumnCells, Places

CELL_EPSILON_RANGE = (1e-6, 700.0)
"""Of randomised response: below, a cell is drawn; above, a computer cannot tell it from kept."""


def truth_chance(epsilon: float, n_values: int) -> float:
    """Return how often a cell keeps its value; each other value comes up equally often in the remaining cases.

    Examples
    --------
    >>> chance = truth_chance(1.0, 4)
    >>> round(chance / ((1 - chance) / 3), 9) == round(math.e, 9)
    True
    """
    odds = math.exp(check.between(CELL_EPSILON_RANGE, randomised_response=epsilon))
    return odds / (odds + check.whole(n_values=n_values) - 1)


def randomised_codes(codes: Places, n_values: int, epsilon: float, rng: np.random.Generator) -> Places:
    """Return the cells after randomised response.

    Parameters
    ----------
    codes : int array of shape (n,)
        From 0 to ``n_values - 1``; anything else becomes any value with the same chance.
    n_values : int
    epsilon : float
    rng : numpy Generator

    Notes
    -----
    **Privacy.** ``epsilon`` for each cell, against everybody who sees what comes out, neighbours by any other content
    of the cell.

    References
    ----------
    Kairouz, Oh and Viswanath (2016), "Extremal mechanisms for local differential privacy", section 4.1.
    """
    chance = truth_chance(epsilon, n_values)
    # The others are those that lie 1 to n_values - 1 places further on.
    moved = (codes + rng.integers(1, max(n_values, 2), len(codes))) % n_values
    drawn: Places = np.where(rng.random(len(codes)) < chance, codes, moved)
    nowhere = (codes < 0) | (codes >= n_values)
    return np.where(nowhere, rng.integers(0, n_values, len(codes)), drawn)


def checked_columns(named: Iterable[tuple[str, float]], schema: Schema) -> None:
    """Refuse columns that cannot be randomised.

    Raises
    ------
    InputError
        An unknown or ignored column, or one of numbers.
    """
    for name, epsilon in named:
        column = schema.column(name)
        if column.is_numeric or column.role == "ignore":
            raise InputError(
                f"randomised_response names {name!r}, but only columns of categories that are made can be randomised."
            )
        truth_chance(epsilon, ColumnCells.of(column, 1).size)


def randomised_frame(
    frame: pd.DataFrame, schema: Schema, named: tuple[tuple[str, float], ...], rng: np.random.Generator
) -> pd.DataFrame:
    """Return the rows with the named columns randomised, before anything else reads them."""
    changed = {}
    for name, epsilon in named:
        cells = ColumnCells.of(schema.column(name), 1)
        codes = randomised_codes(cells.read(frame[name]).codes, cells.size, epsilon, rng)
        changed[name] = cells.decode(codes, rng).set_axis(frame.index)
    return frame.assign(**changed)


def randomised_sentences(schema: Schema, named: tuple[tuple[str, float], ...]) -> tuple[str, ...]:
    """Return what a receipt says, one sentence for each column."""
    return tuple(_sentence(schema, name, epsilon) for name, epsilon in named)


def _sentence(schema: Schema, name: str, epsilon: float) -> str:
    chance = truth_chance(epsilon, ColumnCells.of(schema.column(name), 1).size)
    return (
        f"Before anything else reads the rows, each cell of {name} is kept with a chance of {percent_text(chance)} and "
        f"otherwise becomes another value. That costs epsilon = {number_text(epsilon)} for the cell alone, whatever is "
        "done with it afterwards, and adds nothing to the total: the parts above read what came out."
    )
