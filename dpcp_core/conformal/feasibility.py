"""Does a procedure certify anything narrower than everything? Told from public numbers, before any row is touched.

What does a choice certify? ``certified_feasibility(n=200, epsilon=0.5)``.
What would it take? Its ``smallest_n`` and ``smallest_epsilon``.
Where does a whole plane of sizes and budgets stand? ``feasibility_map(n=[...], epsilons=[...])``.

Nothing is worked out a second time here: the procedure itself is run on empty rows, and its certificate is read.

>>> found = certified_feasibility(200, epsilon=0.5, loss="bracket")
>>> found.certified, found.obstacle, found.smallest_n, round(found.smallest_epsilon, 3)
(False, 'rows', 378, 0.964)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from dpcp_core import _validate as check
from dpcp_core._arrays import Floats
from dpcp_core.conformal.choices import EPSILON_RANGE, ConformalChoices
from dpcp_core.conformal.feasibility_result import OBSTACLES, Feasibility, FeasibilityMap
from dpcp_core.conformal.feasibility_search import MOST_ROWS, at_epsilon, epsilon_range, smallest_n
from dpcp_core.conformal.public_run import PublicFacts
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError

__all__ = ["OBSTACLES", "Feasibility", "FeasibilityMap", "certified_feasibility", "feasibility_map", "smallest_n"]


def certified_feasibility(
    n: int,
    choices: ConformalChoices | None = None,
    schema: Schema | None = None,
    *,
    target: str = "",
    n_features: int | None = None,
    n_classes: int = 0,
    n_ranked: int | None = None,
    **settings: Any,
) -> Feasibility:
    """Tell whether a procedure certifies anything narrower than everything, and what it would take.

    Parameters
    ----------
    n : int
        Rows that the procedure may use, 2 or more; of a simulation, those that are not held out.
    choices : ConformalChoices, optional
    schema : Schema, optional
        Public description of the table; without one the target is a number whose bounds are five typical half-widths
        to each side, or has ``n_classes`` classes.
    target : str
        Column of the schema to predict; "" takes its target.
    n_features : int, optional
        Columns of the encoded table where there is no schema, 10 by default.
    n_classes : int
        2 or more for classes where there is no schema.
    n_ranked : int, optional
        Ranked rows of one group, where each has a threshold of its own.
    **settings
        Values of any other choice by its name, e.g. ``epsilon=0.5``.

    Returns
    -------
    Feasibility

    Raises
    ------
    InputError
        A value outside its range, a schema without a target, or choices that the procedure refuses.

    Notes
    -----
    **Privacy.** Costs nothing: no row is touched.

    **Guarantee.** The certificate is that of every run with these numbers. ``smallest_n`` is the first n that is
    enough, given that a larger one never makes things worse; epsilons are exact to six digits.
    """
    facts = PublicFacts.of(
        choices, schema, target=target, n_features=n_features, n_classes=n_classes, settings=settings
    )
    rows = check.whole(at_least=2, at_most=MOST_ROWS, n=n)
    ranked = None if n_ranked is None else check.whole(n_ranked=n_ranked)
    run = facts.run(rows, ranked)
    smallest = smallest_n(facts) if ranked is None else None
    return Feasibility(facts.choices, rows, run, smallest, *epsilon_range(facts, rows, ranked))


def feasibility_map(
    choices: ConformalChoices | None = None,
    schema: Schema | None = None,
    *,
    n: Iterable[int],
    epsilons: Iterable[float],
    target: str = "",
    n_features: int | None = None,
    n_classes: int = 0,
    **settings: Any,
) -> FeasibilityMap:
    """Tell what a procedure certifies for every n and every epsilon; see :func:`certified_feasibility`.

    Parameters
    ----------
    n : iterable of int
    epsilons : iterable of float
    choices, schema, target, n_features, n_classes, **settings
        See :func:`certified_feasibility`.

    Returns
    -------
    FeasibilityMap

    Raises
    ------
    InputError
        No n or no epsilon, or as :func:`certified_feasibility`.

    Examples
    --------
    >>> feasibility_map(n=[100, 1000], epsilons=[0.1, 1.0]).certified.tolist()
    [[False, False], [True, True]]
    """
    facts = PublicFacts.of(
        choices, schema, target=target, n_features=n_features, n_classes=n_classes, settings=settings
    )
    rows = tuple(check.whole(at_least=2, at_most=MOST_ROWS, n=value) for value in n)
    budgets = tuple(check.between(EPSILON_RANGE, epsilon=value) for value in epsilons)
    if not rows or not budgets:
        raise InputError("A map needs at least one n and at least one epsilon; name some of both.")
    columns = [at_epsilon(facts, epsilon) for epsilon in budgets]
    cells = [[_told(column, value) for column in columns] for value in rows]
    return FeasibilityMap(
        choices=facts.choices,
        n=rows,
        epsilons=budgets,
        narrows=np.array([[cell is not None and cell.narrows for cell in row] for row in cells]),
        proved=np.array([[cell is not None and cell.proved for cell in row] for row in cells]),
        aimed_coverage=_numbers(cells, lambda cell: cell.aimed_coverage),
        level=_numbers(cells, lambda cell: cell.level),
        widening=_numbers(cells, lambda cell: cell.widening),
        smallest_n=tuple(
            _first_n(columns[place], rows, [row[place] for row in cells]) for place in range(len(columns))
        ),
    )


def _first_n(facts: PublicFacts | None, rows: tuple[int, ...], cells: Sequence[Feasibility | None]) -> int | None:
    """Return the first n that is enough, searched between the cells that are known."""
    if facts is None:
        return None
    enough = [n for n, cell in zip(rows, cells, strict=True) if cell is not None and cell.narrows]
    short = [n for n in rows if n not in enough and (not enough or n < min(enough))]
    low = max(short, default=1)
    return smallest_n(facts, low, min(enough, default=max(low + 1, 2)))


def _told(facts: PublicFacts | None, n: int) -> Feasibility | None:
    try:
        return None if facts is None else Feasibility(facts.choices, n, facts.run(n))
    except InputError:
        return None


def _numbers(cells: list[list[Feasibility | None]], of: Callable[[Feasibility], float]) -> Floats:
    return np.array([[math.nan if cell is None else of(cell) for cell in row] for row in cells])
