"""What an attacker says of the cells of one row, in words, from noisy counts of each column.

>>> from dpcp_core.data.samples import load_sample
>>> known = KnownRows.of(load_sample("blood_pressure"), "marginals", epsilon=1.0, delta=1e-5)
>>> [guess.truth for guess in guesses_from_counts(known, np.random.default_rng(0))][:2]
['43', 'male']
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcp_core._arrays import Floats
from dpcp_core._words import number_text
from dpcp_core.evaluation.audit.subtraction import belief
from dpcp_core.experiments.audit.releases import KnownRows
from dpcp_core.synthesis.cells import ColumnCells

EMPTY = "(empty)"
"""A cell without a value, as text."""
UNKNOWN = "?"
"""A cell of which nothing can be said."""

_SHOWN_DIGITS = 6


@dataclass(frozen=True)
class ColumnGuess:
    """What the attacker says of one cell.

    Attributes
    ----------
    column, title : str
    truth, guess : str
        The cell's value, or the public cell that a number lies in; "?" where nothing could be said.
    is_right : bool
    chance : float
        How sure the attacker is of the guess; 1 where it follows from a subtraction.
    blind : float
        How sure without the release: share of the commonest value among the other rows.
    """

    column: str
    title: str
    truth: str
    guess: str
    is_right: bool
    chance: float
    blind: float


def guesses_from_counts(known: KnownRows, rng: np.random.Generator) -> tuple[ColumnGuess, ...]:
    """Return what the histogram of each column says of the row, from one release."""
    own = known.codes[known.row]
    seen = known.release(own, rng)
    return tuple(
        _guess(known.plan.domain.parts[block.places[0]], int(own[block.places[0]]), left, known.rest(block), noise)
        for block, left, noise in zip(known.plan.blocks, seen.left, seen.noise, strict=False)
    )


def _guess(cells: ColumnCells, truth: int, left: Floats, rest: Floats, noise: float) -> ColumnGuess:
    # One more row everywhere, so that no value is held for impossible.
    prior = (rest + 1) / (rest + 1).sum()
    chances = belief(left, noise, prior)
    best = int(np.argmax(chances))
    name, title = cells.column.name, cells.column.title
    words = [cell_words(cells, place) for place in (truth, best)]
    return ColumnGuess(name, title, words[0], words[1], best == truth, float(chances[best]), float(prior.max()))


def cell_words(cells: ColumnCells, place: int) -> str:
    """Return a public cell as a person reads it.

    >>> from dpcp_core.data.schema import Column
    >>> cells = ColumnCells.of(Column("age", "integer", bounds=(17, 90)), 4)
    >>> [cell_words(cells, place) for place in (0, 1, 6, -1)]
    ['17', '18 to 35', '(empty)', '(empty)']
    """
    if not 0 <= place < cells.n_values:
        return EMPTY
    if not cells.column.is_numeric:
        return cells.column.categories[place]
    low, high = (number_text(float(ends[place]), _SHOWN_DIGITS) for ends in (cells.lower, cells.upper))
    return low if low == high else f"{low} to {high}"
